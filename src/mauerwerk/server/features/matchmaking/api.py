"""Operations to find a game: a seat at a table that fits, at a new one, or soon a bot's."""

from typing import Annotated, Final, Literal

from msgspec import Meta, convert
from msgspec.structs import replace

from mauerwerk.core.game import Value
from mauerwerk.games import GAMES
from mauerwerk.server.api import operation
from mauerwerk.server.features.lobby import looking
from mauerwerk.server.features.lobby.open_tables import Seek
from mauerwerk.server.features.matchmaking import pages, service
from mauerwerk.server.http import errors, seats
from mauerwerk.server.http.identity import guest_in
from mauerwerk.server.http.request import Request
from mauerwerk.server.tables.charter import game_named
from mauerwerk.server.tables.errors import Reason, RequestError

OPERATIONS: Final = operation.Operations()


class Find(operation.Ask):
    """Somebody looks for a game."""

    game: str = ""
    """Empty: any."""
    others: Annotated[tuple[str, ...], Meta(max_length=32)] = ()
    """Further games that will do."""
    seats: Annotated[int, Meta(ge=0, le=6)] = 0
    """The number of players; 0: any."""
    clock: Literal["", "live", "sitting", "steady", "days", "none"] = ""
    """`sitting`: ten minutes each and ten seconds a move; `steady`: two minutes a move; `live`: one
    of both; `days`: a day a move."""
    language: Annotated[str, Meta(max_length=8)] = ""
    """A code such as `de`."""
    rated: bool = False
    """Whether only rated games will do."""
    fun: bool = False
    """Whether to play for fun, with bots at once: a person who comes takes over a bot's seat at the
    next round or game."""


class Found(Value, tag=False):
    """A table at which the caller has a seat, or takes one over soon."""

    table: str
    link: str


class Coming(Value, tag=False):
    """Somebody who takes over a bot's seat at the next round or game."""

    seat: int
    name: str


class SearchState(Value, tag=False):
    """Whether people are looked for at a table, and who is about to come."""

    looking: bool
    coming: tuple[Coming, ...]


class ChangeSearch(operation.Ask):
    """What to do about it."""

    what: Literal["look", "stop", "come", "stay-away"]
    """`look`: play with bots until somebody comes, as a player at a listed table for fun with seats
    for anybody; `stop`: look no longer; `come`: take over a bot's seat at the next round or game;
    `stay-away`: not after all."""


@OPERATIONS.post("/api/find", example={"game": next(iter(GAMES))})
async def find_game(request: Request, ask: Find) -> Found:
    """Take a seat at an open table that fits, or at a new one. Asking twice gives one seat."""
    guest = guest_in(request)
    request.app.limiter.table(request.client)
    if ask.rated and ask.fun:
        raise errors.HttpError(422, "a game is rated or for fun, not both")
    game, *others = [game_named(name).NAME for name in (ask.game, *ask.others) if name] or [""]
    said = convert(ask, Seek, from_attributes=True)
    seek = replace(said, game=game, others=tuple(others))
    table = await request.host.service(service.Matchmaking).find(
        guest,
        seek,
        lambda game: pages.order_for(game, seek, ask.language),
        seek.game or next(iter(GAMES)),
    )
    return Found(table, request.address(f"/t/{table}"))


@OPERATIONS.get(f"{operation.TABLE}/search")
async def see_search(request: Request) -> SearchState:
    """Whether people are looked for at a table whose seats bots keep warm, and who will come."""
    await request.host.table(request.table)
    return await _state(request)


@OPERATIONS.post(f"{operation.TABLE}/search", example={"what": "stop"})
async def change_search(request: Request, ask: ChangeSearch) -> SearchState:
    """Stop looking for people, come to the table at the next round or game, or not after all."""
    table, store = await request.host.table(request.table), request.host.store
    guest = guest_in(request)
    match ask.what:
        case "look":
            seats.seat_for(request, table, None)
            await request.host.service(service.Matchmaking).look(table, guest)
        case "stop":
            seats.seat_for(request, table, None)
            await looking.stop_looking(store, request.table)
        case "come":
            if await request.host.service(service.Matchmaking).come(request.table, guest) is None:
                raise RequestError(Reason.NO_FREE_SEAT)
        case "stay-away":
            await looking.stay_away(store, request.table, guest.id)
    return await _state(request)


async def _state(request: Request) -> SearchState:
    search = await request.host.service(service.Matchmaking).search_at(request.table)
    return SearchState(
        looking=search.since is not None,
        coming=tuple(Coming(seat=each.seat, name=each.name) for each in search.arrivals),
    )
