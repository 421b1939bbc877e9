// Runs pytest on this checkout in Pyodide under Node: Python where an address has 32 bits, where
// there are neither processes nor threads, and with the oldest versions that we declare.
// node in_pyodide.mjs PYODIDE CHECKOUT PACKAGES PYTEST-ARGUMENTS...
import { pathToFileURL } from "node:url";

const [pyodide, checkout, packages, ...options] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({
  indexURL: `${pyodide}/`,
  packages: packages.split(","),
  env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" },
});
python.FS.mkdirTree("/checkout");
python.FS.mount(python.FS.filesystems.NODEFS, { root: checkout }, "/checkout");
python.globals.set("options", python.toPy(options));
const status = await python.runPythonAsync(`
import os
import sys
sys.path.insert(0, "/checkout")
os.chdir("/checkout")
import pytest
pytest.main(["-p", "no:cacheprovider", "--capture=sys", *options])
`);
process.exit(Number(status));
