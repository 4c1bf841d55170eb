"""Operations to find a game: a seat at an open table that fits, or at a new one."""

from typing import Annotated, Final, Literal

from msgspec import Meta, convert
from msgspec.structs import replace

from mauerwerk.core.game import Value
from mauerwerk.games import GAMES
from mauerwerk.server.api import operation
from mauerwerk.server.features.lobby.open_tables import Seek
from mauerwerk.server.features.matchmaking import pages, service
from mauerwerk.server.http.identity import guest_in
from mauerwerk.server.http.request import Request

OPERATIONS: Final = operation.Operations()


class Find(operation.Ask):
    """Somebody looks for a game."""

    game: Annotated[str, Meta(description="Empty: any.")] = ""
    seats: Annotated[int, Meta(ge=0, le=6, description="The number of players; 0: any.")] = 0
    clock: Annotated[
        Literal["", "live", "days", "none"], Meta(description="Minutes or days for a move.")
    ] = ""
    language: Annotated[str, Meta(max_length=8, description="A code such as `de`.")] = ""
    rated: Annotated[bool, Meta(description="Whether only rated games will do.")] = False


class Found(Value, tag=False):
    """A table at which the caller has a seat."""

    table: str
    link: str


@OPERATIONS.post("/api/find", example={"game": next(iter(GAMES))})
async def find_game(request: Request, ask: Find) -> Found:
    """Take a seat at an open table that fits, or at a new one. Asking twice gives one seat."""
    guest = guest_in(request)
    request.app.limiter.table(request.client)
    game = ask.game if ask.game in GAMES else ""
    seek = replace(convert(ask, Seek, from_attributes=True), game=game)
    table = await request.host.service(service.Matchmaking).find(
        guest,
        seek,
        lambda game: pages.order_for(game, seek, ask.language),
        seek.game or next(iter(GAMES)),
    )
    return Found(table, request.address(f"/t/{table}"))
