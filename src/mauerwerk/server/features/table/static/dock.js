// The dock: for a moment after its buttons have changed they do nothing, so that a late press never
// hits what has just come; three dots turn it over; the line of news above the board unfolds.

"use strict";

{
  const REST = 400;
  const byId = (id) => document.getElementById(id);
  const PRESSED = "button, a, summary";
  let known = buttons();
  let changed = -Infinity;
  let pressed = 0; // when the pointer went down
  let ends = 0;

  // What can be pressed in the dock; a choice that is only pointed at changes nothing.
  function buttons() {
    return [...document.querySelectorAll(`#prompt :is(${PRESSED}):not(#confirm *, #others *)`)]
      .map((each) => `${each.value} ${each.textContent.replace(/\(\d+\)/, "").trim()}`)
      .join("|") + document.querySelector("#confirm")?.dataset.act;
  }

  // The question before something is taken back stays while others move; what it says may change.
  let asks = false;
  document.addEventListener("htmx:sseBeforeMessage", () => {
    asks ||= Boolean(byId("keep"));
  });
  document.addEventListener("htmx:afterSettle", () => {
    const keep = byId("keep");
    if (keep && !asks) keep.focus({ preventScroll: true });
    else if (!keep && asks) document.querySelector("#others .back")?.click();
    asks = false;
  });

  function rest() {
    const now = buttons();
    if (now === known) return;
    known = now;
    changed = performance.now();
    root.classList.add("resting");
    clearTimeout(ends);
    ends = setTimeout(() => root.classList.remove("resting"), REST);
  }
  for (const name of ["htmx:afterSettle", "moment"]) document.addEventListener(name, rest);

  const rests = () => performance.now() - changed < REST;
  // A press that ends a motion counts.
  const moves = () => document.querySelector("main.moment:not(.moment-done)");
  const drop = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("pointerdown", () => {
    pressed = performance.now();
  }, true);
  document.addEventListener("click", (event) => {
    if (!event.isTrusted || !event.target.closest?.("#prompt") || moves()) return;
    if (rests() || (event.detail > 0 && pressed < changed)) drop(event);
  }, true);
  document.addEventListener("keydown", (event) => {
    if ((event.key !== "Enter" && event.key !== " ") || !rests() || moves()) return;
    if (event.target === document.body || event.target.closest?.("#prompt")) drop(event);
  }, true);

  // A hint takes a moment: that it comes is said at once.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const says = byId("thinking");
    if (says && event.detail.elt.matches?.("#others form:has(.hint), .chooses")) says.textContent = says.dataset.says;
  });
  for (const name of ["htmx:afterRequest", "htmx:sendError"]) {
    document.addEventListener(name, () => {
      if (byId("thinking")?.textContent) byId("thinking").textContent = "";
    });
  }

  // What was chosen for somebody new is said whatever the picture is by then.
  document.addEventListener("chosen", (event) => {
    const said = Object.assign(document.createElement("p"), { className: "news passing", textContent: event.detail.value });
    byId("chosen")?.replaceChildren(said);
  });

  // --- Three dots, and the news ----------------------------------------------------------------

  const isOpen = (each) => each?.ariaExpanded === "true";
  function turn(each, open) {
    if (!each || isOpen(each) === open) return;
    each.ariaExpanded = String(open);
    if (each.id === "more") {
      changed = performance.now();
      if (open) document.querySelector("#others :is(button)")?.focus({ preventScroll: true });
      else each.focus({ preventScroll: true });
    }
  }
  // What unfolds over the table: the news, and a wall where there is no room for it.
  const folds = () => [...document.querySelectorAll(".newsline, .unfolds")];

  document.addEventListener("click", (event) => {
    const at = event.target;
    if (at.closest("#more")) turn(byId("more"), !isOpen(byId("more")));
    else if (isOpen(byId("more"))) turn(byId("more"), false);
    for (const each of folds()) turn(each, at.closest(".newsline, .unfolds") === each && !isOpen(each));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      byId("keep")?.click();
      turn(byId("more"), false);
      for (const each of folds()) turn(each, false);
    }
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches?.("input, textarea, select")) return;
    if (event.key === "m" && byId("more")?.checkVisibility?.()) turn(byId("more"), !isOpen(byId("more")));
    else if (event.key === "z") document.querySelector("#others .back")?.click();
  });
}
