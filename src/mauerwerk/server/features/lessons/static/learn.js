// A lesson's address follows its stops, so that it can be kept, and gone back in; and on a phone what
// is said comes into view.

"use strict";

let onPage = location.pathname;

document.addEventListener("htmx:afterSettle", () => {
  const path = document.querySelector("main[data-path]")?.dataset.path;
  if (!path) return;
  const moved = path !== location.pathname;
  if (moved) history.pushState(null, "", path);
  onPage = path;
  for (const back of document.querySelectorAll("input[name=back]")) back.value = path;
  const said = document.getElementById("answer") ?? document.getElementById("refusal");
  const shown = moved ? document.getElementById("prompt") : said;
  if (!shown || shown.getBoundingClientRect().top >= 0) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  shown.scrollIntoView({ block: moved ? "start" : "center", behavior: calm ? "auto" : "smooth" });
});

// The link that skips to the content changes the address too, but leads to no other stop.
addEventListener("popstate", () => location.pathname !== onPage && location.reload());
