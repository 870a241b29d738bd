"""The same work by other programs: a walk over HTTP by Python with requests, windows of a list by the shell of SQLite.

    python3 peers.py <program of the benchmarks>

Run by `Scripts/bench peers`. Needs nginx (`Scripts/bootstrap --servers`), `requests` (PyPI) and `sqlite3`; what isn't there is left out. Both sides meet
the same server and the same file, one after the other.
"""

import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
ROWS, POSTS, WINDOWS = 10_000, 200_000, 300


class Server:
    """One of Tests/Servers, until it is let go."""

    def __init__(self, name, *arguments):
        python = os.path.join(ROOT, ".servers/bin/python")
        unpacked = os.path.join(ROOT, ".servers/nginx/usr/sbin/nginx")
        nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin") or unpacked
        if not os.path.exists(python) or not os.path.exists(nginx):
            raise OSError("run Scripts/bootstrap --servers first")
        self.folder = tempfile.mkdtemp()
        # nginx reads it as a user of its own.
        os.chmod(self.folder, 0o755)
        program = [python, os.path.join(ROOT, "Tests/Servers/serve.py"), name, "--folder", self.folder, "--temporary"]
        self.process = subprocess.Popen(
            program + ["--nginx", nginx, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().removeprefix("READY ").strip()

    def __enter__(self):
        return self.url

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


def output(*command, **more):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **more).stdout.split()


def row(name, ours, peer, theirs):
    print(f"| {name} | {ours:.2f} ms | {peer} | {theirs:.2f} ms | {ours / theirs:.2f} |", flush=True)


def walk(program):
    try:
        import requests
    except ImportError:
        return print("requests is not installed", file=sys.stderr)
    with Server("nginx", "--rows", str(ROWS)) as url:
        ours, rows = output(program, "walk-url", url)
        assert int(rows) == ROWS, rows
        times = []
        with requests.Session() as session:
            for _ in range(11):
                start, at, seen = time.perf_counter(), url, []
                while at:
                    page = session.get(at).json()
                    seen += [(one["id"], one["title"], one["created"], one["score"]) for one in page["items"]]
                    at = page["next"] and urllib.parse.urljoin(at, page["next"])
                times.append((time.perf_counter() - start) * 1000)
                assert len(seen) == ROWS
        row(f"{ROWS:,} rows in pages of 100 from nginx", float(ours), "Python, requests", statistics.median(times[2:]))


def windows(program):
    shell = shutil.which("sqlite3")
    if not shell:
        return print("sqlite3 is not installed", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "lists.db")
        (ours,) = output(program, "windows", file, str(POSTS))
        with sqlite3.connect(file) as connection:
            (which,) = connection.execute("SELECT current_list FROM feed LIMIT 1").fetchone()
            places = [place for (place,) in connection.execute("SELECT pos FROM entry WHERE list_no = ?", (which,))]
        query = "SELECT e.pos, e.item_no, i.base FROM entry e JOIN item i ON i.item_no = e.item_no "
        query += f"WHERE e.list_no = {which} AND e.pos <= %d ORDER BY e.pos DESC LIMIT 100;\n"

        def run(count):
            script = "".join(query % random.choice(places[200:]) for _ in range(count))
            start = time.perf_counter()
            output(shell, file, input=script)
            return (time.perf_counter() - start) * 1000

        run(WINDOWS)
        # The start of the program is not of the reading.
        theirs = statistics.median((run(WINDOWS) - run(0)) / WINDOWS for _ in range(9))
        row(f"a window of 100 of {POSTS:,} rows", float(ours), "sqlite3's shell, which decodes nothing", theirs)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("| work | ours | other | other's | ratio |\n|---|---|---|---|---|", flush=True)
    walk(sys.argv[1])
    windows(sys.argv[1])
