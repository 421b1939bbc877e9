"""The command `python -m byhand docs`, which prints pages of the documentation."""

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from byhand.command_line import CommandParser

_HERE = Path(__file__).parent
_FOLDERS = (_HERE / "docs", _HERE.parent / "docs")  # installed, or in a clone


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the named pages, or the list of pages."""
    parser = CommandParser("python -m byhand docs", "Print pages on the library and its commands.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a page; without a name, list all pages"
    )
    names = parser.parse_args(arguments).names
    folder = next(each for each in _FOLDERS if each.is_dir())
    pages = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.md"))}
    for name in names:
        if name not in pages:
            near = get_close_matches(name, pages, n=1)
            there = f"the nearest is {near[0]!r}" if near else f"there are {', '.join(pages)}"
            print(f"{parser.prog}: no page {name!r}; {there}", file=sys.stderr)
            return 2
    if names:
        print("\n".join(pages[name] for name in names))
        return 0
    for name, page in pages.items():
        print(f"{name:<{max(map(len, pages))}}  {page.splitlines()[0].removeprefix('# ')}")
    print(f"`python -m byhand docs NAME` prints a page. The pages are in {folder}")
    return 0
