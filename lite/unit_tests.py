"""The unit tests in Pyodide under Node, for what only shows there.

An address has 32 bits there, there are neither processes nor threads, and the libraries are about
the oldest that the project declares.
"""

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from lite.chain import ROOT, ChainError, Sources, download, pinned
from lite.pyodide import OURS, write_folder
from lite.site import PAGES, WIDGETS

# the rooms that a lesson in a browser enters; it makes no pages and starts no notebooks
ROOMS = ["files", "tables", "metrics", "statistics", "figures", "widgets"]
PYTEST = ["pytest", "iniconfig", "pluggy", "pytest-xdist", "execnet", "hypothesis"]
PYTEST += ["sortedcontainers"]


def run(sources: Sources, downloads: Path, options: list[str]) -> int:
    """Run the tests, or those that pytest's options choose.

    Args:
        sources: where Pyodide lies.
        downloads: a folder where what was downloaded is kept.
        options: for pytest; without any, all tests of `ROOMS` and their examples are run.

    Returns:
        pytest's exit status.

    Raises:
        ChainError: something could not be had, or is not what was named.
    """
    node = shutil.which("node")
    if node is None:
        raise ChainError("Node is missing: the tests run in it (Debian, Ubuntu: apt install npm).")
    wheels = download(pinned([*WIDGETS, *PAGES, *PYTEST]), downloads / "wheels-tests")
    everything = [f"{part}/{room}" for part in ("helpers", "tests") for room in ROOMS]
    with TemporaryDirectory(prefix="pyodide-") as room:
        folder = Path(room) / "pyodide"
        write_folder(folder, sources, wheels)
        packages = [*OURS, "ipython", "sqlite3", "ssl", *WIDGETS, *PAGES, *PYTEST]
        command = [node, str(Path(__file__).parent / "in_pyodide.mjs"), str(folder), str(ROOT)]
        flags = ["--override-ini=addopts=", "--doctest-modules", "--strict-markers", "-q", "-rs"]
        return subprocess.run(
            [*command, ",".join(packages), *flags, *(options or everything)]
        ).returncode
