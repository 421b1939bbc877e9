// Python, apart from the page, which answers while it computes. It is started from a blob, so that
// the policy of the page holds for it, too: no connection but to its own host.
let python;
let desk;
let mounted = false;
let progress = () => {};

async function begin({ folder }) {
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  python = await loadPyodide({
    indexURL: folder,
    packages: ["ranking-metrics-by-hand"],
    // pyarrow warns of each file that no signal will stop its reading
    stderr: (line) => line.includes("Signal stop source") || console.warn(line),
  });
  const code = await (await fetch(`${folder}desk.py`)).text();
  python.FS.writeFile("/home/pyodide/desk.py", code);
  python.FS.mkdirTree("/files");
  python.runPython(
    "import sys; sys.path.insert(0, '/home/pyodide'); sys.dont_write_bytecode = True",
  );
  postMessage({ state: "importing" });
  desk = python.pyimport("desk");
  python.runPython("import os; os.chdir('/files')");
}

// files stay where they are, and are read from there; a folder holds them while something is asked
function mount(files) {
  const { FS } = python;
  FS.chdir("/");
  if (mounted) FS.unmount("/files");
  mounted = true;
  const blobs = files.map(({ name, file }) => ({ name, data: file }));
  FS.mount(FS.filesystems.WORKERFS, { blobs }, "/files");
  FS.chdir("/files");
}

const CALLS = {
  begin,
  ask({ call, files, asked }) {
    if (files) mount(files);
    const done = (at, of, what) => progress(at, of, what);
    return desk.answer(call, JSON.stringify(asked), done);
  },
};

self.onmessage = async ({ data }) => {
  progress = (at, of, doing) => postMessage({ id: data.id, at, of, doing });
  try {
    postMessage({ id: data.id, answer: await CALLS[data.what](data) });
  } catch (error) {
    const said = String(error?.message ?? error);
    postMessage({ id: data.id, broke: said });
  }
};
