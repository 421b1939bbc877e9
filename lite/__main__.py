"""The lessons as notebooks in the browser: `make lite`."""

import argparse
import sys
from pathlib import Path

from lite import report_page, site
from lite.downloads import ROOT, DownloadError, downloaded, unpacked

_LITE = ROOT / ".venv" / "lite"


def main() -> int:
    """Build the site or the report page."""
    made = argparse.ArgumentParser(prog="python -m lite", description=__doc__)
    made.add_argument("--pyodide", type=Path, help="an unpacked distribution of Pyodide")
    made.add_argument("--downloads", type=Path, default=_LITE / "downloads")
    made.add_argument("--builder", type=Path, default=_LITE / "bin" / "python")
    what = made.add_subparsers(dest="what", required=True)
    built = what.add_parser("site", help="build the site")
    built.add_argument("folder", type=Path, help="where to; it is made anew")
    page = what.add_parser("report", help="build the page that makes a report of dropped files")
    page.add_argument("folder", type=Path, help="where to; it is made anew")
    given = made.parse_args()
    try:
        found = unpacked(given.pyodide) if given.pyodide else downloaded(given.downloads)
        if given.what == "report":
            report_page.build(given.folder, found, downloads=given.downloads)
        else:
            site.build(given.folder, found, builder=given.builder, downloads=given.downloads)
    except DownloadError as error:
        print(f"python -m lite: {error}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in given.folder.rglob("*") if path.is_file())
    print(f"{given.folder}: {size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
