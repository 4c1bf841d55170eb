// A bot in JavaScript that speaks JSON lines. It closes no empty fist, and otherwise plays at random.
//
//   mauerwerk match mauer --bots "run:node examples/lines_bot.mjs,uniform,uniform"

import { createInterface } from "node:readline";

function choose({ legal }) {
  const bold = legal.filter((word) => word !== "-");
  const words = bold.length ? bold : legal;
  return words[Math.floor(Math.random() * words.length)];
}

for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  const answer = asked.type === "act" ? { word: choose(asked) } : { ready: true };
  process.stdout.write(JSON.stringify(answer) + "\n");
}
