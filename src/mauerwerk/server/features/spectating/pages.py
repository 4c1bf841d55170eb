"""Watching: who does, what spectators may see of a table, and games that a visitor follows."""

from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.games import GAMES
from mauerwerk.server.engine.audience import Watcher
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.spectating import store
from mauerwerk.server.games.table_lines import TableLine, finished_line_of, line_of
from mauerwerk.server.http import errors, response, seats
from mauerwerk.server.http.request import Request
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.tables.table_views import is_closed
from mauerwerk.server.ui.page import Form, PageRequest


class Watched(Value):
    """Who watches, in words."""

    number: int
    who: str
    """Names, and how many guests have none or do not want to be seen."""
    follows: bool | None = None
    """Whether the reader follows the game; None for those who play."""
    screen: bool = False
    """Whether a screen shows the table to those who play, of whom the reader is one."""


NOBODY: Final = Watched(0, "")


async def watched_at(request: PageRequest) -> Watched:
    """Who watches the table of this page, in the reader's language; the reader is `you`."""
    audience = (await request.host.live_tables.at(request.table)).audience
    watchers, language = audience.watchers, request.language
    own = request.guest.id if request.guest else ""
    you = [language("you") for each in watchers if own and each.guest == own]
    names = sorted(each.name for each in watchers if each.name and each.guest != own)
    hidden = sum(not each.name and not (own and each.guest == own) for each in watchers)
    playing = seats.seats_played(request, await request.host.table(request.table))
    screen = bool(playing) and audience.has_screen
    if hidden == len(watchers):  # the page says beside it how many
        return Watched(hidden, language.many(hidden, "watching", "watching"), screen=screen)
    guests = [language.many(hidden, "a guest", "{number} guests")] if hidden else []
    return Watched(len(watchers), language.listed([*you, *names, *guests]), screen=screen)


async def is_followed(request: PageRequest) -> bool:
    """Whether the visitor follows the game of this page."""
    guest = request.guest
    if guest is None:
        return False
    return await store.follows(request.host.store, guest.id, request.table)


async def follow(request: PageRequest, form: Form) -> response.Response:
    """Follow a game, or do so no more; a visitor without a name gets one."""
    await request.host.table(request.table)
    guest, headers = request.known()
    change = store.follow if form.get("on") == "1" else store.unfollow
    await change(request.host.store, guest.id, request.table)
    return response.redirect(form.way_back if form.get("back") else f"/t/{request.table}", headers)


async def followed_games(request: PageRequest) -> list[TableLine]:
    """The games that the visitor follows, as a list shows them."""
    guest = request.guest
    if guest is None:
        return []
    cards = await store.followed(request.host.store, guest.id)
    now, language = request.host.now(), request.language
    return [
        finished_line_of(card, (), now, language)
        if card.status is Status.OVER
        else line_of(card, (), now, language)
        for card in cards
        if card.game in GAMES
    ]


async def watchers_part(request: PageRequest) -> str:
    """What replaces the list on a page that shows an older one."""
    watched = await watched_at(request)
    return "".join(
        request.text(f"spectating/{part}.html", watched=watched, anew=True)
        for part in ("watching", "screened")
    )


# --- What spectators may see of a table, and as whom others see them -----------------------------


def seen_by(request: Request, snapshot: Snapshot) -> Snapshot:
    """The table as the sender may see it: as it is, or from outside. Raises HttpError."""
    if seats.seats_played(request, snapshot.table):
        return snapshot
    check_open(request, snapshot.table)
    return snapshot.from_outside()


def check_open(request: Request, table: Table) -> None:
    """Refuse spectators where the players want none. A seat that was just left is kept."""
    guest = request.identity.guest.id if request.identity.guest else ""
    left = guest and any(each.is_kept(guest, request.host.now()) for each in table.occupants)
    if is_closed(table) and not left:
        raise errors.HttpError(403, "this table does not allow spectators", code="unseen")


def watcher_of(request: Request, table: Table, *, unseen: bool = False) -> Watcher | None:
    """As whom the sender watches; None for those who play. Raises HttpError."""
    if seats.seats_played(request, table):
        return None
    check_open(request, table)
    guest = request.identity.guest
    if guest is None:
        return Watcher()
    return Watcher(guest.id, "" if unseen else guest.name)
