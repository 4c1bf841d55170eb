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

  function put() {
    const taken = [];
    for (const [note, { element, way }] of pinned) {
      const box = spotOf(element);
      note.hidden = !box;
      if (!box) continue;
      const [x, y] = way(box, note);
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
  const brow = (box) => [box.x + box.width / 2, box.y + 4];
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
    corner, middle, brow, above, put,
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
