"""Operations before a game: which games there are, who one is, which tables, a new one."""

from collections.abc import Sequence

from mauerwerk.bots.levels import levels_of, title_of
from mauerwerk.core import options
from mauerwerk.core.game import Seat
from mauerwerk.games import GAMES
from mauerwerk.server.api import messages
from mauerwerk.server.features.spectating import store
from mauerwerk.server.http.identity import guest_cookie, guest_in, new_guest
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Response, reply
from mauerwerk.server.tables.charter import Guest, Order
from mauerwerk.server.tables.table import Table
from mauerwerk.server.tables.table_views import card_from_outside


async def list_games(request: Request, ask: messages.Nothing) -> messages.Games:
    """What can be played, with which options, and which bots there are."""
    del request, ask
    return messages.Games(
        games=tuple(
            messages.GameInfo(
                name=game.NAME,
                title=game.TITLE,
                rules=game.RULES,
                seats=tuple(game.SEATS),
                options=options.described(game.OPTIONS),
                levels=tuple(
                    messages.Level(
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


async def become_guest(request: Request, ask: messages.NewGuest) -> Response:
    """Give yourself a name. You get a token, and a browser a cookie."""
    request.app.limiter.guest(request.client)
    guest = new_guest(ask.name)
    token = request.host.keys.guest_token(guest)
    welcome = messages.Welcome(guest=guest.id, name=guest.name, token=token)
    return reply(welcome, 201, [guest_cookie(request, guest)])


async def who_am_i(request: Request, ask: messages.Nothing) -> messages.Known:
    """The guest that you are."""
    del ask
    guest = guest_in(request)
    return messages.Known(guest=guest.id, name=guest.name)


async def list_tables(request: Request, ask: messages.Browse) -> messages.Tables:
    """Public tables, those changed last first."""
    found = await request.host.lobby(ask.status, before=ask.before, most=ask.most)
    return messages.Tables(tables=tuple(map(card_from_outside, found)))


async def list_own_tables(request: Request, ask: messages.BrowseOwn) -> messages.Tables:
    """Tables at which you have a seat, those changed last first."""
    guest = guest_in(request)
    return messages.Tables(
        tables=await request.host.tables_of(guest, before=ask.before, most=ask.most)
    )


async def list_followed(request: Request, ask: messages.Nothing) -> messages.Tables:
    """The games that you follow, those changed last first."""
    del ask
    guest = guest_in(request)
    cards = await store.followed(request.host.store, guest.id)
    return messages.Tables(tables=tuple(map(card_from_outside, cards)))


async def open_table(request: Request, ask: messages.NewTable) -> Response:
    """Set up a table. The game begins when every seat is taken."""
    guest = guest_in(request)
    request.app.limiter.table(request.client)
    request.app.limiter.table(f"guest {guest.id}")
    order = Order(
        game=ask.game,
        chairs=ask.chairs,
        options=ask.options,
        mine=tuple(Seat(seat) for seat in ask.mine),
        public=ask.public,
        pace=ask.pace,
        tempo=ask.tempo,
        hints=ask.hints,
        rated=ask.rated,
        moves=tuple(ask.moves.split()),
        chance=ask.chance,
        clock=ask.clock,
        delay=ask.delay,
        talk=ask.talk,
    )
    table = await request.host.create(order, guest)
    name = table.charter.id
    opened = messages.Opened(
        table=name,
        link=request.address(f"/t/{name}"),
        seats=tuple(
            link_to(request, table, Seat(seat))
            for seat, chair in enumerate(table.charter.chairs)
            if chair.kind == "human" or seat in order.mine
        ),
    )
    return reply(opened, 201, [(b"location", f"/api/tables/{name}".encode())])


def hands_out_links(table: Table, own: Sequence[Seat], guest: Guest | None = None) -> bool:
    """Whether the player who has these seats, or is this guest, set up the table.

    Only they may hand out the links of seats that are kept for a person: they know for whom.
    """
    opener = table.charter.opener
    known = {table.occupants[seat].guest for seat in own} | {guest.id if guest else ""}
    return bool(opener) and opener in known


def link_to(request: Request, table: Table, seat: Seat) -> messages.Link:
    """The personal link to a seat."""
    token = request.host.keys.seat_token(table, seat)
    path = f"/t/{table.charter.id}/s/{seat}/{token}"
    return messages.Link(seat=seat, link=request.address(path), token=token)
