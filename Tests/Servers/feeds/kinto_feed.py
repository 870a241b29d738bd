"""Kinto, in memory: `/v1/buckets/feed/collections/items/records`. A record's ID is `item-00042`, its `n` the number."""

import datetime
import logging
import warnings

warnings.filterwarnings("ignore")

from kinto import main

import lifetime
import rows

PARENT = "/buckets/feed/collections/items"
BASE = 1_767_225_600_000


class Records:
    """The collection, changed behind the server's back."""

    def __init__(self, registry, count):
        self.storage = registry.storage
        self.rebuild(count)

    def record(self, number, created):
        made = rows.row(number, created)
        return {**made, "id": f"item-{number:05d}", "n": number}

    def rebuild(self, count):
        self.storage.delete_all("record", PARENT, with_deleted=False)
        self.storage.purge_deleted("record", PARENT)
        self.last = count
        for number in range(1, count + 1):
            created = rows.moment(number, count).strftime("%Y-%m-%dT%H:%M:%SZ")
            self.storage.create("record", PARENT, {**self.record(number, created), "last_modified": BASE + number})

    def insert(self, number, place):
        minutes = {"top": self.last // 7 + 1, "tie": self.last // 7, "middle": self.last // 14, "bottom": -1}[place]
        created = (rows.START + datetime.timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")
        made = []
        for _ in range(number):
            self.last += 1
            made.append(self.last)
            self.storage.create("record", PARENT, self.record(self.last, created))
        return made

    def command(self, words):
        if words[0] == "rows":
            self.rebuild(int(words[1]))
            return ""
        if words[0] == "insert":
            return ",".join(map(str, self.insert(int(words[1]), words[2])))
        if words[0] == "delete":
            for number in words[1].split(","):
                self.storage.delete("record", PARENT, f"item-{int(number):05d}", with_deleted=True)
            return ""
        raise ValueError(f"no such command: {words[0]}")


def serve(options):
    logging.disable(logging.WARNING)
    listener = lifetime.listen(options.port)
    app = main({}, **{
        "kinto.storage_backend": "kinto.core.storage.memory", "kinto.cache_backend": "kinto.core.cache.memory",
        "kinto.permission_backend": "kinto.core.permission.memory", "kinto.userid_hmac_secret": "tests",
        "kinto.paginate_by": "100", "kinto.bucket_read_principals": "system.Everyone",
        "kinto.http_host": f"127.0.0.1:{listener.getsockname()[1]}", "kinto.http_scheme": "http"})
    app.registry.storage.create("bucket", "", {"id": "feed"})
    app.registry.storage.create("collection", "/buckets/feed", {"id": "items"})
    app.registry.permission.add_principal_to_ace("/buckets/feed", "read", "system.Everyone")
    records = Records(app.registry, options.rows)
    lifetime.attend(f"{lifetime.base(listener)}/v1{PARENT}/records", records.command)
    lifetime.run_wsgi(app, listener)
