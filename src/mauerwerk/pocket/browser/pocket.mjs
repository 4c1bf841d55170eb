// The page around all pages of the pocket edition. It fetches what is needed, starts the server in a
// worker, passes requests on to it, and shows its pages in a frame. Until then it is a home page that
// can be read; what is pressed there begins by itself.

const known = JSON.parse(document.getElementById("known").textContent);
const root = new URL("./", location).href;
const path = new URL(root).pathname;
const name = `mauerwerk-pocket:${path}`;
const store = `${name}:${known.version}`;
const folder = `mauerwerk${path.replaceAll("/", "-")}`;
const channel = new BroadcastChannel(name);
const find = (id) => document.getElementById(id);
const words = { title: find("pocket-title"), note: find("pocket-note") };
const buttons = { again: find("pocket-again"), here: find("pocket-here"), install: find("pocket-install") };
const bar = find("pocket-bar");
const steps = document.querySelector(".pocket-steps");
const times = {};
const note = (what) => { times[what] = Math.round(performance.now()); };
const filled = (text, values) => (text ?? "").replace(/\{(\w+)\}/g, (_, key) => values[key]);

// --- What it says ----------------------------------------------------------------------------

const BRICKS = 30, ROWS = 3; // in each row; pocket.css knows both
const MEASURED = 2_000; // milliseconds of fetching after which the rest can be told

function say(state, values = {}, ...shown) {
  for (const each of Object.values(words)) each.textContent = filled(each.dataset[state], values);
  for (const [key, button] of Object.entries(buttons)) button.hidden = !shown.includes(key);
  const laying = ["fetching", "starting"].includes(state);
  find("pocket-laying").hidden = !laying;
  find("pocket").hidden = false;
  find("pocket").dataset.state = state;
  if (!laying) announce(words.title.textContent);
}

/** For those who listen; the same thing is said once. */
function announce(text) {
  const said = find("pocket-said");
  if (said.textContent !== text) said.textContent = text;
}

/** Lay bricks: the lowest row is ahead. */
function lay(share) {
  const laid = Math.floor(share * BRICKS * ROWS);
  [...bar.children].forEach((row, above) => row.style.setProperty("--laid", Math.floor((laid + above) / ROWS)));
  bar.setAttribute("aria-valuenow", Math.round(100 * share));
}

/** Which step is under way, and how many seconds it still takes, where that is known. */
function step(now, left = {}) {
  let state = "done";
  for (const each of steps.children) {
    const { step: its } = each.dataset;
    each.dataset.title ??= each.textContent;
    if (its === now) state = "now";
    const number = left[its];
    const text = state === "now" ? steps.dataset.left : steps.dataset.about;
    each.textContent = number && state !== "done" ? filled(text, { step: each.dataset.title, number }) : each.dataset.title;
    each.dataset.is = state;
    if (its === now) state = "later";
  }
  const known = ["fetching", "starting"].every((each) => left[each] !== undefined);
  promise(known ? left.fetching + left.starting : null);
}

/** What is pressed already says when it begins. */
function promise(seconds) {
  const { later, soon } = document.querySelector(".pocket-acts").dataset;
  const small = document.querySelector("[data-chosen] small");
  if (small) small.textContent = seconds ? filled(soon, { number: seconds }) : later;
}

/** How many seconds a start took the last time, on this device. */
const lastStart = () => Number(localStorage.getItem(`${name}:start`)) || undefined;

// --- What is needed --------------------------------------------------------------------------

async function controlled() {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker.register(`${root}sw.js`, { updateViaCache: "none" });
  if (registration.waiting && serviceWorker.controller) {
    // A newer version is here, and no other tab plays with the older one.
    const changed = new Promise((resolve) => { serviceWorker.addEventListener("controllerchange", resolve, { once: true }); });
    registration.waiting.postMessage("activate");
    await changed;
    location.reload();
    await new Promise(() => {});
  }
  if (!serviceWorker.controller) {
    await new Promise((resolve) => { serviceWorker.addEventListener("controllerchange", resolve, { once: true }); });
  }
  // A service worker that nobody calls is stopped, and with it the streams of the pages.
  setInterval(() => serviceWorker.controller?.postMessage("awake"), 15_000);
}

/** Fetch the files that are not on this device yet, and show how far it is; whether there were any. */
async function fetchAll(names) {
  const cache = await caches.open(store);
  const missing = [];
  for (const each of names) if (!(await caches.match(path + each))) missing.push(each);
  const all = missing.reduce((sum, each) => sum + known.files[each], 0);
  let done = 0;
  const began = performance.now();
  const show = () => {
    const values = { done: (done / 1e6).toFixed(1), all: (all / 1e6).toFixed(1) }, share = done / all;
    const passed = performance.now() - began;
    const left = passed > MEASURED && done ? Math.ceil((passed * (all - done)) / done / 1_000) : undefined;
    say("fetching", values);
    lay(share);
    step("fetching", { fetching: left, starting: lastStart() });
    bar.setAttribute("aria-valuetext", filled(bar.dataset.said, values));
    const quarter = Math.floor(4 * share);
    if (quarter > said && quarter < 4) { said = quarter; announce(filled(bar.dataset.said, values)); }
  };
  let said = 0;
  if (!missing.length) return false;
  show();
  await Promise.all(missing.map(async (each) => {
    const answer = await fetch(`${path}${each}.pack`);
    if (!answer.ok) throw new Error(`${each}: ${answer.status}`);
    const counted = new TransformStream({ transform(chunk, control) { done += chunk.length; show(); control.enqueue(chunk); } });
    const body = answer.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
    const type = { wasm: "application/wasm", mjs: "text/javascript" }[each.split(".").pop()] ?? "application/octet-stream";
    await cache.put(path + each, new Response(body, { headers: { "content-type": type } }));
  }));
  return true;
}

// --- The server ------------------------------------------------------------------------------

let worker = null, isReady = false, waiting = [], laid = false;
const STEPS = { python: 0.35, files: 0.4, imports: 0.8, open: 1 }; // of the time that a start takes

function startWorker() {
  isReady = false;
  worker = new Worker(`${root}${known.code}/worker.mjs`, { type: "module" });
  return new Promise((resolve, reject) => {
    const fail = (fault) => { reject(new Error(fault)); if (isReady) stopped(); };
    worker.onmessage = ({ data }) => {
      if (data.step) { if (!laid) lay(STEPS[data.step]); note(data.step); }
      else if (data.fault) fail(data.fault);
      else if (data.ready) {
        isReady = true;
        resolve();
        for (const { data: each, port } of waiting.splice(0)) pass(each, port);
      }
    };
    worker.onerror = (event) => fail(event.message ?? "the worker failed");
    worker.postMessage({ begin: { root, known, folder } });
  });
}

function pass(data, port) {
  port.postMessage({ taken: true });
  worker.postMessage({ request: data.request }, [port]);
}

navigator.serviceWorker?.addEventListener("message", ({ data, ports: [port] }) => {
  if (!data.request) return;
  if (!worker) port.postMessage({ refused: true });
  else if (isReady) pass(data, port);
  else { port.postMessage({ taken: true }); waiting.push({ data, port }); }
});

/** Add the games of a saved file: `games` says how many, and is missing where it is not one of ours. */
function bring(bytes) {
  const { port1, port2 } = new MessageChannel();
  worker.postMessage({ bring: bytes }, [port2]);
  return new Promise((resolve) => { port1.onmessage = ({ data }) => resolve(data); });
}

/** It broke down. What was acknowledged is on disk, so it starts again where it was. */
async function stopped() {
  worker.terminate();
  try {
    await startWorker();
    frame?.contentWindow.location.reload();
  } catch {
    hideFrame();
    say("broken", {}, "again");
  }
}

// --- Pages -----------------------------------------------------------------------------------

let frame = null, wanted = null;

function makeFrame() {
  frame = document.createElement("iframe");
  frame.className = "pocket-frame";
  frame.name = "mauerwerk";
  frame.title = "Mauerwerk";
  frame.addEventListener("load", follow);
  document.body.append(frame);
}

/** The place of the page that is shown, which the address of the window keeps for the next start. */
function keepPlace() {
  const { pathname, search } = frame.contentWindow.location;
  const place = pathname.slice(`${path}app`.length) + search;
  history.replaceState(null, "", place === "/" ? path : `${path}#${place}`);
  return place;
}

function follow() {
  const { location: at, document: shown, navigation } = frame.contentWindow;
  if (!at.pathname.startsWith(`${path}app/`)) return;
  if (!times.page) note("page");
  const place = keepPlace();
  // Lessons, replays and sheets change their addresses and are not loaded anew.
  navigation?.addEventListener("currententrychange", keepPlace);
  document.title = shown.title;
  document.documentElement.lang = shown.documentElement.lang;
  localStorage.setItem(`${name}:language`, shown.documentElement.lang);
  localStorage.setItem(`${name}:played`, "1");
  if (place.startsWith("/t/")) navigator.storage.persist?.();
  shown.addEventListener("click", save);
  showNetwork();
}

/** Browsers ask the network for what a link is to save, not the service worker. So it is fetched here. */
async function save(event) {
  const link = event.target.closest?.("a[download]");
  if (!link || !link.href.startsWith(`${root}app/`)) return;
  event.preventDefault();
  const answer = await fetch(link.href);
  if (!answer.ok) { frame.contentWindow.location = link.href; return; } // the page that says why
  const made = document.createElement("a");
  made.href = URL.createObjectURL(await answer.blob());
  made.download = link.download || link.pathname.split("/").pop();
  made.click();
  setTimeout(() => URL.revokeObjectURL(made.href), 60_000);
}

/** That the network is away: in the header of every page; on the home page, also what still works. */
function showNetwork() {
  const shown = frame?.contentDocument, panel = shown?.getElementById("pocket");
  for (const each of [document, shown]) each?.getElementById("offline")?.toggleAttribute("hidden", navigator.onLine);
  if (!panel) return;
  const install = shown.getElementById("pocket-install");
  install.hidden = !offered;
  install.onclick = () => offered?.prompt();
  for (const id of ["pocket-title", "pocket-note"]) {
    const each = shown.getElementById(id);
    each.textContent = navigator.onLine ? "" : each.dataset.offline;
  }
  panel.dataset.state = "offline";
  panel.hidden = navigator.onLine && !offered;
}
addEventListener("online", showNetwork);
addEventListener("offline", showNetwork);
showNetwork();

function hideFrame() {
  frame?.remove();
  frame = null;
  document.documentElement.classList.remove("playing");
}

function showFrame() {
  if (!frame) makeFrame();
  document.documentElement.classList.add("playing");
}

/** Show a page, or what a form leads to. */
function show(what) {
  showFrame();
  if (what.form) what.form.requestSubmit(what.by);
  else frame.src = what.link;
}

// Until it is ready, the last thing that was pressed is remembered; a second press takes it back.
function press(event, what) {
  if (isReady && what.form) {
    showFrame();
    what.form.target = frame.name; // and it is sent there
    return;
  }
  event.preventDefault();
  if (isReady) { show(what); return; }
  const mark = what.by ?? event.target.closest("a, button");
  const again = mark.hasAttribute("data-chosen");
  for (const each of document.querySelectorAll("[data-chosen]")) {
    each.innerHTML = each.dataset.chosen; // what it said before
    each.removeAttribute("data-chosen");
  }
  wanted = again ? null : what;
  if (again) return;
  mark.dataset.chosen = mark.innerHTML;
  promise(find("pocket").dataset.state === "starting" ? lastStart() : null);
}

document.addEventListener("submit", (event) => press(event, { form: event.target, by: event.submitter }));
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  const inside = link && new URL(link.href).pathname.startsWith(`${path}app/`);
  if (inside && !event.ctrlKey && !event.metaKey && !event.shiftKey) press(event, { link: link.href });
});

/** Somebody opened a link to another page in this window, of which only the end has changed. */
addEventListener("hashchange", () => { if (isReady && location.hash.startsWith("#/")) show({ link: `${root}app${location.hash.slice(1)}` }); });

let offered = null;
addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offered = event;
  if (find("pocket").dataset.state === "ready") buttons.install.hidden = false;
  showNetwork();
});
buttons.install.addEventListener("click", () => offered?.prompt());
buttons.again.addEventListener("click", () => location.reload());

// --- One tab at a time -----------------------------------------------------------------------

function holdLock(options) {
  return new Promise((resolve) => {
    navigator.locks.request(name, options, (lock) => {
      resolve(Boolean(lock));
      return lock ? new Promise((release) => { letGo = release; }) : null;
    });
  });
}
let letGo = () => {};

async function handOver() {
  if (!worker) return;
  const { port1, port2 } = new MessageChannel();
  const closed = new Promise((resolve) => { port1.onmessage = resolve; setTimeout(resolve, 3_000); });
  worker.postMessage({ close: true }, [port2]);
  if (isReady) await closed;
  worker.terminate();
  worker = null;
  isReady = false;
  hideFrame();
  letGo();
  say("moved", {}, "here");
}

channel.onmessage = ({ data }) => { if (data === "hand over") handOver(); };
buttons.here.addEventListener("click", async () => {
  channel.postMessage("hand over");
  await holdLock({});
  begin();
});

// --- From the beginning ----------------------------------------------------------------------

async function begin() {
  try {
    say("starting");
    step("page");
    await controlled();
    note("controlled");
    laid = await fetchAll(known.first);
    note("fetched");
    say("starting");
    step("starting", { fetching: 0, starting: lastStart() });
    const began = performance.now();
    await startWorker();
    localStorage.setItem(`${name}:start`, Math.ceil((performance.now() - began) / 1_000));
  } catch (fault) {
    console.error(fault);
    const newer = String(fault).includes("SchemaError"), full = fault?.name === "QuotaExceededError" || /QuotaExceeded|disk is full/.test(String(fault));
    say(full ? "full" : newer ? "newer" : navigator.onLine && worker ? "broken" : "failed", {}, "again");
    return;
  }
  note("ready");
  say("ready", {}, ...(offered ? ["install"] : []));
  const place = location.hash.startsWith("#/") ? location.hash.slice(1) : "";
  if (wanted) show(wanted);
  else if (place || localStorage.getItem(`${name}:played`)) show({ link: `${root}app${place || "/"}` });
  // What strong bots need, once there is time: then whole games are played offline, too.
  if (!navigator.connection?.saveData) setTimeout(() => fetchRest().catch(() => {}), 10_000);
}

async function fetchRest() {
  const cache = await caches.open(store);
  for (const each of Object.keys(known.files)) {
    if (!(await cache.match(path + each))) await (await fetch(path + each)).arrayBuffer();
  }
}

globalThis.pocket = { times, worker: () => worker, isReady: () => isReady, fetchRest, bring, show: (place) => show({ link: `${root}app${place}` }) };
if (!navigator.serviceWorker || !navigator.storage?.getDirectory || !navigator.locks || !globalThis.DecompressionStream) say("old");
else if (await holdLock({ ifAvailable: true })) begin();
else say("other", {}, "here");
