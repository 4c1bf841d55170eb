"""The page for hosts: signing in, and looking."""

from typing import Final

from mauerwerk.server.features.moderation.admin_queries import FILTERS, Filter
from mauerwerk.server.features.moderation.figures import Looked, figures_of
from mauerwerk.server.features.moderation.page_queries import admin_page, look
from mauerwerk.server.features.moderation.page_values import AdminPage, Question
from mauerwerk.server.games import web_games
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.names import cleaned
from mauerwerk.server.http.reading import whole_number
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.ui.error_texts import refusal_of
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.visitor import Visitor, html_reply

RELOAD: Final[Header] = (b"hx-refresh", b"true")
"""Makes a page load anew."""

ICONS: Final = ("i-check", "i-flag", "i-lock", "i-search")


async def show(visitor: Visitor) -> Response:
    """The page, or the form to sign in."""
    access = visitor.call.site.access
    if not access.is_signed_in(visitor.visit):
        return visitor.paint("moderation/sign_in.html", refusal="")
    return await page(visitor)


async def page(visitor: Visitor, status: int = 200, refusal: str = "") -> Response:
    """The page, with what the host is asked or was refused; a visit keeps the host signed in."""
    seen = await _seen(visitor, refusal)
    thumbs = tuple(symbol for game in web_games().values() for symbol in game.box.symbols)
    renewed = visitor.call.site.access.sign_in(visitor.visit)
    symbols = (*ICONS, *thumbs)
    return visitor.paint("moderation/page.html", status, [renewed], seen=seen, symbols=symbols)


async def renew(visitor: Visitor) -> Response:
    """The figures alone, for a page that stays open. They do not keep anybody signed in."""
    if not visitor.call.site.access.is_signed_in(visitor.visit):
        return html_reply("", 401, [RELOAD])  # into the form to sign in
    figures = figures_of(visitor, await looked(visitor))
    return html_reply(visitor.text("moderation/figures.html", figures=figures))


async def sign_in(visitor: Visitor, form: Form) -> Response:
    """Sign in with the token."""
    access = visitor.call.site.access
    try:
        access.check_token(visitor.visit, form.get("token", "").strip())
    except HttpError as fault:
        said = refusal_of(fault, fault, visitor.language)
        return visitor.paint("moderation/sign_in.html", fault.status, refusal=said.words)
    return redirect("/admin", [access.sign_in(visitor.visit)])


async def sign_out(visitor: Visitor, form: Form) -> Response:
    """Sign out."""
    del form
    return redirect("/admin", [visitor.call.site.access.sign_out(visitor.visit)])


def require(visitor: Visitor) -> None:
    """Refuse a visitor who is not signed in. Raises HttpError."""
    if not visitor.call.site.access.is_signed_in(visitor.visit):
        raise HttpError(401, "sign in first", word="token")


async def _seen(visitor: Visitor, refusal: str) -> AdminPage:
    query = visitor.query
    asks = Question(query.get("ask", ""), query.get("what", ""))
    return admin_page(visitor, await looked(visitor), asks, refusal)


async def looked(visitor: Visitor) -> Looked:
    """What the database says, looked at once for the whole page."""
    said, find = visitor.query.get("which", ""), cleaned(visitor.query.get("find", ""), 64)
    named: dict[str, Filter] = {each: each for each in FILTERS}
    which: Filter = named.get(said, "all")
    before = whole_number(visitor.query.get("before", ""), 16)
    return await visitor.call.host.ruler.look(
        lambda transaction: look(transaction, which, find, before)
    )
