// Where something happened or should happen: numbers in chalk for what others did since one's turn
// and for hints, and a glow that ties a line of the story to its places on the board.

"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const placesOf = (line) => line.dataset.places.split(" ").filter(Boolean);

  function number(kind, text, mark) {
    const note = document.createElement("b");
    note.className = `no ${kind}`;
    if (mark) {
      const sign = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
      sign.setAttribute("viewBox", "0 0 24 24");
      use.setAttribute("href", `#mark-${mark}`);
      sign.append(use);
      note.append(sign);
    }
    note.append(text);
    return note;
  }

  // --- Since your turn -----------------------------------------------------------------------

  const STEP = 300;
  const ALL = 2000;
  let recounted = ""; // what has appeared, one number after the other
  let pause = 0;

  const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  // A card in a wall that is folded has the button for it that unfolds the wall.
  const shownAs = (id) => {
    const place = byId(id);
    return !place || isShown(place) ? place : place.closest("li:has(.unfolds)")?.querySelector(".unfolds") ?? place;
  };

  function recount(again) {
    chalk.wipe("deed");
    for (const each of document.querySelectorAll(".fresh")) each.classList.remove("fresh");
    const since = byId("since");
    if (!since || !("numbers" in document.body.dataset) || document.querySelector(".hintlist")) return;
    const lines = [...since.querySelectorAll("li")];
    const text = since.querySelector("ol").textContent;
    const fresh = again || recounted !== text;
    const step = Math.min(STEP, ALL / lines.length);
    lines.forEach((line, place) => {
      // One number for each thing that happened, with the mark of who did it where that is not
      // plain; all pieces of it glow.
      const [first] = placesOf(line);
      if (!first) return;
      const note = number("deed", line.value, byId(first) instanceof SVGElement ? line.dataset.mark : "");
      if (fresh) note.style.animationDelay = `${place * step}ms`;
      else note.classList.add("settled");
      chalk.pin(note, () => shownAs(first), chalk.beside);
      for (const id of placesOf(line)) byId(id)?.classList.add("fresh");
    });
    chalk.put();
    if (!fresh) return;
    // One's own choices come last, and can be made all the same.
    clearTimeout(pause);
    root.classList.toggle("recounting", !still());
    pause = setTimeout(() => root.classList.remove("recounting"), lines.length * step);
    if (recounted === text) return;
    recounted = text;
    const told = lines.map((line) => `${line.value ? `${line.value}, ` : ""}${line.querySelector("span").textContent}`);
    byId("recount").textContent = [`${since.querySelector("h2").textContent}:`, ...told].join(" ");
  }

  function showNumbers(shown) {
    if (shown) document.body.dataset.numbers = "";
    else delete document.body.dataset.numbers;
    fetch(document.querySelector('form[action$="/preferences"]').action, { method: "POST", body: new URLSearchParams({ numbers: shown ? "1" : "0" }), redirect: "manual" }).catch(() => {});
    recount(shown);
  }

  document.addEventListener("click", (event) => {
    const wish = event.target.closest("[data-recount]")?.dataset.recount;
    if (wish === "again") recount(true);
    else if (wish) showNumbers(wish === "show");
  });

  // --- Hints ---------------------------------------------------------------------------------

  const FAR = 46;
  const target = preview.placeOf;

  // The first of new hints is brought into view, where a phone shows another part of the page.
  let hinted;
  function look(word) {
    const box = word && word !== hinted && target(word)?.getBoundingClientRect();
    hinted = word;
    if (!box) return;
    const dock = document.querySelector(".dock").getBoundingClientRect();
    if (box.top > 0 && box.bottom < (dock.left < box.right ? dock.top : innerHeight)) return;
    if (box.height) target(word).scrollIntoView({ block: "center", behavior: still() ? "auto" : "smooth" });
  }

  function hint() {
    chalk.wipe("hint");
    const hints = [...document.querySelectorAll(".hintlist li")];
    look(hints[0]?.querySelector("button").value);
    hints.forEach((line, place) => {
      const word = line.querySelector("button").value;
      const note = number("hint", place + 1);
      if (!target(word)) return;
      target(word).classList.add("hinted");
      // On a line of the board it may lie; what stands on a chip, a card or a button stays in view.
      const drawn = target(word) instanceof SVGElement;
      const spot = (...all) => (target(word) instanceof SVGElement ? chalk.middle : chalk.corner)(...all);
      if (place || !drawn) chalk.pin(note, () => target(word), spot);
      else {
        // The number stands where the arrow begins, on the side where there is room for both.
        const arrow = document.createElement("span");
        arrow.className = "hint arrow";
        arrow.append(byId("hint-arrow").content.cloneNode(true));
        const way = (box) => side(target(word), box);
        chalk.pin(arrow, () => target(word), (box) => {
          const [right, down] = way(box);
          arrow.style.scale = `${-right} ${down}`;
          return chalk.middle(box);
        });
        chalk.pin(note, () => target(word), (box) => {
          const [x, y] = chalk.middle(box);
          const [right, down] = way(box);
          return [x + right * FAR, y + down * FAR];
        });
      }
    });
    chalk.put();
  }

  // To the left and below, unless that is beyond the edge of the board.
  function side(element, box) {
    const room = (element.closest("#stage, .stage, .tray") ?? document.body).getBoundingClientRect();
    const [x, y] = chalk.middle(box);
    return [x - room.left < FAR + 20 ? 1 : -1, room.bottom - y < FAR + 20 ? -1 : 1];
  }

  // --- What glows ----------------------------------------------------------------------------

  const LINES = "#story li[data-places], #since li[data-places]";

  function glow(elements) {
    for (const each of document.querySelectorAll(".glowing")) each.classList.remove("glowing");
    for (const each of elements) each?.classList.add("glowing");
  }

  function shine(event) {
    const line = event.target.closest?.(LINES);
    if (line) return glow([line, ...placesOf(line).map(byId)]);
    for (let each = event.target.closest?.("#stage [id], #tray [id], #walls [id]"); each; each = each.parentElement?.closest("[id]")) {
      const told = [...document.querySelectorAll(LINES)].filter((one) => placesOf(one).includes(each.id));
      if (told.length) return glow([each, ...told]);
    }
    return glow([]);
  }
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, shine);

  // Places have names while somebody reads them: in a hint, a question, an explanation, the story.
  const NAMING = ".hintlist li, #since-list li[data-places], #told li[data-places], #teach.open li, #asks.replaced .what";
  const inView = (each) => {
    const box = each.getBoundingClientRect();
    return box.height > 0 && box.top < innerHeight && box.bottom > 0;
  };
  let speaks = 0;
  function speak() {
    speaks ||= requestAnimationFrame(() => {
      speaks = 0;
      const named = [...document.querySelectorAll(NAMING)].some((each) => each.textContent && isShown(each) && inView(each));
      root.classList.toggle("spoken", named);
    });
  }
  for (const name of ["htmx:afterSettle", "teach", "click", "focusin", "moment"]) document.addEventListener(name, () => setTimeout(speak));
  for (const name of ["scroll", "resize"]) addEventListener(name, speak, { passive: true });
  speak();

  // A line that is pressed lets its pieces glow twice.
  document.addEventListener("click", (event) => {
    const line = event.target.closest?.(LINES);
    for (const each of line ? placesOf(line).map(shownAs) : []) {
      each?.classList.add("twice");
      each?.addEventListener("animationend", () => each.classList.remove("twice"), { once: true });
    }
  });

  // --- Keys ----------------------------------------------------------------------------------

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, textarea, select") || document.querySelector("dialog[open]")) return;
    if (event.key === "?") byId("keys").showModal();
    else if (event.key === "n" || event.key === "N") {
      if (byId("since")) showNumbers(!("numbers" in document.body.dataset));
    } else if (event.key === "h" || event.key === "H") document.querySelector("form[action$='/hints'] button")?.click();
    else if (/^\w$/.test(event.key)) document.querySelector(`#move [aria-keyshortcuts="${event.key.toLowerCase()}"]`)?.click();
  });

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-keys]")) return;
    opened().forEach(close); // the menu, so that its button gets the focus back
    byId("keys")[byId("keys").open ? "close" : "showModal"]();
  });

  function draw() {
    recount(false);
    hint();
  }
  document.addEventListener("htmx:afterSettle", draw);
  draw();
})();
