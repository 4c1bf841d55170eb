// Whole games by the API, under Node: node games.mjs BUILT DATA GAMES
// GAMES is JSON: a list of orders. Prints for each how it went.

import { pocket } from "./pocket.mjs";

const [built, data, orders] = process.argv.slice(2);
const began = performance.now(), steps = {};
const server = await pocket(built, data, { think: true, told: (step) => { steps[step] = Math.round(performance.now() - began); } });
const json = { "content-type": "application/json" };
const post = async (path, token, body) => {
  const answer = await server.ask("POST", `/api${path}`, { body: JSON.stringify(body), headers: { ...json, ...(token && { authorization: `Bearer ${token}` }) } });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.json();
};
const { token: me } = await post("/guests", "", { name: "Ada" });
let chance = 1;
const draw = (bound) => { chance = (chance * 48271) % 2147483647; return chance % bound; };
const results = [];
for (const order of JSON.parse(orders)) {
  const from = performance.now(), cpu = process.cpuUsage();
  const opened = await post("/tables", me, { ...order, bot_delay_ms: 0 });
  const table = `/tables/${opened.table}`;
  const tokens = opened.seats.map((seat) => seat.token);
  let moves = 0, view;
  for (;;) {
    let asked = false;
    for (const seat of order.mine) {
      view = (await server.ask("GET", `/api${table}`, { headers: { authorization: `Bearer ${tokens[seat]}` } })).json();
      if (view.status === "over" || !view.seats[seat].asked) continue;
      asked = true;
      await post(`${table}/moves`, tokens[seat], { move: view.legal[draw(view.legal.length)].move, version: view.number });
      moves++;
    }
    if (view.status === "over") break;
    if (!asked) await new Promise((resolve) => { setTimeout(resolve, 2); });
  }
  const used = process.cpuUsage(cpu);
  const pages = {};
  for (const page of ["", "/replay"]) pages[page] = (await server.ask("GET", `/t/${opened.table}${page}`)).status;
  const record = await server.ask("GET", `/api${table}/record`);
  results.push({ table: opened.table, game: order.game, moves, outcome: view.outcome, pages, record: record.text,
    wall: Math.round(performance.now() - from), cpu: Math.round((used.user + used.system) / 1000) });
}
const asked = server.thoughts;
await server.close();
console.log(JSON.stringify({ steps, results, thoughts: asked }));
process.exit(0);
