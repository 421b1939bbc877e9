"""What the notebooks in the browser are built from: refused unless it is what was named."""

import hashlib
import json
import zipfile

import pytest
from nbformat import writes
from nbformat.v4 import new_markdown_cell, new_notebook

import lite.downloads
import lite.pyodide
import lite.report_page
import lite.site
from lite.downloads import DownloadError, PyodideFiles, checked, downloaded, pinned, unpacked
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


def test_without_node_python_goes_as_it_is(distribution, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(lite.pyodide.shutil, "which", lambda _: None)
    made = tmp_path / "made"
    write_folder(made, unpacked(distribution), [], only=["numpy"], compiled=tmp_path / "kept")
    assert "Node is missing" in capsys.readouterr().err
    wheel = "numpy-1.0-py3-none-any.whl"
    assert (made / wheel).read_bytes() == (distribution / wheel).read_bytes()


def test_what_was_compiled_once_is_taken_and_vouched_for(distribution, tmp_path, monkeypatch):
    monkeypatch.setattr(lite.pyodide.shutil, "which", lambda _: "node")
    monkeypatch.setattr(lite.pyodide.subprocess, "run", None)
    kept, made, wheel = tmp_path / "kept", tmp_path / "made", "numpy-1.0-py3-none-any.whl"
    kept.mkdir()
    for name in (wheel, "python_stdlib.zip"):
        (kept / sha256(distribution / name)).write_text(f"compiled {name}")
    (kept / "of a former version").touch()
    write_folder(made, unpacked(distribution), [], only=["numpy"], compiled=kept)
    assert (made / wheel).read_text() == f"compiled {wheel}"
    lock = json.loads((made / "pyodide-lock.json").read_text())
    assert lock["packages"]["numpy"]["sha256"] == sha256(made / wheel)
    assert not (kept / "of a former version").exists()


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


def test_what_was_downloaded_is_not_asked_for_again(tmp_path, monkeypatch):
    name, version = lite.downloads.CARRIER
    runtime = tmp_path / f"pyodide-{lite.downloads.PYODIDE}"
    for folder in (runtime, tmp_path / f"{name}-{version}"):
        folder.mkdir()
    for file in lite.downloads.RUNTIME:
        (runtime / file).touch()
    monkeypatch.setattr(lite.downloads.subprocess, "run", None)
    found = downloaded(tmp_path)
    assert found == PyodideFiles(runtime=runtime, packages=tmp_path / f"{name}-{version}")
    # and is checked when it is used
    with pytest.raises(DownloadError, match="is not the file that was to come"):
        found.lock()


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


def test_the_hash_of_one_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert checked(path, digest) == path


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


def test_packed_text_is_listed_as_packed(tmp_path):
    for name in ("notebooks/a.ipynb", "data/run.txt.gz", "data/qrels.csv"):
        path = tmp_path / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    lite.site.list_contents(tmp_path)
    listed = json.loads((tmp_path / "api" / "contents" / "data" / "all.json").read_text())
    kinds = {entry["path"]: (entry["format"], entry["mimetype"]) for entry in listed["content"]}
    assert kinds == {
        "data/run.txt.gz": ("base64", "application/gzip"),
        "data/qrels.csv": ("text", "text/csv"),
    }
    top = json.loads((tmp_path / "api" / "contents" / "all.json").read_text())
    assert [(entry["path"], entry["type"]) for entry in top["content"]] == [
        ("data", "directory"),
        ("notebooks", "directory"),
    ]


def test_other_lessons_are_kept_apart_in_the_browser(tmp_path, monkeypatch):
    versions = []
    for source in ("1", "2", "1"):
        root = tmp_path / f"root{len(versions)}"
        for name in ("notebooks/a.ipynb", "data/x.csv"):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            cells = [new_markdown_cell(source, id="a")]
            text = writes(new_notebook(cells=cells)) if name.endswith("ipynb") else "x"
            (root / name).write_text(text)
        monkeypatch.setattr(lite.site, "ROOT", root)
        versions.append(lite.site.copy_contents(tmp_path / f"files{len(versions)}"))
    assert versions[0] == versions[2] != versions[1]
