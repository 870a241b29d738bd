"""Graphene on Flask: `/graphql`. `items` is the library's own connection over the whole list."""

import graphene
from flask import Flask, jsonify, request
from graphene import relay

import lifetime
import rows

FEED = None


class Item(graphene.ObjectType):
    class Meta:
        interfaces = (relay.Node,)

    number = graphene.Int()
    title = graphene.String()


class ItemConnection(relay.Connection):
    class Meta:
        node = Item

    total_count = graphene.Int()

    def resolve_total_count(self, info):
        return FEED.total()


class Query(graphene.ObjectType):
    items = relay.ConnectionField(ItemConnection)

    def resolve_items(self, info, **_):
        found = FEED.query("SELECT * FROM items ORDER BY created DESC, id DESC")
        return [Item(id=row["id"], number=row["id"], title=row["title"]) for row in found]


def serve(options):
    global FEED
    FEED = rows.Rows(options.folder, options.rows)
    schema = graphene.Schema(query=Query)
    app = Flask("feed")

    @app.post("/graphql")
    def answer():
        body = request.get_json()
        result = schema.execute(body["query"], variables=body.get("variables"))
        return jsonify(result.formatted)

    listener = lifetime.listen(options.port)
    lifetime.attend(lifetime.base(listener) + "/graphql", FEED.command)
    lifetime.run_wsgi(app, listener)
