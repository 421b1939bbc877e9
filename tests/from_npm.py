"""What the tests need from the npm registry: locks/package.json says what, its lock which."""

import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from left_out import in_ci

ROOT = Path(__file__).parents[1]
LOCKED = [ROOT / "locks" / name for name in ("package-lock.json", "package.json")]


def from_npm(name: str) -> Path:
    """A file of these packages; npm brings all of them when the lock is new, and checks them."""
    folder = ROOT / "build" / "npm"
    lock = folder / LOCKED[0].name
    if not lock.exists() or lock.read_bytes() != LOCKED[0].read_bytes():
        try:
            _bring(folder)
        except (OSError, subprocess.SubprocessError) as error:
            stop = pytest.fail if in_ci() else pytest.skip
            stop(
                f"{name} comes from the npm registry, and could not be had: {error}. It needs npm "
                "(Debian, Ubuntu: apt-get install npm) and a network."
            )
    return folder / "node_modules" / name


def _bring(folder: Path) -> None:
    folder.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as room:  # another process may be at it
        made = Path(room) / folder.name
        made.mkdir()
        for each in LOCKED:
            shutil.copy(each, made)
        subprocess.run(["npm", "ci", "--silent"], cwd=made, check=True, timeout=300)
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)
