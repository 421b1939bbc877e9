"""Build the page that makes a report of dropped files, with Python, in one folder.

The folder can be copied to any host of static files.
"""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from byhand.metrics.presets import PRESETS
from byhand.reports.options import CONVENTIONS, MEASURES
from byhand.reports.rendering import report_style, templates_of
from byhand.theme import base_style, sheet
from byhand.widgets import embed
from byhand.words import ENGLISH, languages, speaking
from helpers import translation
from helpers.html import course_style
from lite.pyodide import ROOT, download, hash_of, own_wheel, pinned, write_folder

PACKAGES = ["numpy", "pandas", "scipy", "pyarrow", "packaging"]
WHEELS = ["jinja2", "lazy-loader", "polib", "markupsafe"]
_HERE = Path(__file__).parent / "report"
_FONT = "hangul.ttf"  # only for figures, which the page does not have
DATA = {
    "sample": ["sample-new.txt.gz", "sample-old.txt.gz", "sample-qrels.csv"],
    "cranfield": [
        *("cranfield-bm25.txt.gz", "cranfield-tfidf.txt.gz", "cranfield-qrels.csv"),
        *("cranfield-queries.csv", "cranfield-titles.csv"),
    ],
}
LARGEST = 200  # megabytes of all files; the limit was measured


def build(folder: Path, source: Path, *, downloads: Path) -> None:
    """Build the page in every language, with Python.

    Args:
        folder: output folder, which is replaced.
        source: Pyodide's distribution.
        downloads: folder of the download cache.

    Raises:
        DownloadError: If a download fails or has another hash.
    """
    wheels = download(pinned(WHEELS), downloads / "wheels-report")
    shutil.rmtree(folder, ignore_errors=True)
    with TemporaryDirectory(prefix="report-") as room:
        wheels.append(own_wheel(Path(room), ["byhand"], _FONT))
        size = write_folder(folder / "python", source, wheels, PACKAGES)
    shutil.copy(_HERE / "desk.py", folder / "python")
    # the name changes with the content because of browser caches
    digest = hash_of(folder / "python" / "pyodide-lock.json")[:6] + hash_of(_HERE / "desk.py")[:6]
    (folder / "python").rename(folder / f"python-{digest}")
    for name in ("page.js", "worker.js"):
        shutil.copy(_HERE / name, folder)
    (folder / "data").mkdir()
    for name in {name for names in DATA.values() for name in names}:
        shutil.copy(ROOT / "data" / name, folder / "data")
    write_pages(folder, f"python-{digest}/", size)


def write_pages(folder: Path, python: str, size: int) -> None:
    """Write the page in every language."""
    places = {
        language: {"name": name, "address": _page_of(language)}
        for language, name in languages().items()
    }
    settings = {"python": python, "largest": LARGEST, "data": DATA}
    style = base_style() + course_style(formulas=False) + report_style()
    # the content policy must allow the scripts of reports
    scripts = " ".join(embed.live_source("page", language) for language in languages())
    for language in languages():
        with speaking(language):
            template = templates_of("helpers", translation.catalog()).get_template("report.html.j2")
            html = template.render(
                language=language,
                places=places,
                names={},
                settings=json.dumps(settings),
                style=style + sheet(_HERE / "page.css"),
                scripts=scripts,
                megabytes=round(size / 1e6),
                presets=[*PRESETS],
                preset=CONVENTIONS,
                measures=" ".join(MEASURES),
                home="../index.html" if language == ENGLISH else f"../{language}/index.html",
            )
        (folder / _page_of(language)).write_text(html, encoding="utf-8")


def _page_of(language: str) -> str:
    return "index.html" if language == ENGLISH else f"{language}.html"
