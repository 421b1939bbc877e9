"""Where the lessons and their data are."""

from pathlib import Path

_ROOT = Path(__file__).parents[1]

DATA = _ROOT / "data"
NOTEBOOKS = _ROOT / "notebooks"
