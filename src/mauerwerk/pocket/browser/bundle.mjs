// Compiles Python sources to byte code with Pyodide's own Python:
//   node bundle.mjs PYODIDE_FOLDER FOLDER
// Every .py file below the folder becomes a .pyc file in its place, but for those named in SOURCES.
// Only our own code keeps its lines and its words.

import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [pyodide, folder, sources = ""] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(pyodide, "pyodide.mjs")));
const python = await loadPyodide();
python.FS.mkdirTree("/from");
python.mountNodeFS("/from", resolve(folder));
python.globals.set("SOURCES", sources);
python.runPython(`
import importlib.util, marshal, os
from types import CodeType

def without_lines(code):
    """The same code, all of it in its first line: half of what is fetched would be tables of lines."""
    units = len(code.co_code) // 2
    entries = (min(8, units - at) for at in range(0, units, 8))
    lines = b"".join(bytes([0x80 | 13 << 3 | length - 1, 0]) for length in entries)
    inner = (without_lines(each) if isinstance(each, CodeType) else each for each in code.co_consts)
    return code.replace(co_linetable=lines, co_consts=tuple(inner))

UNCHECKED = importlib.util.MAGIC_NUMBER + (1).to_bytes(4, "little") + bytes(8)
kept = tuple(filter(None, SOURCES.split(",")))
for root, _, names in os.walk("/from"):
    for name in names:
        path = os.path.join(root, name)
        inside = path.removeprefix("/from/")
        if name.endswith(".py") and not inside.startswith(kept):
            ours = inside.startswith("mauerwerk/")
            with open(path, "rb") as file:
                code = compile(file.read(), inside, "exec", dont_inherit=True, optimize=1 if ours else 2)
            with open(path + "c", "wb") as file:
                file.write(UNCHECKED + marshal.dumps(code if ours else without_lines(code)))
            os.remove(path)
`);
process.exit(0);
