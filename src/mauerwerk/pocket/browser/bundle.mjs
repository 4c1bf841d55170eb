// Compiles Python sources to byte code with Pyodide's own Python:
//   node bundle.mjs PYODIDE_FOLDER FOLDER
// Every .py file below the folder becomes a .pyc file beside it, but for those named in SOURCES.

import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [pyodide, folder, sources] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(pyodide, "pyodide.mjs")));
const python = await loadPyodide();
python.FS.mkdirTree("/from");
python.mountNodeFS("/from", resolve(folder));
python.globals.set("SOURCES", sources);
python.runPython(`
import os, py_compile
kept = tuple(SOURCES.split(","))
for root, _, names in os.walk("/from"):
    for name in names:
        path = os.path.join(root, name)
        inside = path.removeprefix("/from/")
        if name.endswith(".py") and not inside.startswith(kept):
            py_compile.compile(
                path, cfile=path + "c", dfile=inside, doraise=True,
                optimize=1 if inside.startswith("mauerwerk/") else 2,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
            os.remove(path)
`);
process.exit(0);
