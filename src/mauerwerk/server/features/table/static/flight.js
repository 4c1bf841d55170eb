// A piece that lies somewhere new flies there from where it was: `data-from` names that element.
// Several pieces fly one after the other.

"use strict";

{
  const LASTS = 360;
  const BETWEEN = 60;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const pieces = () => [...document.querySelectorAll("#live [data-from]")];
  let known = new Set(pieces().map((piece) => piece.id));

  const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

  function fly(piece, delay) {
    const from = document.getElementById(piece.dataset.from);
    if (!from) return;
    const [x, y] = middle((from.querySelector("svg") ?? from).getBoundingClientRect());
    const [u, v] = middle(piece.getBoundingClientRect());
    const begin = `translate(${x - u}px, ${y - v}px) scale(.8)`;
    piece.animate([{ transform: begin, zIndex: 3 }, { transform: "none", zIndex: 3 }], {
      duration: LASTS, delay, easing: "ease-out", fill: "backwards",
    });
  }

  document.addEventListener("htmx:afterSettle", () => {
    const here = pieces();
    const fresh = here.filter((piece) => !known.has(piece.id));
    known = new Set(here.map((piece) => piece.id));
    if (!calm.matches) fresh.forEach((piece, place) => fly(piece, place * (LASTS + BETWEEN)));
  });
}
