"""Keeping one's games: making a passkey, recovery codes, and being known again by either."""

from mauerwerk.server.features.accounts import browser, passkeys, store
from mauerwerk.server.http import errors, identity
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.page import Form, PageRequest

JSON = b"application/json"


def guest_of(request: PageRequest) -> Guest:
    """The guest who visits. Raises HttpError if it is nobody."""
    if request.guest is None:
        raise errors.HttpError(401, "this is for guests: give yourself a name first", code="guest")
    return request.guest


async def person_here(request: PageRequest, guest: Guest) -> store.Person | None:
    """What is kept about the guest who visits."""
    return await store.person_of(request.host.store, guest.id)


async def known_on_this_device(request: PageRequest, guest: Guest) -> list[Header]:
    """The header by which this browser is a device of a person, if it is none of theirs yet."""
    if request.guest == guest and request.identity.device:
        return []
    here = browser.browser_of(request)
    database = request.host.store
    device = await store.add_device(database, guest.id, here.label, phone=here.phone)
    return [identity.device_cookie(request, guest, device)]


# --- Passkeys --------------------------------------------------------------------------------


async def ask_to_make(request: PageRequest, form: Form) -> Response:
    """What the browser needs to make a passkey."""
    del form
    guest = guest_of(request)
    request.app.limiter.guest(request.client)
    person = await person_here(request, guest)
    options, header = passkeys.creation_options(request, guest, person)
    return Response(options, JSON, headers=[header])


async def make_passkey(request: PageRequest, form: Form) -> Response:
    """Keep the passkey that the browser made, and show recovery codes if there are none."""
    guest = guest_of(request)
    label = browser.browser_of(request).label
    try:
        await passkeys.made(request, guest, form.get("credential", ""), label)
    except passkeys.PasskeyError:
        raise errors.HttpError(
            422, "the passkey could not be created; try again", code="passkey"
        ) from None
    headers = [
        passkeys.without_challenge(request),
        *await known_on_this_device(request, guest),
    ]
    person = await person_here(request, guest)
    if person is None or person.codes:
        return redirect("/me?kept=1", headers)
    return await _with_new_codes(request, guest, headers)


async def renew_codes(request: PageRequest, form: Form) -> Response:
    """New recovery codes, which are shown this once; the old ones are not valid any more."""
    del form
    guest = guest_of(request)
    request.app.limiter.guest(request.client)
    return await _with_new_codes(request, guest, await known_on_this_device(request, guest))


async def _with_new_codes(request: PageRequest, guest: Guest, headers: list[Header]) -> Response:
    codes = await store.new_codes(request.host.store, guest)
    return request.render("accounts/codes.html", headers=headers, codes=codes)


# --- Being known again -----------------------------------------------------------------------


async def ask_who(request: PageRequest) -> Response:
    """The page on which somebody signs in who keeps their games."""
    return await _sign_in_page(request)


async def _sign_in_page(request: PageRequest, refused: str = "") -> Response:
    guest = request.guest
    person = await person_here(request, guest) if guest else None
    return request.render(
        "accounts/sign_in.html",
        403 if refused else 200,
        refused=refused,
        unkept=guest.name if guest and not (person and person.kept) else "",
        symbols=("i-key",),
    )


async def ask_to_sign(request: PageRequest, form: Form) -> Response:
    """What the browser needs to use a passkey."""
    del form
    request.app.limiter.guest(request.client)
    options, header = passkeys.request_options(request)
    return Response(options, JSON, headers=[header])


async def sign_in(request: PageRequest, form: Form) -> Response:
    """Be the person whose passkey the browser used."""
    try:
        person = await passkeys.person_behind(request, form.get("credential", ""))
    except passkeys.PasskeyError:
        said = request.language(
            "This server does not know this passkey. Try another one or a recovery code."
        )
        return await _sign_in_page(request, said)
    headers = await known_on_this_device(request, person.guest)
    return redirect("/me", [passkeys.without_challenge(request), *headers])


async def recover(request: PageRequest, form: Form) -> Response:
    """Be the person whose recovery code this is; it is used up then."""
    request.app.limiter.guest(request.client)
    person = await store.use_code(request.host.store, form.get("code", ""))
    if person is None:
        said = request.language("This code is not valid. Each code works once: try another.")
        return await _sign_in_page(request, said)
    return redirect("/me", await known_on_this_device(request, person.guest))
