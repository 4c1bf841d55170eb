"""The page for hosts: signing in, looking, and what they do there."""

from pathlib import Path
from typing import Final

import msgspec
from starlette.types import ASGIApp

from mauerwerk.server.database.backup import back_up_store
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.features.moderation import actions, state, store, view_model
from mauerwerk.server.games import web_games
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import HostAccess, check_role, cleaned
from mauerwerk.server.http.request import whole_number
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.http.settings import Admin, Role
from mauerwerk.server.ui.error_texts import refusal_of
from mauerwerk.server.ui.page import Form, PageRequest, html_reply

RELOAD: Final[Header] = (b"hx-refresh", b"true")
"""Makes a page load anew."""
BACK_UP: Final = "back-up"
ROLES: Final = {
    **{name: action.ROLE for name, action in actions.ACTIONS.items()},
    BACK_UP: Role.OWNER,
}
"""Who may do what on the page."""
LONGEST: Final = 200
ICONS: Final = ("i-check", "i-flag", "i-lock", "i-search")


async def show(request: PageRequest) -> Response:
    """The page, or the form to sign in."""
    admin = request.host.service(HostAccess).signed_in(request)
    if admin is None:
        return request.render("moderation/sign_in.html", refusal="")
    return await page(request, admin)


async def page(
    request: PageRequest, admin: Admin, refusal: str = "", typed: Form | None = None
) -> Response:
    """The page, with what the host is asked, or was refused and had typed.

    A visit keeps the host signed in.
    """
    thumbs = tuple(symbol for game in web_games().values() for symbol in game.box.symbols)
    renewed = request.host.service(HostAccess).sign_in(request, admin)
    data = await _load(request)
    return request.render(
        "moderation/page.html",
        422 if refusal else 200,
        [renewed],
        data=data,
        seen=view_model.admin_page(request, data),
        backups=bool(request.app.settings.backups.folder),
        asks=(request.query.get("ask", ""), request.query.get("what", "")),
        refusal=refusal,
        typed=typed or {},
        actions=actions.ACTIONS,
        admin=admin,
        may={name for name, needed in ROLES.items() if admin.role.may(needed)},
        symbols=(*ICONS, *thumbs),
    )


async def renew(request: PageRequest) -> Response:
    """The figures alone, for a page that stays open. They do not keep anybody signed in."""
    if request.host.service(HostAccess).signed_in(request) is None:
        return html_reply("", 401, [RELOAD])  # into the form to sign in
    figures = view_model.figures_of(request, await _load(request))
    return html_reply(request.text("moderation/figures.html", figures=figures))


async def sign_in(request: PageRequest, form: Form) -> Response:
    """Sign in with the token."""
    access = request.host.service(HostAccess)
    try:
        admin = access.check_token(request, form.get("token", "").strip())
    except HttpError as fault:
        said = refusal_of(fault, request.language)
        return request.render("moderation/sign_in.html", fault.status, refusal=said.words)
    return redirect("/admin", [access.sign_in(request, admin)])


async def sign_out(request: PageRequest, _form: Form) -> Response:
    """Sign out: the cookie is not valid from now on, on any server."""
    access = request.host.service(HostAccess)
    if session := access.session_of(request):
        by = state.done_by("page", access.signed_in(request))
        await store.end_session.by(by)(request.host.store, session)
    return redirect("/admin", [access.sign_out(request)])


async def _load(request: PageRequest) -> view_model.AdminData:
    """What the database says, read at one moment for the whole page."""
    said, find = request.query.get("which", ""), cleaned(request.query.get("find", ""), 64)
    named: dict[str, store.Filter] = {each: each for each in store.FILTERS}
    which: store.Filter = named.get(said, "all")
    before = whole_number(request.query.get("before", ""), 16)
    return await request.host.store.read(
        lambda transaction: view_model.load(transaction, which, find, before)
    )


async def act(request: PageRequest, form: Form) -> ASGIApp:
    """Do what a form asks, and show the page again; if it cannot be done, the page says why."""
    admin = request.host.service(HostAccess).signed_in(request)
    if admin is None:
        said = request.language("You are not signed in any more. Nothing was done.")
        return request.render("moderation/sign_in.html", 401, refusal=said)
    check_role(admin, ROLES.get(form.get("do", ""), Role.VIEWER))
    by = state.done_by("page", admin)
    if form.get("do") == BACK_UP:
        return await _back_up(request, form, admin)
    action = actions.ACTIONS.get(form.get("do", ""))
    if action is None:
        raise HttpError(422, "that cannot be done here", code="request")
    given = {
        name: cleaned(form[name], LONGEST)
        for name in action.__struct_fields__
        if form.get(name, "") != ""
    }
    try:
        wanted = msgspec.convert(given, action, strict=False)
        await request.host.store.write(by, lambda each: store.carry_out(each, wanted))
    except (state.AdminError, HttpError, msgspec.ValidationError) as fault:
        return await page(request, admin, str(fault), form)
    return redirect(form.way_back)


async def _back_up(request: PageRequest, form: Form, admin: Admin) -> ASGIApp:
    folder = request.app.settings.backups.folder
    if not folder:
        return await page(request, admin, "the settings do not say where backups are")
    try:
        made = await back_up_store(request.host.store, Path(folder))
    except (StorageError, OSError) as fault:
        return await page(request, admin, f"the backup was not made: {fault}")
    by = state.done_by("page", admin)
    await request.host.store.write(by, lambda it: it.audit(state.Action.BACK_UP, made, ""))
    return redirect(form.way_back)
