// A lesson's address follows its stops, so that it can be kept, and gone back in; and on a phone what
// is said and the board come into view.

"use strict";

let onPage = location.pathname;

document.addEventListener("htmx:afterSettle", () => {
  const path = document.querySelector("main[data-path]")?.dataset.path;
  if (!path) return;
  const moved = path !== location.pathname;
  if (moved) history.pushState(null, "", path);
  onPage = path;
  for (const back of document.querySelectorAll("input[name=back]")) back.value = path;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  if (moved) {
    document.querySelector(".reading").scrollTop = 0;
    scrollTo({ top: 0, behavior });
    return;
  }
  const said = document.getElementById("answer") ?? document.getElementById("refusal");
  if (said?.getBoundingClientRect().top < 0) said.scrollIntoView({ block: "center", behavior });
});

// The link that skips to the content changes the address too, but leads to no other stop.
addEventListener("popstate", () => location.pathname !== onPage && location.reload());
