"""Folders of the lessons and their data."""

from pathlib import Path

_ROOT = Path(__file__).parents[1]

DATA = _ROOT / "data"
NOTEBOOKS = _ROOT / "notebooks"
