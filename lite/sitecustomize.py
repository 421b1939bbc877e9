"""Load large packages in the browser when they are imported; runs when Python starts there.

Pyodide loads the packages that a cell imports. It does not detect later imports inside functions of
a package: such an import waits here for the download, which a worker can do, but a page cannot.
"""

import hashlib
import logging
import sys
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

# the packages that each needs, all in Pyodide's lock
LATER = {"scipy": ["openblas", "scipy"], "pyarrow": ["pyodide-unix-timezones", "pyarrow"]}

# a browser keeps no font cache, so each lesson would log that
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)

_FETCH = """(url) => {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.responseType = "arraybuffer";
  request.send();
  if (request.status !== 200) throw new Error(`${url}: ${request.status}`);
  return new Uint8Array(request.response);
}"""
# a library that modules share must be loaded before the first of them
_LINK = """(module, path, folders) => {
  const { FS, PATH, LDSO } = module;
  const place = (name) => {
    const tried = PATH.isAbs(name) ? [name] : folders.map((folder) => `${folder}/${name}`);
    return tried.find((each) => FS.findObject(each) !== null) ?? name;
  };
  const fs = {
    findObject: (name, last) => FS.findObject(place(name), last),
    readFile: (name) => FS.readFile(place(name)),
  };
  const how = { loadAsync: false, nodelete: true, allowUndefined: true, global: false, fs };
  module.loadDynamicLibrary(path, how, {});
  LDSO.loadedLibsByName[PATH.basename(path)] ??= LDSO.loadedLibsByName[path];
}"""


class Later(MetaPathFinder):
    """Find packages of Pyodide's lock that are not loaded yet."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Load a package if it is one of `LATER` and is needed."""
        if name not in LATER or _asks_whether_it_is_there():
            return None
        for package in LATER[name]:
            _load(package)
        PathFinder.invalidate_caches()
        return PathFinder.find_spec(name, path, target)


def _asks_whether_it_is_there() -> bool:
    """Return whether pandas is being imported, which tries optional packages."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and getattr(pandas.__spec__, "_initializing", False)


def _load(package: str) -> None:
    import pyodide_js
    from pyodide._package_loader import get_install_dir, unpack_buffer
    from pyodide.code import run_js
    from pyodide.ffi import to_js

    if package in pyodide_js.loadedPackages.to_py():
        return
    entry = pyodide_js._api.lockfile_packages.to_py()[package]
    data = run_js(_FETCH)(pyodide_js._api.config.indexURL + entry["file_name"])
    if hashlib.sha256(data.to_bytes()).hexdigest() != entry["sha256"]:
        raise ImportError(
            f"{entry['file_name']} does not match Pyodide's checksum of it. Reload the page."
        )
    folder = get_install_dir(entry["install_dir"])
    known = set(Path(folder).rglob("lib*.so"))
    unpack_buffer(data, filename=entry["file_name"], extract_dir=folder)
    for library in sorted(set(Path(folder).rglob("lib*.so")) - known):
        if "cpython" not in library.name:
            folders = to_js([folder, str(library.parent)])
            run_js(_LINK)(pyodide_js._module, str(library), folders)
    setattr(pyodide_js.loadedPackages, package, "default channel")


sys.meta_path.append(Later())
