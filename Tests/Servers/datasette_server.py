"""Datasette over a table made from this machine's files; started by `Tests/Servers/datasette`, which says how."""

import argparse
import ctypes
import os
import shutil
import signal
import socket
import sqlite3
import sys
import tempfile
import threading

import uvicorn
from datasette.app import Datasette

SOURCES = ["/usr/share/common-licenses", "/usr/include", "/etc", os.path.dirname(os.__file__)]


def lines():
    """Lines of text files on this machine, with where each stands; some more where there are too few."""
    for top in SOURCES:
        for folder, folders, names in os.walk(top):
            folders.sort()
            for name in sorted(names):
                path = os.path.join(folder, name)
                if os.path.islink(path) or not os.path.isfile(path):
                    continue
                try:
                    with open(path, encoding="utf-8") as file:
                        for number, line in enumerate(file, 1):
                            if line.strip():
                                yield path, number, line.rstrip("\n")
                except (OSError, UnicodeDecodeError):
                    continue
    number = 0
    while True:
        number += 1
        yield "made up", number, f"Line {number}"


def build(path, count):
    """A table with what rows have in the wild: whole and broken numbers, nulls, and any text."""
    with sqlite3.connect(path) as database:
        database.execute(
            "CREATE TABLE lines (id INTEGER PRIMARY KEY, file TEXT NOT NULL, number INTEGER NOT NULL, text TEXT,"
            " ratio REAL)"
        )
        source = lines()
        rows = []
        for index in range(count):
            file, number, text = next(source)
            # IDs with holes, as a table that has been in use has.
            rows.append((index * 3 + 1, file, number, text if index % 50 else None, number / 7))
        database.executemany("INSERT INTO lines VALUES (?, ?, ?, ?, ?)", rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--ttl", type=float, default=600)
    arguments = parser.parse_args()

    folder = tempfile.mkdtemp(prefix="datasette-")

    def end(*_):
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    parent = os.getppid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG: this signal when the parent ends
        if os.getppid() != parent:
            end()
    timer = threading.Timer(arguments.ttl, end)
    timer.daemon = True
    timer.start()

    path = os.path.join(folder, "machine.db")
    build(path, arguments.rows)
    server = Datasette([path], settings={"max_returned_rows": 1000, "num_sql_threads": 2})
    # With the protocol named, asyncio turns Nagle's algorithm off, which else costs 40 ms a reply.
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", arguments.port))
    listener.listen(64)
    port = listener.getsockname()[1]
    print(f"READY http://127.0.0.1:{port}/machine/lines.json {path}", flush=True)
    uvicorn.Server(uvicorn.Config(server.app(), log_level="error", access_log=False, lifespan="on")).run([listener])
    end()


main()
