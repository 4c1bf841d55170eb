"""How people say whether and how they want to be notified, and what their pages ask for."""

from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from mauerwerk.server.features.notifications import (
    addresses,
    delivery,
    push,
    relays,
    schedule,
    service,
    store,
)
from mauerwerk.server.features.notifications.addresses import AddressError
from mauerwerk.server.features.notifications.schedule import NotificationPreferences, Pace
from mauerwerk.server.games import web_game
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.outgoing import OutgoingError, Reach
from mauerwerk.server.http.proof import Proofs
from mauerwerk.server.http.response import Response, redirect, reply
from mauerwerk.server.keys import new_id
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.page import Form, PageRequest

STEP: Final = 30
"""Minutes between two times among which people choose."""
LATER: Final = 4 * 3_600_000
"""Milliseconds after which somebody is notified again who said `Later today`."""


# --- The settings ----------------------------------------------------------------------------


async def section(
    request: PageRequest,
    guest: Guest,
    refusal: str = "",
    typed: str = "",
    told: dict[str, dict[str, object]] | None = None,
) -> dict[str, Any]:
    """How a guest wants to be notified."""
    sends = request.host.service(delivery.Delivery)
    language, database = request.language, request.host.store
    preferences = await store.preferences_of(database, guest.id)
    preferences = preferences or NotificationPreferences(guest.id)
    return {
        "preferences": preferences,
        "paces": (
            (Pace.AT_ONCE, language("At once")),
            (Pace.DAILY, language("Once a day")),
            (Pace.NEVER, language("Never")),
        ),
        "times": [clock(minute) for minute in range(0, schedule.DAY_MINUTES, STEP)],
        "quiet": (clock(preferences.quiet_from), clock(preferences.quiet_to)),
        # What a browser needs to show notifications without an open page.
        "push_key": (await sends.signer()).public if sends.pushes else "",
        "devices": len(await store.devices_of(database, guest.id)),
        "mails": sends.mails,
        "relays": await _relays(request, guest, told or {}),
        "refusal": refusal,
        "unproven": bool(refusal) and await request.host.service(Proofs).is_missing(request),
        "typed": typed,
    }


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
    guest, database = request.required_guest(), request.host.store
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
    refusal, proofs = "", request.host.service(Proofs)
    if address and not delivery.is_address(address):
        refusal = request.language("This is not an e-mail address.")
    elif address and address != before.address and await proofs.is_missing(request):
        refusal = request.language("Confirm first that it is you.")
    elif address != before.address:
        if address and not request.host.service(delivery.Delivery).mails:
            raise _off()
        if address:
            request.app.limiter.mail(request.client)
        wanted = msgspec.structs.replace(wanted, address=address)
    most = request.app.settings.section(delivery.Mail).confirmations
    try:
        await store.store_preferences(database, wanted, request.host.now(), most)
    except AddressError as fault:
        refusal = request.language(fault.template)
        wanted = msgspec.structs.replace(wanted, address=before.address)
        await store.store_preferences(database, wanted, request.host.now(), most)
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


async def _relays(
    request: PageRequest, guest: Guest, told: dict[str, dict[str, object]]
) -> tuple[dict[str, object], ...]:
    """The addresses of a guest's own; `told` is what each form says beside that."""
    offered = request.host.service(delivery.Delivery).relays
    kept = await relays.relays_of(request.host.store, guest.id)
    return tuple(
        {
            "kind": kind,
            "relay": kept.get(kind),
            "server": urlsplit(offered.ntfy.server).netloc if kind == relays.NTFY else "",
            "refusal": "",
            "typed": "",
            "tested": "",
            **told.get(kind, {}),
        }
        for kind in offered.channels
    )


async def set_relay(request: PageRequest, form: Form) -> Response:
    """Send notifications to this address too; nowhere, if it is empty."""
    guest, kind, database = request.required_guest(), form.get("kind", ""), request.host.store
    offered = request.host.service(delivery.Delivery).relays
    if kind not in offered.channels:
        raise _off()
    address, token = form.get("address", "").strip(), form.get("token", "").strip()
    before = (await relays.relays_of(database, guest.id)).get(kind)
    told: dict[str, object] = {}
    changed = before is None or before.address != address or (kind == relays.NTFY and token)
    if not address:
        await relays.drop_relay(database, guest.id, kind)
    elif changed and await request.host.service(Proofs).is_missing(request):
        told = {"refusal": request.language("Confirm first that it is you."), "typed": address}
    elif changed:
        try:
            made = offered.made(guest.id, kind, address, token, request.host.now())
        except OutgoingError as fault:
            told = {"refusal": f"{request.language(str(fault))}.", "typed": address}
        else:
            _count_device(request, guest)
            otherwise = NotificationPreferences(guest.id, language=request.language.code)
            await store.add_relay(database, otherwise, made)
    return await _shown(request, guest, kind, told)


async def test_relay(request: PageRequest, form: Form) -> Response:
    """Send a message there now, and say how it went."""
    guest, kind, language = request.required_guest(), form.get("kind", ""), request.language
    relay = (await relays.relays_of(request.host.store, guest.id)).get(kind)
    sends = request.host.service(delivery.Delivery)
    if relay is None or kind not in sends.channels:
        raise HttpError(422, "there is no such address", code="endpoint")
    _count_device(request, guest)
    title, body = language("This is a test"), language("It works: notifications arrive here.")
    said = sends.relays.compose(relay, title, body, "/me", type="test")
    result = await sends.send_to(relay, said, new_id(), language)
    words = {
        store.Result.SENT: language("The service took the message."),
        store.Result.SILENT: language("Nobody answered there."),
    }
    refused = language("The service refused the message.")
    return await _shown(request, guest, kind, {"tested": words.get(result, refused)})


def _off() -> HttpError:
    return HttpError(403, "the host of this server has not switched that on", code="off")


def _count_device(request: PageRequest, guest: Guest) -> None:
    request.app.limiter.device(request.client)
    request.app.limiter.device(guest.id)


async def _shown(
    request: PageRequest, guest: Guest, kind: str, told: dict[str, object]
) -> Response:
    if not request.morphs and not told:
        return redirect("/me#notifications")
    part = await section(request, guest, told={kind: told})
    template = "settings.html" if request.morphs else "settings_alone.html"
    return request.render(f"notifications/{template}", part=part)


async def add_device(request: PageRequest, form: Form) -> Response:
    """Push notifications to this browser too."""
    guest, app = request.required_guest(), request.app
    device = store.Device(form.get("endpoint", ""), form.get("key", ""), form.get("auth", ""))
    if not app.host.service(delivery.Delivery).pushes:
        raise _off()
    reach = Reach(anywhere=app.settings.section(delivery.Push).private)
    push.check_endpoint(device.endpoint, reach)
    try:
        push.decoded(device.key, push.KEY_BYTES)
        push.decoded(device.auth, push.AUTH_BYTES)
    except ValueError:
        raise HttpError(422, "these are not the keys of a browser", code="endpoint") from None
    otherwise = NotificationPreferences(guest.id, language=request.language.code)
    now, known_as = request.host.now(), request.identity.device
    if device.id not in await store.devices_of(request.host.store, guest.id):
        _count_device(request, guest)
    await store.add_device(request.host.store, otherwise, device, now, known_as)
    return reply({"device": device.id})


async def remove_device(request: PageRequest, form: Form) -> Response:
    """Push nothing to this browser any more."""
    guest = request.required_guest()
    device = store.Device(form.get("endpoint", ""), "", "")
    await store.drop_device(request.host.store, device.id, guest.id)
    return reply({"device": ""})


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


async def mark_seen(request: PageRequest, _form: Form) -> Response:
    """A page in sight shows this table to the guest."""
    if request.guest is not None:
        await request.host.service(service.Notifications).see(request.guest.id, request.table)
    return reply({})


async def snooze(request: PageRequest, _form: Form) -> Response:
    """Notify again about what waits, in a few hours."""
    guest, host = request.required_guest(), request.host
    at = host.now() + LATER
    await store.snooze(host.store, guest.id, at)
    return reply({})


# --- Links in e-mail -------------------------------------------------------------------------


async def ask_to_confirm(request: PageRequest) -> Response:
    """Ask once: a program that follows links must not answer for whoever owns the address."""
    found = await store.subscriber_to_confirm(request.host.store, request.path_params["proof"])
    _check_link(found)
    return _answer(request, "confirmed" if found and found.confirmed else "confirm")


async def confirm(request: PageRequest, _form: Form) -> Response:
    """The link that was sent to an address: it is whose it should be."""
    proof, now = request.path_params["proof"], request.host.now()
    _check_link(await store.confirm(request.host.store, proof, now))
    return _answer(request, "confirmed")


async def ask_to_stop(request: PageRequest) -> Response:
    """Ask once: mail programs follow links by themselves."""
    database, link = request.host.store, request.path_params["stop"]
    if await relays.relay_to_stop(database, link) is not None:
        return _answer(request, "stop-relay")
    _check_link(await store.subscriber_to_stop(database, link))
    return _answer(request, "stop")


async def stop(request: PageRequest, _form: Form) -> Response:
    """Send no more e-mail; mail programs do this by one click (RFC 8058), without a name here."""
    database, link = request.host.store, request.path_params["stop"]
    if await relays.stop_relay(database, link) is not None:
        return _answer(request, "stopped-relay")
    _check_link(await store.stop_mail(database, link))
    return _answer(request, "stopped")


async def ask_to_block(request: PageRequest) -> Response:
    """Ask once, as above; or say that the address is blocked, and offer to undo it."""
    token = request.path_params["address"]
    blocked = await addresses.is_blocked(request.host.store, token)
    return _answer(request, "blocked" if blocked else "block")


async def block(request: PageRequest, _form: Form) -> Response:
    """The owner of an address wants no e-mail from here, whoever enters it."""
    _check_link(await store.block_address(request.host.store, request.path_params["address"]))
    return _answer(request, "blocked")


async def allow(request: PageRequest, _form: Form) -> Response:
    """The owner of an address wants e-mail again, or may."""
    _check_link(await store.allow_address(request.host.store, request.path_params["address"]))
    return _answer(request, "allowed")


def _check_link(found: object) -> None:
    """Refuse a link for which nothing was found. Raises HttpError."""
    if not found:
        raise HttpError(404, "this link no longer works", code="link")


def _answer(request: PageRequest, said: str) -> Response:
    """What such a link does, or has done."""
    token = request.path_params.get("address", "")
    return request.render("notifications/said.html", said=said, token=token)
