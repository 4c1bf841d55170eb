// Games from a file take the place of those in this browser; the page around this one does that.

"use strict";

document.getElementById("bring")?.addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file || !parent.pocket) return;
  const brought = await parent.pocket.replace(new Uint8Array(await file.arrayBuffer()));
  document.getElementById("not-brought").hidden = brought;
  target.value = "";
});
