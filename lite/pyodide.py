"""A folder with Pyodide, only the packages that are needed, and wheels of our own in its lock.

A package in `pyodide-lock.json` loads by itself when a cell imports it, so a lesson needs no line
that installs anything.
"""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from email.parser import Parser
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from lite.downloads import PYTHON, RUNTIME, DownloadError, PyodideFiles, hash_of

# what JupyterLite's kernel starts with
KERNEL = ["micropip", "ssl", "sqlite3", "jedi", "ipython", "packaging", "six", "traitlets"]
# what the package imports, out of Pyodide's own
OURS = ["numpy", "pandas", "matplotlib", "scipy", "pyarrow", "pygments"]
# of these, what is loaded when it is imported
LATER = ["scipy", "pyarrow"]
# … and of its extras, what a lesson needs
EXTRAS = ["", "notebook", "lab"]
_HERE = Path(__file__).parent
_START = _HERE / "start" / "sitecustomize.py"
_BROWSER = {
    "python_version": PYTHON,
    "python_full_version": f"{PYTHON}.7",
    "sys_platform": "emscripten",
    "platform_system": "Emscripten",
    "platform_machine": "wasm32",
    "platform_python_implementation": "CPython",
    "implementation_name": "cpython",
    "os_name": "posix",
}


def write_folder(
    folder: Path,
    sources: PyodideFiles,
    wheels: Iterable[Path],
    *,
    only: Iterable[str] | None = None,
    compiled: Path | None = None,
) -> int:
    """Write a Pyodide folder, each file checked.

    Args:
        folder: where to; it is made anew.
        sources: where Pyodide lies.
        wheels: pure Python wheels to add. What they need and is nowhere is left out: JupyterLite
            brings a few packages itself, and nobody runs a server in a browser.
        only: of Pyodide's packages these, and none of them later than at the start; None for what
            notebooks need.
        compiled: a folder that keeps what was compiled. Python then begins a third sooner; but an
            error shows no line of the code, as a notebook should. None for the sources.

    Returns:
        How many bytes are loaded before the first cell is run.

    Raises:
        DownloadError: a file is missing, or is not the one that was named.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy(sources.file(name), folder)
    if only is None:
        with zipfile.ZipFile(folder / "python_stdlib.zip", "a", zipfile.ZIP_DEFLATED) as library:
            library.write(_START, _START.name)
    lock = sources.lock()
    wanted, later = ([*KERNEL, *OURS], LATER) if only is None else ([*only], [])
    packages = dict(_with_their_own(lock["packages"], wanted))
    for entry in packages.values():
        shutil.copy(sources.package(entry), folder)
    ours = [entry_of(Path(shutil.copy(wheel, folder))) for wheel in wheels]
    packages |= {entry["name"]: entry for entry in ours}
    if compiled and _compile(folder, compiled):
        for entry in packages.values():
            entry["sha256"] = hash_of(folder / entry["file_name"])
    for entry in ours:
        now = packages.keys() - later
        entry["depends"] = [each for each in entry["depends"] if each in now]
    lock["packages"] = packages
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    begun = [*(KERNEL if only is None else []), *(entry["name"] for entry in ours)]
    at_start = dict(_with_their_own(packages, begun))
    names = [*RUNTIME, *(entry["file_name"] for entry in at_start.values())]
    return sum((folder / name).stat().st_size for name in names)


def _compile(folder: Path, kept: Path) -> bool:
    """Compile the Python in the packed files of a Pyodide folder; say whether there is Node.

    What has been compiled once is kept under the hash of its source.
    """
    node = shutil.which("node")
    if node is None:
        print("Node is missing, so Python goes as it is, and begins later.", file=sys.stderr)
        return False
    packed = [*folder.glob("*.whl"), folder / "python_stdlib.zip"]
    places = {path: kept / hash_of(path) for path in packed}
    missing = [path for path, place in places.items() if not place.is_file()]
    if missing:
        kept.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=kept) as room:
            command = [node, str(_HERE / "compile.mjs"), str(folder.resolve()), room]
            done = subprocess.run([*command, *map(str, missing)], capture_output=True, text=True)
            if done.returncode:
                raise DownloadError(f"Python could not be compiled:\n{done.stderr[-2000:]}")
            for path in missing:
                (Path(room) / path.name).rename(places[path])
    for path, place in places.items():
        shutil.copy(place, path)
    for other in {*filter(Path.is_file, kept.iterdir())} - {*places.values()}:  # of former versions
        other.unlink()
    return True


def _with_their_own(
    packages: Mapping[str, dict], names: Iterable[str]
) -> Iterator[tuple[str, dict]]:
    """Some packages of Pyodide's, and those that they need."""
    known = {canonicalize_name(name): name for name in packages}
    wanted, seen = list(names), set()
    while wanted:
        name = known[canonicalize_name(wanted.pop())]
        if name not in seen:
            seen.add(name)
            yield name, packages[name]
            wanted += packages[name]["depends"]


def entry_of(wheel: Path) -> dict[str, object]:
    """What Pyodide's lock says of a package, from its wheel."""
    with zipfile.ZipFile(wheel) as packed:
        files = packed.namelist()
        (about,) = (name for name in files if re.fullmatch(r"[^/]+\.dist-info/METADATA", name))
        metadata = Parser().parsestr(packed.read(about).decode())
    needed = map(Requirement, metadata.get_all("Requires-Dist", []))
    roots = {name.partition("/")[0] for name in files if name.endswith(".py")}
    return {
        "name": canonicalize_name(metadata["Name"]),
        "version": metadata["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hash_of(wheel),
        "package_type": "package",
        "imports": sorted(name.removesuffix(".py") for name in roots if "-" not in name),
        "depends": [
            canonicalize_name(each.name)
            for each in needed
            if each.marker is None
            or any(each.marker.evaluate({**_BROWSER, "extra": extra}) for extra in EXTRAS)
        ],
        "unvendored_tests": False,
    }
