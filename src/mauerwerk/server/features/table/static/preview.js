// What a choice would do, before it is made: under the pointer after a moment, under the focus, and
// at the first tap of a finger, which a second tap or a button confirms. The server says what to
// show; this script only asks, shows it and takes it away again.

"use strict";

const preview = (() => {
  const WAIT = 80;
  const TARGETS = "#live [data-word], #move button[name=word]";
  const wordOf = (target) => target.dataset.word ?? target.value;
  // An answer on a plate that is not open has its place on the board for it.
  const byWord = (word) => {
    const found = document.querySelector(`#live [data-word="${CSS.escape(word)}"]`);
    const plate = found?.closest("[role=menu][hidden]");
    return plate ? document.querySelector(`[data-opens="${plate.id}"]`) : found;
  };
  const known = new Map(); // what the server said, by word, in this position
  let position = "";
  let wanted = null; // { word, way }: what is pointed at, whether it is shown already or not
  let shown = null; // { word, way }: what is shown, and by "pointer", "focus" or "tap"
  let timer = 0;

  function asked(word) {
    const form = document.getElementById("move");
    const { version, seat, opened } = form.elements;
    if (position !== version.value) known.clear();
    position = version.value;
    if (!known.has(word)) {
      const query = new URLSearchParams({ word, seat: seat.value, opened: opened.value });
      const answer = fetch(`${form.action.replace(/move$/, "preview")}?${query}`)
        .then((reply) => (reply.status === 200 ? reply.json() : null), () => null);
      known.set(word, answer);
      answer.then((made) => made ?? known.delete(word));
    }
    return known.get(word);
  }

  // A tap is asked about whether or not the server has something to say.
  function plain(target) {
    const said = target.getAttribute("aria-label") ?? target.textContent.trim();
    return { said, act: said, sentence: "", label: "", drawing: "", badges: {} };
  }

  async function show(target, way) {
    const word = wordOf(target);
    const own = (wanted = { word, way });
    // The picture may have changed since it was pointed at.
    if (!word || !document.getElementById("move")) return;
    const made = (await asked(word)) ?? (way === "tap" && plain(target));
    if (!made || wanted !== own || !document.getElementById("move")) return;
    clear();
    shown = { word, way };
    const place = byWord(word) ?? target;
    place.classList.add("previewed");
    root.classList.add("previewing");
    const drawing = document.getElementById("preview");
    if (drawing) drawing.innerHTML = made.drawing;
    for (const [id, text] of Object.entries(made.badges)) {
      const badge = Object.assign(document.createElement("b"), { className: "badge", textContent: text });
      badge.setAttribute("aria-hidden", "true");
      document.getElementById(id)?.append(badge);
    }
    if (made.label) {
      const bubble = Object.assign(document.createElement("span"), { className: "bubble", textContent: made.label });
      // A drawing can say where: it may be about more than its target.
      chalk.pin(bubble, () => document.getElementById("preview-label") ?? byWord(word), chalk.above);
      chalk.put();
    }
    // A button must not move away from under the pointer, so there the question stays.
    if (way === "tap" || !target.closest("#prompt")) write(made, way, target);
    document.dispatchEvent(new Event("preview"));
  }

  function write(made, way, target) {
    const asks = document.getElementById("asks");
    if (!asks) return;
    const reason = target.closest(".hintlist li")?.querySelector("p")?.textContent;
    asks.querySelector(".what").textContent = `${made.said}?`;
    asks.querySelector(".does").textContent = reason ?? made.sentence;
    asks.querySelector(".aloud").textContent = made.aloud;
    asks.classList.add("replaced");
    // What has grown stays as high until the next move: nothing jumps from target to target.
    asks.style.minHeight = `${asks.offsetHeight}px`;
    if (way !== "pointer") confirm(made.act);
  }

  function clear() {
    shown = null;
    root.classList.remove("previewing");
    for (const each of document.querySelectorAll(".previewed")) each.classList.remove("previewed");
    for (const each of document.querySelectorAll("#live .badge")) each.remove();
    document.getElementById("preview")?.replaceChildren();
    chalk.wipe("bubble");
    const asks = document.getElementById("asks");
    if (!asks?.classList.contains("replaced")) return;
    asks.classList.remove("replaced");
    for (const each of asks.querySelectorAll(".what, .does, .aloud")) each.textContent = "";
    document.dispatchEvent(new Event("preview"));
    confirm("");
    ask();
  }

  // The button that confirms; while nothing is chosen, a narrow page shows what it will say.
  function confirm(act) {
    const bar = document.getElementById("confirm");
    bar.hidden = !act && !bar.dataset.act;
    bar.classList.toggle("live", Boolean(act));
    bar.querySelector(".brick").ariaDisabled = String(!act);
    bar.querySelector(".said").textContent = act || bar.dataset.act;
  }

  // What is asked of a place that was pressed stands there while no answer of it is pointed at.
  let question = ["", ""];
  function ask(words = question[0], more = question[1]) {
    question = [words, more];
    const asks = document.getElementById("asks");
    const what = asks?.querySelector(".what");
    if (shown || !what) return;
    asks.classList.toggle("replaced", Boolean(words));
    what.textContent = words;
    asks.querySelector(".does").textContent = more;
  }

  function end() {
    clearTimeout(timer);
    wanted = null;
    if (shown) clear();
  }

  function soon(target, way) {
    clearTimeout(timer);
    wanted = { word: wordOf(target), way };
    timer = setTimeout(() => show(target, way), WAIT);
  }

  const found = (event) => event.target.closest?.(TARGETS);
  const within = (event) => event.relatedTarget?.closest?.(TARGETS);

  // What was tapped is asked about until it is answered. A mouse that lies still has the board move
  // under it when the page is scrolled, and does not mean anything by that.
  const tapped = () => (shown ?? wanted)?.way === "tap";

  document.addEventListener("pointerover", (event) => {
    const target = found(event);
    if (event.pointerType !== "mouse" || !target || target === within(event) || tapped()) return;
    soon(target, "pointer");
  });
  document.addEventListener("pointerout", (event) => {
    const target = found(event);
    if (event.pointerType === "mouse" && target && target !== within(event) && !tapped()) end();
  });
  document.addEventListener("focusin", (event) => {
    const target = found(event);
    if (target?.matches(":focus-visible")) soon(target, "focus");
  });
  document.addEventListener("focusout", (event) => {
    if (found(event) && shown?.way !== "tap" && !event.relatedTarget?.closest?.("#confirm")) end();
  });

  // Only a finger is asked twice: it covers what it touches. Buttons in words need no preview.
  let pointer = "";
  document.addEventListener("pointerdown", (event) => {
    pointer = event.pointerType;
  }, true);
  document.addEventListener("click", (event) => {
    const target = event.target.closest("#live [data-word], .hintlist button[name=word]");
    const finger = event.detail > 0 && (event.pointerType || pointer) !== "mouse";
    if (!target) {
      if (shown && !event.target.closest("#prompt")) end();
      return;
    }
    if (!finger || !("taps" in document.body.dataset)) return end();
    if (shown?.way === "tap" && shown.word === wordOf(target)) return end();
    event.preventDefault();
    event.stopImmediatePropagation();
    clearTimeout(timer);
    show(target, "tap");
  }, true);

  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("#confirm button");
    if (!pressed || !shown) return;
    const { word } = shown;
    end();
    if (pressed.classList.contains("brick")) choose(word);
    else byWord(word)?.focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && (shown || wanted !== null)) end();
  });

  // The next picture shows nothing of it. What can still be chosen there is shown again: others may
  // act while somebody thinks.
  document.addEventListener("htmx:afterSettle", () => {
    const last = shown ?? wanted;
    end();
    const target = last && byWord(last.word);
    if (target && (last.way !== "focus" || target === document.activeElement)) show(target, last.way);
  });

  return { show, end, ask, placeOf: byWord };
})();
