// A big screen does not go to sleep while a game runs on it.

"use strict";

(() => {
  let lock = null;
  const stay = async () => {
    const runs = document.querySelector("main.screenpage:not(.over)");
    try {
      if (runs && document.visibilityState === "visible") lock ??= await navigator.wakeLock?.request("screen");
      else if (lock) await lock.release().then(() => (lock = null));
      lock?.addEventListener("release", () => (lock = null), { once: true });
    } catch { /* the browser does not want to; the screen may sleep */ }
  };
  document.addEventListener("visibilitychange", stay);
  document.addEventListener("htmx:afterSettle", stay);
  stay();
})();
