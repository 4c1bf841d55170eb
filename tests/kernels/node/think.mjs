// Reads requests from a file, thinks about each as a worker would, and writes the answers as JSON.

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [script, module, network, requests] = process.argv.slice(2);
const { serve } = await import(pathToFileURL(script));
const { port1, port2 } = new MessageChannel();
serve(port1);

const waiting = new Map();
let last = 0;
port2.onmessage = ({ data }) => waiting.get(data.id)(data);
function ask(message) {
  const id = ++last;
  const reply = new Promise((resolve) => waiting.set(id, resolve));
  port2.postMessage({ id, ...message });
  return { id, reply };
}

const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
function unpacked(request) {
  const belief = request.belief.map((each) => ({ ...each, bytes: bytes(each.bytes) }));
  return { ...request, belief, setup: bytes(request.setup), root: bytes(request.root) };
}

const load = { module: await readFile(module), network: network && new Uint8Array(await readFile(network)) };
const answers = [(await ask({ think: {} }).reply), (await ask({ load }).reply)];
for (const request of JSON.parse(await readFile(requests, "utf8"))) {
  const began = performance.now(), before = process.cpuUsage();
  const { id, reply } = ask({ think: unpacked(request) });
  if (request.cancel) setTimeout(() => port2.postMessage({ id, cancel: true }), request.cancel);
  const answer = await reply;
  const { user, system } = process.cpuUsage(before);
  answers.push({ ...answer, milliseconds: performance.now() - began, cpu: (user + system) / 1000 });
}
process.stdout.write(JSON.stringify(answers));
port1.close();
