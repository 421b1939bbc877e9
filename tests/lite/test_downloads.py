"""What the notebooks in the browser are built from: refused unless it is what was named."""

import hashlib
import json
import zipfile

import pytest

import lite.downloads
import lite.pyodide
import lite.report_page
import lite.site
from lite.downloads import DownloadError, downloaded, pinned, unpacked
from lite.pyodide import entry_of, write_folder
from lite.report_page import write_sources


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def make_wheel(folder, name, *lines, files=()):
    path = folder / f"{name}-1.0-py3-none-any.whl"
    about = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 1.0", *lines, ""]
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{name}-1.0.dist-info/METADATA", "\n".join(about))
        for file in (f"{name}/__init__.py", *files):
            wheel.writestr(file, "")
    return path


@pytest.fixture
def distribution(tmp_path, monkeypatch):
    """A Pyodide of two packages, whose hashes are those that are asked for."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    packages = {}
    for name, depends in (("numpy", []), ("scipy", ["numpy"]), ("unwanted", [])):
        wheel = make_wheel(folder, name)
        entry = {"name": name, "file_name": wheel.name, "sha256": sha256(wheel)}
        packages[name] = {**entry, "depends": depends, "imports": [name]}
    lock = {"info": {"version": lite.downloads.PYODIDE}, "packages": packages}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))
    with zipfile.ZipFile(folder / "python_stdlib.zip", "w") as library:
        library.writestr("os.py", "")
    runtime = {name: sha256(folder / name) for name in ("pyodide-lock.json", "python_stdlib.zip")}
    for module in (lite.downloads, lite.pyodide):
        monkeypatch.setattr(module, "RUNTIME", runtime)
    monkeypatch.setattr(lite.pyodide, "KERNEL", [])
    monkeypatch.setattr(lite.pyodide, "OURS", ["numpy", "scipy"])
    return folder


def test_a_distribution_that_the_user_unpacked(distribution, tmp_path):
    own = make_wheel(tmp_path, "own", "Requires-Dist: numpy>=2", "Requires-Dist: scipy")
    sources = unpacked(distribution.parent)
    at_start = write_folder(tmp_path / "made", sources, [own])
    lock = json.loads((tmp_path / "made" / "pyodide-lock.json").read_text())
    assert lock["packages"].keys() == {"numpy", "scipy", "own"}
    # scipy is loaded when it is imported
    assert lock["packages"]["own"]["depends"] == ["numpy"]
    assert lock["packages"]["own"]["sha256"] == sha256(own)
    kept = ("pyodide-lock.json", "python_stdlib.zip", "own-1.0-py3-none-any.whl")
    sizes = [(tmp_path / "made" / name).stat().st_size for name in kept]
    assert at_start == sum(sizes) + (distribution / "numpy-1.0-py3-none-any.whl").stat().st_size
    with zipfile.ZipFile(tmp_path / "made" / "python_stdlib.zip") as library:
        assert library.namelist() == ["os.py", "sitecustomize.py"]


def test_it_says_where_each_file_came_from(distribution, tmp_path, monkeypatch):
    monkeypatch.setattr(lite.report_page, "RUNTIME", lite.downloads.RUNTIME)
    made, sources = tmp_path / "made", unpacked(distribution)
    wheels = [make_wheel(tmp_path, name) for name in ("theirs", "own")]
    write_folder(made / "python", sources, wheels, only=["numpy"])
    library = made / "python" / "python_stdlib.zip"
    library.write_text("compiled")
    write_sources(made, sources, wheels[:1])
    rows = (row.split("  ", 2) for row in (made / "sources.txt").read_text().splitlines())
    found = {path.removeprefix("python/"): (sha256, place) for sha256, path, place in rows}
    numpy, theirs, own = (
        found[f"{each}-1.0-py3-none-any.whl"] for each in ("numpy", "theirs", "own")
    )
    official = f"https://github.com/pyodide/pyodide/releases/tag/{lite.downloads.PYODIDE}"
    assert numpy == (sha256(distribution / "numpy-1.0-py3-none-any.whl"), official)
    assert theirs == (sha256(wheels[0]), "https://pypi.org, by the locks of this project")
    assert own == (sha256(wheels[1]), "this project")
    assert found["pyodide-lock.json"][1] == "this project"
    came = sha256(distribution / "python_stdlib.zip")
    compiled = f"{official}, compiled by this project from {came}"
    assert found["python_stdlib.zip"] == (sha256(library), compiled)


@pytest.mark.parametrize(
    "name", ["scipy-1.0-py3-none-any.whl", "python_stdlib.zip", "pyodide-lock.json"]
)
def test_a_file_that_was_changed_is_refused(distribution, tmp_path, name):
    sources = unpacked(distribution)
    content = (distribution / name).read_bytes()
    (distribution / name).write_bytes(content + b" ")
    with pytest.raises(
        DownloadError, match=rf"{name} is not the file that was to come: its SHA-256"
    ):
        write_folder(tmp_path / "made", sources, [])


def test_a_file_that_is_missing_is_named_with_what_to_do(distribution, tmp_path):
    (distribution / "scipy-1.0-py3-none-any.whl").unlink()
    with pytest.raises(DownloadError, match=r"scipy-1.0.+ is missing. .+ make lite PYODIDE=folder"):
        write_folder(tmp_path / "made", unpacked(distribution), [])


def test_a_folder_without_pyodide_or_with_another_one(distribution, tmp_path, monkeypatch):
    with pytest.raises(
        DownloadError, match=r"nowhere holds no pyodide-lock.json. .+PYODIDE=folder"
    ):
        unpacked(tmp_path / "nowhere")
    monkeypatch.setattr(lite.downloads, "PYODIDE", "9.9")
    with pytest.raises(DownloadError, match=r"holds Pyodide 0\.27\.7; needed is 9\.9"):
        unpacked(distribution)


def test_without_npm_it_says_how_to_do_without(tmp_path, monkeypatch):
    monkeypatch.setattr(lite.downloads.shutil, "which", lambda _: None)
    with pytest.raises(DownloadError, match=r"npm is missing.+apt install npm.+PYODIDE=folder"):
        downloaded(tmp_path)


def test_wheels_are_those_of_the_locks():
    found = pinned(["anywidget", "ipywidgets", "jupyterlite-core"])
    assert [line.split("==")[0] for line in found] == [
        "anywidget",
        "ipywidgets",
        "jupyterlite-core",
    ]
    assert all("--hash=sha256:" in line for line in found)
    with pytest.raises(DownloadError, match=r"No lock of this project names nothing-such"):
        pinned(["nothing-such"])


def test_an_entry_says_what_a_wheel_imports_and_needs(tmp_path):
    wheel = make_wheel(
        tmp_path,
        "Own_Name",
        "Requires-Dist: NumPy>=2",
        'Requires-Dist: colorama ; sys_platform == "win32"',
        'Requires-Dist: tomli ; python_version < "3.11"',
        'Requires-Dist: extra-thing ; extra == "all"',
        files=["other.py"],
    )
    entry = entry_of(wheel)
    assert (entry["name"], entry["version"]) == ("own-name", "1.0")
    assert (entry["imports"], entry["depends"]) == (["Own_Name", "other"], ["numpy"])
