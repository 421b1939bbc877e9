"""The pages that say more than a docstring: `python -m byhand docs`."""

import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from byhand.command_line import CommandParser, in_its_language
from byhand.words import gettext as _

_HERE = Path(__file__).parent
_PLACES = (_HERE / "docs", _HERE.parent / "docs")  # of an install, of a clone


@in_its_language
def main(arguments: Sequence[str] | None = None) -> int:
    """Print the pages of these names; without a name, which there are."""
    made = CommandParser(
        "python -m byhand docs",
        _("Print pages on the library and its commands. They are in English."),
    )
    made.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=_("a page; without one, the names of all are printed"),
    )
    made.add_language()
    names = made.parse_args(arguments).names
    place = next(each for each in _PLACES if each.is_dir())
    pages = {path.stem: path.read_text(encoding="utf-8") for path in sorted(place.glob("*.md"))}
    for name in names:
        if name not in pages:
            near = get_close_matches(name, pages, n=1)
            said = (
                _("no page {name!r}; the nearest is {near!r}")
                if near
                else _("no page {name!r}; there are {pages}")
            )
            told = said.format(name=name, near="".join(near), pages=", ".join(pages))
            print(f"{made.prog}: {told}", file=sys.stderr)
            return 2
    if names:
        print("\n".join(pages[name] for name in names))
        return 0
    for name, page in pages.items():
        print(f"{name:<12} {page.splitlines()[0].removeprefix('# ')}")
    said = _("`python -m byhand docs NAME` prints one, in English. They lie in {place}")
    print(said.format(place=place))
    return 0
