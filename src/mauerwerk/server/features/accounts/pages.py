"""A visitor's own pages: games, figures and settings; signing in, devices, and their data."""

import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode

from markupsafe import Markup

from mauerwerk.core.language import message
from mauerwerk.games import GAMES
from mauerwerk.server.database.changes import ChangeKind, changes_of, record_change
from mauerwerk.server.features.accounts import api, passkeys, recovery, service, store
from mauerwerk.server.features.results import store as results
from mauerwerk.server.features.results.pages import figures, finished_games
from mauerwerk.server.features.retention.store import tables_naming
from mauerwerk.server.features.spectating.pages import followed_games
from mauerwerk.server.games.table_lines import TableLine, line_of
from mauerwerk.server.http import identity
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.proof import Proofs, proof_cookie, proof_in
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.dates import DAY, day_of
from mauerwerk.server.ui.error_texts import ErrorText, refusal_of
from mauerwerk.server.ui.markup import qr_code
from mauerwerk.server.ui.page import (
    ACCOUNT,
    ACCOUNT_TOP,
    Form,
    PageRequest,
    Panels,
    change_preferences,
    html_reply,
    local_path,
)

JSON: Final = b"application/json"
JOINING: Final = "mauerwerk-joining"
"""The cookie of a device that asks to join."""
SECONDS: Final = 60 * store.MINUTES
ICONS: Final = ("i-pen", "i-key", "i-film", "i-chev")

MOST_CHANGES: Final = 12
"""How many changes of how somebody is known the page lists."""
Handler: TypeAlias = Callable[..., Awaitable[Response]]

CHANGES: Final = {
    ChangeKind.SIGNED_IN: message("Passkey used"),
    ChangeKind.RECOVERED: message("Recovery code used"),
    ChangeKind.JOINED: message("Device added"),
    ChangeKind.PASSKEY_MADE: message("Passkey created"),
    ChangeKind.PASSKEY_REMOVED: message("Passkey removed"),
    ChangeKind.CODES_MADE: message("Recovery codes created"),
    ChangeKind.ADDRESS: message("E-mail address changed"),
    ChangeKind.RELAY: message("Address for notifications changed"),
    ChangeKind.TAKEN_ALONG: message("Data downloaded"),
    ChangeKind.SIGNED_OUT: message("Signed out everywhere else"),
}
"""How the page tells what was changed."""

NEWS: Final = {
    "kept": message("Your games are kept."),
    "alone": message("Only this browser is signed in now."),
    "shown": message("Recovery codes are shown only once. If you did not save them, get new ones."),
    "joined": message("The other device has access now."),
    "proved": message("Thank you. For ten minutes you can change how you sign in."),
}


def with_proof(handler: Handler) -> Handler:
    """What is done only after a fresh proof, by people who can give one."""

    async def checked(request: PageRequest, *form: Form) -> Response:
        if await request.host.service(Proofs).is_missing(request):
            return redirect("/me/confirm")
        return await handler(request, *form)

    return checked


async def show(
    request: PageRequest, form: Mapping[str, str] | None = None, refusal: ErrorText | None = None
) -> Response:
    """The page of the guest; without one, how to become one.

    Where a name was refused, its form is as it was filled in, and says why.
    """
    if request.guest is None:
        return request.render("accounts/nobody.html")
    filled_in = form or {}
    guest, host = request.guest, request.host
    running = await running_games(request)
    done = await finished_games(request, guest)
    with_people = request.query.get("against") != "bots"
    lines, skills, since, person = await host.store.read(
        lambda transaction: (
            results.lines_of(transaction, guest.id),
            results.skills_of(transaction, guest.id),
            results.first_seen(transaction, guest.id),
            store.person_of(transaction, guest.id),
        )
    )
    shown = figures(lines, skills, request.language, people=with_people)
    panels = request.host.service(Panels)
    sections = await panels.gather(request, ACCOUNT)
    followed = await followed_games(request)
    boxes = (*(line.box for line in (*running, *followed)), *done["games"])
    return request.render(
        "accounts/my_page.html",
        refusal.status if refusal else 200,
        refusal=refusal,
        name=filled_in.get("name", guest.name),
        mark=request.preferences.changed(filled_in).mark,
        running=running,
        followed=followed,
        done=done,
        figures=shown,
        with_people=with_people,
        kept=bool(person and person.passkeys),
        with_passkeys=passkeys.AVAILABLE,
        unproven=await host.service(Proofs).is_missing(request),
        news=_news(request),
        about=_about(request, since, done["total"] if not done["filtered"] else 0, len(running)),
        first_panels=await panels.gather(request, ACCOUNT_TOP),
        sections=sections,
        symbols=(
            *ICONS,
            *panels.symbols(ACCOUNT_TOP),
            *panels.symbols(ACCOUNT),
            *dict.fromkeys(box.thumb for box in boxes),
        ),
    )


async def change(request: PageRequest, form: Form) -> Response:
    """Change the name and the mark."""
    try:
        return await change_preferences(request, form)
    except HttpError as error:
        return await show(request, form, refusal_of(error, request.language))


def _news(request: PageRequest) -> str:
    if request.query.get("alone") == "mail":
        return request.language(
            "Only this browser is signed in now. If you want e-mail, enter your address again."
        )
    for word, said in NEWS.items():
        if word in request.query:
            return request.language(said)
    return ""


def _about(request: PageRequest, since: int | None, finished: int, running: int) -> str:
    language = request.language
    said: list[str] = []
    if since:
        day = day_of(since, request.host.now(), language)
        said.append(language("Playing here since {day}.", day=day))
    counts = [
        language.many(finished, "{number} game finished", "{number} games finished"),
        language.many(running, "{number} game running", "{number} games running"),
    ]
    counts = [each for number, each in zip((finished, running), counts, strict=True) if number]
    if not counts and since is None:
        counts = [language("No games yet")]
    return " ".join([*said, *([f"{', '.join(counts)}."] if counts else [])])


async def running_games(request: PageRequest) -> list[TableLine]:
    """The games that wait for somebody: first for the reader, then for others, by time left."""
    guest, host = request.guest, request.host
    if guest is None:
        return []
    found = await results.unfinished_of(host.store, guest.id)
    cards = [card for card in found if card.game in GAMES]
    seats = await host.seats_of(guest, cards)
    now = request.host.now()
    lines = [
        line_of(card, seats.get(card.id, ()), now, request.language, others=True) for card in cards
    ]
    return sorted(lines, key=lambda line: line.urgency)


# --- Their data ------------------------------------------------------------------------------


async def show_settings(
    request: PageRequest, name: str | None = None, refusal: ErrorText | None = None
) -> Response:
    """All preferences, each with a sentence; `?saved` once one was changed.

    A name that was refused is still in its field, and why is said beside it.
    """
    known = request.guest.name if request.guest else ""
    return request.render(
        "accounts/settings.html",
        refusal.status if refusal else 200,
        refusal=refusal,
        name=known if name is None else name,
        saved="saved" in request.query,
        back=local_path(request.query.get("back", "/")),
        symbols=("i-check", "i-back"),
    )


async def change_name(request: PageRequest, form: Form) -> Response:
    """Be known under another name from now on."""
    name = form.get("name", "")
    try:
        return redirect(form.way_back, await request.rename(name))
    except HttpError as error:
        return await show_settings(request, name, refusal_of(error, request.language))


async def show_data(request: PageRequest, refused: str = "") -> Response:
    """What is stored, and what can be done about it; `?gone` once it was deleted."""
    tables = await tables_naming(request.host.store, request.guest.id) if request.guest else ()
    return request.render(
        "accounts/personal_data.html",
        422 if refused else 200,
        tables=len(tables),
        sure=bool(refused) or "sure" in request.query,
        gone="gone" in request.query and not refused,
        refused=refused,
        unproven=await request.host.service(Proofs).is_missing(request),
    )


@with_proof
async def export(request: PageRequest) -> Response:
    """Everything, as a file."""
    if request.guest is None:
        raise HttpError(404, "nothing is stored about you")
    request.app.limiter.record(request.client)
    return api.download(await service.export(request.host.store, request.guest))


@with_proof
async def forget(request: PageRequest, form: Form) -> Response:
    """Delete it, if the visitor is sure; the browser then has no name either."""
    if form.get("sure") != "1":
        return redirect("/data?sure=1")
    if request.guest is None:
        return redirect("/data?gone=1")
    if _plain(form.get("name", "")) != _plain(request.guest.name):
        refused = request.language("To confirm, type your name exactly as it is shown here.")
        return await show_data(request, refused)
    request.app.limiter.guest(request.client)
    await service.forget(request.host.store, request.guest)
    return redirect("/data?gone=1", [identity.without_guest(request)])


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


async def data_links(request: PageRequest, _guest: Guest) -> Mapping[str, object]:
    """The links to a guest's own data, on their own page."""
    return {"unproven": await request.host.service(Proofs).is_missing(request)}


# --- Devices ---------------------------------------------------------------------------------


async def _on_this_device(
    request: PageRequest, guest: Guest, *, anew: bool = False
) -> tuple[str, list[Header]]:
    """The device of a person that this browser is, and the header by which it becomes it.

    If it is `anew`, every copy of its cookie becomes invalid.
    """
    here, database = service.browser_of(request), request.host.store
    same = request.guest is not None and request.guest.id == guest.id
    before = request.identity.device if same else ""
    device = await store.listed_device(
        database, guest.id, before, here.label, phone=here.phone, anew=anew
    )
    return device, [] if device == before else [identity.device_cookie(request, guest, device)]


async def known_on_this_device(request: PageRequest, guest: Guest) -> list[Header]:
    """The header by which this browser is a device of a person, if it is none of theirs yet."""
    _, headers = await _on_this_device(request, guest)
    return headers


async def _proved_here(
    request: PageRequest,
    guest: Guest,
    since: int,
    what: ChangeKind | None = None,
    *,
    anew: bool = False,
) -> list[Header]:
    """The headers by which this browser is a device of a person who has proved who they are."""
    device, headers = await _on_this_device(request, guest, anew=anew)
    if what is not None:
        label = service.browser_of(request).label
        await record_change(request.host.store, guest.id, what, label)
    return [*headers, proof_cookie(request, guest.id, device, since)]


async def devices_of(request: PageRequest, guest: Guest) -> dict[str, Any] | None:
    """The devices of a guest; only this one, where they keep nothing."""
    if request.app.settings.alone:
        return None
    device, database = request.identity.device, request.host.store
    now, here = request.host.now(), service.browser_of(request)
    person, link, known_passkeys = await store.devices_of(database, guest.id)
    known = person.devices if person else ()
    if any(each.id == device and now - each.seen > DAY for each in known):
        await store.see_device(database, device)
    this = store.Device(device, here.label, here.phone, now)
    others = [(each, _day_said(each.seen, now, request)) for each in known if each.id != device]
    return {
        "devices": [(this, request.language("now")), *others],
        "passkeys": [
            (each, _day_said(each.created, now, request), _day_said(each.used, now, request))
            for each in known_passkeys
        ],
        # A device that asks to join.
        "link": link if link and link.state == store.ASKED else None,
        "person": person,
        "changes": [
            (request.language(CHANGES[each.what]), each.label, _day_said(each.at, now, request))
            for each in await changes_of(database, guest.id, MOST_CHANGES)
        ],
    }


def _day_said(at: int, now: int, request: PageRequest) -> str:
    days = now // DAY - at // DAY
    if days <= 0:
        return request.language("today")
    return request.language("yesterday") if days == 1 else day_of(at, now, request.language)


@with_proof
async def remove_passkey(request: PageRequest, form: Form) -> Response:
    """Remove a passkey, such as that of a device that is lost."""
    guest, passkey = request.required_guest(), form.get("passkey", "")
    await store.drop_passkey(request.host.store, guest.id, passkey)
    return redirect("/me#devices")


async def sign_out(request: PageRequest, form: Form) -> Response:
    """Sign out one device: its cookie is not valid from now on, on any server."""
    guest, device = request.required_guest(), form.get("device", "")
    here = device == request.identity.device
    if device:
        await store.sign_out(request.host.store, guest.id, device)
    return redirect("/" if here else "/me", [identity.without_guest(request)] if here else [])


@with_proof
async def log_out_everywhere(request: PageRequest, _form: Form) -> Response:
    """Make every cookie, token and personal link invalid but the cookie of this device."""
    guest, here, since = request.required_guest(), service.browser_of(request), proof_in(request)
    request.app.limiter.guest(request.client)
    codes, ticket = recovery.new_codes(request, guest)
    alone = await store.log_out_elsewhere(
        request.host.store, guest, here.label, codes, phone=here.phone, since=since
    )
    headers = [identity.device_cookie(request, guest, alone.device)]
    if since is not None:
        headers.append(proof_cookie(request, guest.id, alone.device, since))
    news = "alone=mail" if alone.mailed else "alone=1"
    if alone.codes:
        return redirect(f"/me/codes?{news}", [*headers, ticket])
    return redirect(f"/me?{news}", headers)


# --- Passkeys --------------------------------------------------------------------------------


def _check_passkeys() -> None:
    if not passkeys.AVAILABLE:
        raise HttpError(404, "this server has no passkeys", code="passkey")


async def ask_to_make(request: PageRequest, _form: Form) -> Response:
    """What the browser needs to make a passkey."""
    _check_passkeys()
    guest = request.required_guest()
    await request.host.service(Proofs).check(request)
    request.app.limiter.guest(request.client)
    person = await store.person_of(request.host.store, guest.id)
    if person and len(person.passkeys) >= store.MOST_PASSKEYS:
        raise HttpError(422, "you have too many passkeys; remove one first", code="passkey")
    options, header = passkeys.creation_options(request, guest, person)
    return Response(options, JSON, headers=[header])


@with_proof
async def make_passkey(request: PageRequest, form: Form) -> Response:
    """Keep the passkey that the browser made, and make recovery codes if there are none."""
    guest = request.required_guest()
    label = service.browser_of(request).label
    first = not await store.has_proof(request.host.store, guest.id)
    since = proof_in(request)
    try:
        await passkeys.register(request, guest, form.get("credential", ""), label)
    except passkeys.PasskeyError:
        raise HttpError(
            422, "the passkey could not be created; try again", code="passkey"
        ) from None
    proved = await _proved_here(request, guest, since or request.host.now(), anew=first)
    headers = [passkeys.without_challenge(request), *proved]
    person = await store.person_of(request.host.store, guest.id)
    if person is None or person.codes:
        return redirect("/me?kept=1", headers)
    return await _with_new_codes(request, guest, headers)


@with_proof
async def renew_codes(request: PageRequest, _form: Form) -> Response:
    """Make new recovery codes; the old ones are not valid any more."""
    guest = request.required_guest()
    request.app.limiter.guest(request.client)
    first = not await store.has_proof(request.host.store, guest.id)
    since = proof_in(request) or request.host.now()
    return await _with_new_codes(
        request, guest, await _proved_here(request, guest, since, anew=first)
    )


async def _with_new_codes(request: PageRequest, guest: Guest, headers: list[Header]) -> Response:
    codes, ticket = recovery.new_codes(request, guest)
    await store.keep_codes(request.host.store, guest, codes)
    return redirect("/me/codes?kept=1", [*headers, ticket])


async def show_codes(request: PageRequest) -> Response:
    """New recovery codes, to the browser that has just made them; not a second time."""
    ticket = recovery.ticket_in(request, request.required_guest())
    codes = recovery.codes_of(request, ticket) if ticket else ()
    if ticket is None or not await store.show_codes(request.host.store, ticket, codes):
        return redirect("/me?shown=1#devices")
    return request.render(
        "accounts/codes.html",
        headers=[recovery.without_ticket(request)],
        codes=codes,
        then=f"/me?{urlencode(request.query)}",
        once=True,
    )


# --- Being known again -----------------------------------------------------------------------


async def ask_who(request: PageRequest, refused: str = "") -> Response:
    """The page on which somebody signs in who keeps their games."""
    guest = request.guest
    kept = guest is not None and await store.has_proof(request.host.store, guest.id)
    return _sign_in_page(request, refused, guest.name if guest and not kept else "")


async def ask_again(request: PageRequest) -> Response:
    """The page on which a person confirms that it is them."""
    request.required_guest()
    return _sign_in_page(request, confirms=True)


def _sign_in_page(
    request: PageRequest, refused: str = "", unkept: str = "", *, confirms: bool = False
) -> Response:
    return request.render(
        "accounts/sign_in.html",
        403 if refused else 200,
        refused=refused,
        confirms=confirms,
        unkept=unkept,
        with_passkeys=passkeys.AVAILABLE,
        symbols=("i-key",),
    )


async def ask_to_sign(request: PageRequest, _form: Form) -> Response:
    """What the browser needs to use a passkey."""
    _check_passkeys()
    request.app.limiter.guest(request.client)
    options, header = passkeys.request_options(request)
    return Response(options, JSON, headers=[header])


async def sign_in(request: PageRequest, form: Form) -> Response:
    """Be the person whose passkey the browser used."""
    try:
        proved = await passkeys.verify(request, form.get("credential", ""))
    except passkeys.PasskeyError:
        said = request.language(
            "This server does not know this passkey. Try another one or a recovery code."
        )
        return await ask_who(request, said)
    headers = await _proved_here(request, proved.person.guest, proved.since, ChangeKind.SIGNED_IN)
    target = _after_proof(request, proved.person.guest)
    return redirect(target, [passkeys.without_challenge(request), *headers])


def _after_proof(request: PageRequest, guest: Guest) -> str:
    """Where somebody goes on who has proved who they are."""
    same = request.guest is not None and request.guest.id == guest.id
    return "/me?proved=1#devices" if same else "/me"


async def recover(request: PageRequest, form: Form) -> Response:
    """Be the person whose recovery code this is; it is used up then."""
    request.app.limiter.guest(request.client)
    proved = await store.use_code(request.host.store, form.get("code", ""))
    if proved is None:
        said = request.language("This code is not valid. Each code works once: try another.")
        return await ask_who(request, said)
    guest = proved.person.guest
    headers = await _proved_here(request, guest, proved.since, ChangeKind.RECOVERED)
    return redirect(_after_proof(request, guest), headers)


# --- Another device, on the first ------------------------------------------------------------


@with_proof
async def open_link(request: PageRequest, _form: Form) -> Response:
    """A link for another device, and a picture of it; this page shows it once."""
    guest = request.required_guest()
    request.app.limiter.guest(request.client)
    headers = await known_on_this_device(request, guest)
    token = await store.open_link(request.host.store, guest)
    link = request.address(f"/me/join/{token}")
    picture = Markup(qr_code(link, border=4, scale=8, svgclass="qr"))  # noqa: S704 - drawn here
    return request.render(
        "accounts/add_device.html", headers=headers, link=link, picture=picture, once=True
    )


async def see_link(request: PageRequest) -> Response:
    """Whether another device asks: a part of the page that is looked at again and again."""
    guest = request.required_guest()
    if not request.morphs:
        return redirect("/me#devices")
    link = await store.link_of(request.host.store, guest.id)
    asks = link if link and link.state == store.ASKED else None
    return html_reply(request.text("accounts/asks.html", asks=asks, over=link is None))


async def answer_link(request: PageRequest, form: Form) -> Response:
    """Let the other device in that shows this number, or not."""
    guest, code = request.required_guest(), form.get("code", "")
    if form.get("allow") == "1" and code:
        await store.allow(request.host.store, guest.id, code)
    else:
        await store.close_links(request.host.store, guest.id)
    return redirect("/me?joined=1" if form.get("allow") == "1" else "/me")


# --- Another device, on the new one ----------------------------------------------------------


async def show_join(request: PageRequest) -> Response:
    """Whom this browser can become, or the number to compare."""
    token, browser = request.path_params["token"], identity.cookie_in(request, JOINING)
    link, ours = await store.link_and_owner(request.host.store, token, browser)
    if link is None or (link.state != store.OPEN and not ours):
        raise HttpError(404, "this link no longer works", code="link")
    return request.render("accounts/join.html", link=link, token=token, asked=ours)


async def join(request: PageRequest, _form: Form) -> Response:
    """Ask to become a device of the person whose link this is."""
    request.app.limiter.guest(request.client)
    token, browser = request.path_params["token"], secrets.token_urlsafe(24)
    here, database = service.browser_of(request), request.host.store
    asked = await store.ask(database, token, browser, here.label, phone=here.phone)
    cookie = identity.set_cookie(request, JOINING, browser, SECONDS, strict=True)
    return redirect(f"/me/join/{token}", [cookie] if asked else [])


async def enter(request: PageRequest, _form: Form) -> Response:
    """Become that device once it was let in; until then, nothing happens."""
    token, browser = request.path_params["token"], identity.cookie_in(request, JOINING)
    link, ours = await store.link_and_owner(request.host.store, token, browser)
    headers: list[Header] = []
    allowed = link is not None and ours and link.state == store.ALLOWED
    if allowed and (entered := await store.enter(request.host.store, token, browser)):
        gone = identity.set_cookie(request, JOINING, "", 0, strict=True)
        headers = [identity.device_cookie(request, *entered), gone]
    target = "/me" if headers else f"/me/join/{token}"
    if request.morphs:
        if link and ours and not headers:
            return html_reply("", 204)
        where = f"{request.prefix}{target}".encode("latin-1")
        return html_reply("", headers=[*headers, (b"hx-redirect", where)])
    return redirect(target, headers)
