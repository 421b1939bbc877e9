"""A folder that is not all of this Pyodide is refused, with what to do."""

import json

import pytest

import lite.pyodide
from lite.pyodide import PYODIDE, RUNTIME, DownloadError, distribution, write_folder


def test_a_folder_that_is_not_all_of_this_pyodide_is_refused(tmp_path, monkeypatch):
    with pytest.raises(DownloadError, match=r"nowhere has no pyodide-lock.json. .+PYODIDE=folder"):
        distribution(tmp_path / "nowhere", tmp_path)
    for name in RUNTIME:
        (tmp_path / name).write_text("")
    packages = {"scipy": {"file_name": "scipy-1.0.whl", "depends": []}}
    lock = {"info": {"version": PYODIDE}, "packages": packages}
    (tmp_path / "pyodide-lock.json").write_text(json.dumps(lock))
    with pytest.raises(DownloadError, match=r"scipy-1.0.+ is missing. .+ make lite PYODIDE=folder"):
        write_folder(tmp_path / "made", distribution(tmp_path, tmp_path), [], ["scipy"])
    monkeypatch.setattr(lite.pyodide, "PYODIDE", "9.9")
    with pytest.raises(DownloadError, match=r"has Pyodide 0\.27\.7\. Expected 9\.9"):
        distribution(tmp_path, tmp_path)
