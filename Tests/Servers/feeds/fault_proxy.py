"""A proxy that breaks answers by plan. `--upstream 127.0.0.1:8080` says where requests go on to.

    plan STEP STEP…   one step for each request to come; after them all is well again
    log               what was asked since the plan was made, as JSON: line, step, credentials (Authorization, Cookie), port
    other             the URL of the proxy's second port, which is another origin and answers alike

| step | what happens |
|---|---|
| ok | the answer of the server behind it |
| delay:MS | the same, late |
| drip:MS | the same, in 20 pieces with a pause between them |
| status:N or status:N:V | that status, and `Retry-After: V`; a V of `+S` is the date S seconds from the answer's own `Date`, `~S` likewise |
|  | in the form of RFC 850, `^S` in that of asctime |
| reset, resetmid | the connection is reset before the answer, or half-way through its body |
| cut | the connection ends half-way through the body |
| gzip, chunked, http10 | the answer compressed, in chunks, or by HTTP/1.0 without a length |
| big:N | N bytes of JSON |
| loop | a redirect to itself |
| elsewhere | a redirect to the same path on the second port |
| html | a web page with status 200 |
"""

import asyncio
import datetime
import gzip
import json
import socket
import struct

import lifetime

STEPS = []
LOG = []


class Broken(Exception):
    """The connection is to be left as it is."""


async def read_head(reader):
    text = (await reader.readuntil(b"\r\n\r\n")).decode("latin1")
    first, *lines = text[:-4].split("\r\n")
    return first, [tuple(part.strip() for part in line.split(":", 1)) for line in lines]


def value(headers, name):
    return next((text for header, text in headers if header.lower() == name), None)


async def ask(upstream, first, headers, body):
    """The answer of the server behind: status line, headers, whole body."""
    host, port = upstream.split(":")
    reader, writer = await asyncio.open_connection(host, int(port), limit=1 << 20)
    try:
        passed = [(name, text) for name, text in headers if name.lower() not in ("connection", "accept-encoding")]
        lines = [first] + [f"{name}: {text}" for name, text in passed] + ["Connection: close", "", ""]
        writer.write("\r\n".join(lines).encode("latin1") + body)
        status, answered = await read_head(reader)
        data = b""
        if first.startswith("HEAD "):
            pass
        elif (value(answered, "transfer-encoding") or "").lower() == "chunked":
            while size := int((await reader.readline()).split(b";")[0], 16):
                data += await reader.readexactly(size)
                await reader.readline()
        elif value(answered, "content-length") is not None:
            data = await reader.readexactly(int(value(answered, "content-length")))
        else:
            data = await reader.read()
    finally:
        writer.close()
    own = ("transfer-encoding", "content-length", "connection", "keep-alive")
    return status, [(name, text) for name, text in answered if name.lower() not in own], data


def reset(writer):
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()
    raise Broken


def head(status, headers, length=None, close=False):
    lines = [status] + [f"{name}: {text}" for name, text in headers]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    lines += ["Connection: close" if close else "Connection: keep-alive", "", ""]
    return "\r\n".join(lines).encode("latin1")


def retry_after(text):
    """`Retry-After` and the `Date` that it counts from; the clock of the answer is two hours slow, as servers' may be."""
    form = {"+": "%a, %d %b %Y %H:%M:%S GMT", "~": "%A, %d-%b-%y %H:%M:%S GMT", "^": "%a %b %e %H:%M:%S %Y"}.get(text[:1])
    if form is None:
        return [("Retry-After", text)]
    now = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=2)
    then = now + datetime.timedelta(seconds=int(text[1:]))
    return [("Date", now.strftime("%a, %d %b %Y %H:%M:%S GMT")), ("Retry-After", then.strftime(form))]


def made_up(step, argument, target, other):
    """The answer of a step that needs no server; nil for the others."""
    if step == "status":
        code, _, when = argument.partition(":")
        return f"HTTP/1.1 {code} Planned", retry_after(when) if when else [], b'{"error":"planned"}'
    if step == "loop":
        return "HTTP/1.1 302 Found", [("Location", target)], b""
    if step == "elsewhere":
        return "HTTP/1.1 307 Temporary Redirect", [("Location", other + target)], b""
    if step == "html":
        return "HTTP/1.1 200 OK", [("Content-Type", "text/html")], b"<!doctype html><title>Please log in</title>"
    if step == "big":
        return "HTTP/1.1 200 OK", [("Content-Type", "application/json")], b'"' + b"x" * int(argument) + b'"'
    return None


async def give(writer, step, argument, status, headers, data):
    if step == "delay":
        await asyncio.sleep(int(argument) / 1000)
    if step in ("cut", "resetmid"):
        writer.write(head(status, headers, len(data), close=True) + data[: len(data) // 2])
        await writer.drain()
        await asyncio.sleep(0.05)
        if step == "resetmid":
            reset(writer)
        raise Broken
    if step == "gzip":
        data = gzip.compress(data)
        headers = headers + [("Content-Encoding", "gzip")]
    if step == "http10":
        writer.write(head(status.replace("HTTP/1.1", "HTTP/1.0"), headers, close=True) + data)
        await writer.drain()
        raise Broken
    size = max(1, len(data) // 20)
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    if step == "chunked":
        writer.write(head(status, headers + [("Transfer-Encoding", "chunked")]))
        writer.write(b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n")
    elif step == "drip":
        writer.write(head(status, headers, len(data)))
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(int(argument) / 1000)
    else:
        writer.write(head(status, headers, len(data)) + data)
    await writer.drain()


async def attend(reader, writer, options, port, other):
    try:
        while True:
            first, headers = await read_head(reader)
            body = await reader.readexactly(int(value(headers, "content-length") or 0))
            target = first.split(" ")[1]
            step, _, argument = (STEPS.pop(0) if STEPS else "ok").partition(":")
            LOG.append({
                "line": first, "step": step, "port": port,
                "credentials": [name for name, _ in headers if name.lower() in ("authorization", "cookie", "x-api-key")]})
            if step == "reset":
                reset(writer)
            answer = made_up(step, argument, target, other) or await ask(options.upstream, first, headers, body)
            await give(writer, step, argument, *answer)
    except (Broken, asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        if not writer.transport.is_closing():
            writer.close()


def serve(options):
    listeners = [lifetime.listen(options.port), lifetime.listen(0)]
    urls = [lifetime.base(listener) for listener in listeners]

    def command(words):
        if words[0] == "plan":
            STEPS[:], LOG[:] = words[1:], []
            return ""
        if words[0] == "log":
            return json.dumps(LOG)
        if words[0] == "other":
            return urls[1]
        raise ValueError(f"no such command: {words[0]}")

    async def run():
        for listener, url, other in ((listeners[0], urls[0], urls[1]), (listeners[1], urls[1], urls[0])):
            port = listener.getsockname()[1]

            def answer(reader, writer, port=port, other=other):
                return attend(reader, writer, options, port, other)

            await asyncio.start_server(answer, sock=listener, limit=1 << 20)
        lifetime.attend(urls[0], command)
        await asyncio.Event().wait()

    asyncio.run(run())
