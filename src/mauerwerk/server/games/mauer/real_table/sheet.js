// Keeps the points that are typed, and fills in the score sheet while there is no network: what the
// server would answer, worked out here from the address and from what pieces cost on the page. Once
// it is back, it answers again.

"use strict";

{
  const form = () => document.getElementById("sheet");
  const USUAL = 4;
  const costs = Object.fromEntries([...document.querySelectorAll("#holds-0 .bit[data-word^='0:']:not(.wipe)")]
    .map((bit) => [bit.dataset.word.slice(2), Number(bit.querySelector(".num").textContent)]));

  const pointsOf = (cell) =>
    cell.startsWith("=") ? Number(cell.slice(1)) : [...cell].reduce((sum, each) => sum + costs[each], 0);

  function read(query) {
    let names = (query.get("who") ?? "").split("~");
    if (query.has("named")) {
      names = [...query.keys()].filter((key) => key.startsWith("name-")).map((key) => query.get(key).replaceAll("~", " "));
      while (names.length && !names.at(-1).trim()) names.pop();
    } else if (!query.get("who")) names = Array(USUAL).fill("");
    const said = (query.get("left") ?? "").split(".").map((cells) => cells.split("_"));
    const least = Math.max(Number(form().dataset.least), ...said.map((cells) => cells.findLastIndex(Boolean) + 1));
    while (names.length < least) names.push("");
    const count = Number(query.get("rounds") || USUAL);
    const rounds = Array.from({ length: count }, (_, place) => names.map((_, seat) => said[place]?.[seat] ?? ""));
    return { names: names.map((name) => name.trim().slice(0, 20)), rounds, at: Number(query.get("at") || 1) - 1 };
  }

  function fill(sheet, query) {
    sheet.rounds.forEach((cells, place) => {
      const played = cells.some(Boolean);
      cells.forEach((cell, seat) => {
        const wrote = query.get(`points-${place + 1}-${seat}`)?.trim() ?? (query.has("all") ? "" : null);
        if (wrote === null) return;
        if (!wrote) cells[seat] = "";
        else if (/^\d{1,3}$/.test(wrote) && !(played && pointsOf(cell) === Number(wrote))) cells[seat] = `=${Number(wrote)}`;
      });
    });
  }

  function tap(sheet, word) {
    const [what, which] = word.split(":");
    if (what === "at") sheet.at = Number(which) - 1;
    else if (what === "more") sheet.rounds.push(sheet.names.map(() => ""));
    else if (what === "less") {
      sheet.rounds.pop();
      sheet.at = Math.min(sheet.at, sheet.rounds.length - 1);
    } else {
      const cells = sheet.rounds[sheet.at];
      const before = cells[what].startsWith("=") ? "" : cells[what];
      cells[what] = which ? before + which : "";
    }
  }

  function fieldsOf({ names, rounds, at }) {
    const fields = {};
    if (names.some(Boolean) || names.length !== USUAL) fields.who = names.join("~");
    if (rounds.flat().some(Boolean)) fields.left = rounds.map((cells) => cells.join("_")).join(".");
    if (rounds.length !== USUAL) fields.rounds = rounds.length;
    if (at) fields.at = at + 1;
    return fields;
  }

  // As many as wanted, each a copy of the first.
  function many(first, count, adapt) {
    const parent = first.parentNode;
    const all = [...parent.children].filter((each) => each.localName === first.localName && each.className.split(" ")[0] === first.className.split(" ")[0]);
    for (const each of all.slice(count)) each.remove();
    for (let place = all.length; place < count; place++) all[all.length - 1].after(all[all.push(first.cloneNode(true)) - 1]);
    all.slice(0, count).forEach(adapt);
  }

  function paint(sheet) {
    const { names, rounds, at } = sheet;
    const labels = form().dataset;
    const called = names.map((name, seat) => name || labels.player.replace("#", seat + 1));
    const played = rounds.filter((cells) => cells.some(Boolean));
    const totals = names.map((_, seat) => played.reduce((sum, cells) => sum + pointsOf(cells[seat]), 0));
    const rank = (seat) => 1 + totals.filter((each) => each < totals[seat]).length;
    const over = played.length === rounds.length;
    const head = form().querySelector("thead tr");
    const [, first] = head.children;
    while (head.children.length < rounds.length + 3) first.after(first.cloneNode(true));
    while (head.children.length > rounds.length + 3) head.children[1].remove();
    rounds.forEach((_, place) => {
      head.children[place + 1].textContent = place + 1;
      head.children[place + 1].classList.toggle("at", place === at);
    });
    many(form().querySelector("tbody tr"), names.length, (row, seat) => {
      row.id = `row-${seat}`;
      row.classList.toggle("me", over && rank(seat) === 1);
      row.querySelector("use")?.setAttribute("href", `#mark-${seat + 1}`);
      row.querySelector("th span").textContent = called[seat];
      const cell = row.children[1];
      while (row.children.length < rounds.length + 3) cell.after(cell.cloneNode(true));
      while (row.children.length > rounds.length + 3) row.children[1].remove();
      rounds.forEach((cells, place) => {
        const input = row.children[place + 1].firstElementChild;
        input.name = `points-${place + 1}-${seat}`;
        input.value = cells.some(Boolean) ? pointsOf(cells[seat]) : "";
        input.setAttribute("aria-label", labels.round.replace("#", place + 1).replace("*", called[seat]));
      });
      row.children[rounds.length + 1].textContent = totals[seat];
      row.children[rounds.length + 2].textContent = played.length ? `${rank(seat)}.` : "–";
    });
    many(document.querySelector("#left .chips li"), rounds.length, (item, place) => {
      const chip = item.firstElementChild;
      chip.id = `round-${place + 1}`;
      chip.value = chip.dataset.word = `at:${place + 1}`;
      chip.textContent = chip.textContent.replace(/\d+/, place + 1);
      chip.toggleAttribute("aria-current", false);
      if (place === at) chip.setAttribute("aria-current", "true");
    });
    many(document.querySelector("#left .holds"), names.length, (group, seat) => {
      group.id = `holds-${seat}`;
      group.setAttribute("aria-label", called[seat]);
      group.querySelector(".name").textContent = called[seat];
      const cell = rounds[at][seat];
      group.querySelector("p .num").textContent = pointsOf(cell);
      for (const bit of group.querySelectorAll(".bit")) {
        const piece = bit.dataset.word.split(":")[1];
        const count = piece && !cell.startsWith("=") ? [...cell].filter((each) => each === piece).length : 0;
        bit.value = bit.dataset.word = `${seat}:${piece}`;
        bit.id = piece ? `bit-${seat}-${piece}` : `wipe-${seat}`;
        bit.querySelector(".times")?.remove();
        bit.removeAttribute("aria-current");
        if (count) bit.setAttribute("aria-current", "true");
        if (count > 1) bit.append(Object.assign(document.createElement("b"), { className: "times", textContent: `${count}×` }));
      }
    });
    document.getElementById("more")?.toggleAttribute("hidden", rounds.length >= Number(labels.most));
    keep(sheet);
  }

  function keep(sheet) {
    const { rounds } = sheet;
    document.getElementById("less")?.toggleAttribute("hidden", rounds.length < 2 || rounds.at(-1).some(Boolean));
    keepSheet(fieldsOf(sheet), { who: ["who"] });
  }

  // --- Points that are typed -----------------------------------------------------------------

  // They are in the address at once, so that neither a tap nor another form loses them. The answer to
  // a tap that is under way does not know them.
  const typed = new Map();

  function keepTyped() {
    for (const [name, points] of typed) {
      const field = form().elements[name];
      if (field) field.value = points;
    }
    typed.clear();
    const query = new URLSearchParams(new FormData(form()));
    const sheet = read(query);
    fill(sheet, query);
    keep(sheet);
  }

  document.addEventListener("input", ({ target }) => {
    if (target.form !== form() || !target.validity.valid) return;
    typed.set(target.name, target.value);
    if (!waiting.length) keepTyped();
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (typed.size) keepTyped();
  });

  // --- Answers -------------------------------------------------------------------------------

  answerAlone((query) => {
    const sheet = read(query);
    fill(sheet, query);
    if (query.get("word")) tap(sheet, query.get("word"));
    paint(sheet);
    if (typed.size) keepTyped();
  });
}
