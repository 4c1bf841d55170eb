"""The devices on which a person is known: their list, signing them out, and links for new ones."""

import secrets
import time
from io import BytesIO
from typing import Final

import segno
from markupsafe import Markup

from mauerwerk.core.game import Value
from mauerwerk.server.features.accounts import store
from mauerwerk.server.features.accounts.browser import browser_of
from mauerwerk.server.features.accounts.sign_in import guest_of, known_on_this_device
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import cookie_in, device_cookie, set_cookie, without_guest
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.dates import DAY, day_of
from mauerwerk.server.ui.page import Form, PageRequest, html_reply

JOINING: Final = "mauerwerk-joining"
"""The cookie of a device that asks to join."""

SECONDS: Final = 60 * store.MINUTES


class DeviceLine(Value):
    """A device in the list."""

    id: str
    label: str
    phone: bool
    here: bool
    seen: str


class PasskeyLine(Value):
    """A passkey in the list."""

    id: str
    label: str
    used: str


class Devices(Value):
    """What the section about devices shows."""

    lines: tuple[DeviceLine, ...]
    passkeys: tuple[PasskeyLine, ...]
    link: store.DeviceLink | None
    """A device that asks to join."""

    person: store.Person | None


async def gather(request: PageRequest, guest: Guest) -> Devices:
    """The devices of a guest; only this one, where they keep nothing."""
    device = request.identity.device
    now = int(time.time() * 1_000)

    database = request.host.store
    person, link, passkeys = await store.devices_of(database, guest.id)
    here = browser_of(request)
    known = person.devices if person else ()
    if any(each.id == device and now - each.seen > DAY for each in known):
        await store.see_device(database, device)
    return Devices(
        lines=(
            DeviceLine(device, here.label, here.phone, here=True, seen=request.language("now")),
            *(
                DeviceLine(
                    each.id,
                    each.label,
                    each.phone,
                    here=False,
                    seen=_seen(each.seen, now, request),
                )
                for each in known
                if each.id != device
            ),
        ),
        passkeys=tuple(
            PasskeyLine(each.id, each.label, _seen(used, now, request)) for each, used in passkeys
        ),
        link=link if link and link.state == store.ASKED else None,
        person=person,
    )


def _seen(at: int, now: int, request: PageRequest) -> str:
    days = now // DAY - at // DAY
    if days <= 0:
        return request.language("today")
    if days == 1:
        return request.language("yesterday")
    return day_of(at, now, request.language)


# --- Signing out -----------------------------------------------------------------------------


async def remove_passkey(request: PageRequest, form: Form) -> Response:
    """Remove a passkey, such as that of a device that is lost."""
    guest, passkey = guest_of(request), form.get("passkey", "")
    await store.drop_passkey(request.host.store, guest.id, passkey)
    return redirect("/me#devices")


async def sign_out(request: PageRequest, form: Form) -> Response:
    """Sign out one device: its cookie is not valid from now on, on any server."""
    guest, device = guest_of(request), form.get("device", "")
    here = device == request.identity.device
    if device:
        await store.sign_out(request.host.store, guest.id, device)
    return redirect("/" if here else "/me", [without_guest(request)] if here else [])


async def log_out_everywhere(request: PageRequest, form: Form) -> Response:
    """Make every cookie, token and personal link invalid but the cookie of this device."""
    del form
    guest, here = guest_of(request), browser_of(request)
    request.app.limiter.guest(request.client)
    database = request.host.store
    device, mailed = await store.log_out_elsewhere(database, guest.id, here.label, phone=here.phone)
    cookie = device_cookie(request, guest, device)
    return redirect("/me?alone=mail" if mailed else "/me?alone=1", [cookie])


# --- Another device, on the first ------------------------------------------------------------


async def open_link(request: PageRequest, form: Form) -> Response:
    """A link for another device, and a picture of it; this page shows it once."""
    del form
    guest = guest_of(request)
    request.app.limiter.guest(request.client)
    headers = await known_on_this_device(request, guest)
    token = await store.open_link(request.host.store, guest)
    link = request.address(f"/me/join/{token}")
    return request.render(
        "accounts/add_device.html", headers=headers, link=link, picture=_picture(link), asks=None
    )


def _picture(link: str) -> Markup:
    picture = BytesIO()
    segno.make(link, micro=False).save(
        picture, kind="svg", xmldecl=False, border=4, scale=8, light="white", svgclass="qr"
    )
    return Markup(picture.getvalue().decode())  # noqa: S704 - drawn here


async def see_link(request: PageRequest) -> Response:
    """Whether another device asks: a part of the page that is looked at again and again."""
    guest = guest_of(request)
    link = await store.link_of(request.host.store, guest.id)
    asks = link if link and link.state == store.ASKED else None
    return html_reply(request.text("accounts/asks.html", asks=asks, over=link is None))


async def answer_link(request: PageRequest, form: Form) -> Response:
    """Let the other device in that shows this number, or not."""
    guest, code = guest_of(request), form.get("code", "")
    if form.get("allow") == "1" and code:
        await store.allow(request.host.store, guest.id, code)
    else:
        await store.close_links(request.host.store, guest.id)
    return redirect("/me?joined=1" if form.get("allow") == "1" else "/me")


# --- Another device, on the new one ----------------------------------------------------------


async def show_join(request: PageRequest) -> Response:
    """Whom this browser can become, or the number to compare."""
    token, browser = request.path_params["token"], cookie_in(request, JOINING)
    link, ours = await store.link_and_owner(request.host.store, token, browser)
    if link is None or (link.state != store.OPEN and not ours):
        raise HttpError(404, "this link no longer works", code="link")
    return request.render("accounts/join.html", link=link, token=token, asked=ours)


async def join(request: PageRequest, form: Form) -> Response:
    """Ask to become a device of the person whose link this is."""
    del form
    request.app.limiter.guest(request.client)
    token, browser = request.path_params["token"], secrets.token_urlsafe(24)
    here = browser_of(request)
    database = request.host.store
    asked = await store.ask(database, token, browser, here.label, phone=here.phone)
    headers = [set_cookie(request, JOINING, browser, SECONDS, strict=True)] if asked else []
    return redirect(f"/me/join/{token}", headers)


async def enter(request: PageRequest, form: Form) -> Response:
    """Become that device once it was let in; until then, nothing happens."""
    del form
    token, browser = request.path_params["token"], cookie_in(request, JOINING)
    database = request.host.store
    link, ours = await store.link_and_owner(database, token, browser)
    link = link if ours else None
    headers: list[Header] = []
    allowed = link is not None and link.state == store.ALLOWED
    if allowed and (entered := await store.enter(database, token, browser)):
        headers = [
            device_cookie(request, *entered),
            set_cookie(request, JOINING, "", 0, strict=True),
        ]
    target = "/me" if headers else f"/me/join/{token}"
    if request.morphs:
        if link and not headers:
            return html_reply("", 204)
        where = f"{request.prefix}{target}".encode("latin-1")
        return html_reply("", headers=[*headers, (b"hx-redirect", where)])
    return redirect(target, headers)
