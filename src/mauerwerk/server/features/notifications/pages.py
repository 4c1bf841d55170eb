"""How people say whether and how they want to be notified, and what their pages ask for."""

from typing import Final

import msgspec

from mauerwerk.core.game import Value
from mauerwerk.server.features.notifications import delivery, push, schedule, service, store
from mauerwerk.server.features.notifications.schedule import NotificationPreferences, Pace
from mauerwerk.server.games import web_game
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response, redirect, reply
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.page import Form, PageRequest

STEP: Final = 30
"""Minutes between two times among which people choose."""
LATER: Final = 4 * 3_600_000
"""Milliseconds after which somebody is notified again who said `Later today`."""


class NotificationSection(Value):
    """The section of the settings, ready for its template."""

    preferences: NotificationPreferences
    paces: tuple[tuple[Pace, str], ...]
    times: tuple[str, ...]
    quiet: tuple[str, str]
    push_key: str
    """What a browser needs to show notifications without an open page; empty where it cannot."""
    devices: int
    mails: bool
    refusal: str = ""
    typed: str = ""
    """The address that was refused; it stays in its field."""


# --- The settings ----------------------------------------------------------------------------


async def section(
    request: PageRequest, guest: Guest, refusal: str = "", typed: str = ""
) -> NotificationSection:
    """How a guest wants to be notified."""
    sends, language, database = (
        request.app.service(delivery.Delivery),
        request.language,
        request.host.store,
    )
    preferences = await store.preferences_of(database, guest.id)
    preferences = preferences or NotificationPreferences(guest.id)
    return NotificationSection(
        preferences=preferences,
        paces=(
            (Pace.AT_ONCE, language("At once")),
            (Pace.DAILY, language("Once a day")),
            (Pace.NEVER, language("Never")),
        ),
        times=tuple(clock(minute) for minute in range(0, schedule.DAY_MINUTES, STEP)),
        quiet=(clock(preferences.quiet_from), clock(preferences.quiet_to)),
        push_key=(await sends.signer()).public if sends.pushes else "",
        devices=len(await store.devices_of(database, guest.id)),
        mails=sends.mails,
        refusal=refusal,
        typed=typed,
    )


def clock(minute: int) -> str:
    """A minute of the day as clocks show it.

    >>> clock(450)
    '07:30'
    """
    return f"{minute // 60:02}:{minute % 60:02}"


def minute_of(said: str, otherwise: int) -> int:
    """The minute of the day that a clock shows."""
    hours, _, minutes = said.partition(":")
    known = hours.isdecimal() and minutes.isdecimal() and len(said) == len("00:00")
    minute = int(hours) * 60 + int(minutes) if known else schedule.DAY_MINUTES
    return minute if minute < schedule.DAY_MINUTES else otherwise


async def change(request: PageRequest, form: Form) -> Response:
    """Be notified as the form says, from now on."""
    guest, database = _guest(request), request.host.store
    before = await store.preferences_of(database, guest.id)
    before = before or NotificationPreferences(guest.id)
    said = form.get("pace", "")
    address = form.get("address", "").strip() if form.get("email") else ""
    wanted = NotificationPreferences(
        guest=guest.id,
        pace=Pace(said) if said in set(Pace) else before.pace,
        quiet_from=minute_of(form.get("from", ""), before.quiet_from),
        quiet_to=minute_of(form.get("to", ""), before.quiet_to),
        zone=schedule.zone_of(form.get("zone", "") or before.zone).key,
        language=request.language.code,
        address=before.address,
    )
    refusal = ""
    if address and not delivery.is_address(address):
        refusal = request.language("This is not an e-mail address.")
    elif address != before.address and (
        not address or request.app.service(delivery.Delivery).mails
    ):
        if address:
            request.app.limiter.mail(request.client)
        wanted = msgspec.structs.replace(wanted, address=address)
    await store.store_preferences(database, wanted, request.host.now())
    browser = "browser" in form and wanted.pace is not Pace.NEVER
    preferences = msgspec.structs.replace(request.preferences, notifications=browser)
    headers = [preferences.cookie(request)]
    if not request.morphs and not refusal:
        return redirect("/me#notifications", headers)
    part = await section(request, guest, refusal, address if refusal else "")
    ticked = bool(form.get("email"))
    template = (
        "notifications/settings.html" if request.morphs else "notifications/settings_alone.html"
    )
    return request.render(template, 200, headers, part=part, ticked=ticked, browser=browser)


async def add_device(request: PageRequest, form: Form) -> Response:
    """Push notifications to this browser too."""
    guest, app = _guest(request), request.app
    device = store.Device(form.get("endpoint", ""), form.get("key", ""), form.get("auth", ""))
    if not app.service(delivery.Delivery).pushes:
        raise HttpError(403, "the host of this server has not switched that on")
    push.check_endpoint(device.endpoint, private=app.settings.section(delivery.Push).private)
    try:
        push.decoded(device.key, push.KEY_BYTES)
        push.decoded(device.auth, push.AUTH_BYTES)
    except ValueError:
        raise HttpError(422, "these are not the keys of a browser", code="endpoint") from None
    otherwise = NotificationPreferences(guest.id, language=request.language.code)
    now, known_as = request.host.now(), request.identity.device
    await store.add_device(request.host.store, otherwise, device, now, known_as)
    return reply({"device": device.id})


async def remove_device(request: PageRequest, form: Form) -> Response:
    """Push nothing to this browser any more."""
    guest = _guest(request)
    device = store.Device(form.get("endpoint", ""), "", "")
    await store.drop_device(request.host.store, device.id, guest.id)
    return reply({"device": ""})


def _guest(request: PageRequest) -> Guest:
    if request.guest is None:
        raise HttpError(403, "this is for guests: give yourself a name first")
    return request.guest


# --- What pages ask for ----------------------------------------------------------------------


async def waiting(request: PageRequest) -> Response:
    """The games that wait for the guest, for the badge and for notifications of an open page."""
    guest, host = request.guest, request.host
    turns: tuple[store.Turn, ...] = ()
    preferences: NotificationPreferences | None = None
    if guest is not None:
        turns = await store.turns_of(host.store, guest.id)
        preferences = await store.preferences_of(host.store, guest.id)
    now, language = host.now(), request.language
    zone = preferences.zone if preferences else "UTC"
    notification = delivery.in_words(turns, (), now, language, zone) if turns else None
    return reply(
        {
            "count": len(turns),
            "notification": notification,
            "quiet": preferences is not None and schedule.is_quiet_at(preferences, now),
            "turns": [
                {
                    **msgspec.structs.asdict(delivery.in_words((turn,), (), now, language, "UTC")),
                    "turn": turn.asked,
                    "banner": _banner(request, turn, now),
                }
                for turn in turns
            ],
        }
    )


def _banner(request: PageRequest, turn: store.Turn, now: int) -> str:
    box = web_game(turn.card.game).box
    return request.text(
        "notifications/banner.html",
        title=request.language("Your turn in {game}", game=delivery.title_of(turn)),
        left=delivery.left(turn, now, request.language),
        link=f"/t/{turn.card.id}",
        box=box,
        symbols=(box.thumb, "i-x"),
    )


async def looked(request: PageRequest, _form: Form) -> Response:
    """A page in sight shows this table to the guest."""
    if request.guest is not None:
        await request.host.service(service.Notifications).see(request.guest.id, request.table)
    return reply({})


async def later(request: PageRequest, _form: Form) -> Response:
    """Notify again about what waits, in a few hours."""
    guest, host = _guest(request), request.host
    at = host.now() + LATER
    await store.snooze(host.store, guest.id, at)
    return reply({})


# --- Links in e-mail -------------------------------------------------------------------------


async def ask_to_confirm(request: PageRequest) -> Response:
    """Ask once: a program that follows links must not answer for whoever owns the address."""
    found = await store.subscriber_to_confirm(request.host.store, request.path_params["proof"])
    return _said_to(request, found, "confirmed" if found and found.confirmed else "confirm")


async def confirm(request: PageRequest, _form: Form) -> Response:
    """The link that was sent to an address: it is whose it should be."""
    proof, now = request.path_params["proof"], request.host.now()
    return _said_to(request, await store.confirm(request.host.store, proof, now), "confirmed")


async def ask_to_stop(request: PageRequest) -> Response:
    """Ask once: mail programs follow links by themselves."""
    found = await store.subscriber_to_stop(request.host.store, request.path_params["stop"])
    return _said_to(request, found, "stop")


async def stop(request: PageRequest, _form: Form) -> Response:
    """Send no more e-mail; mail programs do this by one click (RFC 8058), without a name here."""
    found = await store.stop_mail(request.host.store, request.path_params["stop"])
    return _said_to(request, found, "stopped")


def _said_to(request: PageRequest, whom: NotificationPreferences | None, said: str) -> Response:
    """What a link in an e-mail does. Raises HttpError if it is nobody's."""
    if whom is None:
        raise HttpError(404, "this link no longer works", code="link")
    return request.render("notifications/said.html", said=said)
