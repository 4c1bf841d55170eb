// Beside the pages of the pocket edition: requests below app/ are answered by the server in the worker
// of the page that is open, and everything else comes from this device once it was fetched.
// KNOWN is in the first line: the version, files and their sizes.

"use strict";

const ROOT = new URL("./", location).pathname;
const APP = `${ROOT}app/`;
const STORE = `mauerwerk-pocket:${ROOT}:${KNOWN.version}`;
const TYPES = { wasm: "application/wasm", mjs: "text/javascript", zip: "application/zip" };
const LEFT_OUT = new Set(["content-length", "content-encoding", "strict-transport-security"]);
const PATIENCE = 20_000;

// --- Versions --------------------------------------------------------------------------------

/** A packed file as it was before, fetched if it is not on this device. */
async function unpacked(name, cache) {
  const kept = await caches.match(ROOT + name); // its name says its content, so any version's will do
  if (kept) return kept;
  const answer = await fetch(`${ROOT}${name}.pack`);
  if (!answer.ok) return answer;
  const type = TYPES[name.split(".").pop()] ?? "application/octet-stream";
  const body = answer.body.pipeThrough(new DecompressionStream("gzip"));
  const plain = new Response(body, { headers: { "content-type": type } });
  await cache.put(ROOT + name, plain.clone());
  return plain;
}

/** Pages and scripts at once. What is large comes with the page, unless an older version had it. */
async function install() {
  const cache = await caches.open(STORE);
  await Promise.all(KNOWN.pages.map(async (path) => {
    const answer = await fetch(ROOT + path, { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    await cache.put(ROOT + path, answer);
  }));
  if (!registration.active) return;
  for (const name of Object.keys(KNOWN.files)) {
    const copy = await unpacked(name, cache);
    if (!copy.ok) throw new Error(name);
    if (!(await cache.match(ROOT + name))) await cache.put(ROOT + name, copy);
  }
}

async function activate() {
  const ours = (name) => name.startsWith(`mauerwerk-pocket:${ROOT}:`) && name !== STORE;
  await Promise.all((await caches.keys()).filter(ours).map((name) => caches.delete(name)));
  await clients.claim();
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", (event) => { if (event.data === "activate") skipWaiting(); });

// --- Requests --------------------------------------------------------------------------------

/** Ask the pages that may have the server; the first that takes the request answers it. */
async function ask(request) {
  const url = new URL(request.url);
  const all = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const shells = all.filter((each) => {
    const path = new URL(each.url).pathname;
    return path.startsWith(ROOT) && !path.startsWith(APP);
  });
  if (request.destination === "document") {
    // Somebody opened a link in a tab of its own.
    const place = url.pathname.slice(APP.length - 1) + url.search;
    return Response.redirect(new URL(`${ROOT}#${place}`, location));
  }
  // Pages of other sites can send forms here. What a page of ours sends has its address with it.
  const ours = request.mode !== "navigate" || request.referrer.startsWith(url.origin + ROOT);
  const body = request.method === "GET" || request.method === "HEAD" ? null : await request.arrayBuffer();
  const said = { host: url.host, origin: ours ? url.origin : "null", "sec-fetch-site": ours ? "same-origin" : "cross-site" };
  const headers = Object.entries({ ...Object.fromEntries(request.headers), ...said });
  const sent = { method: request.method, path: url.pathname, query: url.search.slice(1), headers, body };
  return new Promise((resolve) => {
    let taken = null, refused = 0, out = null;
    const none = () => { if (!taken) resolve(new Response("", { status: 503 })); };
    const late = setTimeout(none, PATIENCE);
    if (!shells.length) none();
    for (const shell of shells) {
      const { port1: port, port2 } = new MessageChannel();
      port.onmessage = ({ data }) => {
        if (data.taken && !taken) { taken = port; clearTimeout(late); }
        else if (data.refused && ++refused === shells.length) none();
        else if (data.status) {
          const stream = new ReadableStream({ start(control) { out = control; }, cancel() { port.postMessage("gone"); } });
          const kept = data.headers.filter(([name]) => !LEFT_OUT.has(name));
          const bare = [204, 205, 304].includes(data.status);
          resolve(new Response(bare ? null : stream, { status: data.status, headers: kept }));
        } else if (data.failed) resolve(Response.error());
        else if (data.chunk) {
          if (data.chunk.length) out?.enqueue(data.chunk);
          if (!data.more) { out?.close(); port.close(); }
        }
      };
      shell.postMessage({ request: sent }, [port2]);
    }
  });
}

async function page(path) {
  const cache = await caches.open(STORE);
  return (await cache.match(path)) ?? fetch(path);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(ROOT)) return;
  const name = url.pathname.slice(ROOT.length);
  if (url.pathname.startsWith(APP)) event.respondWith(ask(request));
  else if (request.method !== "GET") return;
  else if (name in KNOWN.files) event.respondWith(caches.open(STORE).then((cache) => unpacked(name, cache)));
  else if (KNOWN.pages.includes(name)) event.respondWith(page(url.pathname));
  else if (name === "") event.respondWith(page(`${ROOT}index.html`));
});
