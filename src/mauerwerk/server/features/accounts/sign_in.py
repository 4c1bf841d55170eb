"""Keeping one's games: making a passkey, recovery codes, and being known again by either."""

from functools import partial

from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.accounts import passkeys, store
from mauerwerk.server.features.accounts.browser import browser_of
from mauerwerk.server.features.accounts.passkeys import PasskeyError
from mauerwerk.server.features.accounts.store import Person
from mauerwerk.server.http.cookies import device_cookie
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.visitor import Visitor

JSON = b"application/json"
BY = "guest"
"""Names the actor in the audit log, which does not say which guest it was."""


def guest_of(visitor: Visitor) -> Guest:
    """The guest who visits. Raises HttpError if it is nobody."""
    if visitor.guest is None:
        raise HttpError(401, "this is for guests: give yourself a name first", word="guest")
    return visitor.guest


async def person_here(visitor: Visitor, guest: Guest) -> Person | None:
    """What is kept about the guest who visits."""
    return await visitor.call.host.ruler.look(partial(store.person_of, guest=guest.id))


async def known_on_this_device(visitor: Visitor, guest: Guest) -> list[Header]:
    """The header by which this browser is a device of a person, if it is none of theirs yet."""
    if visitor.guest == guest and visitor.call.caller.device:
        return []
    here = browser_of(visitor.visit)

    def work(transaction: Transaction) -> str:
        return store.add_device(transaction, guest.id, here.label, phone=here.phone)

    device = await visitor.call.host.ruler.act(BY, work)
    return [device_cookie(visitor.call.host, visitor.visit, guest, device)]


# --- Passkeys --------------------------------------------------------------------------------


async def ask_to_make(visitor: Visitor, form: Form) -> Response:
    """What the browser needs to make a passkey."""
    del form
    guest = guest_of(visitor)
    visitor.call.site.limiter.guest(visitor.visit.client)
    person = await person_here(visitor, guest)
    options, header = passkeys.creation_options(visitor.call, guest, person)
    return Response(options, JSON, headers=[header])


async def make_passkey(visitor: Visitor, form: Form) -> Response:
    """Keep the passkey that the browser made, and show recovery codes if there are none."""
    guest = guest_of(visitor)
    label = browser_of(visitor.visit).label
    try:
        await passkeys.made(visitor.call, guest, form.get("credential", ""), label)
    except PasskeyError:
        raise HttpError(
            422, "the passkey could not be created; try again", word="passkey"
        ) from None
    headers = [
        passkeys.without_challenge(visitor.call),
        *await known_on_this_device(visitor, guest),
    ]
    person = await person_here(visitor, guest)
    if person is None or person.codes:
        return redirect("/me?kept=1", headers)
    return await _with_new_codes(visitor, guest, headers)


async def renew_codes(visitor: Visitor, form: Form) -> Response:
    """New recovery codes, which are shown this once; the old ones are not valid any more."""
    del form
    guest = guest_of(visitor)
    visitor.call.site.limiter.guest(visitor.visit.client)
    return await _with_new_codes(visitor, guest, await known_on_this_device(visitor, guest))


async def _with_new_codes(visitor: Visitor, guest: Guest, headers: list[Header]) -> Response:
    def work(transaction: Transaction) -> tuple[str, ...]:
        store.keep(transaction, guest)
        return store.new_codes(transaction, guest.id)

    codes = await visitor.call.host.ruler.act(BY, work)
    return visitor.paint("accounts/codes.html", headers=headers, codes=codes)


# --- Being known again -----------------------------------------------------------------------


async def ask_who(visitor: Visitor) -> Response:
    """The page on which somebody signs in who keeps their games."""
    return await _sign_in_page(visitor)


async def _sign_in_page(visitor: Visitor, refused: str = "") -> Response:
    guest = visitor.guest
    person = await person_here(visitor, guest) if guest else None
    return visitor.paint(
        "accounts/sign_in.html",
        403 if refused else 200,
        refused=refused,
        unkept=guest.name if guest and not (person and person.kept) else "",
        symbols=("i-key",),
    )


async def ask_to_sign(visitor: Visitor, form: Form) -> Response:
    """What the browser needs to use a passkey."""
    del form
    visitor.call.site.limiter.guest(visitor.visit.client)
    options, header = passkeys.request_options(visitor.call)
    return Response(options, JSON, headers=[header])


async def sign_in(visitor: Visitor, form: Form) -> Response:
    """Be the person whose passkey the browser used."""
    try:
        person = await passkeys.person_behind(visitor.call, form.get("credential", ""))
    except PasskeyError:
        said = visitor.language(
            "This server does not know this passkey. Try another one or a recovery code."
        )
        return await _sign_in_page(visitor, said)
    headers = await known_on_this_device(visitor, person.guest)
    return redirect("/me", [passkeys.without_challenge(visitor.call), *headers])


async def recover(visitor: Visitor, form: Form) -> Response:
    """Be the person whose recovery code this is; it is used up then."""
    visitor.call.site.limiter.guest(visitor.visit.client)
    code = form.get("code", "")

    def work(transaction: Transaction) -> Person | None:
        guest = store.use_code(transaction, code)
        return store.person_of(transaction, guest) if guest else None

    person = await visitor.call.host.ruler.act(BY, work)
    if person is None:
        said = visitor.language("This code is not valid. Each code works once: try another.")
        return await _sign_in_page(visitor, said)
    return redirect("/me", await known_on_this_device(visitor, person.guest))
