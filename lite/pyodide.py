"""Write a folder with Pyodide, the needed packages, and our wheels in its lock.

Packages in `pyodide-lock.json` load when a cell imports them, so lessons install nothing.
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

# packages of JupyterLite's kernel
KERNEL = ["micropip", "ssl", "sqlite3", "jedi", "ipython", "packaging", "six", "traitlets"]
# Pyodide's packages that our package imports
OURS = ["numpy", "pandas", "matplotlib", "scipy", "pyarrow", "pygments"]
# those of them that load only on import
LATER = ["scipy", "pyarrow"]
# extras that lessons need
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
    """Write a Pyodide folder from verified files.

    Args:
        folder: output folder, which is replaced.
        sources: the files of Pyodide.
        wheels: pure Python wheels to add. Unknown dependencies are ignored: JupyterLite has some
            packages itself, and a browser needs no servers.
        only: Pyodide's packages to include, all loaded at the start; those of notebooks by default.
        compiled: cache of compiled code, which starts in a third less time, but without source
            lines in errors. None (the default) for sources, as notebooks need.

    Returns:
        The number of bytes to load before the first cell.

    Raises:
        DownloadError: If a file is missing or has another hash.
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
    """Compile a folder's packed Python, cached by hash; return False if there is no Node."""
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
    for other in {*filter(Path.is_file, kept.iterdir())} - {*places.values()}:  # outdated
        other.unlink()
    return True


def _with_their_own(
    packages: Mapping[str, dict], names: Iterable[str]
) -> Iterator[tuple[str, dict]]:
    """Yield packages with all their dependencies."""
    known = {canonicalize_name(name): name for name in packages}
    wanted, seen = list(names), set()
    while wanted:
        name = known[canonicalize_name(wanted.pop())]
        if name not in seen:
            seen.add(name)
            yield name, packages[name]
            wanted += packages[name]["depends"]


def entry_of(wheel: Path) -> dict[str, object]:
    """Return the entry of a wheel for Pyodide's lock."""
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
