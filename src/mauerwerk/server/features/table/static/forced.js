// Plays a move for which there is no other after a short pause, so that one sees what happens. Where
// something lies open that is shown only once, the pause is long and its button has a ring.

"use strict";

{
  const LONG = 1000;
  const manual = "manual" in document.body.dataset;
  const patient = "patient" in document.body.dataset;
  const RING =
    '<svg class="ring" viewBox="0 0 26 26" aria-hidden="true"><circle cx="13" cy="13" r="10"/>' +
    '<circle class="left" cx="13" cy="13" r="10" pathLength="100"/></svg>';
  let soon = 0;
  let answered = -1; // the number of the picture to which somebody has answered

  function begin() {
    clearTimeout(soon);
    const form = document.querySelector("#move[data-forced]");
    if (!form || manual || document.querySelector("main.moment")) return;
    const { forced, after } = form.dataset;
    const number = ofPage();
    const play = () => number === ofPage() && number !== answered && form.isConnected && choose(forced);
    const button = form.querySelector(`button[name="word"][value="${CSS.escape(forced)}"]`);
    if (Number(after) < LONG || !button) soon = setTimeout(play, Number(after));
    else if (!patient) {
      if (!button.querySelector(".ring")) {
        button.insertAdjacentHTML("afterbegin", RING);
        button.insertAdjacentHTML("beforeend", '<span class="seconds" aria-hidden="true"></span>');
      }
      ring.start(button, Number(after), play);
    }
  }

  // Whatever was pressed meanwhile comes first, such as "Take back".
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.closest("#live")) answered = ofPage();
  });
  for (const name of ["htmx:sendError", "htmx:sendAbort"]) {
    document.addEventListener(name, () => {
      answered = -1;
    });
  }
  document.addEventListener("htmx:afterSettle", begin);
  begin();
}
