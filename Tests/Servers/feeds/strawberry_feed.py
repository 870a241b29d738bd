"""Strawberry: `/graphql`. `items` is the library's own connection, whose cursors are offsets; `itemsKeyset` goes by rows."""

import base64

import strawberry
from strawberry import relay
from strawberry.asgi import GraphQL
from strawberry.schema.config import StrawberryConfig

import lifetime
import rows

CAP = 100
FEED = None


@strawberry.type
class Item(relay.Node):
    pk: relay.NodeID[int]
    number: int
    title: str

    @classmethod
    def resolve_nodes(cls, *, info, node_ids, required=False):
        return [make(FEED.query("SELECT * FROM items WHERE id = ?", (int(number),))[0]) for number in node_ids]


def make(row):
    return Item(pk=row["id"], number=row["id"], title=row["title"])


class Table:
    """What can be sliced, as the rows of an object mapper can."""

    def __getitem__(self, part):
        start = part.start or 0
        # The library asks for as many as there can be where it wants all.
        count = -1 if part.stop is None or part.stop > 1 << 60 else max(0, part.stop - start)
        found = FEED.query("SELECT * FROM items ORDER BY created DESC, id DESC LIMIT ? OFFSET ?", (count, start))
        return [make(row) for row in found]


def cursor(row):
    return base64.urlsafe_b64encode(f"{row['created']}|{row['id']}".encode()).decode()


def place(text):
    try:
        created, number = base64.urlsafe_b64decode(text).decode().split("|")
        return created, int(number)
    except ValueError:
        raise ValueError("Invalid cursor") from None


@strawberry.type
class Counted(relay.ListConnection[Item]):
    @strawberry.field
    def total_count(self) -> int:
        return FEED.total()


@strawberry.type
class Keyset(relay.Connection[Item]):
    @strawberry.field
    def total_count(self) -> int:
        return FEED.total()

    @classmethod
    def resolve_connection(cls, nodes, *, info, before=None, after=None, first=None, last=None, **more):
        is_back = first is None and last is not None
        wanted = min(CAP, last if is_back else 20 if first is None else first)
        where, values = ["1"], []
        if after:
            where.append("(created, id) < (?, ?)")
            values += place(after)
        if before:
            where.append("(created, id) > (?, ?)")
            values += place(before)
        way = "ASC" if is_back else "DESC"
        found = FEED.query(
            f"SELECT * FROM items WHERE {' AND '.join(where)} ORDER BY created {way}, id {way} LIMIT ?",
            (*values, wanted + 1))
        has_more, found = len(found) > wanted, found[:wanted]
        if is_back:
            found.reverse()
        return cls(
            edges=[relay.Edge(cursor=cursor(row), node=make(row)) for row in found],
            page_info=relay.PageInfo(
                has_next_page=bool(before) if is_back else has_more,
                has_previous_page=has_more if is_back else bool(after),
                start_cursor=cursor(found[0]) if found else None, end_cursor=cursor(found[-1]) if found else None))


@strawberry.type
class Query:
    node: relay.Node = relay.node()

    @relay.connection(Counted)
    def items(self) -> list[Item]:
        return Table()

    @relay.connection(Keyset)
    def items_keyset(self) -> list[Item]:
        return []


def serve(options):
    global FEED
    FEED = rows.Rows(options.folder, options.rows)
    app = GraphQL(strawberry.Schema(Query, config=StrawberryConfig(relay_max_results=CAP)), graphql_ide=None)
    listener = lifetime.listen(options.port)
    lifetime.attend(lifetime.base(listener) + "/graphql", FEED.command)
    lifetime.run_asgi(app, listener)
