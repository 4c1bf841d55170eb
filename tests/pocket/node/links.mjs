// Every page that links and search forms lead to, under Node: node links.mjs BUILT DATA
// Prints the status of each, and what somebody reads who asks for a study of a board.

import { pocket } from "./pocket.mjs";

const [built, data] = process.argv.slice(2);
const server = await pocket(built, data);
const post = (path, body, content) => server.ask("POST", path, { body, headers: { "content-type": content } });
const began = await post("/play", "game=mauer", "application/x-www-form-urlencoded");
const root = "http://pocket.test/play/app";
// The same pages with other boards, moves, seats and days never end, and films take long.
const again = /[?&](at|back|board|seat|word)=|\/static\/|^data:|\/puzzles\/\d|film\.svg|game\.svg/;
const waiting = ["/", "/me", "/settings", "/workshop", began.headers.location.replace("/play/app", "")];
const answers = {};
while (waiting.length) {
  const path = waiting.pop();
  if (path in answers) continue;
  const answer = await server.ask("GET", path);
  answers[path] = answer.status;
  if (!answer.headers["content-type"].startsWith("text/html")) continue;
  const links = [...answer.text.matchAll(/href="([^"#]+)/g)].map(([, link]) => link);
  const forms = [...answer.text.matchAll(/<form\b[^>]*>/g)].map(([form]) => form).filter((form) => form.includes('method="get"'));
  const asked = forms.map((form) => form.match(/action="([^"#]+)/)?.[1]).filter(Boolean);
  for (const each of [...links, ...asked]) {
    const { href } = new URL(each.replaceAll("&amp;", "&"), `${root}${path}`);
    if (href.startsWith(`${root}/`) && !again.test(each)) waiting.push(href.slice(root.length));
  }
}
const study = await server.ask("GET", "/workshop/study?board=wwwme/wwmme%2Ba2-b1", { headers: { "accept-language": "en" } });
await server.close();
console.log(JSON.stringify({ answers, study: { status: study.status, text: study.text } }));
process.exit(0);
