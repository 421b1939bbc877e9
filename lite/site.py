"""Build the lessons as notebooks in the browser: JupyterLite, configured, in one static folder."""

import hashlib
import json
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from jupyter_server.services.contents.filemanager import FileContentsManager

from byhand.words import ENGLISH, languages
from helpers.lessons import lessons_run, published, with_data_page
from helpers.site import course_notebooks
from lite.pyodide import (
    ROOT,
    DownloadError,
    download,
    own_wheel,
    pinned,
    run,
    write_folder,
)

# Pyodide's packages: those of JupyterLite's kernel, and those that our package imports
KERNEL = ["micropip", "ssl", "sqlite3", "jedi", "ipython", "packaging", "six", "traitlets"]
OURS = ["numpy", "pandas", "matplotlib", "scipy", "pyarrow", "pygments"]
LATER = ["scipy", "pyarrow"]  # 30 of 80 MB and half of the memory, which few lessons need
# those that Pyodide lacks; two have a front end for JupyterLab
WHEELS = ["ipywidgets", "jupyterlab-widgets", "comm", "anywidget", "psygnal", "typing-extensions"]
WHEELS += ["jinja2", "lazy-loader", "polib", "markupsafe"]
FRONT_ENDS = ("jupyterlab_widgets-", "anywidget-")
_JUPYTERLAB = 11  # measured megabytes that it loads with a lesson
_HERE = Path(__file__).parent


def build(site: Path, source: Path, *, builder: Path, downloads: Path) -> None:
    """Build the site, and `site.json` about it.

    Args:
        site: output folder, which is replaced.
        source: Pyodide's distribution.
        builder: Python executable with JupyterLite.
        downloads: folder of the download cache.

    Raises:
        DownloadError: If a download fails or has another hash.
    """
    wheels = download(pinned(WHEELS), downloads / "wheels")
    with TemporaryDirectory(prefix="lite-") as room:
        work, lite = Path(room), Path(room) / "lite"
        version = copy_contents(work / "files", [code for code in languages() if code != ENGLISH])
        pyodide = lite / "static" / "pyodide"
        own = course_wheel(work)
        at_start = write_folder(pyodide, source, [*wheels, own], [*KERNEL, *OURS], later=LATER)
        with zipfile.ZipFile(pyodide / "python_stdlib.zip", "a") as library:
            library.write(_HERE / "sitecustomize.py", "sitecustomize.py")
        for name in ("jupyter_lite_config.json", "overrides.json"):
            shutil.copy(_HERE / name, lite)
        settings = (_HERE / "jupyter-lite.json").read_text(encoding="utf-8")
        (lite / "jupyter-lite.json").write_text(settings.replace("VERSION", version))
        if not builder.is_file():
            raise DownloadError(f"{builder} is missing. Run make lite, which installs it.")
        shutil.rmtree(site, ignore_errors=True)
        front_ends = [
            f"--LiteBuildConfig.federated_extensions={wheel}"
            for wheel in wheels
            if wheel.name.startswith(FRONT_ENDS)
        ]
        command = [builder, "-m", "jupyterlite_core", "build", "--output-dir", site.resolve()]
        run([*map(str, command), *front_ends], lite)
        shutil.move(work / "files", site / "files")
    list_contents(site)
    about = {"version": version, "megabytes": 10 * round((_JUPYTERLAB + at_start / 1e6) / 10)}
    (site / "site.json").write_text(json.dumps(about), encoding="utf-8")


def course_wheel(work: Path) -> Path:
    """Build this project's wheel with the copied lessons and data."""
    project = work / "project"
    shutil.copytree(work / "files", project)
    for name in ("images", "locale"):
        shutil.copytree(ROOT / "notebooks" / name, project / "notebooks" / name)
    return own_wheel(work, ["byhand", "helpers", "data", "notebooks"])


def copy_contents(folder: Path, further: Sequence[str] = ()) -> str:
    """Copy the lessons without answers, their data and docs; return a hash of all.

    Lessons in a further language have a folder with its code.
    """
    for name in ("data", "docs"):
        (folder / name).mkdir(parents=True)
        for path in filter(Path.is_file, (ROOT / name).glob("*")):
            shutil.copy(path, folder / name)
    paths = sorted((ROOT / "notebooks").glob("*.ipynb"))
    lessons = {"notebooks": {path.name: published(path) for path in paths}}
    lessons |= lessons_run(further, course_notebooks())
    for language, notebooks in lessons.items():
        (folder / language).mkdir()
        texts = {name: nbformat.writes(one).rstrip("\n") + "\n" for name, one in notebooks.items()}
        texts = with_data_page(language, texts) if language in further else texts
        for name, text in texts.items():
            (folder / language / name).write_text(text, encoding="utf-8", newline="\n")
    version = hashlib.sha256()
    for path in sorted(filter(Path.is_file, folder.rglob("*"))):
        version.update(path.name.encode() + path.read_bytes())
    return version.hexdigest()[:12]


def list_contents(site: Path) -> None:
    """List the files for JupyterLite, whose builder would need a Jupyter server of its own."""
    files = FileContentsManager(root_dir=str(site / "files"))
    for folder in [site / "files", *filter(Path.is_dir, (site / "files").iterdir())]:
        path = folder.relative_to(site / "files").as_posix().removeprefix(".")
        target = site / "api" / "contents" / path / "all.json"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(files.get(path), default=str), encoding="utf-8")
