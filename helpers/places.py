"""Where the lessons and their data are: beside this package, or in it where it was installed."""

from pathlib import Path

_HERE = Path(__file__).parent
_ROOT = _HERE if (_HERE / "data").is_dir() else _HERE.parent

DATA = _ROOT / "data"
NOTEBOOKS = _ROOT / "notebooks"
