// The settings of notifications: asks the browser for leave, and tells the server of this device.

"use strict";

{
  const home = document.querySelector("a.brand").getAttribute("href");
  const post = (path, fields = {}) =>
    fetch(path, { method: "POST", body: new URLSearchParams(fields), headers: { accept: "application/json" } });
  const deny = (yes) => document.getElementById("denied")?.toggleAttribute("hidden", !yes);

  async function allowed() {
    const yes = window.Notification && (await Notification.requestPermission()) === "granted";
    deny(!yes);
    return yes;
  }

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
  const said = (key) => btoa(String.fromCharCode(...new Uint8Array(key))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

  async function subscribe(box, key) {
    const worker = await navigator.serviceWorker.ready;
    const before = await worker.pushManager.getSubscription();
    if (!box.checked) {
      if (before) await post(`${home}me/notifications/device/remove`, { endpoint: before.endpoint });
      await before?.unsubscribe();
      return;
    }
    if (!(await allowed())) {
      box.checked = false;
      return;
    }
    const made = before ?? (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) }));
    box.checked = await tell(made);
  }

  // The server may have forgotten it, or know the device by another name now.
  async function tell(made) {
    const fields = { endpoint: made.endpoint, key: said(made.getKey("p256dh")), auth: said(made.getKey("auth")) };
    return (await post(`${home}me/notifications/device`, fields)).ok;
  }

  let renewed = false;
  async function settle() {
    const zone = document.querySelector("#notifications input[name=zone]");
    if (zone) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
    const pushes = document.getElementById("pushes");
    if (!pushes) return;
    const worker = await navigator.serviceWorker?.getRegistration();
    pushes.toggleAttribute("hidden", !worker?.pushManager);
    const made = await worker?.pushManager?.getSubscription();
    pushes.querySelector("input").checked = Boolean(made) && (renewed ||= await tell(made));
  }

  document.addEventListener("change", async (event) => {
    const box = event.target;
    if (box.closest("#pushes")) {
      event.stopPropagation();
      await subscribe(box, box.closest("#pushes").dataset.key).catch(() => {
        box.checked = false;
        deny(true);
      });
    } else if (box.matches("#notifications input[name=browser]")) {
      if (box.checked && !(await allowed())) {
        box.checked = false;
        box.dispatchEvent(new Event("change", { bubbles: true }));
      } else document.body.toggleAttribute("data-notifications", box.checked);
    }
  }, true);
  document.addEventListener("htmx:afterSettle", settle);
  settle();
}
