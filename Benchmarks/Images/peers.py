"""Thumbnails by Pillow and vipsthumbnail, as far as they are installed (python3-pil, libvips-tools).

    python3 peers.py <folder of Photographs>

Prints milliseconds of processor time a picture, as `ImageNumbers` does: Pillow's draft and thumbnail in this process; vipsthumbnail without its
start-up, which is taken from a picture of a few pixels.
"""

import glob
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

SIDE = 400


def processor():
    """Milliseconds that this process and those that it waited for have had."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return 1000 * sum(one.ru_utime + one.ru_stime for one in used)


def median(work, rounds=7):
    work()
    times = []
    for _ in range(rounds):
        start = processor()
        work()
        times.append(processor() - start)
    return statistics.median(times)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        from PIL import Image
    except ImportError:
        Image = None
    vips = shutil.which("vipsthumbnail")
    with tempfile.TemporaryDirectory() as folder:

        def by_vips(path):
            subprocess.run([vips, path, "-s", str(SIDE), "-o", os.path.join(folder, "out.ppm")], check=True)

        def by_pillow(path):
            with Image.open(path) as image:
                image.draft("RGB", (SIDE, SIDE))
                image.thumbnail((SIDE, SIDE))

        start_up = 0
        if vips:
            tiny = os.path.join(folder, "tiny.ppm")
            with open(tiny, "wb") as file:
                file.write(b"P6 4 4 255\n" + bytes(48))
            start_up = median(lambda: by_vips(tiny))
        print("| picture | Pillow | vipsthumbnail, net |\n|---|---|---|")
        for path in sorted(glob.glob(os.path.join(sys.argv[1], "*.*"))):
            pillow = f"{median(lambda: by_pillow(path)):.1f} ms" if Image else "not installed"
            net = f"{median(lambda: by_vips(path)) - start_up:.1f} ms" if vips else "not installed"
            print(f"| {os.path.basename(path)} | {pillow} | {net} |", flush=True)


main()
