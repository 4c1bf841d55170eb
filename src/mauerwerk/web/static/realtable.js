// What is tapped on the scoring helper is a link, which works by itself. Where the page's script is
// there, that sends the word instead and morphs the answer in; the address follows.

"use strict";

document.addEventListener("click", (event) => {
  const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (window.htmx && plain && event.target.closest("a[data-word]")) event.preventDefault();
});

document.addEventListener("htmx:afterSettle", () => {
  const here = document.querySelector("[data-here]")?.dataset.here;
  if (!here) return;
  history.replaceState(null, "", here);
  for (const back of document.querySelectorAll("input[name=back]")) back.value = here;
});
