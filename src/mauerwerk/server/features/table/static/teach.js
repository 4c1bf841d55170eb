// Cards that teach: what a card, a piece or a figure is for, and what it pays now, drawn on the board.
// A pointer that rests on it opens it, so does the focus, and a press keeps it open. On a narrow page
// it stands in the dock, above the buttons of a decision that is open.

"use strict";

{
  const COMES = 250;
  const GOES = 200;
  const byId = (id) => document.getElementById(id);
  const narrow = matchMedia("(max-width: 1099px)");
  let at = null; // the element that is explained
  let pinned = false;
  let timer = 0;
  let wanted = 0;

  // A piece that a tap chooses: a button beside the question explains it.
  const chosen = () => document.querySelector("#live .previewed[data-quietly]");
  const found = (event) => event.target.closest?.("[data-explains]");
  const sheet = () => byId("teach");

  async function asked(thing) {
    if (!sheet()) return null; // a moment is played
    const { path, seat, opened } = sheet().dataset;
    const query = new URLSearchParams({ thing, seat, opened });
    const reply = await fetch(`${path}?${query}`).catch(() => null);
    return reply?.status === 200 ? reply.json() : null;
  }

  async function open(element, keep) {
    clearTimeout(timer);
    if (at === element) {
      pinned ||= keep;
      return;
    }
    const own = ++wanted;
    const made = await asked(element.dataset.explains);
    if (!made || own !== wanted || !element.isConnected || !sheet()) return;
    close();
    at = element;
    pinned = keep;
    element.classList.add("taught-card");
    if (element.ariaHasPopup) element.ariaExpanded = "true";
    sheet().innerHTML = made.html;
    draw(made);
    sheet().classList.add("open");
    if (!narrow.matches) {
      sheet().showPopover?.();
      place(element);
    }
    document.dispatchEvent(new Event("teach"));
    byId("said").textContent = made.aloud;
  }

  function draw(made) {
    const beside = byId("preview");
    if (made.drawing && beside) {
      const layer = document.createElementNS("http://www.w3.org/2000/svg", "g");
      layer.id = "taught";
      layer.setAttribute("aria-hidden", "true");
      layer.innerHTML = made.drawing;
      beside.before(layer);
    }
    for (const [id, text] of Object.entries(made.marks)) {
      const thing = byId(id);
      if (!thing) continue;
      thing.classList.add("taught");
      if (!text) continue;
      const note = Object.assign(document.createElement("b"), { className: "no pays taught-note", textContent: text });
      chalk.pin(note, () => byId(id), chalk.corner);
    }
    chalk.put();
  }

  // Above the card or beside its tray, within the window: where it covers least, and nearest to it.
  function place(element) {
    const card = element.getBoundingClientRect();
    const [wide, high] = [sheet().offsetWidth, sheet().offsetHeight];
    const within = (x, most) => Math.max(8, Math.min(most, x));
    const tops = [card.top - high - 10, card.bottom + 10, card.bottom - high, innerHeight].map((y) => within(y, innerHeight - high - 8));
    const tray = (element.closest("#tray") ?? element).getBoundingClientRect();
    const lefts = [card.left, card.right - wide, card.right + 10, card.left - wide - 10, tray.right + 10, tray.left - wide - 10].map((x) => within(x, innerWidth - wide - 8));
    // Neither the question, nor what it speaks of, nor what stands beside it is covered, if that can be.
    // Then as little as possible that can be pressed.
    const boxes = (those) => [...those].map((each) => each.getBoundingClientRect()).filter((box) => box.width);
    const spared = boxes([element, ...document.querySelectorAll("#asks > h1, #asks .what, #asks .does, #prompt :is(.goal, button), #tray [data-explains], #taught circle, .taught, #chalk .taught-note")]);
    const choices = boxes(document.querySelectorAll("#live [data-word]"));
    const over = (those, x, y) => those.filter((box) => x < box.right && x + wide > box.left && y < box.bottom && y + high > box.top).length;
    const covers = (x, y) => 1e6 * over(spared, x, y) + 1e4 * over(choices, x, y);
    const far = (x, y) => Math.abs(x - card.left) + Math.abs(y + high - card.top);
    const [[, left, top]] = tops.flatMap((y) => lefts.map((x) => [covers(x, y) + far(x, y), x, y])).sort(([one], [other]) => one - other);
    sheet().style.left = `${left}px`;
    sheet().style.top = `${top}px`;
  }

  function close() {
    clearTimeout(timer);
    wanted += 1;
    if (!at) return;
    at.classList.remove("taught-card");
    if (at.ariaHasPopup) at.ariaExpanded = "false";
    at = null;
    pinned = false;
    for (const each of document.querySelectorAll(".taught")) each.classList.remove("taught");
    byId("taught")?.remove();
    chalk.wipe("taught-note");
    if (sheet()?.matches(":popover-open")) sheet().hidePopover();
    sheet()?.classList.remove("open");
    sheet()?.replaceChildren();
    document.dispatchEvent(new Event("teach"));
  }

  function leave() {
    clearTimeout(timer);
    wanted += 1;
    if (at && !pinned) timer = setTimeout(close, GOES);
  }

  function enter(event) {
    if (event.pointerType !== "mouse" || narrow.matches || pinned) return;
    const element = found(event);
    if (event.target.closest?.("#teach") || (element && element === at)) return clearTimeout(timer);
    if (!element || element.contains(event.relatedTarget)) return;
    clearTimeout(timer);
    timer = setTimeout(open, COMES, element, false);
  }
  document.addEventListener("pointerover", enter);
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType !== "mouse" || narrow.matches) return;
    const element = found(event) ?? event.target.closest?.("#teach");
    if (element && !element.contains(event.relatedTarget)) leave();
  });
  function focus(event) {
    const element = found(event);
    if (!narrow.matches && element?.matches(":focus-visible") && !element.dataset.word) open(element, false);
  }
  document.addEventListener("focusin", focus);
  document.addEventListener("focusout", (event) => {
    if (found(event) && !event.relatedTarget?.closest?.("#teach, [data-explains]")) leave();
  });

  // A press on what can be chosen chooses it; with a finger, which is asked first, it teaches too.
  function press(event) {
    if (event.target.closest("#explains")) return open(chosen(), true);
    if (event.target.closest("[data-close-teach]")) {
      const back = at;
      close();
      return back?.focus({ preventScroll: true });
    }
    const element = found(event);
    if (!element) {
      if (at && !event.target.closest("#prompt")) close();
      return;
    }
    if (element.dataset.word && (!narrow.matches || "quietly" in element.dataset)) return;
    if (at === element && pinned && !element.dataset.word) close();
    else open(element, true);
  }
  document.addEventListener("click", press, true);

  const walk = (from, step) => {
    const all = [...document.querySelectorAll("#tray [data-explains]")].filter(isShown);
    const next = all[(all.indexOf(from) + step + all.length) % all.length];
    next?.focus({ preventScroll: true });
  };
  function key(event) {
    if (event.key === "Escape") close();
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches?.("input, textarea, select")) return;
    const element = found(event);
    if (event.key === "c") walk(element, 1);
    else if (!element || element.dataset.word) return;
    else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (at === element && pinned) close();
      else open(element, true);
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      walk(element, event.key === "ArrowRight" ? 1 : -1);
    }
  }
  document.addEventListener("keydown", key);

  // What was done before this script was here, unless it was undone meanwhile.
  document.addEventListener("missed-teach", ({ detail: event }) => {
    if (event.type === "pointerover" && found(event)?.matches(":hover")) enter(event);
    else if (event.type === "focusin" && found(event)?.contains(document.activeElement)) focus(event);
    else if (event.type === "click") press(event);
    else if (event.type === "keydown") key(event);
  });

  // The next picture may have another board; what is still there is explained again.
  document.addEventListener("htmx:afterSettle", () => {
    if (!at) return;
    const [id, keep] = [at.id, pinned];
    close();
    const again = byId(id);
    if (again?.dataset.explains && (keep || again.matches(":hover")) && !document.querySelector("main.moment")) open(again, keep);
  });
  document.addEventListener("moment", close);
  narrow.addEventListener("change", close); // a popover is no sheet
  // The question has become another, and may stand elsewhere.
  function follow() {
    if (at && !narrow.matches) place(at);
    else if (at && chosen()) open(chosen(), true);
    const button = byId("explains");
    if (button) button.hidden = !narrow.matches || !chosen();
  }
  document.addEventListener("preview", follow);
  follow();
}
