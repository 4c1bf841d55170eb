// The worker in which the server runs. It is told where it is, and then answers requests.

import { FILES, start } from "./engine.mjs";
import { Thoughts } from "./thoughts.mjs";

const TRIES = 40, WAIT = 100; // for files that a worker before this one still has

/** The files of the database, which one worker at a time can have. */
async function open(folder) {
  const root = await navigator.storage.getDirectory();
  const place = await root.getDirectoryHandle(folder, { create: true });
  const handles = {};
  for (const name of FILES) {
    const file = await place.getFileHandle(name, { create: true });
    for (let left = TRIES; !handles[name]; left--) {
      try {
        handles[name] = await file.createSyncAccessHandle();
      } catch (fault) {
        if (!left || fault.name !== "NoModificationAllowedError") throw fault;
        await new Promise((resolve) => { setTimeout(resolve, WAIT); });
      }
    }
  }
  return handles;
}

let server = null;

async function begin({ root, known, folder }) {
  const index = `${root}${known.pyodide}/`;
  const fetched = (name) => fetch(root + name).then(async (answer) => {
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  });
  const [{ loadPyodide }, handles] = await Promise.all([import(`${index}pyodide.mjs`), open(folder)]);
  const thoughts = new Thoughts(known, fetched, () => new Worker(new URL("think-worker.mjs", import.meta.url), { type: "module" }));
  server = await start({
    loadPyodide,
    options: { indexURL: index, lockFileContents: known.lock },
    bundle: fetched(known.app),
    handles,
    address: `${root}app`,
    think: (game, request) => thoughts.think(game, request),
    told: (step) => postMessage({ step }),
  });
  postMessage({ ready: true });
}

onmessage = async ({ data, ports: [port] }) => {
  if (data.begin) {
    begin(data.begin).catch((fault) => postMessage({ fault: String(fault?.message ?? fault) }));
  } else if (data.close) {
    await server?.close().catch(() => {});
    port.postMessage("closed");
  } else if (data.bring) {
    const answer = await server.bring(data.bring).then((games) => ({ games }), (fault) => ({ fault: String(fault) }));
    port.postMessage(answer);
  } else if (data.request) {
    const { body, ...request } = data.request;
    const gone = server.ask({ ...request, body: body && new Uint8Array(body) }, (part) => port.postMessage(part));
    port.onmessage = () => gone();
  }
};
