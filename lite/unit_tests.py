"""The unit tests in Pyodide under Node, for what only shows there.

An address has 32 bits there, there are neither processes nor threads, and the libraries are about
the oldest that the project declares.
"""

import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from lite.downloads import ROOT, DownloadError, PyodideFiles, download, pinned
from lite.pyodide import OURS, write_folder
from lite.site import PAGES, WIDGETS

# the rooms that a lesson in a browser enters (it makes no pages and starts no notebooks), in two
# halves that take about as long: one for each of two cores
HALVES = [
    ["files", "tables", "widgets"],
    ["metrics", "checks", "conventions", "statistics", "figures"],
]
PYTEST = ["pytest", "iniconfig", "pluggy", "pytest-xdist", "execnet", "hypothesis"]
PYTEST += ["sortedcontainers"]


def run(sources: PyodideFiles, downloads: Path, options: list[str]) -> int:
    """Run the tests, or those that pytest's options choose.

    Args:
        sources: where Pyodide lies.
        downloads: a folder where what was downloaded is kept.
        options: for pytest; without any, all tests of `HALVES` and their examples are run.

    Returns:
        pytest's exit status.

    Raises:
        DownloadError: something could not be had, or is not what was named.
    """
    node = shutil.which("node")
    if node is None:
        raise DownloadError(
            "Node is missing: the tests run in it (Debian, Ubuntu: apt install npm)."
        )
    wheels = download(pinned([*WIDGETS, *PAGES, *PYTEST]), downloads / "wheels-tests")
    with TemporaryDirectory(prefix="pyodide-") as room:
        folder = Path(room) / "pyodide"
        write_folder(folder, sources, wheels)
        packages = [*OURS, "ipython", "sqlite3", "ssl", *WIDGETS, *PAGES, *PYTEST]
        command = [node, str(Path(__file__).parent / "in_pyodide.mjs"), str(folder), str(ROOT)]
        flags = ["--override-ini=addopts=", "--doctest-modules", "--strict-markers", "-q", "-rfEs"]
        # old libraries warn, and so does a Python without time zones
        kinds = ("DeprecationWarning", "FutureWarning", "ImportWarning")
        flags += [f"-Wdefault::{kind}" for kind in kinds]
        command += [",".join(packages), *flags]
        if options:
            return subprocess.run([*command, *options]).returncode
        with ThreadPoolExecutor() as pool:
            halves = [[*command, *_parts(half)] for half in HALVES]
            done = list(pool.map(_quietly, halves))
    for half in done:
        # pyarrow warns there of each file that no signal will stop its reading
        last = half.stderr[-2000:] if half.returncode else ""
        print(half.stdout, last, sep="", flush=True)
    return max(abs(half.returncode) for half in done)


def _parts(rooms: list[str]) -> list[str]:
    parts = (f"{part}/{room}" for part in ("byhand", "tests") for room in rooms)
    return [part for part in parts if (ROOT / part).is_dir()]


def _quietly(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True)
