// The CPU seconds of a start under Node, step by step: node start.mjs BUILT DATA

import { pocket } from "./pocket.mjs";

const [built, data] = process.argv.slice(2);
const steps = {}, used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
const server = await pocket(built, data, { told: (step) => { steps[step] = used(); } });
await server.ask("GET", "/");
steps.home = used();
await server.ask("POST", "/play", { body: "game=mauer", headers: { "content-type": "application/x-www-form-urlencoded" } });
steps.table = used();
console.log(JSON.stringify(steps));
process.exit(0);
