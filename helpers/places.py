"""Where the lessons and their data are: beside this package, or in it where it was installed."""

from pathlib import Path

_INSTALLED = Path(__file__).with_name("course")
_ROOT = _INSTALLED if _INSTALLED.is_dir() else _INSTALLED.parents[1]

DATA = _ROOT / "data"
NOTEBOOKS = _ROOT / "notebooks"
