// Chat at a table: the tab beside the story, on phones a sheet; what is said is shown at the
// speaker's seat for a while. Who is muted only this browser knows, for as long as the game lasts.

"use strict";

{
  const SHOWN = 6000;
  const PRESS = 500;
  const byId = (id) => document.getElementById(id);
  const all = (each, within = document) => [...within.querySelectorAll(each)];
  const words = () => byId("bubbles").dataset;
  const here = `mauerwerk-muted-${location.pathname.split("/").at(-1)}`;
  const EVERYBODY = "*";
  const phone = matchMedia("(max-width: 1099px)");
  const unread = { players: 0, spectators: 0 };
  let muted = new Set(kept(here)?.split(" ") ?? []);
  let again = null; // the form and button of what was not sent

  // A browser may refuse to keep anything; then it lasts as long as the page.
  function kept(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  }
  function keep(name, value) {
    try {
      if (value) localStorage.setItem(name, value);
      else localStorage.removeItem(name);
    } catch {
      /* as above */
    }
  }

  const isMuted = (line) => !("mine" in line.dataset) && (muted.has(EVERYBODY) || muted.has(line.dataset.by));
  const open = () => all("#tabs [role=tab]").find((tab) => tab.ariaSelected === "true") ?? byId("tab-told");
  const side = () => open()?.id.replace("tab-", "");
  const shut = () => phone.matches && !root.classList.contains("chatopen");

  // --- Tabs ----------------------------------------------------------------------------------

  function select(tab, focus = false) {
    for (const each of all("#tabs [role=tab]")) {
      each.ariaSelected = String(each === tab);
      each.tabIndex = each === tab ? 0 : -1;
    }
    if (focus) tab.focus();
    show();
    if (!phone.matches) byId("story").scrollIntoView({ block: "nearest" });
  }

  // What the picture before had open is open in the next one, too.
  function show() {
    const story = byId("story");
    if (!story || !byId("tabs")) return;
    story.dataset.tab = side();
    byId("open-chat")?.setAttribute("aria-expanded", String(root.classList.contains("chatopen")));
    if (side() in unread && !shut() && !document.hidden) unread[side()] = 0;
    for (const [name, number] of Object.entries(unread)) count(byId(`tab-${name}`)?.querySelector(".dot"), number);
    count(byId("open-chat")?.querySelector(".dot"), unread[byId("chat")?.dataset.speaks] ?? 0);
    hide();
    for (const list of all("#chat .msgs")) {
      list.parentElement.querySelector(".empty")?.toggleAttribute("hidden", Boolean(list.children.length));
      list.scrollTop = list.scrollHeight;
    }
    place();
  }

  function count(dot, number) {
    dot?.toggleAttribute("hidden", !number);
    if (dot) dot.textContent = number || "";
  }

  function chat(opens) {
    root.classList.toggle("chatopen", opens);
    if (opens) {
      const name = byId("chat")?.dataset.speaks ?? "players";
      select(byId(`tab-${name}`));
      byId(`chat-${name}`)?.querySelector("input[type=text], .reaction, .msgs")?.focus();
    } else {
      show();
      const board = seen("#move .btn.brick") ?? seen("#live :is([data-word], [data-opens])") ?? byId("prompt");
      if (phone.matches) byId("open-chat")?.focus();
      else board?.focus({ preventScroll: true });
    }
  }

  // --- Muting --------------------------------------------------------------------------------

  function mute(by, on) {
    if (by === EVERYBODY || !on) muted = new Set(on ? [EVERYBODY] : by === EVERYBODY ? [] : [...muted].filter((each) => each !== by));
    else muted.add(by);
    keep(here, [...muted].join(" "));
    show();
  }

  function hide() {
    for (const section of all("#chat .speech")) {
      const hidden = all(".said", section).filter((line) => line.toggleAttribute("hidden", isMuted(line)));
      const row = section.querySelector(".mutedline");
      row?.toggleAttribute("hidden", !muted.size);
      if (!row || !muted.size) continue;
      const names = [...new Set(all(".said", section).filter(isMuted).map((line) => line.dataset.name))];
      const who = muted.has(EVERYBODY) || !names.length ? words().silent : words().muted.replace("{who}", names.join(", "));
      const number = hidden.length === 1 ? words().one : words().many.replace("2", hidden.length);
      row.querySelector("span").textContent = hidden.length ? `${who} ${number}` : who;
    }
  }

  // One entry of the menu: what it does, and what that means.
  function entry(icon, text, more, does) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "entry" });
    const sign = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    sign.setAttribute("viewBox", "0 0 24 24");
    sign.setAttribute("class", "ic");
    sign.setAttribute("aria-hidden", "true");
    sign.append(document.createElementNS("http://www.w3.org/2000/svg", "use"));
    sign.firstChild.setAttribute("href", `#${icon}`);
    const told = document.createElement("span");
    told.append(Object.assign(document.createElement("b"), { textContent: text }));
    if (more) told.append(Object.assign(document.createElement("small"), { textContent: more }));
    button.append(sign, told);
    button.addEventListener("click", () => {
      close(byId("chat-menu"));
      does();
    });
    return button;
  }

  const textOf = (line) => line.querySelector(".words")?.textContent ?? line.querySelector(".inface").ariaLabel;

  function offer(chosen) {
    const others = all(`#chat-${side()} .said:not([data-mine])`);
    const about = chosen ? [chosen] : others;
    const people = new Map(about.map((line) => [line.dataset.by, line.dataset.name]));
    const entries = [...people].map(([by, name]) => {
      const off = muted.has(by);
      return entry("i-mute", (off ? words().unmute : words().mute).replace("{who}", name), off ? "" : words().alone, () => mute(by, !off));
    });
    const silent = muted.has(EVERYBODY);
    if (!chosen) entries.push(entry("i-mute", silent ? words().none : words().all, "", () => mute(EVERYBODY, !silent)));
    for (const line of about.slice(-3).reverse()) {
      entries.push(entry("i-flag", words().report.replace("{words}", textOf(line).slice(0, 40)), words().reads, () => report(line)));
    }
    byId("chat-menu").querySelector(".muting").replaceChildren(...entries);
  }

  function about(line) {
    if (!line || "mine" in line.dataset) return;
    byId("chat-menu").open = true;
    offer(line);
    byId("chat-menu").querySelector(".entry")?.focus();
  }

  // --- Saying --------------------------------------------------------------------------------

  const post = (path, fields) =>
    fetch(path, { method: "POST", body: new URLSearchParams(fields), headers: { "HX-Request": "true" } });

  function tell(text, retry = false) {
    const row = byId(`chat-${side()}`)?.querySelector(".refusal");
    if (!row) return;
    row.querySelector("span").textContent = text;
    row.querySelector("[data-again]").hidden = !retry;
    row.hidden = !text;
  }

  async function say(form, button) {
    const fields = new FormData(form, button);
    again = { form, button };
    for (const each of all("#chat .pops[open]")) each.open = false;
    let answer;
    try {
      answer = await post(form.action, fields);
    } catch {
      return tell(words().lost, true);
    }
    const said = await answer.text();
    if (!answer.ok) return tell(said);
    again = null;
    tell("");
    if (form.elements.text) form.elements.text.value = "";
    return hear(said);
  }

  async function report(line) {
    try {
      const answer = await post(`${location.pathname}/chat/report`, { number: line.dataset.message });
      tell(answer.ok ? words().reported : await answer.text());
    } catch {
      tell(words().lost);
    }
  }

  // --- Hearing -------------------------------------------------------------------------------

  function hear(html) {
    const told = new DOMParser().parseFromString(`<ul>${html}</ul>`, "text/html");
    for (const line of all(".said", told)) {
      const list = byId(`chat-${line.dataset.side}`)?.querySelector(".msgs");
      if (!list || byId(line.id)) continue;
      list.append(document.importNode(line, true));
      const chat = byId("chat");
      chat.dataset.last = Math.max(Number(chat.dataset.last), Number(line.dataset.message));
      if (isMuted(line)) continue;
      if (!("mine" in line.dataset)) {
        unread[line.dataset.side] += 1;
        overhear(line);
      }
      bubble(line);
    }
    localise();
    show();
  }

  function overhear(line) {
    if (!byId("aloud")?.checked) return;
    const said = Object.assign(document.createElement("p"), { textContent: `${line.dataset.name}: ${textOf(line)}` });
    byId("overheard").append(said);
    setTimeout(() => said.remove(), SHOWN);
  }

  const seatOf = (mark) => document.querySelector(`[data-speaks-for="${mark - 1}"], #seat-${mark - 1}`);

  function bubble(line) {
    if (!line.dataset.mark || !seatOf(line.dataset.mark)) return;
    for (const each of all(`.bubble[data-mark="${line.dataset.mark}"]`)) each.remove();
    const said = Object.assign(document.createElement("div"), { className: "bubble" });
    said.dataset.mark = line.dataset.mark;
    const face = line.querySelector(".inface svg");
    said.append(face ? document.importNode(face, true) : textOf(line));
    byId("bubbles").append(said);
    place();
    setTimeout(() => said.remove(), SHOWN);
  }

  // Beside the name of the seat, over no part of the board that is the speaker's alone; nowhere, while
  // the seat is behind the chat.
  function place() {
    const sheet = phone.matches && !shut() ? byId("story")?.getBoundingClientRect() : null;
    for (const each of all(".bubble")) {
      const seat = seatOf(each.dataset.mark);
      const box = seat?.getBoundingClientRect();
      each.hidden = !(seat && isShown(seat)) || Boolean(sheet && box.bottom > sheet.top && box.right > sheet.left);
      if (each.hidden) continue;
      const beside = box.width > 250 && box.height < 100;
      each.classList.toggle("below", !beside);
      const right = beside ? box.right - 52 - each.offsetWidth : box.left + 10;
      each.style.left = `${Math.max(6, Math.min(right, innerWidth - each.offsetWidth - 6))}px`;
      each.style.top = `${Math.max(6, beside ? box.top + (box.height - each.offsetHeight) / 2 : Math.min(box.bottom - 14, box.top + 40))}px`;
    }
  }
  addEventListener("resize", place);
  addEventListener("scroll", place, { passive: true, capture: true });

  function localise() {
    for (const time of all("time[data-said]:not([datetime])")) {
      const at = new Date(Number(time.dataset.said));
      time.dateTime = at.toISOString();
      time.textContent = at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    }
  }

  // --- Events --------------------------------------------------------------------------------

  document.addEventListener("htmx:sseBeforeMessage", (event) => {
    if (event.target.id !== "overheard") return;
    event.preventDefault();
    hear(event.detail.data);
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("#chat form.say")) return;
    event.preventDefault();
    say(event.target, event.submitter);
  }, true);

  document.addEventListener("click", (event) => {
    const tab = event.target.closest("#tabs [role=tab]");
    if (tab) {
      if (phone.matches && tab.id !== "tab-told") root.classList.add("chatopen");
      select(tab);
    } else if (event.target.closest("#open-chat")) chat(!root.classList.contains("chatopen"));
    else if (event.target.closest("[data-shut]")) chat(false);
    else if (event.target.closest("[data-unmute]")) mute(EVERYBODY, false);
    else if (event.target.closest("[data-again]") && again) say(again.form, again.button);
  });
  document.addEventListener("toggle", (event) => {
    if (event.target.id === "chat-menu" && event.target.open && !event.target.querySelector(".entry:focus")) offer();
  }, true);

  let pressed = null;
  document.addEventListener("pointerdown", (event) => {
    const line = event.target.closest(".said");
    clearTimeout(pressed);
    if (line) pressed = setTimeout(about, PRESS, line);
  });
  for (const name of ["pointerup", "pointercancel", "pointermove"]) document.addEventListener(name, () => clearTimeout(pressed));
  document.addEventListener("contextmenu", (event) => {
    const line = event.target.closest(".said:not([data-mine])");
    if (!line) return;
    event.preventDefault();
    about(line);
  });

  // Before the page's own keys: Escape closes first what is open over the chat.
  function key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || !byId("tabs") || document.querySelector("dialog[open]")) return;
    const tab = event.target.closest?.("#tabs [role=tab]");
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (tab && step) {
      const tabs = all("#tabs [role=tab]");
      select(tabs.at((tabs.indexOf(tab) + step) % tabs.length), true);
      event.preventDefault();
    } else if (event.key === "Escape" && !opened().length && (event.target.closest?.("#chat, #tabs") || !shut() && phone.matches)) {
      chat(false);
    } else if (event.key.toLowerCase() === "t" && !event.target.matches("input, textarea, select")) {
      chat(true);
      event.preventDefault();
    }
  }
  document.addEventListener("keydown", key, true);

  document.addEventListener("change", (event) => {
    if (event.target.id === "aloud") keep("mauerwerk-quiet", event.target.checked ? "" : "1");
  });

  function ready() {
    if (kept("mauerwerk-quiet") && byId("aloud")) byId("aloud").checked = false;
    // Now that the game is over, players hear the spectators, too.
    const ended = document.querySelector("main.ended") && byId("chat")?.dataset.last && !("over" in byId("chat").dataset);
    if (ended) {
      byId("chat").dataset.over = "";
      htmx.ajax("GET", `${location.pathname}/chat${location.search}`, { target: "#chat", swap: "outerHTML" });
    }
    localise();
    show();
  }
  document.addEventListener("htmx:afterSettle", ready);
  document.addEventListener("visibilitychange", show);
  ready();
  // What was done, and said, before this script was here.
  document.addEventListener("missed-chat", ({ detail: event }) => {
    if (event.type === "click") event.target.closest("button, summary")?.click();
    else if (event.type === "keydown") key(event);
    else hear(event.detail.data);
  });
}
