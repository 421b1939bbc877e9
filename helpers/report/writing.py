"""Files that are there whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new file beside `path`, which takes its place if all goes well, and else vanishes.

    Example:
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with replacing(Path(folder) / "a.txt") as new:
        ...         _ = new.write_text("whole")
        ...     (Path(folder) / "a.txt").read_text()
        'whole'
    """
    path = path.resolve()  # what a link points to is replaced, not the link
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    new = Path(name)
    try:
        yield new
        new.chmod(_mode(path))
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def _mode(path: Path) -> int:
    """The rights of the file that is replaced, or those that a new one gets."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
