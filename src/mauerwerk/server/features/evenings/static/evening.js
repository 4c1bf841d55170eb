// The page of an evening says in words who has become first, and shows times by the reader's clock.

"use strict";

const lead = () => document.querySelector("main.eve")?.dataset.lead ?? "";
let first = lead();

function clocks() {
  for (const time of document.querySelectorAll("time[data-clock]")) {
    const at = new Date(Number(time.dataset.clock));
    time.dateTime = at.toISOString();
    time.textContent = at.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  }
}

// While the host chooses something, nothing moves. The link to hand on has no form: it only stays open.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (document.querySelector(".eve .pops[open] form")) event.detail.shouldSwap = false;
});

// Why something was refused can still be read when the page has changed meanwhile.
if (window.Idiomorph) Idiomorph.defaults.callbacks.beforeNodeRemoved = (node) => node.id !== "refusal";

// What is announced comes from the server, in the reader's language; said is only what is new.
document.addEventListener("htmx:afterSettle", () => {
  clocks();
  if (lead() === first) return;
  first = lead();
  document.getElementById("said").textContent = first;
});
clocks();
