// A puzzle: what is pressed on the board is only chosen; the button, or a second press, plays it.
// Which days were tried is known to this device alone.

"use strict";

(() => {
  const main = document.querySelector("main[data-day]");
  const KEY = "mauerwerk-puzzles";
  const read = () => {
    try {
      return JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  };
  const write = (kept) => {
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch { /* a browser that keeps nothing counts nothing */ }
  };

  // --- Choosing ------------------------------------------------------------------------------

  const form = document.getElementById("guess");
  let picked = "";
  const placed = (word) => [...document.querySelectorAll(`#live [data-word="${CSS.escape(word)}"]`)];

  function unpick() {
    for (const each of document.querySelectorAll(".picked-here")) each.classList.remove("picked-here");
    document.getElementById("preview")?.replaceChildren();
    for (const each of document.querySelectorAll("#live .badge")) each.remove();
    for (const id of ["picked", "confirms"]) document.getElementById(id).hidden = true;
    picked = "";
  }

  async function drawn(word) {
    const reply = await fetch(`${location.pathname}/preview?word=${encodeURIComponent(word)}`).catch(() => null);
    return reply?.status === 200 ? reply.json() : null;
  }

  function pick(word, target) {
    if (word === picked) return play(word);
    unpick();
    picked = word;
    for (const each of placed(word)) each.classList.add("picked-here");
    const box = document.getElementById("picked");
    const said = target.getAttribute("aria-label") ?? target.textContent.trim();
    box.querySelector(".what").textContent = said;
    for (const name of [".does", ".aloud"]) box.querySelector(name).textContent = "";
    for (const each of [box, document.getElementById("confirms")]) each.hidden = false;
    document.getElementById("confirm-guess").value = word;
    drawn(word).then((made) => {
      if (!made || picked !== word) return;
      box.querySelector(".what").textContent = made.said;
      box.querySelector(".does").textContent = made.sentence;
      box.querySelector(".aloud").textContent = made.aloud;
      const drawing = document.getElementById("preview");
      if (drawing) drawing.innerHTML = made.drawing;
    });
  }

  const play = (word) => location.assign(`${location.pathname}?word=${encodeURIComponent(word)}`);

  if (form) {
    addEventListener("click", (event) => {
      const target = event.target.closest?.("#live [data-word], #guess .acts:not(.confirms) button[name=word]");
      if (!target) return;
      event.preventDefault();
      event.stopPropagation();
      pick(target.dataset.word ?? target.value, target);
    }, true);
    addEventListener("keydown", (event) => {
      const target = event.target.closest?.("#live [data-word]");
      if (event.key === "Escape" && picked) unpick();
      if (!target || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      event.stopPropagation();
      pick(target.dataset.word, target);
    }, true);
    document.getElementById("another").addEventListener("click", unpick);
  }

  // --- After the answer ----------------------------------------------------------------------

  if (main && "answered" in main.dataset) {
    for (const each of document.querySelectorAll("#live [data-word]")) {
      const shown = each.matches(".best, .yours, .other");
      each.removeAttribute("tabindex");
      each.setAttribute("role", "img");
      if (!shown) each.setAttribute("aria-hidden", "true");
      each.dataset.choice = each.dataset.word;
      each.removeAttribute("data-word");
    }
    const drawing = document.getElementById("preview");
    const best = document.getElementById("best-drawing");
    if (drawing && best) drawing.innerHTML = best.innerHTML;
    document.querySelector(".all-rows")?.addEventListener("click", () => document.querySelector(".chanceslist").classList.add("all"));
    const light = (event, on) => {
      const row = event.target.closest?.("[data-shows]");
      if (!row) return;
      for (const each of document.querySelectorAll(`#live [data-choice="${CSS.escape(row.dataset.shows)}"]`)) {
        each.classList.toggle("lit", on);
      }
    };
    for (const [kind, on] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
      document.addEventListener(kind, (event) => light(event, on));
    }
    addEventListener("keydown", (event) => {
      if (event.key === "n" && !event.target.closest("input, textarea")) document.getElementById("next")?.click();
    });
    document.getElementById("prompt").focus({ preventScroll: true });
  }

  // --- The days ------------------------------------------------------------------------------

  const day = main?.dataset.day ?? document.querySelector(".dailies")?.dataset.day;
  if (!day) return;
  const kept = read();
  kept.days ??= {};
  const number = Number(main?.dataset.puzzle ?? 0);
  if (main && "answered" in main.dataset && !kept.days[day]?.includes(number)) {
    kept.days[day] = [...(kept.days[day] ?? []), number].sort();
    for (const old of Object.keys(kept.days).sort().slice(0, -400)) delete kept.days[old];
    write(kept);
  }
  const tried = kept.days[day] ?? [];
  const bricks = [...document.querySelectorAll(".bricks i")];
  bricks.forEach((brick, at) => {
    brick.classList.toggle("done", tried.includes(at + 1));
    brick.classList.toggle("now", number === at + 1 && !tried.includes(number));
  });
  for (const link of document.querySelectorAll(".dailylist a")) {
    const isTried = tried.includes(Number(link.dataset.number));
    link.querySelector(".tick").hidden = !isTried;
  }
  const finished = document.getElementById("finished");
  if (finished) finished.hidden = !("today" in main.dataset) || tried.length < bricks.length;

  // --- The streak, for those who want one ----------------------------------------------------

  const streak = document.getElementById("streak");
  if (!streak || !("today" in main.dataset)) return;
  const before = (from, days) => new Date(Date.parse(from) - days * 86_400_000).toISOString().slice(0, 10);
  function show() {
    let length = 0;
    while (kept.days[before(day, length)]) length += 1;
    const counts = !kept.off && length > 0;
    streak.hidden = !counts;
    document.getElementById("streak-off").hidden = !kept.off;
    streak.querySelector("h2").textContent = length === 1 ? streak.dataset.one : streak.dataset.many.replace("#", length);
    const weekday = (new Date(day).getUTCDay() + 6) % 7;
    [...streak.querySelectorAll(".week i")].forEach((each, at) => {
      each.classList.toggle("today", at === weekday);
      each.classList.toggle("done", Boolean(at <= weekday && kept.days[before(day, weekday - at)]));
    });
  }
  document.addEventListener("click", (event) => {
    const press = event.target.closest("[data-streak]");
    if (!press) return;
    kept.off = press.dataset.streak === "off";
    write(kept);
    show();
  });
  show();
})();
