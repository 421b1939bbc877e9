"""The lessons and the report page with Python in the browser: `make lite`."""

import argparse
import sys
from pathlib import Path

from lite import report_page, site
from lite.pyodide import ROOT, DownloadError, distribution

_LITE = ROOT / ".venv" / "lite"


def main() -> int:
    """Build the site or the report page."""
    parser = argparse.ArgumentParser(prog="python -m lite", description=__doc__)
    parser.add_argument("--pyodide", type=Path, help="an unpacked distribution of Pyodide")
    parser.add_argument("--downloads", type=Path, default=_LITE / "downloads")
    parser.add_argument("--builder", type=Path, default=_LITE / "bin" / "python")
    parser.add_argument("what", choices=["site", "report"])
    parser.add_argument("folder", type=Path, help="output folder, which is replaced")
    given = parser.parse_args()
    try:
        source = distribution(given.pyodide, given.downloads)
        if given.what == "report":
            report_page.build(given.folder, source, downloads=given.downloads)
        else:
            site.build(given.folder, source, builder=given.builder, downloads=given.downloads)
    except DownloadError as error:
        print(f"python -m lite: {error}", file=sys.stderr)
        return 1
    size = sum(path.stat().st_size for path in given.folder.rglob("*") if path.is_file())
    print(f"{given.folder}: {size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
