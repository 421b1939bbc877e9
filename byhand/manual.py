"""The pages that say more than a docstring: `python -m byhand docs`."""

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

_HERE = Path(__file__).parent
_PLACES = (_HERE / "docs", _HERE.parent / "docs")  # of an install, of a clone


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the pages of these names; without a name, which there are."""
    names = sys.argv[1:] if arguments is None else arguments
    place = next(each for each in _PLACES if each.is_dir())
    pages = {path.stem: path.read_text(encoding="utf-8") for path in sorted(place.glob("*.md"))}
    strange = [name for name in names if name not in pages]
    if strange and strange[0] not in ("-h", "--help"):
        near = get_close_matches(strange[0], pages, n=1)
        hint = f"the nearest is {near[0]!r}" if near else f"there are {', '.join(pages)}"
        print(f"python -m byhand docs: no page {strange[0]!r}; {hint}", file=sys.stderr)
        return 2
    if names and not strange:
        print("\n".join(pages[name] for name in names))
        return 0
    for name, page in pages.items():
        print(f"{name:<12} {page.splitlines()[0].removeprefix('# ')}")
    print(f"`python -m byhand docs NAME` prints one. They lie in {place}")
    return 0
