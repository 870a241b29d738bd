"""60 pictures from nginx that nobody has seen before: starts the server, runs `PictureLists cold` on it.

    python3 cold.py <program> [--json]
"""

import os
import subprocess
import sys
import urllib.parse

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from peers import Server

with Server("images", "--rows", "60") as url:
    subprocess.run([sys.argv[1], "cold", urllib.parse.urljoin(url, "/img/"), *sys.argv[2:]], check=True)
