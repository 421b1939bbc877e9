"""What a result was made with, and of what."""

from hashlib import file_digest
from importlib.metadata import PackageNotFoundError, version
from os import PathLike
from pathlib import Path

from byhand.files.paths import matched

_PACKAGE = "ranking-metrics-by-hand"


def made_with() -> str:
    """This package and its version."""
    try:
        return f"{_PACKAGE} {version(_PACKAGE)}"
    except PackageNotFoundError:  # used from its folder, without being installed
        return f"{_PACKAGE} (version unknown)"


def hashes(path: str | PathLike[str]) -> list[dict[str, str]]:
    """The files that a path stands for, by name, each with the SHA-256 of its bytes.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "a.csv").write_bytes(b"abc")
        ...     [(name, digest)] = [tuple(file.values()) for file in hashes(folder)]
        >>> name, digest[:8]
        ('a.csv', 'ba7816bf')
    """
    found = []
    for file in matched(path):
        with open(file, "rb") as content:
            found.append(
                {"file": Path(file).name, "sha256": file_digest(content, "sha256").hexdigest()}
            )
    return found
