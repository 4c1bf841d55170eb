"""Operations about finished games."""

from typing import Annotated, Final

import msgspec

from mauerwerk.core.game import Value
from mauerwerk.server.api.operation import Ask, Count, Operations
from mauerwerk.server.features.results.store import Wanted, finished, place_in
from mauerwerk.server.http.identity import guest_in
from mauerwerk.server.http.request import Request

OPERATIONS: Final = Operations()


class BrowseResults(Ask):
    """Which of one's finished games to list."""

    game: Annotated[str, msgspec.Meta(description="Only this game; empty for all.")] = ""
    before: Annotated[
        str,
        msgspec.Meta(max_length=64, description="`next` of the page before; empty for the first."),
    ] = ""
    limit: Count = 50


class Result(Value, tag=False):
    """A finished game of yours."""

    table: str
    game: str
    ended: int
    """Milliseconds since 1970."""
    seats: int
    own: tuple[int, ...]
    """Your seats."""
    place: int | None
    """Your best place; null where nobody won, or you had left."""
    points: int | None
    rated: bool
    names: tuple[str, ...]
    """The players; empty if the game is no longer kept."""


class Results(Value, tag=False):
    """Finished games, newest first."""

    results: tuple[Result, ...]
    total: int
    next: str
    """`before` of the next page; empty on the last."""


@OPERATIONS.get("/api/guests/me/results")
async def list_results(request: Request, ask: BrowseResults) -> Results:
    """Your finished games, newest first."""
    guest = guest_in(request)
    wanted = Wanted(game=ask.game, before=place_in(ask.before))
    found, total = await finished(request.host.store, guest.id, wanted, ask.limit + 1)
    page = found[: ask.limit]
    return Results(
        results=tuple(msgspec.convert(each, Result, from_attributes=True) for each in page),
        total=total,
        next=f"{page[-1].ended}-{page[-1].table}" if len(found) > len(page) else "",
    )
