// Notes in chalk over the board: numbers, arrows and bubbles that keep their size while the board is
// scaled. They lie in a layer of their own, outside what is morphed, each pinned to an element.

"use strict";

const chalk = (() => {
  const layer = Object.assign(document.createElement("div"), { id: "chalk" });
  layer.setAttribute("aria-hidden", "true");
  document.body.append(layer);
  const pinned = new Map(); // a note: the element it is pinned to, and how it is put there

  const spotOf = (element) => {
    const box = element()?.getBoundingClientRect();
    return box?.width || box?.height ? box : null;
  };

  // Beside one another, where two numbers would lie on the same spot.
  const WAYS = [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, 1], [1, -1], [-1, -1], [2, 0], [-2, 0]];

  // Of several spots a number takes the one where it covers the fewest pieces and no other number.
  const pieces = () => [...document.querySelectorAll("#stage .piece:not(:has(> path))")].map((each) => each.getBoundingClientRect());
  function best(spots, note, taken) {
    const [wide, high] = [note.offsetWidth, note.offsetHeight];
    const stage = (document.querySelector("#stage .stage") ?? document.getElementById("stage")).getBoundingClientRect();
    const cost = ([x, y]) => {
      const [left, top] = [x - wide / 2, y - high / 2];
      const out = left < stage.left || top < stage.top || left + wide > stage.right || top + high > stage.bottom;
      const covered = pieces().filter((box) => left < box.right && left + wide > box.left && top < box.bottom && top + high > box.top).length;
      const hidden = taken.filter(([u, v, w, h]) => Math.abs(x - u) < (wide + w) / 2 && Math.abs(y - v) < (high + h) / 2).length;
      return 9 * out + covered + 5 * hidden;
    };
    return spots.map((spot) => [cost(spot), spot]).reduce((one, other) => (other[0] < one[0] ? other : one))[1];
  }

  function put() {
    const taken = [];
    for (const [note, { element, way }] of pinned) {
      const box = spotOf(element);
      note.hidden = !box;
      if (!box) continue;
      const spots = way(box, note, element());
      const [x, y] = Array.isArray(spots[0]) ? best(spots, note, taken) : spots;
      const [wide, high] = [note.offsetWidth, note.offsetHeight];
      const clear = ([right, down]) => !taken.some(([u, v, w, h]) =>
        Math.abs(x + right * wide - u) < (wide + w) / 2 && Math.abs(y + down * high - v) < (high + h) / 2);
      const [right, down] = note.classList.contains("no") ? WAYS.find(clear) ?? [0, 0] : [0, 0];
      const spot = [x + right * wide, y + down * high];
      if (note.classList.contains("no")) taken.push([...spot, wide, high]);
      note.style.left = `${spot[0] + scrollX}px`;
      note.style.top = `${spot[1] + scrollY}px`;
    }
  }

  const corner = (box) => [box.right - Math.min(6, box.width / 4), box.top + Math.min(4, box.height / 4)];
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  // Beside a thing, so that it stays legible: beyond an end of a line, in the free slot after a card,
  // or on the brow of a stone.
  const beside = (box, note, element) => {
    const line = element.querySelector?.(":scope > path");
    if (line) {
      const at = line.getScreenCTM();
      const [a, b] = [0, line.getTotalLength()].map((far) => line.getPointAtLength(far).matrixTransform(at));
      const [dx, dy] = [b.x - a.x, b.y - a.y].map((each) => each / Math.hypot(b.x - a.x, b.y - a.y));
      const far = Math.abs(dx) * (note.offsetWidth / 2) + Math.abs(dy) * (note.offsetHeight / 2) + 20;
      const side = note.offsetWidth / 2 + 12;
      return [0, 14, 28].flatMap((more) => [
        [a.x - dx * (far + more), a.y - dy * (far + more)], [b.x + dx * (far + more), b.y + dy * (far + more)],
        [(a.x + b.x) / 2 + dy * (side + more), (a.y + b.y) / 2 - dx * (side + more)],
        [(a.x + b.x) / 2 - dy * (side + more), (a.y + b.y) / 2 + dx * (side + more)],
      ]);
    }
    if (element.nextElementSibling?.matches(".free")) return [box.right + note.offsetWidth / 2 - 3, box.bottom - note.offsetHeight / 2 - 2];
    if (element instanceof SVGElement) return middle(box);
    const number = element.matches("button") && element.lastElementChild.getBoundingClientRect();
    return number ? [number.right + note.offsetWidth / 2 + 1, box.y + box.height / 2] : [box.x + box.width / 2, box.y + 4];
  };
  const above = (box, note) => {
    const half = note.offsetWidth / 2 + 8;
    const x = Math.max(half, Math.min(root.clientWidth - half, box.x + box.width / 2));
    return [x, box.y + Math.min(10, box.height / 3)];
  };

  let waits = 0;
  function later() {
    waits ||= requestAnimationFrame(() => {
      waits = 0;
      put();
    });
  }
  addEventListener("resize", later);
  document.addEventListener("scroll", later, { capture: true, passive: true });
  document.addEventListener("htmx:afterSettle", later);
  document.addEventListener("animationend", later);

  return {
    corner, middle, beside, above, put,
    pin(note, element, way) {
      layer.append(note);
      pinned.set(note, { element, way });
    },
    wipe(kind) {
      for (const note of [...pinned.keys()]) {
        if (!note.classList.contains(kind)) continue;
        note.remove();
        pinned.delete(note);
      }
    },
  };
})();
