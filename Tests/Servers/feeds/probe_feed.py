"""Lists that page in every style, and each with a fault of its own: what `pages probe` is to find.

| path | what is the matter |
|---|---|
| `/offset`, `/page`, `/keyset` | nothing; at most 100 rows in a page, lowered in silence |
| `/refusing` | offsets, and a larger page than 100 is refused |
| `/small-first` | a first page of 5 |
| `/filtered` | filtered after the fetch: short and empty pages, each with a cursor |
| `/empty-middle` | page numbers, and page 3 is empty |
| `/short-end` | the third page is short and says that it is the last, which it isn't |
| `/estimated`, `/marked`, `/rounded`, `/drifting` | a total that is none to rely on |
| `/expiring` | cursors that last five seconds |
| `/once` | cursors that work once |
| `/ranked`, `/held` | ranked anew at each first page; what was shown is held back |
| `/round`, `/last-again` | the third page names the second; pages past the end are the last one |
| `/dropping` | offsets in a cursor, and what came before is dropped |
| `/overlap` | offsets, and each page begins three rows early |
| `/bad/400`, `/bad/500`, `/bad/first`, `/bad/empty`, `/bad/body` | that is how a bad cursor is answered |
| `/entries`, `/entries/count` | `around` and `since_id` |
| `/throttled` | every fourth request is refused with a time to wait |

`GET /insert` puts a row on top and answers with its ID; `GET /delete?id=` deletes it.
"""

import base64
import json
import random
import threading
import time
import urllib.parse

import lifetime
import rows

SIZE, CAP = 20, 100
ORDER = "ORDER BY created DESC, id DESC"


class Refused(Exception):
    def __init__(self, status, headers=None):
        self.status, self.headers = status, headers or {}


def encode(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode()


def decode(text):
    try:
        return json.loads(base64.urlsafe_b64decode(text))
    except ValueError:
        raise Refused(400) from None


class Lists:
    def __init__(self, feed):
        self.feed = feed
        self.lock = threading.Lock()
        self.used, self.shown, self.asked = set(), 0, 0
        self.chance = random.Random(1)

    def size(self, query, refuses=False):
        try:
            size = int(query.get("limit") or query.get("per_page") or SIZE)
        except ValueError:
            raise Refused(400) from None
        if size < 1 or refuses and size > CAP:
            raise Refused(400)
        return min(size, CAP)

    def number(self, query, name, least):
        try:
            number = int(query.get(name, least))
        except ValueError:
            raise Refused(400) from None
        if number < least:
            raise Refused(400)
        return number

    def at(self, start, count):
        return self.feed.query(f"SELECT * FROM items {ORDER} LIMIT ? OFFSET ?", (count, start))

    def below(self, place, count):
        where, values = ("WHERE (created, id) < (?, ?)", place) if place else ("", ())
        found = self.feed.query(f"SELECT * FROM items {where} {ORDER} LIMIT ?", (*values, count + 1))
        return found[:count], len(found) > count

    def place(self, number):
        found = self.feed.query("SELECT created, id FROM items WHERE id = ?", (number,))
        if not found:
            raise Refused(404)
        return found[0]["created"], found[0]["id"]

    def above(self, place, count):
        found = self.feed.query(
            "SELECT * FROM items WHERE (created, id) > (?, ?) ORDER BY created, id LIMIT ?", (*place, count))
        return found[::-1]

    def keyset(self, query, count=None, wrap=lambda place: place, unwrap=lambda place: place):
        """A page by rows; `wrap` and `unwrap` make a cursor's value of the last row's place and the other way round."""
        place = unwrap(decode(query["cursor"])) if query.get("cursor") else None
        found, has_more = self.below(place, count or self.size(query))
        cursor = encode(wrap([found[-1]["created"], found[-1]["id"]])) if has_more else None
        return {"items": found, "next_cursor": cursor}

    # Where nothing is the matter.

    def offset(self, query, refuses=False):
        start, size = self.number(query, "offset", 0), self.size(query, refuses)
        return {"items": self.at(start, size), "total": self.feed.total(), "offset": start, "limit": size}

    def refusing(self, query):
        return self.offset(query, refuses=True)

    def page(self, query):
        number, size = self.number(query, "page", 1), self.size(query)
        total = self.feed.total()
        return {
            "items": self.at((number - 1) * size, size), "page": number, "per_page": size,
            "total_pages": -(-total // size), "total": total}

    # Sizes.

    def small_first(self, query):
        return self.keyset(query, None if query.get("cursor") else 5)

    def filtered(self, query):
        page = self.keyset(query)
        at = decode(query["cursor"])[1] if query.get("cursor") else 0
        # Every second page loses most of its rows, and every fourth all of them.
        turn = (self.feed.count - at) // SIZE % 4 if at else 0
        page["items"] = {1: page["items"][:7], 3: []}.get(turn, page["items"])
        return page

    def empty_middle(self, query):
        page = self.page(query)
        if page["page"] == 3:
            page["items"] = []
        return {"items": page["items"], "page": page["page"]}

    def short_end(self, query):
        page = self.keyset(query)
        at = decode(query["cursor"])[1] if query.get("cursor") else 0
        if at and at <= self.feed.count - 2 * SIZE + 1:
            page = {"items": page["items"][:4], "next_cursor": None}
        return {**page, "total": self.feed.total()}

    # Totals.

    def estimated(self, query):
        return {**self.keyset(query), "total": self.feed.total() + 17, "total_is_estimate": True}

    def marked(self, query):
        return {**self.keyset(query), "total": "500+"}

    def rounded(self, query):
        return {**self.keyset(query), "total": 7000}

    def drifting(self, query):
        return {**self.keyset(query), "total": self.feed.total() + self.chance.randrange(1, 1 << 30)}

    # Cursors.

    def expiring(self, query):
        def unwrap(value):
            if time.monotonic() - value[2] > 5:
                raise Refused(410)
            return value[:2]

        return self.keyset(query, wrap=lambda place: [*place, time.monotonic()], unwrap=unwrap)

    def once(self, query):
        cursor = query.get("cursor")
        if cursor:
            with self.lock:
                if cursor in self.used:
                    raise Refused(400)
                self.used.add(cursor)
        return self.keyset(query, wrap=lambda place: [*place, self.chance.random()], unwrap=lambda value: value[:2])

    def bad(self, query, way):
        try:
            if query.get("cursor") == "":
                raise Refused(400)
            return self.keyset(query)
        except Refused:
            if way == "first":
                return self.keyset({})
            if way == "empty":
                return {"items": [], "next_cursor": None}
            if way == "body":
                return {"errors": [{"message": "no such cursor"}], "items": None}
            raise Refused(int(way)) from None

    # Orders.

    def ranked(self, query):
        if query.get("cursor"):
            return self.keyset(query)
        page = self.keyset(query)
        self.chance.shuffle(page["items"])
        return page

    def held(self, query):
        if query.get("cursor"):
            return self.keyset(query)
        with self.lock:
            start, self.shown = self.shown, self.shown + SIZE
        found = self.at(start, SIZE)
        return {"items": found, "next_cursor": encode([found[-1]["created"], found[-1]["id"]])}

    # Ends.

    def round(self, query):
        page = self.keyset(query)
        at = decode(query["cursor"])[1] if query.get("cursor") else None
        if at and at <= self.feed.count - 2 * SIZE + 1:
            page["next_cursor"] = self.keyset({})["next_cursor"]
        return page

    def last_again(self, query):
        number = self.number(query, "page", 1)
        last = max(1, -(-self.feed.total() // SIZE))
        return {"items": self.at((min(number, last) - 1) * SIZE, SIZE), "page": number}

    # Offsets.

    def dropping(self, query):
        start, place = decode(query["cursor"]) if query.get("cursor") else (0, None)
        found = [row for row in self.at(start, SIZE) if not place or [row["created"], row["id"]] < place]
        cursor = encode([start + SIZE, [found[-1]["created"], found[-1]["id"]]]) if found else None
        return {"items": found, "next_cursor": cursor}

    def overlap(self, query):
        start = self.number(query, "offset", 0)
        return {"items": self.at(max(0, start - 3), SIZE + min(start, 3)), "offset": start}

    # Ways in.

    def entries(self, query):
        if query.get("around"):
            number = self.number(query, "around", 1)
            place = self.place(number)
            found = self.above(place, 5) + self.feed.query("SELECT * FROM items WHERE id = ?", (number,))
            return {"items": found + self.below(place, 5)[0], "next_cursor": None}
        if query.get("since_id"):
            return {"items": self.above(self.place(self.number(query, "since_id", 1)), SIZE), "next_cursor": None}
        return self.keyset(query)

    def count(self, query):
        return {"count": len(self.above(self.place(self.number(query, "since_id", 1)), 99))}

    def throttled(self, query):
        with self.lock:
            self.asked += 1
            if self.asked % 4 == 0:
                raise Refused(429, {"retry-after": "1"})
        return self.keyset(query)

    def answer(self, path, query):
        match path.strip("/").split("/"):
            case ["bad", way]:
                return self.bad(query, way)
            case ["entries", "count"]:
                return self.count(query)
            case ["insert"]:
                return self.feed.insert(1, "top")[0]
            case ["delete"]:
                number = self.number(query, "id", 1)
                self.place(number)
                self.feed.delete([number])
                return number
            case [name] if name.replace("-", "_") in LISTS:
                return getattr(self, name.replace("-", "_"))(query)
        raise Refused(404)


LISTS = {
    "offset", "refusing", "page", "keyset", "small_first", "filtered", "empty_middle", "short_end", "estimated",
    "marked", "rounded", "drifting", "expiring", "once", "ranked", "held", "round", "last_again", "dropping", "overlap",
    "entries", "throttled"}


def serve(options):
    feed = rows.Rows(options.folder, options.rows)
    lists = Lists(feed)

    async def app(scope, receive, send):
        query = dict(urllib.parse.parse_qsl(scope["query_string"].decode(), keep_blank_values=True))
        status, headers = 200, {}
        try:
            answer = lists.answer(scope["path"], query)
        except Refused as refused:
            status, headers, answer = refused.status, refused.headers, {"error": "refused"}
        body = json.dumps(answer).encode()
        fields = {"content-type": "application/json", "content-length": str(len(body)), **headers}
        await send({
            "type": "http.response.start", "status": status,
            "headers": [(name.encode(), value.encode()) for name, value in fields.items()]})
        await send({"type": "http.response.body", "body": body})

    listener = lifetime.listen(options.port)
    lifetime.attend(lifetime.base(listener), feed.command)
    lifetime.run_asgi(app, listener)
