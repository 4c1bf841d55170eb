// A lesson's address follows its stops, so that it can be kept, and gone back in; and on a phone what
// is said comes into view.

"use strict";

document.addEventListener("htmx:afterSettle", () => {
  const path = document.querySelector("main[data-path]")?.dataset.path;
  if (!path) return;
  const moved = path !== location.pathname;
  if (moved) history.pushState(null, "", path);
  const said = document.getElementById("answer") ?? document.getElementById("refusal");
  const shown = moved ? document.getElementById("prompt") : said;
  if (!shown || shown.getBoundingClientRect().top >= 0) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  shown.scrollIntoView({ block: moved ? "start" : "center", behavior: calm ? "auto" : "smooth" });
});

addEventListener("popstate", () => location.reload());
