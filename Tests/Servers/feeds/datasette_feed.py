"""Datasette over the rows: `/feed/items.json`."""

from datasette.app import Datasette

import lifetime
import rows


def serve(options):
    feed = rows.Rows(options.folder, options.rows)
    app = Datasette([feed.path], settings={"max_returned_rows": 1000, "num_sql_threads": 2}).app()
    listener = lifetime.listen(options.port)
    lifetime.attend(lifetime.base(listener) + "/feed/items.json", feed.command)
    lifetime.run_asgi(app, listener, lifespan="on")
