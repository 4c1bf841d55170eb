// A place with several answers opens a plate of chips beside itself. Where a table asks about one
// place only, its plate is open at once: a press that decides nothing is not asked for.

"use strict";

{
const openers = () => [...document.querySelectorAll("#live [data-opens]")];
const chipsOf = (plate) => [...plate.querySelectorAll("[data-word]")];
const KEYS = matchMedia("(hover: hover)");
let opened = null; // the id of the open plate
let refused = ""; // the plate that opened by itself and was closed, and in which picture

function shut() {
  const plate = document.getElementById(opened ?? "");
  const place = document.querySelector(`[data-opens="${opened}"]`);
  opened = null;
  plate?.toggleAttribute("hidden", true);
  place?.setAttribute("aria-expanded", "false");
  question("");
  return place;
}

function open(place) {
  const plate = document.getElementById(place.dataset.opens);
  if (opened && opened !== plate.id) shut();
  opened = plate.id;
  plate.hidden = false;
  place.setAttribute("aria-expanded", "true");
  lay(plate, place);
  if (openers().length > 1) question(plate.getAttribute("aria-label"), KEYS.matches ? plate.dataset.help : "");
  else question("");
  return plate;
}

// A lesson has no previews, and asks in its own words; there the name is that of an element.
function question(words, more = "") {
  if (typeof preview !== "undefined") preview.ask?.(words, more);
}

function refuse() {
  refused = `${table()?.dataset.number} ${opened}`;
  return shut();
}

// What the reader has open stays open when the same question is drawn again.
function settle() {
  const places = openers();
  const place = places.find((each) => each.dataset.opens === opened) ?? (places.length === 1 ? places[0] : null);
  if (!place) {
    opened = null;
    question("");
  } else if (refused !== `${table()?.dataset.number} ${place.dataset.opens}`) {
    const plate = open(place);
    // Somebody who uses keys goes on from the place to its answers.
    if (place.matches(":focus-visible")) chipsOf(plate)[0]?.focus({ preventScroll: true });
  }
}

// --- Where a plate lies ----------------------------------------------------------------------

const GAP = 10;
const STEP = 14;

const overlap = (one, other) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
const between = (low, high, value) => Math.max(low, Math.min(high, value));

function boxAt(left, top, width, height) {
  return { left, top, right: left + width, bottom: top + height };
}

function inside(element, frame, space = 0) {
  const box = element.getBoundingClientRect();
  return boxAt(box.left - frame.left - space, box.top - frame.top - space, box.width + 2 * space, box.height + 2 * space);
}

// How far two boxes are from each other.
function distance(one, other) {
  const aside = Math.max(0, one.left - other.right, other.left - one.right);
  const above = Math.max(0, one.top - other.bottom, other.top - one.bottom);
  return Math.hypot(aside, above);
}

// It lies where it covers the fewest pieces, no further away than two fields, and always in view.
function lay(plate, place) {
  const stage = plate.parentElement;
  const frame = stage.getBoundingClientRect();
  const aim = inside(place, frame);
  const [width, height] = [plate.offsetWidth, plate.offsetHeight];
  const dock = getComputedStyle(document.getElementById("prompt")).position === "sticky"
    ? document.getElementById("prompt").getBoundingClientRect().top : innerHeight;
  let low = Math.max(4, 4 - frame.top);
  let high = Math.min(stage.clientHeight, dock - frame.top) - height - 4;
  if (high < low) [low, high] = [4, stage.clientHeight - height - 4]; // the board is scrolled away
  const far = 2 * (aim.bottom - aim.top);
  const pieces = [...document.querySelectorAll("#stage :is(.piece, .die, .stock)")].map((each) => inside(each, frame, -3));
  const others = openers().filter((each) => each !== place).map((each) => inside(each, frame));
  let best = null;
  let least = Infinity;
  for (let left = 4; left <= stage.clientWidth - width - 4; left += STEP) {
    for (let top = low; top <= high; top += STEP) {
      const box = boxAt(left, top, width, height);
      const away = distance(box, aim);
      if (away < GAP / 2 || away > far) continue;
      const covered = pieces.filter((each) => overlap(box, each)).length;
      const cost = 3 * covered + 40 * others.filter((each) => overlap(box, each)).length + away / 30;
      if (cost < least) [best, least] = [box, cost];
    }
  }
  best ??= boxAt(between(4, stage.clientWidth - width - 4, aim.left), between(low, high, aim.bottom + GAP), width, height);
  plate.style.left = `${best.left}px`;
  plate.style.top = `${best.top}px`;
  lead(plate, best, aim);
}

// From a plate close by a corner points to its place, from one further away a thread of chalk.
function lead(plate, box, aim) {
  const [x, y] = [(aim.left + aim.right) / 2 - box.left, (aim.top + aim.bottom) / 2 - box.top];
  const [wide, high] = [box.right - box.left, box.bottom - box.top];
  const [u, v] = [between(18, wide - 18, x), between(10, high - 10, y)];
  const level = y > 0 && y < high;
  const close = distance(box, aim) < 3 * STEP;
  // The corner ends a little inside the place.
  const reach = between(0, 1, (distance(box, aim) + 12) / Math.hypot(x - u, y - v));
  const [tipX, tipY] = [u + (x - u) * reach, v + (y - v) * reach];
  let way = plate.querySelector(".lead");
  if (!way) {
    way = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    way.setAttribute("class", "lead");
    way.setAttribute("aria-hidden", "true");
    way.append(document.createElementNS("http://www.w3.org/2000/svg", "path"));
    plate.prepend(way);
  }
  way.classList.toggle("thread", !close);
  way.firstChild.setAttribute("d", !close ? `M${u} ${v}L${x} ${y}`
    : level ? `M${u} ${v - 12}L${tipX} ${tipY}L${u} ${v + 12}Z` : `M${u - 14} ${v}L${tipX} ${tipY}L${u + 14} ${v}Z`);
}

// --- Pressing and keys -----------------------------------------------------------------------

// A press on the only place that is asked about does not shut what opened by itself.
function press(event) {
  const place = event.target.closest("[data-opens]");
  if (place && opened !== place.dataset.opens) {
    const plate = open(place);
    if (event.detail === 0) chipsOf(plate)[0]?.focus(); // pressed by a screen reader
  } else if (opened && !event.target.closest(".tokens, #prompt") && !(place && openers().length === 1)) refuse();
}
document.addEventListener("click", press);

function key(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest?.("input, select, textarea")) return;
  const place = event.target.closest?.("[data-opens]");
  const plate = document.getElementById(opened ?? "");
  const number = Number(event.key);
  if (place && (event.key === "Enter" || event.key === " ")) chipsOf(open(place))[0]?.focus();
  else if (plate && event.key === "Escape") refuse()?.focus({ preventScroll: true });
  else if (plate && number > 0 && chipsOf(plate)[number - 1]) chipsOf(plate)[number - 1].focus();
  else return;
  event.preventDefault();
}
document.addEventListener("keydown", key);

// What was pressed before this script was here: the only place that is asked about is open by now.
document.addEventListener("missed-plates", ({ detail: event }) => {
  if (openers().length > 1) (event.type === "click" ? press : key)(event);
});
document.addEventListener("htmx:afterSettle", settle);
addEventListener("resize", () => opened && settle());
settle();
}
