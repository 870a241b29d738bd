"""httpbin, which answers with what it was sent, or as its URL says. It has no rows, and no commands."""

from httpbin import app

import lifetime


def serve(options):
    def command(words):
        raise ValueError(f"no such command: {words[0]}")

    listener = lifetime.listen(options.port)
    lifetime.attend(lifetime.base(listener), command)
    lifetime.run_wsgi(app, listener)
