// Counts down by the server's clock, which stood in the page when it was sent.

"use strict";

{
  const HOUR = 3600;
  const DAY = 24 * HOUR;
  const { ahead } = later;
  const two = (number) => String(number).padStart(2, "0");
  const unit = (number, name) =>
    new Intl.NumberFormat(root.lang, { style: "unit", unit: name, unitDisplay: "narrow" }).format(number);

  function said(seconds) {
    if (seconds >= DAY) return `${unit(Math.floor(seconds / DAY), "day")} ${unit(Math.floor((seconds % DAY) / HOUR), "hour")}`;
    const minutes = Math.floor(seconds / 60);
    if (seconds < HOUR) return `${minutes}:${two(seconds % 60)}`;
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
  }

  function tick() {
    const now = Date.now() + ahead;
    for (const time of document.querySelectorAll("time:is([data-due], [data-left])")) {
      const left = time.dataset.due ? Number(time.dataset.due) - now : Number(time.dataset.left);
      const text = said(Math.max(0, Math.round(left / 1000)));
      if (time.textContent !== text) time.textContent = text;
      time.classList.toggle("low", left < Number(time.dataset.low ?? 0));
    }
  }
  setInterval(tick, 500);
  document.addEventListener("htmx:afterSettle", tick);
  tick();
}
