// What a page does apart from showing what the server draws: it sends the word of what is pressed,
// moves the focus on the board, says when the connection is lost, and copies.
// It knows no rules. Without it every choice is a button in a form.

"use strict";

const root = document.documentElement;
const table = () => document.querySelector("main[data-number]");
const numberIn = (text) => Number(/data-number="(\d+)"/.exec(text)?.[1] ?? -1);
const ofPage = () => Number(table()?.dataset.number ?? -1);

if (window.htmx) {
  root.classList.add("js");
  // What a reader has opened stays open when the table changes.
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) =>
    !(name === "open" && node.localName === "details") && !(name === "aria-expanded" && node.matches("#more, .newsline, .unfolds"));
  // So does what a reader has typed or set where only the page knows it.
  Idiomorph.defaults.callbacks.beforeNodeMorphed = (node) => !("kept" in (node.dataset ?? {}));
}
root.classList.toggle("shares", Boolean(navigator.share));

// --- Choosing --------------------------------------------------------------------------------

let chosen = null;
const waiting = []; // what was tapped on a page that waits, the word under way first

function send(word) {
  const form = document.getElementById("move");
  if (!form) return;
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "word", value: word });
  form.append(field);
  chosen = word;
  form.requestSubmit();
  chosen = null;
  field.remove();
}

// At a table a newer press replaces an older one. A sheet is filled by every tap: each waits until
// the sheet that the last one left is there.
function choose(word) {
  if (!document.querySelector("#live[data-waits]")) send(word);
  else if (waiting.push(word) === 1) send(word);
}

// Only after this event is htmx free for another request.
document.addEventListener("htmx:afterRequest", () => setTimeout(() => {
  waiting.shift();
  if (waiting.length) send(waiting[0]);
}));
document.addEventListener("htmx:sendError", () => {
  if (!window.answersAlone) waiting.length = 0; // a sheet may work out the answer itself
});

// A button that was pressed before must not answer as well.
document.addEventListener("htmx:configRequest", (event) => {
  if (chosen !== null) event.detail.parameters.word = chosen;
});

// What opens over the page closes by itself, by Escape or by its cross, which gives the focus back.
const opened = () => [...document.querySelectorAll("details:is(.menu, .pops)[open]")];
function close(each) {
  each.open = false;
  each.firstElementChild.focus();
}

// Where the browser keeps its clipboard from plain http, an old command still copies.
async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  (button.querySelector("span") ?? button).textContent = button.dataset.copied;
}

function handOn(button) {
  const url = button.dataset.share || location.href;
  if (navigator.share) navigator.share({ title: document.title, url }).catch(() => {});
  else copy(url, button);
}

document.addEventListener("click", (event) => {
  const pressed = event.target.closest("[data-word], [data-copy], [data-share], #theme");
  for (const each of opened()) if (!each.contains(event.target)) each.open = false;
  if (event.target.closest("[data-close]")) close(opened()[0]);
  if (!pressed) return;
  if (pressed.dataset.word) choose(pressed.dataset.word);
  else if (pressed.dataset.copy) copy(pressed.dataset.copy, pressed);
  else if ("share" in pressed.dataset) handOn(pressed);
  else {
    event.preventDefault();
    changeTheme(pressed.form);
  }
});

// The theme changes where the reader is: what answered a form or was filled in stays as it is.
function changeTheme(form) {
  const before = root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const theme = before === "dark" ? "light" : "dark";
  root.dataset.theme = theme;
  for (const each of document.querySelectorAll(".pick[name=theme]")) each.setAttribute("aria-pressed", each.value === theme);
  fetch(form.action, { method: "POST", body: new URLSearchParams({ theme }), redirect: "manual", keepalive: true })
    .then(tellLook, () => show("lost", true));
}

// Another language is another page. What was filled in waits for it in this tab, but no secret does.
const SECRET = "[type=hidden], [type=password], [type=file], [autocomplete=off]";
const fields = () => [...document.querySelectorAll(`main :is(input, select, textarea)[name]:not(${SECRET})`)];
const answer = (field) => (["radio", "checkbox"].includes(field.type) ? "checked" : "value");
document.addEventListener("submit", (event) => {
  if (event.submitter?.name !== "language") return;
  sessionStorage.setItem("filled", JSON.stringify(fields().map((each) => [each.name, each[answer(each)]])));
});
addEventListener("DOMContentLoaded", () => {
  const filled = JSON.parse(sessionStorage.getItem("filled") ?? "[]");
  sessionStorage.removeItem("filled");
  const found = fields();
  if (found.length !== filled.length || found.some((each, number) => each.name !== filled[number][0])) return;
  found.forEach((each, number) => { each[answer(each)] = filled[number][1]; });
});

// Pressed twice, a plain form is sent once: for a new visitor, each would create another guest. A
// form that htmx has not come to yet, because it was pressed so quickly, is handed to it.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (window.htmx && form.hasAttribute("hx-post")) {
    const word = chosen ?? event.submitter?.value; // a press on the board has no button
    event.preventDefault();
    htmx.process(form);
    // Not while it is being sent.
    setTimeout(() => (form.id === "move" ? choose(word) : form.requestSubmit()));
    return;
  }
  if ("sent" in form.dataset) event.preventDefault();
  else setTimeout(wait, 300, event.submitter);
  form.dataset.sent = "";
});
// What takes a while says so, in a button that keeps its width.
function wait(button) {
  if (!button?.dataset.busy) return;
  button.style.minWidth = `${button.offsetWidth}px`;
  (button.querySelector("small") ?? button).textContent = button.dataset.busy;
}
// After coming back to the page it may be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("[data-sent]")) delete form.dataset.sent;
});

// --- The keyboard ----------------------------------------------------------------------------

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// In WebKit a hidden drawing has a rectangle too.
const isShown = (each) => each.checkVisibility?.() ?? each.getClientRects().length > 0;

// What can be pressed, and seen.
const targets = (within) =>
  [...within.querySelectorAll("[data-word], [data-opens]")].filter(isShown);

// The nearest target in the direction of the arrow, those straight ahead first.
function neighbour(from, [right, down]) {
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const each of targets(from.closest("[role=menu]") ?? document)) {
    const [u, v] = middle(each);
    const ahead = (u - x) * right + (v - y) * down;
    const aside = Math.abs((u - x) * down) + Math.abs((v - y) * right);
    if (each !== from && ahead > 1 && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = each;
    }
  }
  return best;
}

document.addEventListener("keydown", (event) => {
  const target = event.target.closest?.("[data-word], [data-opens]");
  if (event.key === "Escape" && opened().length) close(opened()[0]);
  if (!target || event.ctrlKey || event.altKey || event.metaKey) return;
  if (target.dataset.word && (event.key === "Enter" || event.key === " ")) choose(target.dataset.word);
  else if (ARROWS[event.key]) neighbour(target, ARROWS[event.key])?.focus();
  else return;
  event.preventDefault();
});

// After a choice, or when the element with the focus is gone from the next picture, the focus moves
// to what can be done next: the main button, "Play again myself", the first target, any button. In the
// prompt it waits. What was pressed in the menu closes it.
const NEXT = ["#move .btn.brick", "#live form[action$='/back'] button", "#live :is([data-word], [data-opens])", "#move button[name=word]", "#i-am, #prompt"];
const seen = (each) => [...document.querySelectorAll(each)].find(isShown);
let within = false;
let chose = false;
document.addEventListener("focusin", (event) => {
  within = Boolean(event.target.closest("#live"));
});
document.addEventListener("htmx:configRequest", (event) => {
  const { elt } = event.detail;
  const menu = elt.closest("#menu");
  if (menu) menu.open = false;
  // On a sheet, which every tap fills further, the focus stays where it is.
  chose ||= Boolean(menu) || (elt.id === "move" && !document.querySelector("#live[data-waits]"));
});
document.addEventListener("htmx:afterSettle", () => {
  const focus = document.activeElement;
  const gone = (within && focus === document.body) || focus.id === "prompt";
  const free = focus === document.body || (within && !focus.closest("#story, input, select, textarea"));
  if (table()?.classList.contains("moment") || !(gone || (chose && free))) return;
  chose = false;
  NEXT.map(seen).find(Boolean)?.focus({ preventScroll: true });
});

// --- Live ------------------------------------------------------------------------------------

const show = (id, shown) => document.getElementById(id)?.toggleAttribute("hidden", !shown);

// An older picture never replaces a newer one, on whichever way it comes.
document.addEventListener("htmx:sseBeforeMessage", (event) => {
  const number = numberIn(event.detail.data ?? "");
  if (number >= 0 && number <= ofPage()) event.preventDefault();
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const number = numberIn(event.detail.serverResponse ?? "");
  if (number >= 0 && number < ofPage()) event.detail.shouldSwap = false;
});
document.addEventListener("htmx:sendError", () => show("lost", true));
addEventListener("online", () => show("lost", false));

// A page that says what is wrong does not fit into a part of another one: its title is said instead,
// where the page has a place for that, or else at the end of the part.
function refuse(page, place = document.getElementById("refused")) {
  const title = new DOMParser().parseFromString(page, "text/html").querySelector("h1");
  place.textContent = title?.textContent ?? "";
  place.hidden = !page;
}

function placeIn(part) {
  const place = Object.assign(document.createElement("p"), { id: "refused", className: "refusal" });
  place.setAttribute("role", "alert");
  part.append(place);
  requestAnimationFrame(() => place.scrollIntoView({ block: "nearest" }));
  return place;
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const page = detail.serverResponse ?? "";
  const whole = page.includes("<html");
  const wrong = whole && detail.xhr.status >= 400;
  const place = document.getElementById("refused") ?? (wrong ? placeIn(detail.target) : null);
  if (!place) return;
  refuse(whole ? page : "", place);
  if (whole) detail.shouldSwap = false;
});
// Whatever gets through shows that the way is open again.
for (const name of ["htmx:afterOnLoad", "htmx:sseMessage"]) {
  document.addEventListener(name, () => show("lost", false));
}

// --- The worker ------------------------------------------------------------------------------

// It shows pages without a network. An installed app keeps rules, lessons and sheets for that.
const home = document.querySelector("a.brand")?.getAttribute("href");
const works = home && navigator.serviceWorker && parent === window; // the pocket edition has its own
const tell = async (what) => (await navigator.serviceWorker.ready).active.postMessage(what);
function tellLook() {
  const { lang, dataset: { theme } } = root;
  if (works) tell({ look: `lang="${lang}"${theme ? ` data-theme="${theme}"` : ""}` });
}
addEventListener("load", async () => {
  if (!works) return;
  await navigator.serviceWorker.register(`${home}worker.js`).catch(() => {});
  const keep = () => tell("keep");
  tellLook();
  if (matchMedia("(display-mode: standalone)").matches) keep();
  addEventListener("appinstalled", keep);
});
