// Starts the server in Python, in a browser's worker and under Node alike.
//
//   const server = await start({ loadPyodide, indexURL, bundle, handles, address, ... });
//   const gone = server.ask({ method, path, query, headers, body }, (part) => …);

import { mount } from "./files.mjs";

export const DATA = "/data";
/** The database and its journal; they last. */
export const FILES = ["mauerwerk.db", "mauerwerk.db-journal"];

// --- The server ------------------------------------------------------------------------------

/** Put the files of a bundle where Python finds them: a list of names and sizes, then the contents. */
export function unpack(FS, bytes, root) {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const names = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  const made = new Set();
  let at = 4 + length;
  for (const [name, size] of names) {
    const folder = `${root}/${name}`.replace(/\/[^/]*$/, "");
    if (!made.has(folder)) { FS.mkdirTree(folder); made.add(folder); }
    FS.writeFile(`${root}/${name}`, bytes.subarray(at, at + size), { canOwn: true });
    at += size;
  }
}

/** Start; `told` hears how far it is. */
export async function start({ loadPyodide, options, bundle, handles, address, think, told = () => {} }) {
  const python = await loadPyodide({ ...options, env: { HOME: "/home", PYTHONDONTWRITEBYTECODE: "1" } });
  told("python");
  unpack(python.FS, await bundle, "/app");
  mount(python.FS, DATA, Object.fromEntries(FILES.map((name) => [name, handles[name]])));
  told("files");
  python.globals.set("THINK", think ?? null);
  python.runPython(`
import sys
sys.path.insert(0, "/app")
from mauerwerk.pocket import absent
absent.install()
from mauerwerk.pocket.bridge import open_pocket
`);
  told("imports");
  const pocket = await python.globals.get("open_pocket")(DATA, address, think);
  told("open");
  return {
    python,
    /** Answer a request part by part; the function that this returns says that nobody waits any more. */
    ask({ method, path, query, headers, body }, send) {
      return pocket.ask(method, path, query, headers, body, send);
    },
    /** Add the games of a saved file; how many, or undefined where it is not one of ours. */
    bring: (bytes) => pocket.bring(bytes),
    close: () => pocket.close(),
  };
}
