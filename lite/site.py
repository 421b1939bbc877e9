"""Build the site: JupyterLite, Pyodide, the lessons and their data in one static folder."""

import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat

from byhand.words import ENGLISH, languages
from helpers.lessons import lessons_run, published, with_data_page
from helpers.site import course_notebooks
from lite.downloads import ROOT, DownloadError, PyodideFiles, download, pinned
from lite.pyodide import write_folder

PROJECT = "ranking-metrics-by-hand"
# packages of the lessons that Pyodide lacks
WIDGETS = ["ipywidgets", "jupyterlab-widgets", "comm", "anywidget", "psygnal", "typing-extensions"]
PAGES = ["jinja2", "lazy-loader", "polib", "markupsafe", "mistune", "latex2mathml"]
# those with a front end for JupyterLab
FRONT_ENDS = ["jupyterlab_widgets", "anywidget"]
_JUPYTERLAB = 11  # measured megabytes that it loads with a lesson
_START = Path(__file__).parent / "start"
# parts that the released wheel omits
_WITH_THE_COURSE = """[build.targets.wheel]
include = ["/byhand", "/helpers", "/data", "/notebooks"]
"""
_KINDS = {
    ".ipynb": ("notebook", "json", "application/json"),
    ".csv": ("file", "text", "text/csv"),
    ".json": ("file", "text", "application/json"),
    ".md": ("file", "text", "text/markdown"),
    ".gz": ("file", "base64", "application/gzip"),
}


def build(
    site: Path, sources: PyodideFiles, *, builder: Path, downloads: Path
) -> dict[str, object]:
    """Build the site.

    Args:
        site: output folder, which is replaced.
        sources: the files of Pyodide.
        builder: Python executable with JupyterLite.
        downloads: folder of the download cache.

    Returns:
        The content of `site.json`.

    Raises:
        DownloadError: If a download fails or has another hash.
    """
    wheels = download(pinned([*WIDGETS, *PAGES]), downloads / "wheels")
    with TemporaryDirectory(prefix="lite-") as room:
        work = Path(room)
        version = copy_contents(work / "files", [each for each in languages() if each != ENGLISH])
        own = own_wheel(work)
        at_start = write_folder(work / "lite" / "static" / "pyodide", sources, [*wheels, own])
        _configure(work / "lite", version, wheels)
        unfinished = site.with_name(f"{site.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        _run_builder(builder, work / "lite", unfinished)
        shutil.move(work / "files", unfinished / "files")
    list_contents(unfinished)
    about = {"version": version, "megabytes": 10 * round((_JUPYTERLAB + at_start / 1e6) / 10)}
    (unfinished / "site.json").write_text(json.dumps(about), encoding="utf-8")
    _say_what_is_loading(unfinished / "lab" / "index.html", about)
    shutil.rmtree(site, ignore_errors=True)
    unfinished.rename(site)
    return about


def own_wheel(work: Path) -> Path:
    """Build this project's wheel with the copied lessons and data."""
    project = work / "project"
    shutil.copytree(work / "files", project)
    for name in ("images", "locale"):
        shutil.copytree(ROOT / "notebooks" / name, project / "notebooks" / name)
    return wheel_of(work, ["byhand", "helpers"], _WITH_THE_COURSE)


def wheel_of(work: Path, packages: Iterable[str], what: str, *without: str) -> Path:
    """Build a wheel of this project in a folder.

    Args:
        work: working folder; its `project` may already have files.
        packages: packages to copy.
        what: build settings for the content.
        without: files to omit.
    """
    project = work / "project"
    ignored = shutil.ignore_patterns("__pycache__", *without)
    for package in packages:
        shutil.copytree(ROOT / package, project / package, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, project)
    (project / "hatch.toml").write_text(what, encoding="utf-8")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory"]
    _run([*command, str(work)], project)
    (wheel,) = work.glob("*.whl")
    return wheel


def copy_contents(folder: Path, further: Sequence[str] = ()) -> str:
    """Copy the lessons without answers, their data and docs; return the version.

    Lessons in a further language have a folder with its code.
    """
    found = hashlib.sha256()
    for name in ("data", "docs"):
        (folder / name).mkdir(parents=True)
        for path in sorted(filter(Path.is_file, (ROOT / name).glob("*"))):
            shutil.copy(path, folder / name)
    paths = sorted((ROOT / "notebooks").glob("*.ipynb"))
    lessons = {"notebooks": {path.name: published(path) for path in paths}}
    lessons |= lessons_run(further, course_notebooks())
    for place, each in lessons.items():
        (folder / place).mkdir()
        texts = {name: nbformat.writes(one).rstrip("\n") + "\n" for name, one in each.items()}
        for name, text in (with_data_page(place, texts) if place in further else texts).items():
            (folder / place / name).write_text(text, encoding="utf-8", newline="\n")
    for path in sorted(filter(Path.is_file, folder.rglob("*"))):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()[:12]


def _configure(folder: Path, version: str, wheels: list[Path]) -> None:
    """Write the settings of JupyterLite's builder and site."""
    kernel = {
        "disablePyPIFallback": True,
        # loads during reading, before the first cell
        "loadPyodideOptions": {"packages": [PROJECT]},
    }
    names = ("contents", "settings", "workspaces")
    site = {
        "appName": "Ranking Metrics by Hand",
        "exposeAppInBrowser": True,
        **{f"{name}StorageName": _storage(name, version) for name in names},
        "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
    }
    builder = {
        "apps": ["lab"],
        "contents": [],
        "federated_extensions": [
            str(wheel) for wheel in wheels if wheel.name.split("-")[0] in FRONT_ENDS
        ],
        "no_sourcemaps": True,
        "no_unused_shared_packages": True,
    }
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    for name, value in {
        "jupyter-lite.json": {"jupyter-lite-schema-version": 0, "jupyter-config-data": site},
        "jupyter_lite_config.json": {"LiteBuildConfig": builder},
        "overrides.json": {
            "@jupyterlab/apputils-extension:notification": quiet,
            # rendering only visible cells would skip cells that a question covers
            "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},
        },
    }.items():
        (folder / name).write_text(json.dumps(value), encoding="utf-8")


def _run_builder(builder: Path, folder: Path, site: Path) -> None:
    if not builder.is_file():
        raise DownloadError(f"{builder} is missing: make lite installs the builder there.")
    command = [builder, "-m", "jupyterlite_core", "build", "--output-dir", site.resolve()]
    _run([*map(str, command)], folder)


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise DownloadError(
            f"{' '.join(command[:4])} failed:\n{(done.stdout + done.stderr)[-3000:]}"
        )


def list_contents(site: Path) -> None:
    """List the files for JupyterLite, so that it treats packed text as binary."""
    for folder in [site / "files", *filter(Path.is_dir, (site / "files").iterdir())]:
        place = folder.relative_to(site / "files")
        entries = [_entry(path, place) for path in sorted(folder.iterdir())]
        listed = _entry(folder, place.parent) | {"content": entries}
        target = site / "api" / "contents" / place / "all.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(listed), encoding="utf-8")


def _entry(path: Path, place: Path) -> dict[str, object]:
    kind, form, mime = _KINDS.get(path.suffix, ("file", "text", "text/plain"))
    if path.is_dir():
        kind, form, mime = "directory", "json", None
    when = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    whole = (place / path.name).as_posix() if path.name != "files" else ""
    return {
        "content": None,
        "created": when,
        "format": form,
        "last_modified": when,
        "mimetype": mime,
        "name": path.name if whole else "",
        "path": whole,
        "size": path.stat().st_size if kind != "directory" else None,
        "type": kind,
        "writable": True,
    }


def _say_what_is_loading(page: Path, about: dict[str, object]) -> None:
    """Add the loading bar to JupyterLab's page, and first the script that resets changes."""
    values = {"megabytes": about["megabytes"], "storage": _storage("contents", about["version"])}
    html = page.read_text(encoding="utf-8")
    for before, name in (('<link rel="manifest"', "original.html"), ("</body>", "loading.html")):
        if html.count(before) != 1:
            raise DownloadError(f"{page} is not the page that JupyterLite is known to make.")
        part = (_START / name).read_text(encoding="utf-8").replace("@SITE@", json.dumps(values))
        html = html.replace(before, part + before)
    page.write_text(html, encoding="utf-8")


def _storage(name: str, version: object) -> str:
    """Return the browser's storage name; it has the version so that old changes hide nothing."""
    return f"{PROJECT} {name} {version}"
