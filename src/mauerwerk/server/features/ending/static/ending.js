// The end of a game: the focus goes to "Play again", and what can be shared is handed to the device.

"use strict";

// --- The focus -------------------------------------------------------------------------------

let over = false;

// Whether the end is shown for the first time. Then the focus goes to what can be pressed next, but
// it is not taken from somebody who types.
function greet() {
  const end = document.querySelector("main.ended");
  const isNew = Boolean(end) && !over;
  over = Boolean(end);
  const typing = document.activeElement?.closest("input, textarea, select, #menu[open]");
  if (isNew && !typing) document.getElementById("again")?.focus({ preventScroll: true });
  return isNew;
}

// On a page that shows it from the beginning, nothing has happened that would have to be said.
let isNews = greet() && !later.over;
document.addEventListener("ended", () => {
  if (isNews || greet()) document.getElementById("said").textContent = document.getElementById("share").dataset.text;
  isNews = false;
});
document.addEventListener("htmx:afterSettle", () => {
  over &&= Boolean(document.querySelector("main.ended")); // taken back
});

// --- Sharing ---------------------------------------------------------------------------------

// The picture as devices send pictures: a PNG, twice as large as it is drawn.
async function photograph(address) {
  const drawn = new Image();
  drawn.src = address;
  await drawn.decode();
  const canvas = Object.assign(document.createElement("canvas"), {
    width: 2 * drawn.naturalWidth,
    height: 2 * drawn.naturalHeight,
  });
  canvas.getContext("2d").drawImage(drawn, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

const named = (link) => link.download.replace(/svg$/, "png");

// A device with a sheet for sharing takes link and picture.
async function share(menu) {
  const link = menu.querySelector("#picture");
  const said = { title: menu.dataset.title, text: menu.dataset.text, url: menu.querySelector("#link").value };
  const picture = await photograph(link.href).catch(() => null);
  const files = picture ? [new File([picture], named(link), { type: "image/png" })] : [];
  if (files.length && navigator.canShare?.({ ...said, files })) said.files = files;
  await navigator.share(said).catch(() => {});
}

document.addEventListener("click", async (event) => {
  const menu = document.getElementById("share");
  if (!menu) return;
  if (!menu.contains(event.target)) menu.open = false;
  else if (event.target.closest("#hand-on")) share(menu);
  else if (event.target.closest("#picture")) {
    event.preventDefault();
    const link = event.target.closest("#picture");
    const picture = await photograph(link.href).catch(() => null);
    const kept = picture ? URL.createObjectURL(picture) : link.href;
    Object.assign(document.createElement("a"), { href: kept, download: picture ? named(link) : link.download }).click();
    if (picture) setTimeout(() => URL.revokeObjectURL(kept), 10_000);
  }
});
document.addEventListener("keydown", (event) => {
  const menu = document.getElementById("share");
  if (event.key !== "Escape" || !menu?.open) return;
  menu.open = false;
  menu.firstElementChild.focus();
});
