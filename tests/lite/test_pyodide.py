"""The Pyodide folder of the pages: complete, and refused unless it is what was named."""

import hashlib
import json
import zipfile

import pytest

import lite.pyodide
from lite.pyodide import PYODIDE, RUNTIME, DownloadError, distribution, write_folder


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def make_wheel(folder, name):
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for file in (f"{name}-1.0.dist-info/METADATA", f"{name}/__init__.py", "other.py"):
            wheel.writestr(file, "")
    return path


@pytest.fixture
def source(tmp_path):
    """A distribution of three packages."""
    folder = tmp_path / "pyodide"
    folder.mkdir()
    packages = {}
    for name, depends in (("numpy", []), ("scipy", ["NumPy"]), ("unwanted", [])):
        wheel = make_wheel(folder, name)
        packages[name] = {"file_name": wheel.name, "sha256": sha256(wheel), "depends": depends}
    lock = {"info": {"version": PYODIDE}, "packages": packages}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))
    for name in RUNTIME:
        (folder / name).write_text(name)
    return distribution(tmp_path, tmp_path)


def test_our_wheel_loads_all_but_what_loads_later(source, tmp_path):
    own = make_wheel(tmp_path, "ranking_metrics_by_hand")
    made = tmp_path / "made"
    at_start = write_folder(made, source, [own], ["numpy", "scipy"], later=["scipy"])
    packages = json.loads((made / "pyodide-lock.json").read_text())["packages"]
    assert packages.keys() == {"numpy", "scipy", "ranking-metrics-by-hand"}
    entry = packages["ranking-metrics-by-hand"]
    assert (entry["depends"], entry["sha256"]) == (["numpy"], sha256(own))
    assert entry["imports"] == ["other", "ranking_metrics_by_hand"]
    loaded = [*RUNTIME, "numpy-1.0-py3-none-any.whl", own.name]
    assert at_start == sum((made / name).stat().st_size for name in loaded)


def test_a_file_of_the_lock_that_is_missing_is_named(source, tmp_path):
    (source / "scipy-1.0-py3-none-any.whl").unlink()
    with pytest.raises(DownloadError, match=r"scipy-1.0.+ is missing. .+ make lite PYODIDE=folder"):
        write_folder(tmp_path / "made", source, [], ["scipy"])


def test_a_folder_without_pyodide_or_with_another_one(source, tmp_path, monkeypatch):
    with pytest.raises(DownloadError, match=r"nowhere has no pyodide-lock.json. .+PYODIDE=folder"):
        distribution(tmp_path / "nowhere", tmp_path)
    monkeypatch.setattr(lite.pyodide, "PYODIDE", "9.9")
    with pytest.raises(DownloadError, match=r"has Pyodide 0\.27\.7\. Expected 9\.9"):
        distribution(source, tmp_path)
