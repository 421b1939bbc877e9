"""What a result was made with, and of what."""

from importlib.metadata import PackageNotFoundError, version

_PACKAGE = "ranking-metrics-by-hand"


def made_with() -> str:
    """This package and its version."""
    try:
        return f"{_PACKAGE} {version(_PACKAGE)}"
    except PackageNotFoundError:  # used from its folder, without being installed
        return f"{_PACKAGE} (version unknown)"
