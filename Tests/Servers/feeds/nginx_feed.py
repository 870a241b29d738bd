"""nginx with pages as files: `/feed/page-1.json` and on, next links relative, compressed where the client takes it.

Also `/limited/feed/…`, which lets four requests through at once and answers the rest with 429 and `Retry-After: 1`, and
`/busy/feed/…`, likewise with 503 and no word of when.
"""

import json
import os
import shutil
import socket
import sys
import time

import lifetime
import rows

SIZE = 100

CONFIG = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log warn;
events {{ worker_connections 256; }}
http {{
  types {{ application/json json; }} default_type text/html; access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  gzip on; gzip_types application/json; gzip_min_length 200;
  limit_req_zone $server_name zone=limited:64k rate=1r/m; limit_req_zone $server_name zone=busy:64k rate=1r/m;
  server {{
    listen 127.0.0.1:{port}; server_name pages; root {folder}/www; server_tokens off;
    location /limited/ {{
      alias {folder}/www/; limit_req zone=limited burst=3 nodelay; limit_req_status 429;
      add_header Retry-After 1 always;
    }}
    location /busy/ {{ alias {folder}/www/; limit_req zone=busy burst=3 nodelay; }}
  }}
}}
"""


def write(folder, count):
    """The pages, the newest rows first."""
    pages = os.path.join(folder, "www", "feed")
    shutil.rmtree(pages, ignore_errors=True)
    os.makedirs(pages)
    made = [rows.row(number, rows.moment(number, count).isoformat()) for number in range(count, 0, -1)]
    number = max(1, -(-count // SIZE))
    for page in range(1, number + 1):
        next_page = f"page-{page + 1}.json" if page < number else None
        with open(os.path.join(pages, f"page-{page}.json"), "w", encoding="utf-8") as file:
            json.dump({"items": made[(page - 1) * SIZE : page * SIZE], "next": next_page}, file, ensure_ascii=False)


def serve(options):
    program = options.nginx or shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not program:
        sys.exit("nginx is not installed: run Scripts/bootstrap --servers")
    folder = os.path.abspath(options.folder)
    write(folder, options.rows)
    port = options.port or lifetime.free_port()
    with open(os.path.join(folder, "nginx.conf"), "w") as file:
        file.write(CONFIG.format(folder=folder, port=port))
    child = lifetime.start([program, "-p", folder, "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"])
    while child.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.02)

    def command(words):
        if words[0] != "rows":
            raise ValueError(f"no such command: {words[0]}")
        write(folder, int(words[1]))
        return ""

    lifetime.attend(f"http://127.0.0.1:{port}/feed/page-1.json", command)
    child.wait()
    lifetime.end()
