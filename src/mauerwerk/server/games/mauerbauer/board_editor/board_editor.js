// Drawing a board: a stroke is gathered while the pointer is down, and sent when it is lifted. The
// server draws and checks; here is neither. Each board is an address, so undo is the way back.

"use strict";

// What morphs the page comes after this script; without it all stays plain forms.
addEventListener("DOMContentLoaded", () => {
  if (!window.Idiomorph) return;
  const bench = () => document.getElementById("workshop");
  const sheet = () => document.getElementById("sheet");
  const drawing = () => document.getElementById("draw");
  const coast = () => new FormData(drawing()).get("brush") === "coast";
  const targets = () => [...sheet().querySelectorAll(coast() ? ".shore" : ".cell")];
  const nameOf = (target) => target.dataset.field ?? target.dataset.line;

  // --- Asking the server ---------------------------------------------------------------------

  const place = () => location.pathname + location.search;
  const step = () => history.state?.step ?? 0;
  const pause = (time) => new Promise((resume) => setTimeout(resume, time));

  let last = step(); // the newest stroke that can be done again
  let at = last; // the stroke that the page shows, and its address
  let shown = place();
  let asked = Promise.resolve();
  let stroke = null; // the targets that the pointer has touched since it went down

  function ready() {
    at = step();
    const undo = document.getElementById("undo");
    const redo = document.getElementById("redo");
    undo.disabled = step() === 0;
    redo.disabled = step() >= last;
    for (const each of bench().querySelectorAll("[data-copy]")) each.hidden = !navigator.clipboard;
    for (const each of document.querySelectorAll("input[name=back]")) each.value = bench().dataset.address;
    rove();
  }

  const connected = (is) => document.getElementById("lost").toggleAttribute("hidden", is);

  // What was drawn is on its way no longer; only the stroke that is being drawn stays wet.
  function dry() {
    for (const each of sheet().querySelectorAll(".wet")) each.classList.toggle("wet", Boolean(stroke?.has(each)));
  }

  async function show(address) {
    const answer = await fetch(address, { headers: { "HX-Request": "true" } });
    const part = await answer.text();
    dry();
    connected(true);
    const fits = part.includes('id="workshop"');
    refuse(fits ? "" : part);
    if (!fits) return false;
    const focus = document.activeElement?.id;
    const { brush, mirror } = drawing().elements;
    const chosen = [brush.value, mirror.value];
    Idiomorph.morph(bench(), part, { morphStyle: "outerHTML" });
    // A brush that was taken meanwhile stays.
    [drawing().elements.brush.value, drawing().elements.mirror.value] = chosen;
    if (focus && document.activeElement === document.body) document.getElementById(focus)?.focus();
    return answer.ok;
  }

  // One after the other, each with the brush of its own time on the board that the last one left.
  function send(change) {
    const words = new URLSearchParams(new FormData(drawing()));
    for (const [name, word] of change) words.set(name, word);
    asked = asked.then(async () => {
      words.set("board", drawing().elements.board.value);
      const before = bench().dataset.address;
      if (await show(`/workshop?${words}`) && bench().dataset.address !== before) {
        last = step() + 1;
        history.pushState({ step: last }, "", bench().dataset.address);
        shown = place();
      }
      ready();
    }).catch(() => {
      dry();
      connected(false);
    });
    return asked;
  }

  // The address has changed already, so the page must follow, however long that takes.
  async function follow() {
    while (place() !== shown) {
      const wanted = place();
      try {
        await show(wanted);
        shown = wanted;
      } catch {
        connected(false);
        await pause(2000);
      }
    }
    ready();
  }

  addEventListener("popstate", () => {
    // The link that skips to the content makes an address too, from which nothing can be redone.
    if (!history.state) {
      last = at;
      history.replaceState({ step: at }, "");
    }
    asked = asked.then(follow);
  });

  // --- Strokes -------------------------------------------------------------------------------

  function wet(target) {
    if (!target || stroke.has(target)) return;
    stroke.add(target);
    target.classList.add("wet");
  }

  function under(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell, .shore");
    return found && sheet().contains(found) && found.matches(coast() ? ".shore" : ".cell") ? found : null;
  }

  function finish(drawn) {
    const names = [...drawn].map(nameOf);
    if (names.length) send([[coast() ? "lines" : "paint", names.join(",")]]);
  }

  document.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0 || !event.target.closest("#sheet") || !under(event)) return;
    stroke = new Set();
    event.target.releasePointerCapture?.(event.pointerId);
    wet(under(event));
  });
  document.addEventListener("pointermove", (event) => {
    if (!stroke || !event.isPrimary) return;
    for (const each of event.getCoalescedEvents?.() ?? []) wet(under(each));
    wet(under(event));
  });
  document.addEventListener("pointerup", (event) => {
    if (!stroke || !event.isPrimary) return;
    const drawn = stroke;
    stroke = null;
    finish(drawn);
  });
  document.addEventListener("pointercancel", () => {
    for (const each of stroke ?? []) each.classList.remove("wet");
    stroke = null;
  });

  // --- The keyboard --------------------------------------------------------------------------

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  function middle(element) {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  function neighbour(from, [right, down]) {
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const each of targets()) {
      const [u, v] = middle(each);
      const ahead = (u - x) * right + (v - y) * down;
      const aside = Math.abs((u - x) * down) + Math.abs((v - y) * right);
      if (each !== from && ahead > 1 && ahead + 2 * aside < least) [best, least] = [each, ahead + 2 * aside];
    }
    return best;
  }

  // One target is in the order of the tab key: the one that last had the focus.
  function rove(to = null) {
    const all = targets();
    const held = to ?? all.find((each) => each === document.activeElement) ?? all[0];
    for (const each of sheet().querySelectorAll("[tabindex]")) each.setAttribute("tabindex", each === held ? "0" : "-1");
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "z" || event.target.matches("textarea, input")) return;
      const button = document.getElementById(event.shiftKey ? "redo" : "undo");
      if (!button.disabled) button.click();
      event.preventDefault();
      return;
    }
    const target = event.target.closest?.(".cell, .shore");
    if (!target || event.altKey) return;
    if (event.key === " " || event.key === "Enter") finish([target]);
    else if (ARROWS[event.key]) {
      const next = neighbour(target, ARROWS[event.key]);
      if (next) rove(next);
      next?.focus();
    } else if (document.getElementById(`brush-${event.key}`)) {
      document.getElementById(`brush-${event.key}`).click();
      target.focus();
    } else return;
    event.preventDefault();
  });

  // --- Buttons and forms ---------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("#undo, #redo");
    if (pressed) history.go(pressed.id === "undo" ? -1 : 1);
  });
  document.addEventListener("change", (event) => {
    if (event.target.name === "brush" || event.target.name === "mirror") {
      for (const each of bench().querySelectorAll(`.live input[name="${event.target.name}"]`)) each.value = event.target.value;
      rove();
    } else if (event.target.id === "file" && event.target.files[0]) {
      open(event.target);
    }
  });

  // A file is read here, and opened as if its text had been pasted.
  async function open(input) {
    const field = document.getElementById("text");
    field.value = (await input.files[0].text()).slice(0, field.maxLength);
    input.value = "";
    input.form.requestSubmit();
  }

  document.addEventListener("submit", (event) => {
    if (event.target.id === "draw") event.preventDefault();
    else if (event.target.classList.contains("live")) {
      event.preventDefault();
      send([...new FormData(event.target, event.submitter)].filter(([name]) => name !== "board"));
    } else if (event.target.id === "try") {
      event.preventDefault();
      study(`/workshop/study?${new URLSearchParams(new FormData(event.target))}`);
    }
  });

  async function study(address) {
    const board = bench().dataset.address;
    const found = () => document.getElementById("found");
    for (;;) {
      const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
      const part = await answer?.text().catch(() => null);
      if (bench().dataset.address !== board || !found()) return;
      connected(typeof part === "string");
      if (typeof part !== "string") {
        await pause(2000);
        continue;
      }
      const page = new DOMParser().parseFromString(part, "text/html");
      const news = answer.ok ? page.body : page.querySelector("main");
      found().replaceChildren(...(news?.childNodes ?? []));
      if (!found().querySelector("[data-wait]")) return;
      await pause(500);
    }
  }

  if (!history.state) history.replaceState({ step: 0 }, "");
  ready();
});
