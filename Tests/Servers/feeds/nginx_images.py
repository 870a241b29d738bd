"""nginx with pictures: `/img/0.png` and on, 160 x 120 pixels each, fresh for a minute.

The upper half of a picture has the colour that its number says (red: number // 36, green: number // 6 % 6, blue: number % 6, each
times 40), the lower half noise, so that a file has some weight. The same files with other words on how long they hold:

| folder | answers |
|---|---|
| /img/ | `max-age=60` |
| /revalidated/ | `no-cache`: kept, and asked again each time |
| /unkept/ | `no-store`, no validators |
| /slow/ | 200 kB a second |
| /moved/ | a redirect to /img/ |
| /lying/ | `Content-Type: text/html` |
| /odd/ | cut.png (half a file), page.png (a web page), empty.png, large.png (some 2 MB; ranges) |

    log           how often each status was answered since the last one, as JSON: status and path to count
    touch N       picture N anew, with another date: what was kept of it no longer holds
    down, up      the server goes away, and comes back on the same port
"""

import collections
import http.client
import json
import os
import random
import shutil
import socket
import struct
import sys
import time
import zlib

import lifetime

CONFIG = """
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log warn;
events {{ worker_connections 256; }}
http {{
  types {{ image/png png; }} default_type application/octet-stream; sendfile on;
  log_format counted '$status $uri'; access_log {folder}/access.log counted;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port}; server_name images; root {folder}/www; etag on; server_tokens off;
    location /img/ {{ add_header Cache-Control "public, max-age=60"; }}
    location /revalidated/ {{ alias {folder}/www/img/; add_header Cache-Control "no-cache"; }}
    location /unkept/ {{
      alias {folder}/www/img/; add_header Cache-Control "no-store"; etag off; if_modified_since off; add_header Last-Modified "";
    }}
    location /slow/ {{ alias {folder}/www/img/; limit_rate 200k; add_header Cache-Control "public, max-age=60"; }}
    location /moved/ {{ rewrite ^/moved/(.*)$ /img/$1 redirect; }}
    location /lying/ {{ alias {folder}/www/img/; types {{ }} default_type text/html; add_header Cache-Control "max-age=60"; }}
    location /odd/ {{ limit_rate 1m; }}
    location /mark/ {{ return 204; }}
  }}
}}
"""


def png(width, height, upper, seed):
    noise = random.Random(seed)
    lines = [b"\0" + bytes(upper) * width for _ in range(height // 2)]
    lines += [b"\0" + noise.randbytes(3 * width) for _ in range(height - height // 2)]

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    packed = zlib.compress(b"".join(lines), 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def colour(number):
    return [40 * (number // 36 % 6), 40 * (number // 6 % 6), 40 * (number % 6)]


def put(folder, name, data, date=1735689600):
    path = os.path.join(folder, "www", name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "wb") as file:
        file.write(data)
    os.utime(path + ".new", (date, date))
    os.rename(path + ".new", path)


def write(folder, count):
    for number in range(count):
        put(folder, f"img/{number}.png", png(160, 120, colour(number), number))
    whole = png(160, 120, colour(0), 0)
    put(folder, "odd/cut.png", whole[: len(whole) // 2])
    put(folder, "odd/page.png", b"<!doctype html><title>Not here</title>")
    put(folder, "odd/empty.png", b"")
    put(folder, "odd/large.png", png(1200, 1200, colour(1), 1))


def serve(options):
    program = options.nginx or shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if not program:
        sys.exit("nginx is not installed: run Scripts/bootstrap --servers")
    folder = os.path.abspath(options.folder)
    write(folder, min(options.rows, 500))
    port = options.port or lifetime.free_port()
    with open(os.path.join(folder, "nginx.conf"), "w") as file:
        file.write(CONFIG.format(folder=folder, port=port))
    read = 0
    marks = 0
    child = None

    def up():
        nonlocal child
        child = lifetime.start([program, "-p", folder, "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"])
        while child.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError("nginx did not start")

    def mark():
        """A line is written after its reply, so whoever has the reply may not find it: but before the line of a later request."""
        nonlocal marks
        marks += 1
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", f"/mark/{marks}")
        connection.getresponse().read()
        connection.close()
        while f"204 /mark/{marks}" not in open(f"{folder}/access.log").read().splitlines():
            time.sleep(0.005)

    def command(words):
        nonlocal read
        if words[0] == "log":
            mark()
            with open(f"{folder}/access.log") as file:
                file.seek(read)
                lines = file.read().splitlines()
                read = file.tell()
            return json.dumps(collections.Counter(line for line in lines if "/mark/" not in line))
        if words[0] == "touch":
            number = int(words[1])
            put(folder, f"img/{number}.png", png(160, 120, colour(number + 1), number), date=1735689600 + 60)
            return ""
        if words[0] == "down":
            child.terminate()
            child.wait()
            lifetime.CHILDREN.remove(child)
            return ""
        if words[0] == "up":
            up()
            return ""
        raise ValueError(f"no such command: {words[0]}")

    up()
    lifetime.attend(f"http://127.0.0.1:{port}/img/", command)
    while True:
        time.sleep(3600)
