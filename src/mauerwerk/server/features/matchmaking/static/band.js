// The plate of a bot's seat says who takes it over, and when. The band above the table knows; each
// new picture of the table has plates of its own.

"use strict";

{
  const note = () => {
    for (const old of document.querySelectorAll("#live .next")) old.remove();
    for (const said of document.querySelectorAll("#search [data-comes]")) {
      const seat = said.dataset.comes;
      const plate = document.querySelector(`#fist-${seat} .plate, #seat-${seat} .who, #seat-${seat}.wall`);
      const next = Object.assign(document.createElement("span"), { className: "next", ariaHidden: "true" });
      next.append(...said.cloneNode(true).childNodes);
      plate?.append(next);
    }
  };
  for (const kind of ["htmx:afterSwap", "htmx:afterSettle", "moment"]) document.addEventListener(kind, note);
}
