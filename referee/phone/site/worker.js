// The program itself, in a worker: it answers requests, and keeps nothing.
import { loadPyodide } from "./pyodide.mjs";
import * as engine from "./crypto.js";

const at = (name) => new URL(name, import.meta.url).href;
const fetched = async (name) => {
  const found = await fetch(at(name));
  if (!found.ok) throw new Error(`${name}: ${found.status}`);
  return found;
};

async function start() {
  const ours = fetched("referee.zip").then((found) => found.arrayBuffer());
  const python = await loadPyodide({
    indexURL: at("./"),
    stdLibURL: at("python_stdlib.zip"),
    lockFileContents: await (await fetched("python.json")).text(),
    packageBaseUrl: at("./"),
  });
  python.unpackArchive(await ours, "zip", { extractDir: "/app" });
  python.registerJsModule("sanjuan_engine", { ...engine });
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
    postMessage({ id, answer: call(name, request) });
  } catch (error) {
    postMessage({ id, answer: JSON.stringify({ error: { reason: "bug", code: 70, message: String(error).slice(0, 500), hint: "", choices: [] } }) });
  }
};
