// What can go wrong with files, under Node: node faults.mjs BUILT DATA kill|quota|open|bring [FILE]

import fs from "node:fs";
import { pocket } from "./pocket.mjs";

const [built, data, what, file] = process.argv.slice(2);
let room = Infinity;
const server = await pocket(built, data, { room: () => room });
const say = (line) => fs.writeSync(1, `${JSON.stringify(line)}\n`);
const headers = { "content-type": "application/json" };
const post = (path, token, body) => server.ask("POST", `/api${path}`,
  { body: JSON.stringify(body), headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) } });
const { token: me } = (await post("/guests", "", { name: "Ada" })).json();

async function table() {
  const order = { game: "burgbaumeister", chairs: [{ kind: "human" }, { kind: "human" }], mine: [0, 1], options: {} };
  const opened = (await post("/tables", me, order)).json();
  const tokens = opened.seats.map((seat) => seat.token);
  const look = async (seat) => (await server.ask("GET", `/api/tables/${opened.table}`, { headers: { authorization: `Bearer ${tokens[seat]}` } })).json();
  /** Play a move; the answer, and the table afterwards. */
  const play = async () => {
    for (const seat of [0, 1]) {
      const view = await look(seat);
      if (view.status === "over") return null;
      if (!view.seats[seat].asked) continue;
      const answer = await post(`/tables/${opened.table}/moves`, tokens[seat], { move: view.legal.at(-1).move, version: view.number });
      return { status: answer.status, before: view.number, after: (await look(seat)).number };
    }
    return null;
  };
  return { id: opened.table, play };
}

if (what === "kill") {
  for (;;) {
    const one = await table();
    for (let moves = 1; await one.play(); moves++) say({ table: one.id, moves });
  }
} else if (what === "quota") {
  const one = await table();
  const first = await one.play();
  room = 0; // files cannot grow
  const full = [await one.play(), await one.play(), await one.play()];
  room = Infinity;
  say({ first, full, then: await one.play() });
} else if (what === "open") {
  const pages = {};
  for (const page of ["/", "/me"]) pages[page] = (await server.ask("GET", page)).status;
  const one = await table();
  const played = await one.play();
  await server.close();
  say({ pages, played: played.status });
} else {
  // A file that a server wrote, with a game of somebody else's browser.
  const { id } = await table();
  const nonsense = await server.bring(new TextEncoder().encode("no database"));
  const own = await server.bring(new Uint8Array((await server.ask("GET", "/data/games.db")).body));
  room = 0;
  const full = await server.bring(new Uint8Array(fs.readFileSync(file))).then(() => "saved", () => "refused");
  room = Infinity;
  const brought = await server.bring(new Uint8Array(fs.readFileSync(file)));
  const home = (await server.ask("GET", "/me")).status;
  await server.close();
  say({ id, nonsense: nonsense ?? null, own, full, brought, home });
}
process.exit(0);
