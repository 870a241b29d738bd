"""fastapi-pagination as its manual shows it, and some routes of our own for what no ready server has.

`/pages`, `/limit-offset`, `/cursor`, `/pages-links`; and `/link` (RFC 8288), `/stripe` (`starting_after`), `/window` (around a
row), `/ids` and `/items?ids=`, `/since` (`since_id`) and `/since/count`, `/expiring` (cursors that a command lets expire).
"""

import base64
import json

from fastapi import Depends, FastAPI, HTTPException, Response
from fastapi_pagination import LimitOffsetPage, Page, add_pagination
from fastapi_pagination.cursor import CursorPage
from fastapi_pagination.ext.sqlalchemy import paginate
from fastapi_pagination.links import Page as LinkedPage
from pydantic import BaseModel, ConfigDict
from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column

import lifetime
import rows

CAP = 100
ORDER = "ORDER BY created DESC, id DESC"


class Base(DeclarativeBase):
    pass


class Item(Base):
    __tablename__ = "items"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    created: Mapped[str]
    score: Mapped[float]


class Out(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    id: int
    title: str
    created: str
    score: float


def encode(row):
    return base64.urlsafe_b64encode(json.dumps([row["created"], row["id"]]).encode()).decode()


def decode(text):
    try:
        created, number = json.loads(base64.urlsafe_b64decode(text))
        return created, number
    except ValueError:
        raise HTTPException(400, {"code": "invalid_cursor"}) from None


class Feed:
    """The routes of our own."""

    def __init__(self, feed):
        self.feed = feed
        self.epoch = 0

    def command(self, words):
        if words[0] == "expire":
            self.epoch += 1
            return ""
        return self.feed.command(words)

    def below(self, after, count):
        """Rows behind a place, or from the top; and whether there are more."""
        where, values = ("WHERE (created, id) < (?, ?)", after) if after else ("", ())
        found = self.feed.query(f"SELECT * FROM items {where} {ORDER} LIMIT ?", (*values, count + 1))
        return found[:count], len(found) > count

    def above(self, before, count):
        found = self.feed.query(
            "SELECT * FROM items WHERE (created, id) > (?, ?) ORDER BY created, id LIMIT ?", (*before, count + 1))
        return found[:count][::-1], len(found) > count

    def place(self, number):
        found = self.feed.query("SELECT created, id FROM items WHERE id = ?", (number,))
        return (found[0]["created"], found[0]["id"]) if found else None

    def link(self, response, page, per_page):
        size, total = min(per_page, CAP), self.feed.total()
        found = self.feed.query(f"SELECT * FROM items {ORDER} LIMIT ? OFFSET ?", (size, (page - 1) * size))
        response.headers["X-Total-Count"] = str(total)
        links = []
        if page * size < total:
            links.append(f'</link?page={page + 1}&per_page={per_page}>; rel="next"')
        if page > 1:
            links.append(f'</link?page={page - 1}&per_page={per_page}>; rel="prev"')
        if links:
            response.headers["Link"] = ", ".join(links)
        return found

    def stripe(self, starting_after, ending_before, limit):
        number = starting_after or ending_before
        place = self.place(number) if number else None
        if number and not place:
            raise HTTPException(400, {"code": "resource_missing"})
        found, has_more = (self.above if ending_before else self.below)(place, min(limit, CAP))
        return {"data": found, "has_more": has_more}

    def window(self, around, before, after, newer, older, limit):
        limit = min(limit, CAP)
        if around is not None:
            place = self.place(around)
            if not place:
                raise HTTPException(404, {"code": "anchor_not_found"})
            up, more_up = self.above(place, min(before, CAP))
            down, more_down = self.below(place, min(after, CAP))
            found = up + self.feed.query("SELECT * FROM items WHERE id = ?", (around,)) + down
        elif newer:
            (found, more_up), more_down = self.above(decode(newer), limit), True
        else:
            (found, more_down), more_up = self.below(decode(older) if older else None, limit), bool(older)
        return {
            "items": found, "newer": encode(found[0]) if found and more_up else None,
            "older": encode(found[-1]) if found and more_down else None}

    def expiring(self, cursor, limit):
        place = None
        if cursor:
            epoch, _, rest = cursor.partition(".")
            if rest and epoch != str(self.epoch):
                raise HTTPException(410, {"code": "cursor_expired"})
            place = decode(rest)
        found, has_more = self.below(place, min(limit, CAP))
        return {"items": found, "next": f"{self.epoch}.{encode(found[-1])}" if has_more else None}


def serve(options):
    feed = rows.Rows(options.folder, options.rows)
    engine = create_engine(f"sqlite:///{feed.path}", connect_args={"timeout": 10, "check_same_thread": False})

    def session():
        with Session(engine) as opened:
            yield opened

    app = FastAPI()
    newest = select(Item).order_by(Item.created.desc(), Item.id.desc())

    def ready(path, model):
        @app.get(path, response_model=model[Out], name=path)
        def answer(opened: Session = Depends(session)):
            return paginate(opened, newest)

    for path, model in {
        "/pages": Page, "/limit-offset": LimitOffsetPage, "/cursor": CursorPage, "/pages-links": LinkedPage,
    }.items():
        ready(path, model)
    add_pagination(app)
    own = Feed(feed)

    @app.get("/link")
    def link(response: Response, page: int = 1, per_page: int = 20):
        return own.link(response, page, per_page)

    @app.get("/stripe")
    def stripe(starting_after: int | None = None, ending_before: int | None = None, limit: int = 20):
        return own.stripe(starting_after, ending_before, limit)

    @app.get("/window")
    def window(
        around: int | None = None, before: int = 10, after: int = 10, newer: str | None = None,
        older: str | None = None, limit: int = 20):
        return own.window(around, before, after, newer, older, limit)

    @app.get("/ids")
    def ids(cursor: str | None = None, limit: int = 200):
        found, has_more = own.below(decode(cursor) if cursor else None, min(limit, 1000))
        return {"ids": [row["id"] for row in found], "next": encode(found[-1]) if has_more else None}

    @app.get("/items")
    def items(ids: str):
        numbers = [int(number) for number in ids.split(",")]
        if len(numbers) > CAP:
            raise HTTPException(400, {"code": "too_many_ids"})
        marks = ",".join("?" * len(numbers))
        return {"items": feed.query(f"SELECT * FROM items WHERE id IN ({marks})", numbers)}

    @app.get("/since")
    def since(since_id: int | None = None, limit: int = 20):
        found = feed.query(
            f"SELECT * FROM items WHERE (created, id) > (?, ?) {ORDER} LIMIT ?", (*own.place(since_id), limit))
        return {"items": found, "next": encode(found[-1]) if found else None}

    @app.get("/since/count")
    def count(since_id: int):
        number = feed.query("SELECT count(*) AS n FROM items WHERE (created, id) > (?, ?)", own.place(since_id))[0]["n"]
        return {"count": number}

    @app.get("/expiring")
    def expiring(cursor: str | None = None, limit: int = 20):
        return own.expiring(cursor, limit)

    listener = lifetime.listen(options.port)
    lifetime.attend(lifetime.base(listener), own.command)
    lifetime.run_asgi(app, listener)
