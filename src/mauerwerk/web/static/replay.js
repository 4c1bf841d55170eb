// What the page of a replay does apart from showing what the server draws: it loads the next
// position into the page instead of loading the page anew, follows the scrubber and a few keys,
// keeps the address right, and reads a file into the form. Without it every position is a link.

"use strict";

const replay = document.getElementById("replay");
const here = () => document.querySelector("main[data-here]")?.dataset.here ?? "";

// --- Going to a position ---------------------------------------------------------------------

// One request at a time; of the positions asked for meanwhile, only the last is loaded.
let wanted = here();
let busy = false;

async function load() {
  busy = true;
  const goal = wanted;
  await htmx.ajax("GET", goal, { source: replay, target: replay, swap: "morph:innerHTML" }).catch(() => {});
  busy = false;
  if (wanted === goal) arrive();
  else load();
}

// A link may say where to go without knowing where that is; the page knows.
function arrive() {
  wanted = here();
  history.replaceState(null, "", wanted);
  for (const back of document.querySelectorAll("input[name=back]")) back.value = location.pathname + wanted;
}

function go(link) {
  wanted = link;
  const range = document.getElementById("at");
  const at = new URLSearchParams(link).get("at");
  if (range && at !== null) range.value = at;
  if (!busy) load();
}

// Pressing an arrow twice goes two moves, however long the first one takes.
function step(by) {
  const place = new URLSearchParams(wanted);
  const at = Number(place.get("at")) + by;
  place.set("at", at);
  if (at >= 0 && at <= Number(document.getElementById("at").max)) go(`?${place}`);
}

// What the page asked for by itself is not shown after the reader has moved on.
document.addEventListener("htmx:beforeSwap", (event) => {
  const found = /data-here="([^"]+)"/.exec(event.detail.serverResponse ?? "");
  if (replay && !busy && found && found[1].replaceAll("&amp;", "&") !== wanted) event.detail.shouldSwap = false;
});

function follow() {
  const now = document.querySelector("#story .now");
  const list = now?.parentElement;
  if (list) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 3;
}

if (replay && window.htmx) {
  Idiomorph.defaults.ignoreActiveValue = true;
  document.addEventListener("click", (event) => {
    const way = event.target.closest("a[data-way]");
    if (!way || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    go(way.getAttribute("href"));
  });
  document.addEventListener("input", (event) => {
    if (event.target.id !== "at") return;
    const seat = document.querySelector("#scrub input[name=seat]").value;
    go(`?at=${event.target.value}&seat=${seat}`);
  });
  document.addEventListener("keydown", (event) => {
    // On many keyboards a bracket needs another key as well, which then is no shortcut.
    const bracket = "[]".includes(event.key);
    if (event.metaKey || (event.ctrlKey && !event.altKey) || (event.altKey && !bracket)) return;
    if (event.target.closest("input, select, textarea") && !(bracket && event.target.id === "at")) return;
    const way = document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
    if (!way) return;
    event.preventDefault();
    if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
    else go(way.getAttribute("href"));
  });
  document.addEventListener("htmx:afterSettle", follow);
  follow();
}

// --- Bringing a file -------------------------------------------------------------------------

const file = document.getElementById("file");
if (file) {
  file.closest("label").hidden = false;
  file.addEventListener("change", async () => {
    if (file.files[0]) document.getElementById("record").value = await file.files[0].text();
  });
}
