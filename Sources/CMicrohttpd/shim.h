#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <microhttpd.h>

/* Swift can't call variadic functions: these wrap the calls that are needed, each with a fixed list of options. */

/// What is told of a server's connections and requests; the first argument of each is the context.
struct mhd_calls {
  /// A connection was opened, or is closed: a place to keep something for it in between.
  MHD_NotifyConnectionCallback connection;
  /// The target of a request came, as it was written.
  void *(*target)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback request;
};

/// Starts a server on 127.0.0.1, with a thread for each of at most 64 connections; NULL when it can't, and errno says why.
static inline struct MHD_Daemon *mhd_start_on_loopback(uint16_t port, struct mhd_calls calls, void *context) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return MHD_start_daemon(
      MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, NULL, NULL, calls.request,
      context, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)60,
      MHD_OPTION_CONNECTION_LIMIT, (unsigned int)64, MHD_OPTION_NOTIFY_CONNECTION, calls.connection, context,
      MHD_OPTION_URI_LOG_CALLBACK, calls.target, context, MHD_OPTION_END);
}

/// What was kept for a connection; NULL where nothing was.
static inline void *mhd_kept(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
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
static inline enum MHD_ValueKind mhd_header_kind(void) { return MHD_HEADER_KIND; }

static inline int mhd_is_opening(enum MHD_ConnectionNotificationCode code) {
  return code == MHD_CONNECTION_NOTIFY_STARTED;
}

/// A response of which the library keeps a copy.
static inline struct MHD_Response *mhd_copied_response(size_t count, const void *bytes) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

#endif
