"""How a test server begins and ends: the port, the line that says so, commands, and the end with its parent."""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

CHILDREN = []
# What goes when the server ends.
FOLDERS = []
# Held by whoever ends the server first; nobody gives it back.
ENDING = threading.Lock()


def listen(port):
    """A socket that listens on loopback; port 0 takes a free one."""
    # With the protocol named, asyncio turns Nagle's algorithm off, which else costs 40 ms a reply.
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(128)
    return listener


def free_port():
    """A port that was free a moment ago, for servers that will not take a socket."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def end(*_):
    ENDING.acquire()
    for child in CHILDREN:
        child.terminate()
    for child in CHILDREN:
        try:
            child.wait(5)
        except subprocess.TimeoutExpired:
            child.kill()
    for folder in FOLDERS:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)


def start(arguments):
    """A child that ends with this process, however that ends."""

    def tie():
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG

    CHILDREN.append(subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=sys.stderr, preexec_fn=tie))
    return CHILDREN[-1]


def attend(url, command):
    """Says that the server answers, and from then on does what standard input says, until it closes."""
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    parent = os.getppid()

    def watch():
        while os.getppid() == parent:
            time.sleep(1)
        end()

    def obey():
        for line in sys.stdin:
            words = line.split()
            if not words:
                continue
            try:
                print("OK", command(words), flush=True)
            except Exception as problem:  # whatever it is, the test that asked is to see it
                print("FAILED", repr(problem), flush=True)
        end()

    print("READY", url, flush=True)
    for work in (watch, obey):
        threading.Thread(target=work, daemon=True).start()


def base(listener):
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def run_wsgi(app, listener):
    """Serves a WSGI app, with connections kept open."""
    import waitress

    waitress.create_server(app, sockets=[listener], threads=4, ident="test", clear_untrusted_proxy_headers=True).run()


def run_asgi(app, listener, lifespan="off"):
    import uvicorn

    uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False, lifespan=lifespan)).run([listener])
