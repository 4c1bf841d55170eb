// What most visits do without, such as the chat, comes when it is first needed: `#later-chat` is a
// template with its style sheet and its script.

"use strict";

const later = (() => {
  const wanted = new Map();
  const parts = (name) => [...(document.getElementById(`later-${name}`)?.content.children ?? [])];
  // What has come is taken out of its template, so that no script ever runs twice.
  const put = (each) => new Promise((done, fail) => {
    const part = document.importNode(each, true);
    part.addEventListener("load", () => done(each.remove()));
    part.addEventListener("error", () => fail(part.remove()));
    document.head.append(part);
  });

  function load(name) {
    if (!wanted.has(name)) {
      const coming = Promise.all(parts(name).map(put));
      wanted.set(name, coming);
      // Without a network it does not come, but maybe the next time.
      coming.catch(() => wanted.delete(name));
    }
    return wanted.get(name);
  }
  // From then on its script hears of everything itself, whether its style sheet is there or not.
  const runs = (name) => !parts(name).some((each) => each.matches("script"));

  // Comes with the first of these events that is for it, and hears of all that it has missed.
  load.at = (name, types, isFor) => {
    const missed = [];
    const first = async (event) => {
      if (runs(name) || !isFor(event) || missed.push(event) > 1) return;
      const came = await load(name).then(() => true, () => false);
      const all = missed.splice(0);
      if (!came) return;
      for (const type of types) document.removeEventListener(type, first, true);
      for (const each of all) document.dispatchEvent(new CustomEvent(`missed-${name}`, { detail: each }));
    };
    for (const type of types) document.addEventListener(type, first, true);
  };
  // How far the server's clock is ahead: what it says has to be read when the page comes.
  const sent = document.querySelector("[data-now]");
  load.ahead = sent ? Number(sent.dataset.now) - Date.now() : 0;
  // Whether the page shows the end from the beginning.
  load.over = Boolean(document.querySelector("main.ended"));
  return load;
})();

{
  const none = () => {};
  const plain = (event) => !event.ctrlKey && !event.altKey && !event.metaKey && !event.target.matches?.("input, textarea, select");
  const isKey = (event, key) => event.type === "keydown" && event.key.toLowerCase() === key && plain(event);

  // --- The chat ------------------------------------------------------------------------------

  later.at("chat", ["click", "keydown", "htmx:sseBeforeMessage"], (event) => {
    if (event.type === "htmx:sseBeforeMessage") return event.target.id === "overheard";
    if (isKey(event, "t")) return Boolean(document.getElementById("tabs"));
    if (event.type !== "click" || !event.target.closest("#tabs, #open-chat")) return false;
    event.preventDefault(); // it is pressed again
    return true;
  });
  if (Number(document.getElementById("chat")?.dataset.last)) later("chat").catch(none);

  // --- Plates of chips -----------------------------------------------------------------------

  later.at("plates", ["click", "keydown"], (event) => {
    const wants = event.type === "click" || event.key === "Enter" || event.key === " ";
    return wants && event.target.closest?.("[data-opens]");
  });

  // --- What only some pictures need ----------------------------------------------------------

  const shows = () => {
    if (document.querySelector("#live [data-opens]")) later("plates").catch(none);
    if (document.querySelector("time:is([data-due], [data-left])")) later("clocks").catch(none);
    if (document.querySelector("#move[data-forced]")) later("ring").then(() => later("forced")).catch(none);
    if (document.querySelector("main.ended")) later("chat").catch(none);
  };
  document.addEventListener("htmx:afterSettle", shows);
  shows();

  // --- Explanations --------------------------------------------------------------------------

  later.at("teach", ["pointerover", "focusin", "click", "keydown"], (event) => isKey(event, "c") || event.target.closest?.("[data-explains]"));

  // --- Moments, which come with the picture that follows them ---------------------------------

  const live = document.getElementById("live");
  const held = []; // what has come since the first of them
  let here = false;

  const moments = () => Promise.all([later("ring"), later("moments")]);
  const hold = async (target, data) => {
    if (held.push([target, data]) > 1) return;
    const came = await moments().then(() => true, () => false);
    here = true; // without them the picture is shown at once
    for (const [to, text] of held.splice(0)) {
      const event = new CustomEvent("htmx:sseBeforeMessage", { detail: { data: text }, bubbles: true, cancelable: true });
      if (!to.dispatchEvent(event)) continue;
      if (to !== live) to.textContent = text;
      else htmx.swap(live, text, { swapStyle: "morph:innerHTML", swapDelay: 0, settleDelay: 0 }, { contextElement: live });
    }
    here = came;
  };
  const isHeld = (text) => !here && (held.length || text.includes('<template class="moment"'));
  document.addEventListener("htmx:sseBeforeMessage", (event) => {
    const text = event.detail.data ?? "";
    if (event.defaultPrevented || !["live", "said"].includes(event.target.id) || !isHeld(text)) return;
    event.preventDefault();
    hold(event.target, text);
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const text = event.detail.serverResponse ?? "";
    if (!event.detail.shouldSwap || numberIn(text) < 0 || !isHeld(text)) return;
    event.detail.shouldSwap = false;
    hold(live, text);
  });
  // They may follow upon any choice.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!here && event.detail.elt.closest?.("#live")) moments().then(() => { here ||= !held.length; }, none);
  });

  // --- The end -------------------------------------------------------------------------------

  const isOver = () => Boolean(document.querySelector("main.ended"));
  if (later.over) later("ending").catch(none);
  document.addEventListener("htmx:afterSettle", () => {
    if (isOver()) later("ending").then(() => document.dispatchEvent(new Event("ended")), none);
  });
}
