// Works beside all pages: shows notifications while no page is open, and pages while there is no network.
// Pages come from the server first, so that none is out of date.

"use strict";

const { version, root, files, pages, icon, badge } = KNOWN;
const STORE = `mauerwerk-${version}`;
const KEPT = `${root}kept`; // says in a store that all pages are kept
const PATIENCE = 5000;
const place = (url) => url.pathname.slice(root.length);
const store = () => caches.open(STORE);

// --- Versions --------------------------------------------------------------------------------

// Each on its own: one that is missing must not lose the others. What is kept names nobody, since
// others may read it on this device later.
async function keep(paths) {
  const here = await store();
  await Promise.allSettled(paths.map(async (path) => {
    const answer = await fetch(path, { headers: { "x-kept": "1" } });
    if (answer.ok && !answer.redirected) await keepPage(here, path, answer);
  }));
}

// A page is kept with the files that it names.
async function keepPage(here, path, answer) {
  const copy = answer.clone();
  await here.put(path, answer);
  if (!(copy.headers.get("content-type") ?? "").includes("html")) return;
  const named = (await copy.text()).matchAll(/(?:href|src|data-path)="([^"]*\/static\/[^"]+)"/g);
  const wanted = [...new Set([...named].map((each) => each[1].replaceAll("&amp;", "&")))];
  await Promise.allSettled(wanted.map(async (file) => (await here.match(file)) ?? here.add(file)));
}

async function keepAll() {
  await keep(pages);
  await (await store()).put(KEPT, new Response("yes"));
}

// Pages follow the language and the theme that their reader has chosen since they were kept.
async function follow(look) {
  const here = await store();
  const text = await (await here.match(`${root}offline`))?.text();
  if (text?.includes(`<html ${look}>`)) return;
  const paths = (await here.keys()).map((each) => new URL(each.url)).filter((url) => !place(url).startsWith("static/"));
  await keep([`${root}offline`, ...paths.map((url) => url.pathname).filter((path) => path !== KEPT && path !== `${root}offline`)]);
}

async function install() {
  const before = await caches.match(KEPT);
  await keep([...files, `${root}offline`]);
  if (before) await keepAll();
  await skipWaiting();
}

async function activate() {
  const others = (await caches.keys()).filter((name) => name.startsWith("mauerwerk-") && name !== STORE);
  await Promise.all(others.map((name) => caches.delete(name)));
  // An older worker switched it on. Firefox then shows a page of its own where there is no network.
  await registration.navigationPreload?.disable();
  await clients.claim();
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("message", (event) => {
  if (event.data === "keep") {
    event.waitUntil((async () => {
      if (!(await (await store()).match(KEPT))) await keepAll();
      event.ports[0]?.postMessage("kept");
    })());
  } else if (event.data.look) event.waitUntil(follow(event.data.look));
});

// --- Without a network -----------------------------------------------------------------------

const KEEPS = /^(rules|learn|real)(\/|$)/;
const DATA = /^real\/.*\.json$/;
const LESSON = /^learn\/([^/]+)\/(\d+)$/;

async function file(request) {
  const here = await store();
  const known = await here.match(request);
  if (known) return known;
  const answer = await fetch(request);
  if (answer.ok) here.put(request, answer.clone());
  return answer;
}

// What was kept of a page; a sheet is filled in by its own script, from its address.
async function kept(url) {
  const here = await store();
  return (await here.match(url.pathname)) ?? (await here.match(`${root}offline`)) ?? Response.error();
}

async function page(event, url) {
  const ours = KEEPS.test(place(url));
  const late = new Promise((_, fail) => ours && setTimeout(fail, PATIENCE));
  try {
    const answer = await Promise.race([fetch(event.request), late]);
    // A sheet is kept as it is when nothing is on it.
    if (ours && answer.ok && !answer.redirected && !(url.search && place(url).startsWith("real/"))) {
      event.waitUntil(keep([url.pathname]).catch(() => {}));
    }
    return answer;
  } catch {
    return kept(url);
  }
}

// A lesson knows the move that it waits for, and what it says to others. A page's script asks for
// the part of a stop that changes.
async function stop(request, url) {
  const again = request.clone();
  try {
    return await fetch(request);
  } catch {
    const [, game, number] = LESSON.exec(place(url));
    const here = await store();
    const whole = !again.headers.has("hx-request");
    let path = url.pathname;
    let said = "";
    if (again.method === "POST") {
      const word = new URLSearchParams(await again.text()).get("word");
      const words = await here.match(`${root}learn/${game}/words.json`);
      const { word: right, answers } = (await words?.json())?.[number] ?? {};
      if (word === right) path = `${root}learn/${game}/${Number(number) + 1}`;
      else if (answers) said = `<p class="answer" id="answer">${answers[word] ?? answers["*"] ?? ""}</p>`;
      if (whole && word === right) return Response.redirect(path, 303);
    }
    const known = await (await here.match(path))?.text();
    if (!known) return Response.error();
    const shown = known.replace('<form class="move"', (form) => said + form);
    const html = whole ? shown : /<main[^]*<\/main>/.exec(shown)[0];
    return new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } });
  }
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin || !url.pathname.startsWith(root)) return;
  if (request.method === "GET" && place(url).startsWith("static/")) event.respondWith(file(request));
  else if (request.method === "GET" && (request.mode === "navigate" || DATA.test(place(url)))) event.respondWith(page(event, url));
  else if (LESSON.test(place(url))) event.respondWith(stop(request, url));
});

// --- Notifications ---------------------------------------------------------------------------

async function show(notification) {
  const shown = await registration.getNotifications();
  // Two or more become one.
  if (notification.tag === "games") for (const each of shown) each.close();
  await registration.showNotification(notification.title, {
    body: notification.body,
    tag: notification.tag,
    icon,
    badge,
    data: { path: notification.path },
    actions: [
      { action: "play", title: notification.play },
      { action: "later", title: notification.later },
    ],
  });
  await navigator.setAppBadge?.(notification.count).catch(() => {});
}

async function open(path) {
  const url = new URL(root.replace(/\/$/, "") + path, location.href).href;
  const all = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = all.find((each) => each.url.split(/[?#]/)[0] === url);
  return there ? there.focus() : clients.openWindow(url);
}

addEventListener("push", (event) => event.waitUntil(show(event.data.json())));
addEventListener("notificationclick", (event) => {
  event.notification.close();
  if (event.action === "later") {
    event.waitUntil(fetch(`${root}notifications/snooze`, { method: "POST", body: new URLSearchParams({ later: "1" }) }));
  } else event.waitUntil(open(event.notification.data.path));
});
