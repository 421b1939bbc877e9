// Compiles the Python of packed files in Pyodide under Node, which has the version that they are for.
// node compile.mjs PYODIDE TO FILES...: each file goes to the folder TO under its name.
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, to, ...files] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
for (const [place, root] of Object.entries({ "/from": pyodide, "/to": to })) {
  python.FS.mkdirTree(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, place);
}
python.globals.set("names", python.toPy(files.map((file) => basename(file))));
python.runPython(`
import warnings
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash
from zipfile import ZIP_DEFLATED, ZipFile

warnings.simplefilter("ignore")  # of others' code
for name in names:
    with ZipFile(f"/from/{name}") as packed, ZipFile(f"/to/{name}", "w") as made:
        for each in packed.infolist():
            content = packed.read(each)
            if each.filename.endswith(".py"):
                code = compile(content, each.filename, "exec", dont_inherit=True)
                # in the place of its source, which nothing looks for then
                content = _code_to_hash_pyc(code, source_hash(content), False)
                each.filename += "c"
            made.writestr(each, content, ZIP_DEFLATED)
`);
