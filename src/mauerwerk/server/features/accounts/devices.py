"""The devices on which a person is known: signing them out, and adding one by a QR code."""

import secrets
import time
from functools import partial
from io import BytesIO
from typing import Final

import segno
from markupsafe import Markup

from mauerwerk.core.game import Value
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts import device_links, store
from mauerwerk.server.features.accounts.browser import browser_of
from mauerwerk.server.features.accounts.device_links import DeviceLink
from mauerwerk.server.features.accounts.sign_in import BY, guest_of, known_on_this_device
from mauerwerk.server.features.accounts.store import Passkey, Person
from mauerwerk.server.features.notifications import subscribers
from mauerwerk.server.http.cookies import cookie_in, device_cookie, set_cookie, without_guest
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.dates import DAY, day_of
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.visitor import Visitor, html_reply

JOINING: Final = "mauerwerk-joining"
"""The cookie of a device that asks to join."""

SECONDS: Final = 60 * device_links.MINUTES


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
    link: DeviceLink | None
    """A device that asks to join."""

    person: Person | None


async def gather(visitor: Visitor, guest: Guest) -> Devices:
    """The devices of a guest; only this one, where they keep nothing."""
    device = visitor.call.caller.device
    now = int(time.time() * 1_000)

    def read(
        transaction: Transaction,
    ) -> tuple[Person | None, DeviceLink | None, tuple[tuple[Passkey, int], ...]]:
        link = device_links.link_of(transaction, guest.id)
        return (
            store.person_of(transaction, guest.id),
            link,
            store.passkeys_used(transaction, guest.id),
        )

    person, link, passkeys = await visitor.call.host.ruler.look(read)
    here = browser_of(visitor.visit)
    known = person.devices if person else ()
    if any(each.id == device and now - each.seen > DAY for each in known):
        await visitor.call.host.ruler.act(BY, partial(store.see_device, device=device))
    return Devices(
        lines=(
            DeviceLine(device, here.label, here.phone, here=True, seen=visitor.language("now")),
            *(
                DeviceLine(
                    each.id,
                    each.label,
                    each.phone,
                    here=False,
                    seen=_seen(each.seen, now, visitor),
                )
                for each in known
                if each.id != device
            ),
        ),
        passkeys=tuple(
            PasskeyLine(each.id, each.label, _seen(used, now, visitor)) for each, used in passkeys
        ),
        link=link if link and link.state == device_links.ASKED else None,
        person=person,
    )


def _seen(at: int, now: int, visitor: Visitor) -> str:
    days = now // DAY - at // DAY
    if days <= 0:
        return visitor.language("today")
    if days == 1:
        return visitor.language("yesterday")
    return day_of(at, now, visitor.language)


# --- Signing out -----------------------------------------------------------------------------


async def remove_passkey(visitor: Visitor, form: Form) -> Response:
    """Remove a passkey, such as that of a device that is lost."""
    guest, passkey = guest_of(visitor), form.get("passkey", "")
    await visitor.call.host.ruler.act(BY, partial(store.drop_passkey, guest=guest.id, id_=passkey))
    return redirect("/me#devices")


async def sign_out(visitor: Visitor, form: Form) -> Response:
    """Sign out one device: its cookie is not valid from now on, on any server."""
    guest, device = guest_of(visitor), form.get("device", "")
    here = device == visitor.call.caller.device

    def work(transaction: Transaction) -> None:
        store.end_device(transaction, guest.id, device)
        device_links.close_links(transaction, guest.id)  # it may have let another in, who waits

    if device:
        await visitor.call.host.ruler.act(BY, work)
    return redirect("/" if here else "/me", [without_guest(visitor.visit)] if here else [])


async def log_out_everywhere(visitor: Visitor, form: Form) -> Response:
    """Make every cookie, token and personal link invalid but the cookie of this device."""
    del form
    guest, here = guest_of(visitor), browser_of(visitor.visit)
    visitor.call.site.limiter.guest(visitor.visit.client)

    def work(transaction: Transaction) -> tuple[str, bool]:
        calling = subscribers.calling_of(transaction, guest.id)
        mailed = bool(calling and calling.address)
        store.log_out_everywhere(transaction, guest.id)
        device_links.close_links(transaction, guest.id)
        if store.person_of(transaction, guest.id) is None:
            return "", mailed
        return store.add_device(transaction, guest.id, here.label, phone=here.phone), mailed

    device, mailed = await visitor.call.host.ruler.act(BY, work)
    cookie = device_cookie(visitor.call.host, visitor.visit, guest, device)
    return redirect("/me?alone=mail" if mailed else "/me?alone=1", [cookie])


# --- Another device, on the first ------------------------------------------------------------


async def open_link(visitor: Visitor, form: Form) -> Response:
    """A link for another device, and a picture of it; this page shows it once."""
    del form
    guest = guest_of(visitor)
    visitor.call.site.limiter.guest(visitor.visit.client)
    headers = await known_on_this_device(visitor, guest)
    token = await visitor.call.host.ruler.act(BY, partial(device_links.open_link, guest=guest))
    link = visitor.call.site.address(visitor.visit, f"/me/join/{token}")
    return visitor.paint(
        "accounts/add_device.html", headers=headers, link=link, picture=_picture(link), asks=None
    )


def _picture(link: str) -> Markup:
    picture = BytesIO()
    segno.make(link, micro=False).save(
        picture, kind="svg", xmldecl=False, border=4, scale=8, light="white", svgclass="qr"
    )
    return Markup(picture.getvalue().decode())  # noqa: S704 - drawn here


async def see_link(visitor: Visitor) -> Response:
    """Whether another device asks: a part of the page that is looked at again and again."""
    guest = guest_of(visitor)
    link = await visitor.call.host.ruler.look(partial(device_links.link_of, guest=guest.id))
    asks = link if link and link.state == device_links.ASKED else None
    return html_reply(visitor.text("accounts/asks.html", asks=asks, over=link is None))


async def answer_link(visitor: Visitor, form: Form) -> Response:
    """Let the other device in that shows this number, or not."""
    guest, code = guest_of(visitor), form.get("code", "")
    if form.get("allow") == "1" and code:
        await visitor.call.host.ruler.act(
            BY, partial(device_links.allow, guest=guest.id, code=code)
        )
    else:
        await visitor.call.host.ruler.act(BY, partial(device_links.close_links, guest=guest.id))
    return redirect("/me?joined=1" if form.get("allow") == "1" else "/me")


# --- Another device, on the new one ----------------------------------------------------------


async def show_join(visitor: Visitor) -> Response:
    """Whom this browser can become, or the number to compare."""
    token, browser = visitor.call.path["token"], cookie_in(visitor.visit, JOINING)

    def read(transaction: Transaction) -> tuple[DeviceLink | None, bool]:
        return device_links.link_at(transaction, token), device_links.is_of(
            transaction, token, browser
        )

    link, ours = await visitor.call.host.ruler.look(read)
    if link is None or (link.state != device_links.OPEN and not ours):
        raise HttpError(404, "this link no longer works", word="link")
    return visitor.paint("accounts/join.html", link=link, token=token, asked=ours)


async def join(visitor: Visitor, form: Form) -> Response:
    """Ask to become a device of the person whose link this is."""
    del form
    visitor.call.site.limiter.guest(visitor.visit.client)
    token, browser = visitor.call.path["token"], secrets.token_urlsafe(24)
    here = browser_of(visitor.visit)

    def work(transaction: Transaction) -> bool:
        return device_links.ask(transaction, token, browser, here.label, phone=here.phone)

    asked = await visitor.call.host.ruler.act(BY, work)
    headers = [set_cookie(visitor.visit, JOINING, browser, SECONDS, strict=True)] if asked else []
    return redirect(f"/me/join/{token}", headers)


async def enter(visitor: Visitor, form: Form) -> Response:
    """Become that device once it was let in; until then, nothing happens."""
    del form
    token, browser = visitor.call.path["token"], cookie_in(visitor.visit, JOINING)

    def read(transaction: Transaction) -> DeviceLink | None:
        ours = device_links.is_of(transaction, token, browser)
        return device_links.link_at(transaction, token) if ours else None

    link = await visitor.call.host.ruler.look(read)
    headers: list[Header] = []
    if link and link.state == device_links.ALLOWED:
        entered = await visitor.call.host.ruler.act(
            BY, partial(device_links.enter, token=token, browser=browser)
        )
        if entered:
            headers = [
                device_cookie(visitor.call.host, visitor.visit, *entered),
                set_cookie(visitor.visit, JOINING, "", 0, strict=True),
            ]
    target = "/me" if headers else f"/me/join/{token}"
    if visitor.morphs:
        if link and not headers:
            return html_reply("", 204)
        where = f"{visitor.visit.prefix}{target}".encode("latin-1")
        return html_reply("", headers=[*headers, (b"hx-redirect", where)])
    return redirect(target, headers)
