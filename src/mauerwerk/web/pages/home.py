"""The home page: the games, your tables, open tables, and a game at one click."""

from typing import Final

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.games import GAMES
from mauerwerk.play.tables.entries import Card, Chair, Status
from mauerwerk.play.tables.orders import Order
from mauerwerk.web.games import web_game, web_games
from mauerwerk.web.games.box import MIDDLE, Box
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.replies import Reply, redirect
from mauerwerk.web.learn.progress import where
from mauerwerk.web.pages.form import Form
from mauerwerk.web.pages.invite import opened
from mauerwerk.web.pages.people import company, friendly_name, names_on, turn_of
from mauerwerk.web.pages.visitor import Visitor

MOST: Final = 6
"""The most tables of a kind that the page lists."""


class TableLine(Value):
    """A table in a list."""

    link: str
    box: Box
    about: str
    tag: str
    mine: bool
    """Whether it waits for the reader."""


async def show(visitor: Visitor) -> Reply:
    """The games, and tables to resume, to join or to watch."""
    host, language = visitor.call.host, visitor.language
    tables = await host.tables_of(visitor.guest, before=None, most=50) if visitor.guest else ()
    own = [card for card in tables if card.game in GAMES]
    name = visitor.guest.name if visitor.guest else ""
    seated = {card.id for card in own}
    public = {
        status: [
            card
            for card in await host.lobby(status, before=None, most=2 * MOST)
            if card.id not in seated and card.game in GAMES  # its package may be gone
        ]
        for status in Status
    }
    running = [line_of(card, name, language) for card in own if card.status is not Status.OVER]
    over = [card for card in own if card.status is Status.OVER][:MOST]
    games = web_games()
    return visitor.paint(
        "home.html",
        games=tuple(games.values()),
        lessons={name: where(visitor, name) for name, game in games.items() if game.lesson},
        symbols=tuple(symbol for game in games.values() for symbol in game.box.symbols),
        running=sorted(running, key=lambda line: not line.mine)[: 2 * MOST],
        open=[line_of(card, "", language) for card in public[Status.OPEN][:MOST]],
        watch=[line_of(card, "", language) for card in public[Status.RUNNING][:MOST]],
        over=[ended(card, language) for card in [*over, *public[Status.OVER]][:MOST]],
    )


def line_of(card: Card, own: str, language: Language) -> TableLine:
    """A table that is open or running."""
    tag, mine = turn_of(card, own, language)
    if card.status is Status.OPEN:
        free = sum(
            not name and not level for name, level in zip(card.names, card.levels, strict=True)
        )
        tag = language.many(free, "{number} free seat", "{number} free seats")
    box = web_game(card.game).box
    return TableLine(f"/t/{card.id}", box, company(card, own, language), tag, mine)


def ended(card: Card, language: Language) -> TableLine:
    """A table at which the game is over."""
    names = names_on(card, language)
    winners = [name for name, rank in zip(names, card.ranks, strict=True) if rank == 1]
    about = language("won by {who}", who=language.listed(winners))
    box = web_game(card.game).box
    return TableLine(f"/t/{card.id}", box, about, language("over"), mine=False)


async def play_now(visitor: Visitor, form: Form) -> Reply:
    """Create a table with bots, seat the visitor and show it."""
    room = web_games().get(form.get("game", ""))
    if room is None:
        raise Fault(404, "there is no such game")
    box = room.box
    guest, headers = visitor.known(friendly_name())
    chairs = (Chair("human"), *(Chair("bot", MIDDLE) for _ in range(box.seats - 1)))
    order = Order(box.name, chairs, {}, mine=(Seat(0),), tempo=box.tempo)
    table = await opened(visitor, order, guest)
    return redirect(f"/t/{table}", headers)


async def change_name(visitor: Visitor, form: Form) -> Reply:
    """Be known under another name from now on."""
    return redirect(form.way_back, visitor.renamed(form.get("name", "")))
