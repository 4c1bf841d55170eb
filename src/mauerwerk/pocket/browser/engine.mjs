// Starts the server in Python, in a browser's worker and under Node alike.
//
//   const server = await start({ loadPyodide, indexURL, bundle, handles, address, ... });
//   const gone = server.ask({ method, path, query, headers, body }, (part) => …);

import { mount } from "./files.mjs";

export const DATA = "/data";
export const LASTING = ["mauerwerk.db", "mauerwerk.db-journal"];
const BEFORE = "mauerwerk.db-before";

// --- Another database in place of the one that is there ---------------------------------------
//
// The one before is kept in a file until the new one was opened. Whatever goes wrong, it comes back.

function copy(from, to) {
  const bytes = new Uint8Array(from.getSize());
  from.read(bytes, { at: 0 });
  put(bytes, to);
}

function put(bytes, to) {
  to.truncate(0);
  to.write(bytes, { at: 0 });
  to.flush();
}

/** Whether these bytes can be a database of games. */
export function isDatabase(bytes) {
  const words = new TextDecoder("latin1").decode(bytes.subarray(0, 1 << 20));
  return words.startsWith("SQLite format 3\0") && words.includes("CREATE TABLE alembic_version");
}

/** Put another database in place; the server is closed. */
export function replace(handles, bytes) {
  const { [LASTING[0]]: database, [LASTING[1]]: journal, [BEFORE]: before } = handles;
  copy(database, before);
  put(bytes, database);
  put(new Uint8Array(0), journal);
}

/** Take the one before back, unless the new one was opened. */
export function takeBack(handles) {
  const { [LASTING[0]]: database, [LASTING[1]]: journal, [BEFORE]: before } = handles;
  if (!before.getSize()) return;
  put(new Uint8Array(0), journal);
  copy(before, database);
  put(new Uint8Array(0), before);
}

/** The new one was opened. */
export function confirm(handles) {
  put(new Uint8Array(0), handles[BEFORE]);
}

export const FILES = [...LASTING, BEFORE];

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
  mount(python.FS, DATA, Object.fromEntries(LASTING.map((name) => [name, handles[name]])));
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
    close: () => pocket.close(),
  };
}
