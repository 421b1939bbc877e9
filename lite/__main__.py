"""The lessons as notebooks in the browser: `make lite`."""

import argparse
import sys
from pathlib import Path

from lite.chain import ROOT, ChainError, downloaded, unpacked
from lite.site import build

_DOWNLOADS = ROOT / ".venv" / "lite" / "downloads"
_BUILDER = ROOT / ".venv" / "lite" / "bin" / "python"


def main() -> int:
    """Build the site, and say how large it is and how to see it."""
    made = argparse.ArgumentParser(prog="python -m lite", description=__doc__)
    made.add_argument("site", type=Path, metavar="FOLDER", help="where to; it is made anew")
    made.add_argument("--pyodide", type=Path, help="an unpacked distribution of Pyodide")
    made.add_argument("--downloads", type=Path, default=_DOWNLOADS)
    made.add_argument("--builder", type=Path, default=_BUILDER)
    given = made.parse_args()
    try:
        found = unpacked(given.pyodide) if given.pyodide else downloaded(given.downloads)
        about = build(given.site, found, builder=given.builder, downloads=given.downloads)
    except ChainError as error:
        print(f"python -m lite: {error}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in given.site.rglob("*") if path.is_file())
    print(
        f"{given.site}: {size / 1e6:.0f} MB in all, {about['first_load_mb']} MB for a first lesson"
    )
    print(f"To try it: python -m http.server --bind 127.0.0.1 --directory {given.site}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
