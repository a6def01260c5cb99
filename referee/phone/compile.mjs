// Compiles the Python files of folders into others, by the very Python that will run them:
//   node compile.mjs PYODIDE FROM TO OPTIMIZE [FROM TO OPTIMIZE]…
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, ...folders] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const { info } = JSON.parse(readFileSync(`${pyodide}/pyodide-lock.json`, "utf8"));
const python = await loadPyodide({ indexURL: `${pyodide}/`, lockFileContents: JSON.stringify({ info, packages: {} }), packageBaseUrl: "/", env: { PYTHONNODEBUGRANGES: "1" } });
for (let at = 0; at < folders.length; at += 3) {
  const [from, to, optimize] = folders.slice(at, at + 3);
  python.mountNodeFS(`/from${at}`, from);
  python.mountNodeFS(`/to${at}`, to);
  python.runPython(`
from pathlib import Path
from py_compile import PycInvalidationMode, compile

# Nothing of the date or the place of a file goes into what is made of it.
for source in sorted(Path("/from${at}").rglob("*.py")):
    name = source.relative_to("/from${at}")
    compile(
        str(source),
        cfile=str(Path("/to${at}") / name.with_suffix(".pyc")),
        dfile=str(name),
        doraise=True,
        optimize=${Number(optimize)},
        invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
    )
`);
}
