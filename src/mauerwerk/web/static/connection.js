// Keeps a table connected: says when the connection is lost, connects again at once when the network
// is back, and then sends what was chosen meanwhile.

"use strict";

{
  let lost = false;
  let kept = null; // what did not get through: a word, and the picture that it answers
  let stream = null;

  // A stream that can be dialled again at any time, and then begins after the page's own picture.
  class Stream {
    constructor(url) {
      this.url = url;
      this.heard = [];
      this.dial();
    }

    get readyState() {
      return this.source.readyState;
    }

    dial() {
      this.close();
      const url = new URL(this.url, location.href);
      url.searchParams.set("after", ofPage());
      this.source = new EventSource(url);
      this.source.onopen = (event) => this.onopen?.(event);
      this.source.onerror = (event) => this.onerror?.(event);
      for (const each of this.heard) this.source.addEventListener(...each);
    }

    addEventListener(...each) {
      this.heard.push(each);
      this.source.addEventListener(...each);
    }

    removeEventListener(name, handler) {
      this.heard = this.heard.filter((each) => each[1] !== handler);
      this.source.removeEventListener(name, handler);
    }

    close() {
      this.source?.close();
    }
  }

  if (window.htmx) htmx.createEventSource = (url) => (stream = new Stream(url));

  function lose() {
    lost = true;
    show("lost", true);
    show("back", false);
  }

  document.addEventListener("htmx:sseError", lose);
  addEventListener("offline", lose);
  addEventListener("online", () => stream?.dial());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && stream?.readyState !== EventSource.OPEN) stream?.dial();
  });

  document.addEventListener("htmx:sendError", (event) => {
    lose();
    const { elt, requestConfig } = event.detail;
    if (elt.id === "move") kept = { word: requestConfig.parameters.word, number: ofPage() };
    show("kept", Boolean(kept));
  });

  document.addEventListener("htmx:sseOpen", () => {
    if (!lost) return;
    lost = false;
    show("lost", false);
    show("kept", false);
    show("back", true);
    setTimeout(() => show("back", false), 2500);
    const { word, number } = kept ?? {};
    kept = null;
    if (number === ofPage()) choose(word);
  });
  // Whatever is chosen now replaces what was kept.
  document.addEventListener("htmx:afterOnLoad", () => {
    kept = null;
  });
}
