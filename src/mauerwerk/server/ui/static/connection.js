// Keeps a table connected: says when the connection is lost, connects again at once when the network
// is back, and then sends what was chosen meanwhile.

"use strict";

{
  const AGAIN = 1000;
  let lost = false;
  let kept = null; // the choice that did not get through: where it goes, and all that it says
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
      const heard = document.getElementById("chat")?.dataset.last;
      if (heard) url.searchParams.set("heard", heard);
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
    const { path, parameters } = event.detail.requestConfig;
    if (path.endsWith("/move")) kept = { path, values: { ...parameters } };
    show("kept", Boolean(kept));
    // The stream may not have noticed anything. Once it is open, the choice is sent.
    if (stream?.readyState === EventSource.OPEN) setTimeout(() => lost && stream.dial(), AGAIN);
  });

  document.addEventListener("htmx:sseOpen", () => {
    if (!lost) return;
    lost = false;
    show("lost", false);
    show("kept", false);
    show("back", true);
    setTimeout(() => show("back", false), 2500);
    // As it was chosen, also if a moment plays now: the server knows whether it comes too late.
    const { path, values } = kept ?? {};
    kept = null;
    if (path) htmx.ajax("POST", path, { source: "#live", values });
  });
  // Whatever is chosen now replaces what was kept.
  document.addEventListener("htmx:afterOnLoad", () => {
    kept = null;
  });
}
