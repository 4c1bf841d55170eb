// Games from a file join those in this browser; the page around this one passes the file on.

"use strict";

document.getElementById("bring")?.addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file || !parent.pocket) return;
  const show = (shown) => {
    for (const id of ["brought", "not-brought", "no-room"]) document.getElementById(id).hidden = id !== shown;
  };
  show();
  target.disabled = true;
  const { games, fault } = await parent.pocket.bring(new Uint8Array(await file.arrayBuffer()));
  target.disabled = false;
  target.value = "";
  const said = document.getElementById("brought-said");
  said.textContent = said.dataset.said.replace("{number}", games);
  show(fault ? "no-room" : games === undefined ? "not-brought" : "brought");
});
