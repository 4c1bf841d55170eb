// Where a screen shows the table, people sit side by side: what they hold is covered while they wait,
// and seen only as long as they press. It comes with the news of a screen, perhaps again and again.

"use strict";

if (!("covered" in root.dataset)) {
  root.dataset.covered = "";
  const look = (on) => root.classList.toggle("inside", on);
  const isPressed = (event) => Boolean(event.target.closest?.("#inside"));
  document.addEventListener("pointerdown", (event) => look(isPressed(event)));
  for (const name of ["pointerup", "pointercancel", "visibilitychange", "focusout"]) document.addEventListener(name, () => look(false));
  document.addEventListener("contextmenu", (event) => {
    if (isPressed(event)) event.preventDefault(); // a long press
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== " " || !isPressed(event)) return;
    event.preventDefault();
    look(true);
  });
  document.addEventListener("keyup", (event) => {
    if (event.key === " ") look(false);
  });
}
