// Delete on a seat empties it, as its chip "Nobody" does; the focus goes to what adds one again.
// Escape folds what is open, and gives the focus back.

"use strict";

let emptied = false;

// Nights are those of the place where the table is set up.
document.getElementById("zone").value = new Date().getTimezoneOffset();

// In another language the questions are answered as they are so far.
document.addEventListener("submit", ({ submitter, target }) => {
  if (submitter?.name !== "language") return;
  const answers = new URLSearchParams(new FormData(document.getElementById("setup")));
  target.back.value = `${target.back.value.split("?")[0]}?${answers}`;
});

document.addEventListener("keydown", (event) => {
  const open = event.target.closest?.("details[open]:not(.menu)");
  if (event.key === "Escape" && open) {
    open.open = false;
    open.firstElementChild.focus();
  }
  const line = event.target.closest?.("summary[data-seat]");
  const nobody = line && document.getElementById(`seat-${line.dataset.seat}-nobody`);
  if (event.key !== "Delete" || !nobody) return;
  event.preventDefault();
  emptied = nobody.checked = true;
  nobody.dispatchEvent(new Event("change", { bubbles: true }));
});

document.addEventListener("htmx:afterSettle", () => {
  if (emptied) document.getElementById("add")?.focus();
  emptied = false;
});
