// Plays moments: stops at which everybody looks. They come with the picture that follows them, which
// waits until the last of them is over; of the pictures that come meanwhile the newest is kept. A
// moment goes on when its ring has run empty, or when somebody presses "Go on".

"use strict";

{
  const TICK = 50;
  const MOST = 3; // more than these do not wait to be played
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const patient = "patient" in document.body.dataset;
  const live = document.getElementById("live");
  const waiting = []; // moments that are still to be played
  let at = null; // the moment that is played
  let newest = null; // the picture that follows, with its number
  let last = -1; // the number of the newest moment that was taken
  let came = null; // where the focus was
  let said = ""; // what is told when the moments are over
  let ticking = 0;

  const button = () => document.getElementById("go-on");
  const typing = (element) => element?.matches?.("input:not([type=hidden]), textarea, select") ?? false;

  // --- What comes from the server --------------------------------------------------------------

  // Whether a picture is kept back, because moments come before it.
  function keep(number, text) {
    const cut = text.indexOf('<template class="moment"');
    if (cut >= 0) {
      const parts = new DOMParser().parseFromString(text.slice(cut), "text/html");
      for (const each of parts.querySelectorAll("template.moment")) {
        if (Number(each.dataset.moment) > Math.max(last, ofPage())) waiting.push(each);
      }
    }
    if (!at && !waiting.length) return false;
    // Of two pictures with the same number, one that says why a choice was refused says more.
    const newer = number > (newest?.number ?? -1) || !newest.text.includes('id="refusal"');
    if (number >= (newest?.number ?? -1) && newer) newest = { number, text: cut < 0 ? text : text.slice(0, cut) };
    for (const each of waiting) last = Math.max(last, Number(each.dataset.moment));
    waiting.splice(0, waiting.length - MOST);
    if (!at) begin(waiting.shift());
    return true;
  }

  document.addEventListener("htmx:sseBeforeMessage", (event) => {
    if (event.defaultPrevented) return;
    const text = event.detail.data ?? "";
    if (event.target.id === "ended") {
      event.preventDefault();
      endedForAll(text);
    } else if (event.target === live) {
      if (keep(numberIn(text), text)) event.preventDefault();
    } else if (event.target.id === "said" && at) {
      said = text || said;
      event.preventDefault();
    }
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const text = event.detail.serverResponse ?? "";
    const number = numberIn(text);
    if (event.detail.shouldSwap && number >= 0 && keep(number, text)) event.detail.shouldSwap = false;
  });

  // --- A moment begins, and ends ---------------------------------------------------------------

  function begin(template) {
    const { moment, kind, rest, motion, says, seat } = template.dataset;
    at = { number: moment, kind, says, seat, rest: patient ? 0 : Number(rest), done: false, passed: 0 };
    at.motion = calm.matches ? 0 : Number(motion);
    came ??= document.activeElement;
    place(template);
    const stage = document.getElementById("stage");
    if (stage?.getBoundingClientRect().top < 0) stage.scrollIntoView();
    const go = button();
    go.classList.toggle("waits", !at.rest);
    if (!at.motion) goOn();
    go.addEventListener("click", press);
    if (!typing(document.activeElement)) go.focus({ preventScroll: true });
    document.dispatchEvent(new Event("moment"));
    at.ticked = performance.now();
    ticking = setInterval(tick, TICK);
    tick();
  }

  // A place for what the page did not show before, such as behind a gate.
  function added(id, main) {
    const place = Object.assign(document.createElement("div"), { id });
    main.querySelector(id === "tray" ? ".play" : "aside").append(place);
    return place;
  }

  // Puts each part of the moment in the place of what has its id, or of the stage.
  function place(template) {
    const main = table();
    if (!document.getElementById("prompt")) {
      main.classList.remove("gatepage");
      main.innerHTML = '<div class="play"><div id="stage"></div></div><aside class="side"><div id="prompt"></div></aside>';
    }
    main.classList.add("moment", `moment-${at.kind}`);
    // What was told to one of them is not for all who look now.
    if ("shared" in template.dataset) for (const each of main.querySelectorAll("#tray, #story, #since")) each.remove();
    for (const each of main.querySelectorAll("[data-word], [data-opens]")) {
      each.removeAttribute("data-word");
      each.removeAttribute("data-opens");
      each.removeAttribute("tabindex");
      each.setAttribute("aria-disabled", "true");
    }
    for (const each of [...document.importNode(template.content, true).children]) {
      each.id ||= "stage";
      const old = document.getElementById(each.id) ?? added(each.id, main);
      // A live region that changes would be announced beside the moment.
      if (each.id === "prompt") old.replaceWith(each);
      else Idiomorph.morph(old, each, { morphStyle: "outerHTML" });
    }
    for (const each of main.querySelectorAll("[data-at]")) each.style.setProperty("--at", `${each.dataset.at}ms`);
    at.counts = [...main.querySelectorAll("[data-count]")].map((element) => {
      const [from, begins, takes] = element.dataset.count.split(" ").map(Number);
      return { element, from, begins, takes, to: Number(element.textContent) };
    });
  }

  // While something moves, the button ends that; afterwards it goes on.
  function goOn() {
    const label = button()?.querySelector("[data-after]");
    if (label) label.textContent = label.dataset.after;
  }

  // The motion is over, or was skipped: everything is as it stays.
  function settle() {
    at.done = true;
    goOn();
    clearInterval(ticking);
    count();
    table().classList.add("moment-done");
    for (const each of table().getAnimations({ subtree: true })) {
      if (each.effect.getComputedTiming().endTime < Infinity) each.finish();
    }
    say(at.says);
    if (at.rest) ring.start(button(), at.rest, () => end());
  }

  function press() {
    if (at?.done) end(true);
    else if (at) settle();
  }

  // Somebody has pressed "Go on" where a screen shows the table.
  function endedForAll(number) {
    while (waiting[0]?.dataset.moment === number && at?.number === number) waiting.shift();
    if (at?.number !== number) return;
    if (!at.done) settle();
    end();
  }

  function end(pressed = false) {
    ring.stop();
    if (waiting[0]?.dataset.moment !== at.number) tell(pressed);
    table().classList.remove("moment", `moment-${at.kind}`, "moment-done");
    at = null;
    if (waiting.length) begin(waiting.shift());
    else follow();
  }

  // Shows the newest picture, and puts the focus where it was. If that is gone, the page has it go
  // to what can be done next.
  function follow() {
    const { text } = newest;
    const back = came;
    newest = came = null;
    // First, since the end of a game has the last word.
    say(said);
    said = "";
    htmx.swap(live, text, { swapStyle: "morph:innerHTML", swapDelay: 0, settleDelay: 0 }, { contextElement: live });
    const same = back?.isConnected ? back : back?.id && document.getElementById(back.id);
    // The end of a game takes it to what can be pressed then.
    const taken = typing(document.activeElement) || table()?.classList.contains("ended");
    if (same && same !== document.body && !taken) same.focus({ preventScroll: true });
  }

  // The table waits for those who still look.
  function tell(pressed) {
    if (at.seat === undefined) return;
    const body = new URLSearchParams({ seat: at.seat, number: at.number, pressed: pressed ? "1" : "" });
    // Firefox sends what outlives its page past the service worker that answers in a frame.
    fetch(`${location.pathname}/seen`, { method: "POST", body, keepalive: self === top }).catch(() => {});
  }

  function say(words) {
    if (words) document.getElementById("said").textContent = words;
  }

  // --- Time and keys ---------------------------------------------------------------------------

  function tick() {
    const now = performance.now();
    if (!document.hidden) at.passed += now - at.ticked;
    at.ticked = now;
    if (at.passed >= at.motion) settle();
    else count();
  }

  function count() {
    for (const { element, from, begins, takes, to } of at.counts) {
      const part = at.done ? 1 : Math.min(1, Math.max(0, (at.passed - begins) / takes));
      element.textContent = Math.round(from + (to - from) * part);
    }
  }

  // A key that is held down since the last choice is no press.
  document.addEventListener("keydown", (event) => {
    if (!at || event.key !== "Enter") return;
    if (event.target === button()) {
      if (event.repeat) event.preventDefault();
    } else if (!event.repeat && !event.target.closest?.("a, button, input, select, textarea, summary")) {
      event.preventDefault();
      press();
    }
  });
}
