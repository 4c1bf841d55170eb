// The pocket edition under Node, from a built folder, with its database in real files.

import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { pathToFileURL } from "node:url";

/** A file with the methods of a `FileSystemSyncAccessHandle`; `room` limits its size. */
export class NodeHandle {
  constructor(file, room = () => Infinity) {
    this.fd = fs.openSync(file, fs.existsSync(file) ? "r+" : "w+");
    this.room = room;
    this.flushes = 0;
  }
  getSize() { return fs.fstatSync(this.fd).size; }
  read(view, { at }) { return fs.readSync(this.fd, view, 0, view.length, at); }
  write(view, { at }) {
    if (at + view.length > Math.max(this.room(), this.getSize()))
      throw Object.assign(new Error("no room"), { name: "QuotaExceededError" });
    return fs.writeSync(this.fd, view, 0, view.length, at);
  }
  truncate(size) { fs.ftruncateSync(this.fd, size); }
  flush() { this.flushes++; fs.fdatasyncSync(this.fd); }
  close() { fs.closeSync(this.fd); }
}

/** Start the built folder, with its database in another. */
export async function pocket(built, data, { room, think, told } = {}) {
  const known = JSON.parse(fs.readFileSync(path.join(built, "known.json")));
  const script = (name) => import(pathToFileURL(path.join(built, known.code, name)));
  const { start, FILES } = await script("engine.mjs");
  const { Thoughts } = await script("thoughts.mjs");
  const { serve } = await script("think.mjs");
  // Node has Pyodide in its modules; its files are those that the folder has compressed.
  const { loadPyodide } = await import("pyodide");
  const unpacked = async (name) => zlib.gunzipSync(fs.readFileSync(path.join(built, `${name}.pack`)));
  fs.mkdirSync(data, { recursive: true });
  const library = path.join(data, "python_stdlib.zip");
  fs.writeFileSync(library, await unpacked(`${known.pyodide}/python_stdlib.zip`));
  const handles = Object.fromEntries(FILES.map((name) => [name, new NodeHandle(path.join(data, name), room)]));
  // A search answers messages here as it does in a worker.
  const thoughts = new Thoughts(known, unpacked, () => {
    const { port1, port2 } = new MessageChannel();
    serve(port2);
    return port1;
  });
  const counted = { number: 0 };
  const search = think && ((game, request) => { counted.number++; return thoughts.think(game, request); });
  const server = await start({
    loadPyodide, options: { stdLibURL: library }, bundle: unpacked(known.app), handles, address: "http://pocket.test/play/app", think: search, told,
  });
  const ask = (method, at, { body = "", headers = {} } = {}) => new Promise((resolve, reject) => {
    const [where, query = ""] = at.split("?");
    const answer = { status: 0, headers: {}, body: Buffer.alloc(0) };
    const sent = { host: "pocket.test", origin: "http://pocket.test", "sec-fetch-site": "same-origin", ...headers };
    server.ask({ method, path: `/play/app${where}`, query, headers: Object.entries(sent), body: new TextEncoder().encode(body) }, (part) => {
      if (part.failed) reject(new Error(`${method} ${at} failed`));
      if (part.status) Object.assign(answer, { status: part.status, headers: Object.fromEntries(part.headers) });
      if (part.chunk) answer.body = Buffer.concat([answer.body, part.chunk]);
      if (part.more === false) resolve({ ...answer, text: answer.body.toString(), json: () => JSON.parse(answer.body) });
    });
  });
  return { ...server, ask, handles, thoughts: counted };
}
