#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <microhttpd.h>

/* Swift can't call variadic functions: these wrap the calls that are needed, each with a fixed list of options. */

/// Starts a server with a thread of its own on 127.0.0.1, on a port that the system picks; NULL when it can't.
static inline struct MHD_Daemon *mhd_start_on_loopback(MHD_AccessHandlerCallback handler, void *context) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = 0;
  return MHD_start_daemon(
      MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, handler, context, MHD_OPTION_SOCK_ADDR,
      (struct sockaddr *)&address, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)60, MHD_OPTION_END);
}

/// The port that a running server was given; 0 when unknown.
static inline uint16_t mhd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

/// What a body reader returns to break the connection off in the middle of a body.
static inline ssize_t mhd_break_off(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }

/* How the library's enumerations look in Swift differs between its versions: these look the same in all. */

static inline enum MHD_Result mhd_yes(void) { return MHD_YES; }
static inline enum MHD_Result mhd_no(void) { return MHD_NO; }
static inline enum MHD_ValueKind mhd_query_kind(void) { return MHD_GET_ARGUMENT_KIND; }
static inline enum MHD_ValueKind mhd_header_kind(void) { return MHD_HEADER_KIND; }

/// A response of which the library keeps a copy.
static inline struct MHD_Response *mhd_copied_response(size_t count, const void *bytes) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

#endif
