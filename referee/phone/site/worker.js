// The program itself, in a worker: it answers requests, and keeps nothing.
import { loadPyodide } from "./pyodide.mjs";

const at = (name) => new URL(name, import.meta.url).href;
const fetched = async (name) => {
  const found = await fetch(at(name));
  if (!found.ok) throw new Error(`${name}: ${found.status}`);
  return found;
};

// The archive is not compressed, and has its files one after the other.
function unpack(files, archive) {
  const about = new DataView(archive);
  const folders = new Set();
  for (let at = 0; about.getUint32(at, true) === 0x04034b50;) {
    const name = at + 30;
    const begin = name + about.getUint16(at + 26, true) + about.getUint16(at + 28, true);
    const end = begin + about.getUint32(at + 18, true);
    const path = `/app/${new TextDecoder().decode(new Uint8Array(archive, name, about.getUint16(at + 26, true)))}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) files.mkdirTree(folder);
    folders.add(folder);
    files.writeFile(path, new Uint8Array(archive, begin, end - begin), { canOwn: true });
    at = end;
  }
}

// It has many modules, for which nothing else need wait.
const engine = import("./crypto.js");

async function start() {
  const ours = fetched("referee.zip").then((found) => found.arrayBuffer());
  const python = await loadPyodide({
    indexURL: at("./"),
    stdLibURL: at("python_stdlib.zip"),
    lockFileContents: await (await fetched("python.json")).text(),
    packageBaseUrl: at("./"),
  });
  unpack(python.FS, await ours);
  python.registerJsModule("sanjuan_engine", { ...(await engine) });
  return python.runPython(`
import sys
sys.path.insert(0, "/app")
import sanjuan_engine
from pyodide.ffi import to_js
from referee.phone.browser import start
start(sanjuan_engine, to_js)
`);
}

const started = start();
started.then(() => postMessage({ ready: true }), (error) => postMessage({ failed: String(error) }));

onmessage = async ({ data: { id, name, request } }) => {
  try {
    const call = await started;
    if (name === "read_key") await (await engine).ciphers();
    postMessage({ id, answer: call(name, request) });
  } catch (error) {
    postMessage({ id, answer: JSON.stringify({ error: { reason: "bug", code: 70, message: String(error).slice(0, 500), hint: "", choices: [] } }) });
  }
};
