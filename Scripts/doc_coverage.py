"""Names the public symbols without a doc comment in folders of symbol graphs; exits 1 if there are any.

Left out: members that a protocol asks for (`==`, `hash(into:)`, a collection's `startIndex`), which say there what they
do, and what the compiler wrote by itself.
"""

import json
import pathlib
import sys


def undocumented(graph):
    documented_elsewhere = {relation["source"] for relation in graph["relationships"] if "sourceOrigin" in relation}
    for symbol in graph["symbols"]:
        identifier = symbol["identifier"]["precise"]
        if symbol.get("docComment") or "::SYNTHESIZED::" in identifier or identifier in documented_elsewhere:
            continue
        if symbol["kind"]["identifier"] in ("swift.extension", "swift.module"):
            continue
        yield symbol


def main(folders):
    total = 0
    bare = 0
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob("*.symbols.json")):
            graph = json.loads(path.read_text())
            total += len(graph["symbols"])
            for symbol in undocumented(graph):
                bare += 1
                location = symbol.get("location", {})
                file = location.get("uri", "").removeprefix("file://" + str(pathlib.Path.cwd()) + "/")
                line = location.get("position", {}).get("line", -1) + 1
                print(f"{file}:{line}: no doc comment: {'.'.join(symbol['pathComponents'])}")
    print(f"{total - bare} of {total} public symbols have a doc comment")
    return 1 if bare else 0


sys.exit(main(sys.argv[1:]))
