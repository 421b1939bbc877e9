"""Build the report page for the browser, with Python, in one folder.

The folder can be copied to any host of static files.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from byhand.metrics.presets import PRESETS
from byhand.reports.options import CONVENTIONS, MEASURES
from byhand.reports.page import report_style
from byhand.reports.rendering import templates_of
from byhand.theme import base_style, sheet
from byhand.widgets import embed
from byhand.words import ENGLISH, languages, speaking
from helpers import translation
from helpers.html import course_style
from lite.downloads import CARRIER, PYODIDE, ROOT, RUNTIME, PyodideFiles, download, hash_of, pinned
from lite.pyodide import write_folder
from lite.site import wheel_of

PACKAGES = ["numpy", "pandas", "scipy", "pyarrow", "packaging"]
WHEELS = ["jinja2", "lazy-loader", "polib", "markupsafe"]
_HERE = Path(__file__).parent / "report"
_LIBRARY = '[build.targets.wheel]\ninclude = ["/byhand"]\n'
# only for figures, which the page does not have
_FONT = "hangul.ttf"
DATA = {
    "sample": ["sample-new.txt.gz", "sample-old.txt.gz", "sample-qrels.csv"],
    "cranfield": [
        *("cranfield-bm25.txt.gz", "cranfield-tfidf.txt.gz", "cranfield-qrels.csv"),
        *("cranfield-queries.csv", "cranfield-titles.csv"),
    ],
}
LARGEST = 200  # megabytes of all files; the limit was measured


def build(folder: Path, sources: PyodideFiles, *, downloads: Path) -> None:
    """Build the page in every language, with Python.

    Args:
        folder: output folder, which is replaced.
        sources: the files of Pyodide.
        downloads: folder of the download cache.

    Raises:
        DownloadError: If a download fails or has another hash.
    """
    wheels = download(pinned(WHEELS), downloads / "wheels-report")
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    with TemporaryDirectory(prefix="report-") as room:
        own = wheel_of(Path(room), ["byhand"], _LIBRARY, _FONT)
        size = write_folder(
            unfinished / "python",
            sources,
            [*wheels, own],
            only=PACKAGES,
            compiled=downloads / f"compiled-{PYODIDE}",
        )
    shutil.copy(_HERE / "desk.py", unfinished / "python")
    # the name changes with the content because of browser caches
    digest = hashlib.sha256((unfinished / "python" / "pyodide-lock.json").read_bytes())
    digest.update((_HERE / "desk.py").read_bytes())
    python = f"python-{digest.hexdigest()[:12]}"
    (unfinished / "python").rename(unfinished / python)
    for name in ("page.js", "worker.js"):
        shutil.copy(_HERE / name, unfinished)
    (unfinished / "data").mkdir()
    for name in {name for names in DATA.values() for name in names}:
        shutil.copy(ROOT / "data" / name, unfinished / "data")
    write_pages(unfinished, python, size)
    write_sources(unfinished, sources, wheels)
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


def write_pages(folder: Path, python: str, size: int) -> None:
    """Write the page in every language."""
    places = {
        language: {"name": name, "address": _page_of(language)}
        for language, name in languages().items()
    }
    settings = {"python": f"{python}/", "size": size, "largest": LARGEST, "data": DATA}
    for language in languages():
        with speaking(language):
            html = (
                templates_of("helpers", translation.catalog())
                .get_template("report.html.j2")
                .render(
                    language=language,
                    places=places,
                    names={},
                    settings=json.dumps(settings),
                    style=base_style()
                    + course_style(formulas=False)
                    + report_style()
                    + sheet(_HERE / "page.css"),
                    scripts=" ".join(_scripts()),
                    megabytes=round(size / 1e6),
                    largest=LARGEST,
                    presets=[*PRESETS],
                    preset=CONVENTIONS,
                    measures=" ".join(MEASURES),
                    home="../index.html" if language == ENGLISH else f"../{language}/index.html",
                )
            )
        (folder / _page_of(language)).write_text(html, encoding="utf-8")


def write_sources(folder: Path, sources: PyodideFiles, wheels: Iterable[Path]) -> None:
    """Write the origin and hash of each file for security reviews; also hashes before compiling."""
    name, version = CARRIER
    packages = f"https://pypi.org/project/{name}/{version}/"
    runtime = f"https://www.npmjs.com/package/pyodide/v/{PYODIDE}"
    if sources.runtime == sources.packages:  # unpacked by the user
        packages = runtime = f"https://github.com/pyodide/pyodide/releases/tag/{PYODIDE}"
    came = {
        each.name: ("https://pypi.org, by the locks of this project", hash_of(each))
        for each in wheels
    }
    for entry in sources.lock()["packages"].values():
        came[entry["file_name"]] = packages, entry["sha256"]
    came |= {name: (runtime, sha256) for name, sha256 in RUNTIME.items()}
    del came["pyodide-lock.json"]  # ours has fewer packages
    rows = []
    for path in sorted(filter(Path.is_file, folder.rglob("*"))):
        found = hash_of(path)
        place, sha256 = came.get(path.name, ("this project", found))
        if sha256 != found:
            place += f", compiled by this project from {sha256}"
        rows.append(f"{found}  {path.relative_to(folder).as_posix()}  {place}\n")
    (folder / "sources.txt").write_text("".join(rows), encoding="utf-8")


def _page_of(language: str) -> str:
    return "index.html" if language == ENGLISH else f"{language}.html"


def _scripts() -> Iterator[str]:
    """Yield the content policy sources of a report's scripts, which the page must allow."""
    for language in languages():
        yield embed.live_source("page", language)
