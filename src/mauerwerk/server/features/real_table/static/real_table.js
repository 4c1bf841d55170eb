// What is tapped on a sheet is a link or a button, which works by itself. Where the page's script is
// there, that sends the word instead and morphs the answer in; the address follows. Without a
// network, a sheet that has a script of its own works out the answer.

"use strict";

document.addEventListener("click", (event) => {
  const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (window.htmx && event.target.closest(plain ? "[data-word]" : "button[data-word]")) event.preventDefault();
});

document.addEventListener("htmx:afterSettle", () => {
  const here = document.querySelector("[data-here]")?.dataset.here;
  if (!here) return;
  history.replaceState(null, "", here);
  for (const back of document.querySelectorAll("input[name=back]")) back.value = here;
});

// --- Without a network -----------------------------------------------------------------------

const sheetOf = () => document.querySelector("main[data-here]");

// The address has all that a sheet says, and so have its forms and links. A form may leave out what
// it asks for.
function keepSheet(fields, left = {}) {
  const query = new URLSearchParams(fields).toString();
  const here = query ? `${location.pathname}?${query}` : location.pathname;
  for (const form of sheetOf().querySelectorAll("form")) {
    for (const old of form.querySelectorAll("input[type=hidden]:not([name=all], [name=named])")) old.remove();
    for (const [name, value] of Object.entries(fields)) {
      if (left[form.className]?.includes(name)) continue;
      form.prepend(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
    }
  }
  for (const link of sheetOf().querySelectorAll("a[data-word]")) {
    link.setAttribute("href", `${here}${query ? "&" : "?"}word=${encodeURIComponent(link.dataset.word)}`);
  }
  sheetOf().dataset.here = here;
  history.replaceState(null, "", here);
}

// Let `answer` fill in a sheet by what an address says, when the server cannot.
function answerAlone(answer) {
  window.answersAlone = true;
  document.addEventListener("htmx:sendError", async (event) => {
    const { path, parameters } = event.detail.requestConfig;
    if (!path.endsWith(location.pathname)) return;
    await answer(new URLSearchParams(Object.entries(parameters)));
    show("lost", false);
  });
  // The worker shows a sheet as it was kept, whatever the address says.
  const said = (query) => new URLSearchParams(query).toString();
  const shown = sheetOf().dataset.here.split("?")[1] ?? "";
  if (!navigator.onLine || said(location.search) !== said(shown)) answer(new URLSearchParams(location.search));
}
