"""Draws the curves of `Scripts/bench growth` as SVG, one file for each thing that grows, both axes logarithmic.

    python3 plot.py <folder> <curves.json> …
"""

import json
import math
import os
import re
import sys

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 360, 70, 20, 34, 44
COLOURS = ["#1b6ca8", "#c0392b", "#2e8b57", "#8e44ad", "#b9770e"]


def time_text(nanoseconds):
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:g} {unit}"
    return f"{nanoseconds:g} ns"


def rounded(nanoseconds):
    return time_text(float(f"{nanoseconds:.3g}"))


def size_text(size):
    exponent = round(math.log10(size))
    return f"10{''.join('⁰¹²³⁴⁵⁶⁷⁸⁹'[int(d)] for d in str(exponent))}" if size == 10**exponent and size > 100 else f"{size:,}"


def draw(group, curves):
    sizes = sorted({point["size"] for curve in curves for point in curve["points"]})
    costs = [point["nanoseconds"] for curve in curves for point in curve["points"]]
    low, high = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)))
    high = max(high, low + 1)
    first, last = math.log10(sizes[0]), math.log10(sizes[-1])

    def x(size):
        return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(size) - first) / (last - first)

    def y(cost):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log10(cost) - low) / (high - low)

    height = HEIGHT + 20 * len(curves)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>',
        f'<text x="{LEFT}" y="20" font-size="14" font-weight="bold">Cost of an operation, by {group}</text>',
    ]
    for exponent in range(low, high + 1):
        at = y(10**exponent)
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{time_text(10**exponent)}</text>')
    for size in sizes:
        out.append(f'<line x1="{x(size):.1f}" x2="{x(size):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}" stroke="#eee"/>')
        out.append(f'<text x="{x(size):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{size_text(size)}</text>')
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        points = [(x(point["size"]), y(point["nanoseconds"]), point) for point in curve["points"]]
        line = " ".join(f"{px:.1f},{py:.1f}" for px, py, _ in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for px, py, point in points:
            out.append(
                f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}">'
                f'<title>{point["size"]:,}: {rounded(point["nanoseconds"])}</title></circle>'
            )
        at = HEIGHT + 20 * number
        out.append(f'<line x1="{LEFT}" x2="{LEFT + 24}" y1="{at}" y2="{at}" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{LEFT + 32}" y="{at + 4}">{curve["operation"]} (promised: {curve["promise"]})</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    groups = {}
    for path in sys.argv[2:]:
        with open(path) as file:
            for curve in json.load(file):
                groups.setdefault(curve["group"], []).append(curve)
    os.makedirs(sys.argv[1], exist_ok=True)
    for group, curves in groups.items():
        name = re.sub(r"[^a-z]+", "-", group.lower()) + ".svg"
        with open(os.path.join(sys.argv[1], name), "w") as file:
            file.write(draw(group, curves))
        for curve in curves:
            print(f"| {curve['operation']} | {curve['promise']} | ", end="")
            print(" · ".join(f"{p['size']:,}: {rounded(p['nanoseconds'])}" for p in curve["points"]), "|")


main()
