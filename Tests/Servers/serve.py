"""Serves a list of rows by one of the servers that other people wrote, on loopback, for the HTTP tests.

    .servers/bin/python Tests/Servers/serve.py NAME --folder FOLDER [--port N] [--rows N]

NAME is one of: datasette, django, kinto, strawberry, graphene, fastapi, httpbin, nginx, images, faults, probe. All files go
into FOLDER, which is whoever's who started it. Prints `READY URL` when it answers. Ends when its standard input closes or
its parent dies.

Lines on standard input change the list, each answered by a line that begins with OK or FAILED:

    rows N            the list anew, with N rows
    insert N PLACE    N rows: top (newer than all), tie (as new as the newest), middle, bottom (older than all)
    delete ID,ID      those rows

The rows are the same everywhere: `id` from 1 on, `title`, `created`, `score`; the newest come first, ties by the larger ID.
Seven rows share a minute, and an eighth of the list one moment. A server with other commands says so in its own file.
"""

import argparse
import importlib
import sys

NAMES = {
    "datasette": "datasette_feed",
    "django": "django_feed",
    "kinto": "kinto_feed",
    "strawberry": "strawberry_feed",
    "graphene": "graphene_feed",
    "fastapi": "fastapi_feed",
    "httpbin": "httpbin_app",
    "nginx": "nginx_feed",
    "images": "nginx_images",
    "faults": "fault_proxy",
    "probe": "probe_feed",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=sorted(NAMES))
    parser.add_argument("--folder", required=True)
    parser.add_argument("--temporary", action="store_true", help="the folder goes when the server ends")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--upstream", help="faults: where requests go on to, as 127.0.0.1:8080")
    parser.add_argument("--nginx", help="nginx, images: the program, where it is not on the path")
    options = parser.parse_args()
    sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/feeds")
    import lifetime

    if options.temporary:
        lifetime.FOLDERS.append(options.folder)
    importlib.import_module(NAMES[options.name]).serve(options)


main()
