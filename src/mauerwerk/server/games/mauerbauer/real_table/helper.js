// Counts on the board of the scoring helper while there is no network, on one of our boards: cities,
// what every card is worth, and the points. `counting.py` and the rules say the same; a test compares
// them.

"use strict";

{
  const COLOURS = { y: "yellow", g: "green", b: "blue", p: "pink", r: "red" };
  const TOWERS = { W: "white", G: "grey", B: "black" };
  const REGIONS = { west: "w", middle: "m", east: "e" };
  const plans = fetch(sheetOf().dataset.path).then((answer) => answer.json()).catch(() => null);

  // --- The board ---------------------------------------------------------------------------

  function boardOf({ fields, lines, points, shore }) {
    const around = Object.fromEntries(Object.keys(fields).map((field) => [field, []]));
    for (const [line, sides] of Object.entries(lines)) for (const field of sides) around[field].push(line);
    return { fields, lines, points, shore, around, order: Object.keys(fields) };
  }

  const ends = (line) => line.split("-");

  // The fields of every closed city: those from which the outside cannot be reached (MB-31).
  function closed(board, walls) {
    const found = [];
    const known = new Set();
    for (const field of board.order) {
      if (known.has(field)) continue;
      const reached = new Set([field]);
      let open = false;
      for (const each of reached) {
        for (const line of board.around[each]) {
          if (walls.has(line)) continue;
          open ||= board.lines[line].length === 1;
          for (const side of board.lines[line]) reached.add(side);
        }
      }
      for (const each of reached) known.add(each);
      if (!open) found.push(board.order.filter((each) => reached.has(each)));
    }
    return found;
  }

  // The lines with a city on exactly one side (MB-56).
  function ring(board, fields) {
    const inside = new Set(fields);
    const all = new Set(fields.flatMap((field) => board.around[field]));
    return [...all].filter((line) => board.lines[line].filter((field) => inside.has(field)).length === 1);
  }

  // The table once the rules of closed cities are followed (MB-34, MB-35).
  function settled(board, { walls, towers, pieces }, supply) {
    const left = Object.fromEntries(Object.keys(COLOURS).map((colour, place) =>
      [colour, Math.max(0, supply[place] - pieces.filter(([piece]) => piece === colour.toUpperCase()).length)]));
    const table = { walls: new Set(walls), towers: new Map(towers), cities: [] };
    let houses = pieces.filter(([piece]) => piece in COLOURS);
    for (const fields of closed(board, table.walls)) {
      const within = ([, field]) => fields.includes(field);
      const city = { fields, ring: ring(board, fields), houses: [], palaces: [] };
      for (const colour of Object.keys(COLOURS)) {
        const count = houses.filter((each) => within(each) && each[0] === colour).length;
        const built = Math.min(Math.floor(count / 2), left[colour]);
        left[colour] -= built;
        const stood = pieces.filter((each) => within(each) && each[0] === colour.toUpperCase()).length;
        city.houses.push(...Array(count - 2 * built).fill(colour));
        city.palaces.push(...Array(built + stood).fill(colour));
      }
      houses = houses.filter((each) => !within(each));
      const gone = new Set(fields.flatMap((field) => board.around[field]).filter((line) => table.walls.has(line) && !city.ring.includes(line)));
      for (const line of gone) table.walls.delete(line);
      const still = new Set([...table.walls].flatMap(ends));
      for (const point of [...gone].flatMap(ends)) if (!still.has(point)) table.towers.delete(point);
      table.cities.push(city);
    }
    return { ...table, houses };
  }

  // What a card is worth (MB-50 to MB-64).
  function worth(board, table, city, card) {
    const [where, what] = card.split("-");
    const rings = new Set(table.cities.flatMap((each) => each.ring));
    const pointsOn = (lines) => new Set([...lines].flatMap(ends));
    const count = (all, wanted) => all.filter((each) => each === wanted).length;
    const letter = (names) => Object.keys(names).find((each) => names[each] === what);
    if (card === "cities") return table.cities.length;
    if (where === "city") {
      if (!city) return 0;
      const towers = [...table.towers].filter(([point]) => pointsOn(city.ring).has(point)).map(([, tower]) => tower);
      const size = city.fields.length;
      if (what === "7") return size >= 7 ? 9 : 0;
      if (/^\d$/.test(what)) return size === Number(what) ? Number(what) + 5 : 0;
      if (what === "colours") return [0, 0, 4, 4, 7, 7][new Set([...city.houses, ...city.palaces]).size];
      if (what === "palaces") return city.palaces.length;
      if (what === "towers") return towers.length;
      if (letter(TOWERS)) return 2 * count(towers, letter(TOWERS));
      return 3 * count(city.palaces, letter(COLOURS)) + count(city.houses, letter(COLOURS));
    }
    const taken = pointsOn(rings);
    const outside = [...table.towers].filter(([point]) => !taken.has(point));
    if (what in REGIONS) return table.houses.filter(([, field]) => board.fields[field][3] === REGIONS[what]).length;
    if (what === "towers") return outside.length;
    if (what === "water") return 2 * outside.filter(([point]) => board.shore.includes(point)).length;
    if (what === "walls") return [...table.walls].filter((line) => !rings.has(line)).length;
    if (letter(TOWERS)) return 2 * outside.filter(([, tower]) => tower === letter(TOWERS)).length;
    return count(table.houses.map(([piece]) => piece), letter(COLOURS));
  }

  // --- What the address says ---------------------------------------------------------------

  function put(board, now, word) {
    if (word in board.lines) now.walls.add(word);
    else if (word.slice(1) in board.points && word[0] in TOWERS) now.towers.set(word.slice(1), word[0]);
    else now.pieces.push([word[0], word.slice(1)]);
  }

  function read(board, query) {
    const words = (name, between) => (query.get(name) ?? "").split(between).filter(Boolean);
    const now = { walls: new Set(), towers: new Map(), pieces: [], tool: query.get("use") || "wall", city: query.get("city") ?? "" };
    for (const word of words("on", ".")) put(board, now, word);
    now.names = words("who", "~");
    now.scores = words("got", ".");
    now.seat = Number(query.get("for") ?? 0);
    if (query.has("named")) {
      const called = [...query.keys()].filter((key) => key.startsWith("name-")).map((key) => query.get(key).replaceAll("~", " ").trim());
      const staying = called.map((name, seat) => (name ? seat : -1)).filter((seat) => seat >= 0);
      now.scores = now.scores.map((score) => score.split(":")).filter(([seat]) => staying.includes(Number(seat)))
        .map(([seat, ...rest]) => [staying.indexOf(Number(seat)), ...rest].join(":"));
      now.names = staying.map((seat) => called[seat].slice(0, 20));
      now.seat = now.seat < now.names.length ? now.seat : 0;
    }
    return now;
  }

  function tap(board, now, word, valueOf) {
    const [what, which] = word.split(":");
    if (what === "use") now.tool = which;
    else if (what === "city") now.city = which;
    else if (what === "seat") now.seat = Number(which);
    else if (what === "got") now.scores.push(`${now.seat}:${which}:${valueOf(which)}`);
    else if (what === "back") now.scores.pop();
    else if (what === "clear") Object.assign(now, { walls: new Set(), towers: new Map(), pieces: [], city: "" });
    else if (now.walls.has(word)) now.walls.delete(word);
    else if (now.towers.get(word.slice(1)) === word[0] && word[0] in TOWERS) now.towers.delete(word.slice(1));
    else if (word.startsWith("-")) {
      const last = now.pieces.findLastIndex(([, field]) => field === word.slice(1));
      if (last >= 0) now.pieces.splice(last, 1);
    } else put(board, now, word);
  }

  function fieldsOf(name, board, now) {
    const on = [
      ...Object.keys(board.lines).filter((line) => now.walls.has(line)),
      ...Object.keys(board.points).filter((point) => now.towers.has(point)).map((point) => now.towers.get(point) + point),
      ...now.pieces.map((each) => each.join("")),
    ].join(".");
    const said = {
      board: name === "default" ? "" : name,
      on,
      use: now.tool === "wall" ? "" : now.tool,
      city: now.city,
      who: now.names.join("~"),
      for: now.seat || "",
      got: now.scores.join("."),
    };
    return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== ""));
  }

  // --- What the page shows -----------------------------------------------------------------

  const drawn = (name, values, ...inside) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
    made.append(...inside);
    return made;
  };
  const made = (name, values = {}, ...inside) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(values)) element.setAttribute(key, value);
    element.append(...inside);
    return element;
  };
  const mark = (seat) => drawn("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, drawn("use", { href: `#mark-${seat + 1}` }));
  const symbol = (name, x, y, wide, high) => drawn("use", { href: `#${name}`, x: x - wide / 2, y: y - high / 2, width: wide, height: high });
  const path = (board, points) => `M${points.map((point) => board.points[point].join(" ")).join("L")}Z`;
  const middle = (board, field) => [0, 1].map((axis) => board.fields[field].slice(0, 3).reduce((sum, point) => sum + board.points[point][axis], 0) / 3);

  function pieces(board, now, table) {
    const laid = drawn("g", { id: "laid" });
    for (const { fields } of table.cities) {
      laid.append(drawn("path", { d: fields.map((field) => path(board, board.fields[field].slice(0, 3))).join(""), fill: "url(#mb-pave)" }));
    }
    for (const line of now.walls) {
      const [[ax, ay], [bx, by]] = ends(line).map((point) => board.points[point]);
      const turn = Math.round((Math.atan2(by - ay, bx - ax) * 180) / Math.PI);
      const wall = drawn("use", { href: "#wall-line", x: 0, y: -10, width: 120, height: 20 });
      laid.append(drawn("g", { id: `wall-${line}`, class: "piece", transform: `translate(${ax} ${ay}) rotate(${turn})` }, wall));
    }
    for (const [point, tower] of now.towers) {
      laid.append(drawn("g", { id: `tower-${point}`, class: "piece" }, symbol(`tower-${TOWERS[tower]}`, ...board.points[point], 34, 39)));
    }
    for (const field of new Set(now.pieces.map(([, each]) => each))) {
      const here = now.pieces.filter(([, each]) => each === field);
      const [x, y] = middle(board, field);
      const wide = here.length > 3 ? 60 / here.length : 22;
      const group = drawn("g", { id: `on-${field}` });
      here.forEach(([piece], place) => {
        const kind = piece in COLOURS ? "house" : "palace";
        const at = x + (place - (here.length - 1) / 2) * wide;
        group.append(symbol(`${kind}-${COLOURS[piece.toLowerCase()]}`, at, y, 24, 26));
      });
      laid.append(group);
    }
    return laid;
  }

  function targets(board, now, label) {
    const [kind, letter] = now.tool.split("-");
    const link = (id, word, shape) => {
      const words = document.getElementById(id)?.getAttribute("aria-label");
      const target = drawn("a", { id, class: "target", "data-word": word, "aria-label": words?.includes(label) ? words : `${label}: ${id.split("-").slice(1).join("-")}` }, shape);
      return target;
    };
    if (kind === "wall") {
      return Object.entries(board.lines).map(([line, [one, other]]) => {
        const [a, b] = ends(line).map((point) => board.points[point]);
        const near = middle(board, one);
        const far = other ? middle(board, other) : [a[0] + b[0] - near[0], a[1] + b[1] - near[1]];
        return link(`line-${line}`, line, drawn("path", { d: `M${[a, near, b, far].map((spot) => spot.join(" ")).join("L")}Z`, class: "hit" }));
      });
    }
    if (kind === "tower") {
      return Object.entries(board.points).map(([point, [cx, cy]]) =>
        link(`point-${point}`, letter + point, drawn("circle", { cx, cy, r: 42, class: "hit" })));
    }
    const there = kind === "away" ? new Set(now.pieces.map(([, field]) => field)) : board.order;
    return [...there].map((field) =>
      link(`field-${field}`, (letter ?? "-") + field, drawn("path", { d: path(board, board.fields[field].slice(0, 3)), class: "hit" })));
  }

  const current = (link, yes) => (yes ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current"));
  const hide = (id, yes) => document.getElementById(id)?.toggleAttribute("hidden", yes);

  function paint(board, now, table, city, valueOf) {
    const ground = document.getElementById("board");
    for (const old of ground.querySelectorAll("#laid, a.target, .shine, [id^=wall-], [id^=tower-], [id^=on-], [id^=city-]")) old.remove();
    const tool = document.querySelector(`#kit [data-word="use:${now.tool}"]`);
    ground.append(pieces(board, now, table), ...targets(board, now, tool.getAttribute("aria-label")));
    for (const each of document.querySelectorAll("#kit a")) current(each, each === tool);
    document.querySelector("#under > .note").textContent = "";
    document.getElementById("remarks").replaceChildren();
    document.querySelector("[data-word=tidy]")?.closest("p").remove();
    hide("clear", !now.walls.size && !now.towers.size && !now.pieces.length);
    hide("no-city", table.cities.length > 0);
    const chips = document.getElementById("cities");
    chips.toggleAttribute("hidden", !table.cities.length);
    chips.replaceChildren(...table.cities.map((each) => {
      const [name] = each.fields;
      const chip = made("a", { class: "chip", id: `chip-${name}`, "data-word": `city:${name}` }, `${chips.dataset.city.replace("#", name)} · ${each.fields.length}`);
      current(chip, each === city);
      return made("li", {}, chip);
    }));
    for (const cards of document.querySelectorAll("#of-city .cards")) cards.toggleAttribute("hidden", !city);
    for (const item of document.querySelectorAll(".worths .cards li")) {
      const card = item.id.slice("worth-".length);
      const points = valueOf(card);
      const old = item.firstElementChild;
      const fresh = now.names.length ? made("a", { class: "worth", "data-word": `got:${card}` }) : made("div", { class: "worth" });
      fresh.append(...old.childNodes);
      old.replaceWith(fresh);
      fresh.querySelector(".num").textContent = points;
      item.classList.toggle("none", !points);
    }
    players(now);
  }

  function players(now) {
    const total = (seat) => now.scores.map((score) => score.split(":")).reduce((sum, [who, , points]) => sum + (Number(who) === seat ? Number(points) : 0), 0);
    const title = (card) => document.querySelector(`[id="worth-${card}"] span`).textContent;
    const [list, got] = ["of-players", "got"].map((id) => document.getElementById(id));
    list.replaceChildren(...now.names.map((name, seat) => {
      const tile = made("span", { class: `tile${seat === now.seat ? " you" : ""}` }, mark(seat));
      const points = made("span", { class: "num pts" }, String(total(seat)));
      const link = made("a", { id: `player-${seat}`, class: "player", "data-word": `seat:${seat}` }, tile, made("b", {}, name), points);
      current(link, seat === now.seat);
      return made("li", {}, link);
    }));
    got.replaceChildren(...now.scores.toReversed().map((score) => {
      const [seat, card, points] = score.split(":");
      return made("li", {}, mark(Number(seat)), made("span", {}, `${now.names[seat]}: ${title(card)}`), made("b", { class: "num" }, `+${points}`));
    }));
    list.toggleAttribute("hidden", !now.names.length);
    got.toggleAttribute("hidden", !now.scores.length);
    hide("next", !now.names.length);
    hide("takes-back", !now.scores.length);
  }

  async function answer(query) {
    const { boards, palaces } = (await plans) ?? {};
    const name = query.get("own") || query.get("board") || "default";
    if (!boards?.[name]) return show("lost", true);
    const board = boardOf(boards[name]);
    const now = read(board, query);
    const cityIn = (table) => table.cities.find((each) => each.fields.includes(now.city)) ?? table.cities[0];
    let table = settled(board, now, palaces);
    const valueOf = (card) => worth(board, table, cityIn(table), card);
    if (query.get("word")) tap(board, now, query.get("word"), valueOf);
    table = settled(board, now, palaces);
    paint(board, now, table, cityIn(table), valueOf);
    keepSheet(fieldsOf(name, board, now), { who: ["who", "for"], boards: ["board", "on", "city", "use"] });
  }

  answerAlone(answer);
}
