"""Operations before a game: which games there are, who one is, which tables, a new one."""

from typing import Annotated, Any, Final

from msgspec import Meta, field
from msgspec.structs import asdict

from mauerwerk.bots.levels import levels_of, title_of
from mauerwerk.core import options
from mauerwerk.core.game import Seat
from mauerwerk.core.options import Option
from mauerwerk.games import GAMES
from mauerwerk.server.api import operation
from mauerwerk.server.features.spectating import store
from mauerwerk.server.http.identity import LONGEST_NAME, guest_cookie, guest_in, new_guest
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Response, reply
from mauerwerk.server.tables.charter import Chair, ChatRule, Dice, Order
from mauerwerk.server.tables.clocks import Clock
from mauerwerk.server.tables.table import Card, Status, Table
from mauerwerk.server.tables.table_views import card_from_outside

OPERATIONS: Final = operation.Operations()

ORDERED: Final[dict[str, Any]] = {
    "game": next(iter(GAMES)),
    "chairs": [{"kind": "human"}, {"kind": "bot", "level": "apprentice"}, {"kind": "open"}],
    "options": {},
    "mine": [0],
    "public": True,
}


class NewGuest(operation.Ask):
    """Somebody wants to be known by a name."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
    """How others see you."""


class Browse(operation.Ask):
    """Which tables to list."""

    status: Status = Status.OPEN
    before: operation.Before = None
    limit: operation.Count = 50


class BrowseOwn(operation.Ask):
    """Which of one's own tables to list."""

    before: operation.Before = None
    limit: operation.Count = 50


class NewTable(operation.Ask):
    """How a table shall be set up."""

    game: str
    """One of `/api/games`."""
    chairs: Annotated[tuple[Chair, ...], Meta(max_length=32)]
    """One chair per seat: `open` for anybody, `human` for the person with its link, `bot` with a
    level."""
    options: dict[str, str] = field(default_factory=dict[str, str])
    """The game's own, as words."""
    mine: Annotated[tuple[int, ...], Meta(max_length=32)] = ()
    """The seats that you take yourself."""
    public: bool = False
    """Whether the lobby lists it."""
    seconds_per_move: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    """Seconds for a decision; 0: no limit."""
    clock: Clock = Clock()
    """Instead of seconds per move: `total` seconds for each player's game, with an `increment` for
    each decision. Beside a day or more per move: `days_off`, and the minute of the day in UTC at
    which the `night` begins."""
    bot_delay_ms: Annotated[int, Meta(ge=0, le=60_000)] = 800
    """Milliseconds that a bot lets pass."""
    hints: bool = True
    """Whether a seat may ask for advice."""
    rated: bool | None = None
    """Whether the game changes ratings, which hints, real dice and a given beginning rule out.
    null: if it is played against the clock and nothing does."""
    dice: Dice = "server"
    """Who rolls and deals: the `server`; the `players`, who enter what everybody sees; or you as
    the `scribe`, who enters all of nature's moves."""
    spectator_delay: Annotated[int, Meta(ge=-1, le=1_000)] = 0
    """By how many moves spectators are behind; -1: they see nothing before the end."""
    chat: ChatRule = "phrases"
    """What may be said: `phrases` and faces; also `free` text; or `off`."""
    initial_moves: str = ""
    """Words of a record with which the game begins, such as `~:@2 0:T`."""


class Level(operation.Answer):
    """A level of bots."""

    name: str
    title: str
    character: str
    seconds: Annotated[float, Meta(description="How long it may think over a decision.")]


class GameInfo(operation.Answer):
    """A game that can be played."""

    name: str
    title: str
    rules: Annotated[int, Meta(description="The revision of its rules.")]
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    levels: tuple[Level, ...]


class Games(operation.Answer):
    """All games."""

    games: tuple[GameInfo, ...]


class Known(operation.Answer):
    """A guest."""

    guest: str
    name: str


class Welcome(operation.Answer):
    """A guest, and the token by which to know them again for a year: show it to nobody."""

    guest: str
    name: str
    token: str


class Tables(operation.Answer):
    """Tables, those changed last first."""

    tables: tuple[Card, ...]


class Link(operation.Answer):
    """The way to a seat. Anybody who has it can play there."""

    seat: int
    link: str
    token: str


class Opened(operation.Answer):
    """A new table, and the links to the seats that are kept for somebody."""

    table: str
    link: str
    seats: tuple[Link, ...]


@OPERATIONS.get("/api/games")
async def list_games(_request: Request) -> Games:
    """What can be played, with which options, and which bots there are."""
    return Games(
        games=tuple(
            GameInfo(
                name=game.NAME,
                title=game.TITLE,
                rules=game.RULES,
                seats=tuple(game.SEATS),
                options=options.described(game.OPTIONS),
                levels=tuple(
                    Level(
                        name=name,
                        title=title_of(level, game),
                        character=level.character,
                        seconds=level.seconds,
                    )
                    for name, level in levels_of(game).items()
                ),
            )
            for game in GAMES.values()
        )
    )


@OPERATIONS.post("/api/guests", Welcome, status=201, example={"name": "Ada"})
async def become_guest(request: Request, ask: NewGuest) -> Response:
    """Give yourself a name. You get a token, and a browser a cookie."""
    request.app.limiter.guest(request.client)
    guest = new_guest(request, ask.name)
    token = request.host.keys.guest_token(guest)
    welcome = Welcome(guest=guest.id, name=guest.name, token=token)
    return reply(welcome, 201, [guest_cookie(request, guest)])


@OPERATIONS.post("/api/guests/me/token", example={})
async def renew_token(request: Request) -> Welcome:
    """A new token, valid for a year from now; the old one stays valid until its year is over."""
    guest = guest_in(request)
    token = request.host.keys.guest_token(guest, request.identity.device)
    return Welcome(guest=guest.id, name=guest.name, token=token)


@OPERATIONS.get("/api/guests/me")
async def who_am_i(request: Request) -> Known:
    """The guest that you are."""
    guest = guest_in(request)
    return Known(guest=guest.id, name=guest.name)


@OPERATIONS.get("/api/tables")
async def list_tables(request: Request, ask: Browse) -> Tables:
    """Public tables, those changed last first."""
    found = await request.host.store.lobby(ask.status, before=ask.before, most=ask.limit)
    return Tables(tables=tuple(map(card_from_outside, found)))


@OPERATIONS.get("/api/guests/me/tables")
async def list_own_tables(request: Request, ask: BrowseOwn) -> Tables:
    """Tables at which you have a seat, those changed last first."""
    guest = guest_in(request)
    return Tables(
        tables=await request.host.store.tables_of(guest.id, before=ask.before, most=ask.limit)
    )


@OPERATIONS.get("/api/guests/me/followed")
async def list_followed(request: Request) -> Tables:
    """The games that you follow, those changed last first."""
    guest = guest_in(request)
    cards = await store.followed(request.host.store, guest.id)
    return Tables(tables=tuple(map(card_from_outside, cards)))


@OPERATIONS.post("/api/tables", Opened, status=201, example=ORDERED)
async def open_table(request: Request, ask: NewTable) -> Response:
    """Set up a table. The game begins when every seat is taken."""
    guest = guest_in(request)
    request.app.limiter.table(request.client)
    request.app.limiter.table(f"guest {guest.id}")
    asked = asdict(ask)
    moves = tuple(asked.pop("initial_moves").split())
    order = Order(**asked, moves=moves)
    table = await request.host.create(order, guest)
    name = table.charter.id
    opened = Opened(
        table=name,
        link=request.address(f"/t/{name}"),
        seats=tuple(
            link_to(request, table, Seat(seat))
            for seat, chair in enumerate(table.charter.chairs)
            if chair.kind == "human" or seat in order.mine
        ),
    )
    return reply(opened, 201, [(b"location", f"/api/tables/{name}".encode())])


def link_to(request: Request, table: Table, seat: Seat) -> Link:
    """The personal link to a seat."""
    token = request.host.keys.seat_token(table, seat)
    path = f"/t/{table.charter.id}/s/{seat}/{token}"
    return Link(seat=seat, link=request.address(path), token=token)
