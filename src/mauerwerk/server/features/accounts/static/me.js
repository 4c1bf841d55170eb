// Passkeys: the browser makes or uses one, and a form takes its answer to the server.
(() => {
  "use strict";

  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  // An address in numbers has no name for which a passkey could be made.
  const possible = window.PublicKeyCredential && window.isSecureContext && /[a-z]/i.test(location.hostname) && !location.hostname.includes(":");

  const fromServer = (options) => {
    options.challenge = bytes(options.challenge);
    if (options.user) options.user.id = bytes(options.user.id);
    for (const list of ["excludeCredentials", "allowCredentials"]) {
      for (const each of options[list] || []) each.id = bytes(each.id);
    }
    return options;
  };

  const toServer = (made) => {
    const response = { clientDataJSON: text(made.response.clientDataJSON) };
    for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (made.response[name]) response[name] = text(made.response[name]);
    }
    if (made.response.getTransports) response.transports = made.response.getTransports();
    return JSON.stringify({
      id: made.id, rawId: text(made.rawId), type: made.type, response,
      clientExtensionResults: made.getClientExtensionResults(),
      authenticatorAttachment: made.authenticatorAttachment,
    });
  };

  const wire = (form, ask) => {
    if (!form || !possible) return;
    form.hidden = false;
    const instead = document.getElementById("take-codes");
    if (instead) instead.hidden = true;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const refused = document.getElementById("passkey-refused");
      refused.hidden = true;
      try {
        const answer = await fetch(form.dataset.path, { method: "POST", body: new URLSearchParams() });
        if (!answer.ok) throw new Error(String(answer.status));
        form.credential.value = toServer(await ask(fromServer(await answer.json())));
        form.submit();
      } catch (fault) {
        // There is one on this device, made in another tab: this page is old.
        if (fault.name === "InvalidStateError") return location.assign("?kept=1");
        refused.hidden = false;
        if (instead) instead.hidden = false;
      }
    });
  };

  wire(document.getElementById("make-passkey"), (publicKey) => navigator.credentials.create({ publicKey }));
  wire(document.getElementById("use-passkey"), (publicKey) => navigator.credentials.get({ publicKey }));
})();
