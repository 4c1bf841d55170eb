// Tells the reader that it is their turn: in the title, on the icon, as a badge, and by notifications
// while a page is open. What is said comes from the server.

"use strict";

{
  const EVERY = 30000;
  const LATER = 2000; // a page in sight goes first
  const home = document.querySelector("a.brand").getAttribute("href");
  const icon = document.querySelector("link[rel=icon]");
  const plain = icon.getAttribute("href");
  const live = () => document.querySelector("main[data-title]");
  const asked = () => live()?.hasAttribute("data-asked") ?? false;
  const here = () => /\/t\/([^/]+)/.exec(location.pathname)?.[1] ?? "";
  const wanted = () => "notifications" in document.body.dataset;
  const post = (path, fields = {}) =>
    fetch(path, { method: "POST", body: new URLSearchParams(fields), headers: { accept: "application/json" } });

  // --- The tab: a dot until the reader has looked -------------------------------------------

  let looked = !document.hidden;

  function mark() {
    if (!live()) return;
    if (!asked()) looked = false;
    else if (!document.hidden) looked = true;
    const dot = asked() && !looked;
    document.title = (dot ? "● " : "") + live().dataset.title;
    const href = dot ? icon.dataset.path : plain;
    if (icon.getAttribute("href") !== href) icon.setAttribute("href", href);
  }

  // --- What the reader sees, the server need not notify about ---------------------------------

  let told = 0;

  function look() {
    if (!("looks" in document.body.dataset) || !asked() || document.hidden) return;
    if (Date.now() - told < 5000) return;
    told = Date.now();
    post(`${location.pathname}/looked`).catch(() => {});
  }

  function leave() {
    if (document.hidden && asked() && "looks" in document.body.dataset) {
      navigator.sendBeacon(`${location.pathname}/looked`, new URLSearchParams());
    }
  }

  // --- Games that wait -----------------------------------------------------------------------

  const notified = () => JSON.parse(localStorage.getItem("notified") ?? "{}");

  async function show(notification) {
    const options = { body: notification.body, tag: notification.tag, icon: plain, data: { path: notification.path } };
    const worker = await navigator.serviceWorker?.getRegistration();
    if (worker?.active) return worker.showNotification(notification.title, options);
    const shown = new Notification(notification.title, options);
    shown.onclick = () => {
      focus();
      location.assign(home.replace(/\/$/, "") + notification.path);
    };
  }

  // A notification inside the page, while the reader plays at another table.
  function raise(turn) {
    document.getElementById("notified")?.remove();
    const banner = Object.assign(document.createElement("aside"), { id: "notified", className: "notified" });
    banner.innerHTML = turn.banner;
    banner.querySelector("button").addEventListener("click", () => banner.remove());
    document.body.append(banner);
  }

  async function check() {
    if (!wanted() && !matchMedia("(display-mode: standalone)").matches) return;
    if (document.hidden) await new Promise((done) => setTimeout(done, LATER));
    const answer = await fetch(`${home}notifications/waiting`).catch(() => null);
    if (!answer?.ok) return;
    const { count, notification, turns, quiet } = await answer.json();
    if (count) navigator.setAppBadge?.(count).catch(() => {});
    else navigator.clearAppBadge?.().catch(() => {});
    if (quiet && document.hidden) return; // they are fresh in the morning
    const known = notified();
    const fresh = turns.filter((turn) => known[turn.tag] !== turn.turn);
    const elsewhere = fresh.filter((turn) => turn.tag !== here());
    localStorage.setItem("notified", JSON.stringify(Object.fromEntries(turns.map((turn) => [turn.tag, turn.turn]))));
    if (!document.hidden) {
      if (elsewhere.length && wanted()) raise(elsewhere[0]);
    } else if (fresh.length && wanted() && window.Notification?.permission === "granted") {
      await show(turns.length === 1 ? turns[0] : notification);
    }
  }

  function renew() {
    const before = looked;
    mark();
    look();
    if (document.hidden && asked() && !before) check();
  }

  document.addEventListener("htmx:afterSettle", renew);
  document.addEventListener("visibilitychange", () => {
    leave();
    mark();
    look();
    if (!document.hidden) check();
  });
  setInterval(check, EVERY);
  mark();
  look();
  check();
}
