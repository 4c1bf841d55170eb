// A ring on a button that runs empty; then what the button stands for happens by itself. It stands
// still while somebody is busy: with the pointer on the prompt, the focus elsewhere, an open menu, or
// another tab. With reduced motion the button counts whole seconds instead.

"use strict";

const ring = (() => {
  const TICK = 50;
  const LINGERS = 2000;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let runs = null;
  let hovers = 0; // until when the pointer counts as looking

  function held() {
    const focus = document.activeElement;
    const elsewhere = focus && focus !== document.body && focus !== runs.button;
    return document.hidden || document.getElementById("menu")?.open || elsewhere || hovers > performance.now();
  }

  function draw() {
    const { button, left, time } = runs;
    button.querySelector(".left").style.strokeDashoffset = 100 - (100 * Math.max(0, left)) / time;
    button.querySelector(".seconds").textContent = calm.matches ? ` (${Math.ceil(left / 1000)})` : "";
  }

  function tick() {
    const now = performance.now();
    if (!runs.button.isConnected) return stop();
    if (!held()) runs.left -= now - runs.ticked;
    runs.ticked = now;
    if (runs.left > 0) return draw();
    const { done } = runs;
    stop();
    done();
  }

  function stop() {
    clearInterval(runs?.ticking);
    runs = null;
  }

  // Over the prompt a pointer that was moved there counts as long as it stays, over the board for a
  // while: there it may just lie where something was pressed.
  document.addEventListener("pointermove", (event) => {
    if (!runs || event.pointerType === "touch" || !(event.movementX || event.movementY)) return;
    if (event.target.closest?.("#prompt")) hovers = Infinity;
    else hovers = event.target.closest?.("#stage") ? performance.now() + LINGERS : 0;
  });
  root.addEventListener("pointerleave", () => {
    hovers = 0;
  });

  return {
    stop,
    // The ring and the seconds are in the button already; `done` is called when it is empty.
    start(button, time, done) {
      stop();
      hovers = 0;
      runs = { button, time, done, left: time, ticked: performance.now(), ticking: setInterval(tick, TICK) };
      draw();
    },
  };
})();
