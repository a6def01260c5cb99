// The program itself, in a worker: it answers requests, and keeps nothing.
const at = (name) => new URL(name, import.meta.url).href;
const fetched = async (name) => {
  const found = await fetch(at(name));
  if (!found.ok) throw new Error(`${name}: ${found.status}`);
  return found;
};
// Whoever waits for it hears of a failure.
const early = (promise) => { promise.catch(() => {}); return promise; };

// All that Pyodide asks for one after the other is on its way from the beginning.
const wasm = early(WebAssembly.compileStreaming(fetched("pyodide.asm.wasm")));
const library = early(fetched("python_stdlib.zip"));
const ours = early(fetched("referee.zip").then((found) => found.arrayBuffer()));
const about = early(fetched("python.json").then((found) => found.text()));
const loader = early(import("./pyodide.mjs"));
early(import("./pyodide.asm.mjs"));
// Pyodide itself would wait for ever.
const failed = early(Promise.all([wasm, library]).then(() => new Promise(() => {})));
const given = new Map([[at("pyodide.asm.wasm"), wasm], [at("python_stdlib.zip"), library]]);
const fetchLater = self.fetch;
self.fetch = (what, options) => given.get(String(what)) ?? fetchLater(what, options);
WebAssembly.instantiateStreaming = async (compiled, imports) => {
  const module = await compiled;
  return { module, instance: await WebAssembly.instantiate(module, imports) };
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

// Cryptography has many modules, for which the list of games need not wait; what is made ready
// after it does, so that a file that is chosen then finds them there.
const engine = {};
let equipped = null;
const equip = () => { equipped ??= import("./crypto.js").then((found) => Object.assign(engine, found)); return equipped; };

async function start() {
  const { loadPyodide } = await loader;
  const python = await Promise.race([failed, loadPyodide({
    indexURL: at("./"),
    stdLibURL: at("python_stdlib.zip"),
    lockFileContents: await about,
    packageBaseUrl: at("./"),
  })]);
  unpack(python.FS, await ours);
  python.registerJsModule("sanjuan_engine", engine);
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
started.then(() => { postMessage({ ready: true }); return equip(); }).catch((error) => postMessage({ failed: String(error) }));

onmessage = async ({ data: { id, name, request } }) => {
  try {
    const call = await started;
    if (name !== "listed") await equip();
    if (name === "read_key") await engine.ciphers();
    postMessage({ id, answer: call(name, request) });
  } catch (error) {
    postMessage({ id, answer: JSON.stringify({ error: { reason: "bug", code: 70, message: String(error).slice(0, 500), hint: "", choices: [] } }) });
  }
};
