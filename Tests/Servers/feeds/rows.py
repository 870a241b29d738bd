"""The rows that every server serves, in a SQLite file, and the changes that tests make to them."""

import datetime
import os
import sqlite3

START = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
FIRST = ["Amber", "Broad", "Čistý", "Děčín", "Early", "Far", "Grün", "北", "Ice 🧊"]
SECOND = ["bay", "canal", "delta", "estuary", "fjord", "gulf", "havn", "👩‍👩‍👧 isle"]
COLUMNS = ("id", "title", "created", "score")


def moment(number, count):
    """Seven rows a minute; of all rows, those between two and four and a half eighths of the list are of one moment."""
    low, high = count // 4, count // 4 + count // 8
    minute = (low if low <= number < high else number) // 7
    return START + datetime.timedelta(minutes=minute)


def row(number, created):
    title = f"{FIRST[number % len(FIRST)]} {SECOND[number % len(SECOND)]} {number}"
    return {"id": number, "title": title, "created": created, "score": (number * 7919 % 101) / 10}


class Rows:
    """A table `items` in a folder; safe to use from several threads."""

    def __init__(self, folder, count, time_format="%Y-%m-%dT%H:%M:%SZ"):
        self.path = os.path.join(folder, "feed.db")
        self.time_format = time_format
        self.count = count
        with self.connect() as database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute(
                "CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, title TEXT NOT NULL, created TEXT NOT NULL,"
                " score REAL NOT NULL)"
            )
            database.execute("CREATE INDEX IF NOT EXISTS by_time ON items (created, id)")
            database.execute("CREATE INDEX IF NOT EXISTS by_score ON items (score, id)")
        self.rebuild(count)

    def connect(self):
        database = sqlite3.connect(self.path, timeout=10)
        database.execute("PRAGMA synchronous = OFF")
        database.row_factory = sqlite3.Row
        return database

    def query(self, text, values=()):
        with self.connect() as database:
            return [dict(found) for found in database.execute(text, values)]

    def total(self):
        return self.query("SELECT count(*) AS n FROM items")[0]["n"]

    def made(self, count):
        return [row(number, moment(number, count).strftime(self.time_format)) for number in range(1, count + 1)]

    def rebuild(self, count):
        self.count = count
        with self.connect() as database:
            database.execute("DELETE FROM items")
            self.write(database, self.made(count))

    def insert(self, number, place):
        found = self.query("SELECT max(id) AS id, min(created) AS low, max(created) AS high FROM items")[0]
        low, high = found["low"] or START.strftime(self.time_format), found["high"] or START.strftime(self.time_format)
        if place == "middle" and found["id"]:
            created = self.query(
                "SELECT created FROM items ORDER BY created LIMIT 1 OFFSET ?", (self.total() // 2,)
            )[0]["created"]
        else:
            created = {"top": high, "tie": high, "middle": high, "bottom": low}[place]
            step = {"top": 1, "bottom": -1}.get(place, 0)
            time = datetime.datetime.strptime(created, self.time_format) + datetime.timedelta(minutes=step)
            created = time.strftime(self.time_format)
        new = [row((found["id"] or 0) + index, created) for index in range(1, number + 1)]
        with self.connect() as database:
            self.write(database, new)
        return [one["id"] for one in new]

    def delete(self, numbers):
        with self.connect() as database:
            database.executemany("DELETE FROM items WHERE id = ?", [(number,) for number in numbers])

    @staticmethod
    def write(database, rows):
        database.executemany("INSERT INTO items VALUES (:id, :title, :created, :score)", rows)

    def command(self, words):
        """Carries out one line of standard input; returns what to answer."""
        if words[0] == "rows":
            self.rebuild(int(words[1]))
            return ""
        if words[0] == "insert":
            return ",".join(map(str, self.insert(int(words[1]), words[2])))
        if words[0] == "delete":
            self.delete([int(number) for number in words[1].split(",")])
            return ""
        raise ValueError(f"no such command: {words[0]}")
