// What the page of a replay does apart from showing what the server draws: it loads the next
// position into the page instead of loading the page anew, follows the scrubber and a few keys,
// plays by itself, keeps the address right, and reads a file into the form. Without it every
// position is a link.

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
  if (playing) beat();
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

// --- Playing by itself -----------------------------------------------------------------------

const BEAT = 900; // milliseconds for a move at the usual speed
let playing = false;
let timer = 0;
const at = () => Number(document.getElementById("at").value);
const last = () => Number(document.getElementById("at").max);
const flags = () => (document.querySelector("main[data-flags]")?.dataset.flags || "").split(",").filter(Boolean).map(Number);
const speeds = () => [...document.querySelectorAll("#speed input")];

// A turning point is worth two beats.
function beat() {
  clearTimeout(timer);
  if (at() >= last()) {
    play(false);
    return;
  }
  const factor = Number(speeds().find((each) => each.checked)?.value ?? 1);
  timer = setTimeout(() => step(1), (BEAT * (flags().includes(at()) ? 2 : 1)) / factor);
}

function play(on) {
  clearTimeout(timer);
  playing = on;
  document.getElementById("auto")?.classList.toggle("playing", on);
  if (on && at() >= last()) go(document.querySelector('a[data-key="Home"]').getAttribute("href"));
  else if (on) beat();
}

function flag(by) {
  const ahead = flags().filter((each) => (each - at()) * by > 0);
  const goal = by > 0 ? Math.min(...ahead) : Math.max(...ahead);
  if (ahead.length) step(goal - at());
}

// The speed is one button on a phone, which goes on to the next.
function speed(number) {
  const all = speeds();
  if (!all[number]) return;
  all[number].checked = true;
  if (playing) beat();
}

// What the page asked for by itself is not shown after the reader has moved on.
document.addEventListener("htmx:beforeSwap", (event) => {
  const found = /data-here="([^"]+)"/.exec(event.detail.serverResponse ?? "");
  if (replay && !busy && found && found[1].replaceAll("&amp;", "&") !== wanted) event.detail.shouldSwap = false;
});

let chosenSpeed = "1";

function keys() {
  const list = document.getElementById("keys");
  list.open = true;
  list.scrollIntoView({ block: "nearest" });
  list.firstElementChild.focus();
}

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
    // The scrubber itself follows the arrows, Home and End.
    const scrubs = event.target.id === "at" && event.key.length === 1;
    if (event.target.closest("input, select, textarea") && !scrubs) return;
    if (event.target.closest("button, a, summary, [tabindex]") && event.key === " ") return;
    const way = document.querySelector(`a[data-key="${CSS.escape(event.key)}"]`);
    if (![" ", ",", ".", "?", "1", "2", "3", "4"].includes(event.key) && !way) return;
    event.preventDefault();
    const still = playing;
    play(false);
    if (event.key === " ") play(!still);
    else if (event.key === ",") flag(-1);
    else if (event.key === ".") flag(1);
    else if (event.key === "?") keys();
    else if (/[1-4]/.test(event.key)) {
      speed(Number(event.key) - 1);
      play(still);
    } else if (event.key === "ArrowLeft") step(-1);
    else if (event.key === "ArrowRight") step(1);
    else go(way.getAttribute("href"));
  });
  // Whatever else is touched stops it.
  document.addEventListener("pointerdown", (event) => {
    if (playing && !event.target.closest("#auto, #speed")) play(false);
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("#play")) play(!playing);
    const pressed = event.target.closest("#speed input");
    if (!pressed) return;
    const number = speeds().indexOf(pressed);
    const again = pressed.value === chosenSpeed && matchMedia("(max-width: 1099px)").matches;
    speed(again ? (number + 1) % speeds().length : number);
    chosenSpeed = speeds().find((each) => each.checked).value;
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

// --- The choices on the board: the one that was made, solid; the one looked at, as a ghost ------

if (replay) {
  const options = () => [...document.querySelectorAll("#weighed .option")];
  const ghost = (row) => row.parentElement.querySelector("template")?.innerHTML ?? "";
  const targets = (row) => document.querySelectorAll(`.board-side [data-word="${CSS.escape(row.dataset.option)}"]`);
  let kept = ""; // the word of the choice that was pressed, in this position

  const draw = (row) => {
    for (const each of document.querySelectorAll(".board-side :is(.previewed, .was)")) each.classList.remove("previewed", "was");
    const played = options().find((each) => "played" in each.dataset);
    const thought = row === played ? undefined : row;
    const board = document.getElementById("preview");
    if (board) {
      board.innerHTML = (played ? `<g class="was">${ghost(played)}</g>` : "") + (thought ? `<g class="thought">${ghost(thought)}</g>` : "");
    }
    for (const each of played ? targets(played) : []) each.classList.add("was");
    for (const each of thought ? targets(thought) : []) each.classList.add("previewed");
    for (const each of options()) each.classList.toggle("looked-at", each === row);
  };

  // The number or the mark of each choice, on its place.
  const number = () => {
    document.getElementById("option-numbers")?.remove();
    const stage = document.querySelector(".board-side #stage");
    if (!stage || !options().length) return;
    const layer = Object.assign(document.createElement("div"), { id: "option-numbers", ariaHidden: "true" });
    stage.append(layer); // a narrow page gives the stage no box of its own
    const within = layer.getBoundingClientRect();
    for (const row of options()) {
      const box = targets(row)[0]?.getBoundingClientRect();
      if (!box?.width && !box?.height) continue;
      const note = row.querySelector(".no").cloneNode(true);
      note.style.left = `${box.left + box.width / 2 - within.left}px`;
      note.style.top = `${box.top + box.height / 2 - within.top}px`;
      layer.append(note);
    }
  };
  const resized = new ResizeObserver(number);
  addEventListener("resize", number);

  const usual = () => options().find((each) => each.dataset.option === kept) ?? options()[0];

  const optionAt = (event) => {
    const row = event.target.closest?.("#weighed .option");
    const word = event.target.closest?.(".board-side [data-word]")?.dataset.word;
    return row ?? (word && options().find((each) => each.dataset.option === word));
  };

  for (const kind of ["pointerover", "focusin"]) {
    document.addEventListener(kind, (event) => {
      const row = optionAt(event);
      if (row) draw(row);
    });
  }
  for (const kind of ["pointerout", "focusout"]) {
    document.addEventListener(kind, (event) => {
      if (optionAt(event)) draw(usual());
    });
  }
  document.addEventListener("click", (event) => {
    const row = optionAt(event);
    if (!row) return;
    const tries = document.querySelector("#weighed .tries");
    if (kept === row.dataset.option && tries) {
      tries.elements.word.value = kept;
      return tries.requestSubmit();
    }
    kept = kept === row.dataset.option ? "" : row.dataset.option;
    for (const each of options()) each.ariaPressed = String(each.dataset.option === kept);
    draw(usual());
  });
  document.addEventListener("htmx:afterSettle", () => {
    kept = "";
    draw(usual());
    resized.disconnect();
    const stage = document.querySelector(".board-side #stage");
    if (stage) resized.observe(stage);
    number();
  });
  document.addEventListener("keydown", (event) => {
    const types = event.target.closest("input, textarea, select");
    if (event.key !== "y" || event.ctrlKey || event.metaKey || types) return;
    document.querySelector("#weighed .tries button")?.click();
  });
  draw(usual());
  number();
  if (document.querySelector(".board-side #stage")) resized.observe(document.querySelector(".board-side #stage"));
}
