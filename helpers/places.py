"""Where the lessons and their data are: in the repository, or inside an installed package."""

from pathlib import Path

_SHIPPED = Path(__file__).parent / "shipped"
_ROOT = _SHIPPED if _SHIPPED.is_dir() else Path(__file__).parents[1]

DATA = _ROOT / "data"
NOTEBOOKS = _ROOT / "notebooks"
