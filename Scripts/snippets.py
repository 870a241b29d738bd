"""Checks that Swift blocks in Markdown stand in programs that are compiled and run.

    snippets.py <folder of sources>... -- <Markdown file>...

A block counts as found if its lines follow one another in one file, whatever their indentation; blank lines don't count.
"""

import pathlib
import sys


def significant(lines):
    return [line.strip() for line in lines if line.strip()]


def blocks(path):
    """The Swift blocks of a Markdown file, each with the number of its first line."""
    block = None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fence = line.strip()
        if block is None and fence == "```swift":
            block, start = [], number + 1
        elif block is not None and fence == "```":
            yield start, significant(block)
            block = None
        elif block is not None:
            block.append(line)


def contains(program, block):
    return any(program[start : start + len(block)] == block for start in range(len(program) - len(block) + 1))


def main(folders, pages):
    paths = sorted(path for folder in folders for path in pathlib.Path(folder).rglob("*.swift"))
    programs = [significant(path.read_text().splitlines()) for path in paths]
    missing = 0
    for page in pages:
        for line, block in blocks(pathlib.Path(page)):
            if not any(contains(program, block) for program in programs):
                print(f"{page}:{line}: this block stands in no program below {' or '.join(folders)}")
                missing += 1
    return 1 if missing else 0


split = sys.argv.index("--")
sys.exit(main(sys.argv[1:split], sys.argv[split + 1 :]))
