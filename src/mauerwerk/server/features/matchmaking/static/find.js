// "Find me a game" opens as a sheet over the page; without this script it is a page of its own.
"use strict";

const sheet = document.createElement("dialog");
sheet.className = "findover";
sheet.setAttribute("aria-labelledby", "find-head");

document.addEventListener("click", async (event) => {
  const closes = event.target.closest("[data-close-sheet]");
  if (event.target === sheet || (closes && sheet.contains(closes))) {
    event.preventDefault();
    sheet.close();
    return;
  }
  const link = event.target.closest("a[data-sheet]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const answer = await fetch(link.href, { headers: { "HX-Request": "true" } }).catch(() => null);
  if (!answer?.ok) { location.assign(link.href); return; }
  sheet.innerHTML = await answer.text();
  document.body.append(sheet);
  window.htmx?.process(sheet);
  sheet.showModal();
});
