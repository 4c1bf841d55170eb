"""Operations for moves that are prepared; they are a secret of the seat that prepares them."""

from typing import Annotated, Final

from msgspec import Meta

from mauerwerk.server.api import operation
from mauerwerk.server.features.conditions import store
from mauerwerk.server.features.conditions.service import Conditions
from mauerwerk.server.http import seats
from mauerwerk.server.http.request import Request

OPERATIONS: Final = operation.Operations()


class SeePrepared(operation.Ask):
    """At which seat."""

    seat: operation.Which = None


class Prepare(operation.Ask):
    """If others only do this, I play that."""

    line: Annotated[str, Meta(max_length=400)]
    """What others do, as in a record: `1:< 2:>`."""
    move: Annotated[str, Meta(max_length=200)]
    """What you play then."""
    seat: operation.Which = None


class Drop(operation.Ask):
    """What to prepare no longer."""

    id: Annotated[str, Meta(max_length=64)]
    seat: operation.Which = None


class PreparedLine(operation.Answer):
    """What others may do before you are asked again, and what you may do then."""

    line: str
    moves: tuple[str, ...]


class PreparedMove(operation.Answer):
    """A move that is prepared."""

    id: str
    line: str
    move: str
    due: int | None
    """When it is played, in milliseconds since 1970, once its line happened."""


class PreparedMoves(operation.Answer):
    """What you can prepare for now, and what you have prepared."""

    lines: tuple[PreparedLine, ...]
    prepared: tuple[PreparedMove, ...]


@OPERATIONS.get(f"{operation.TABLE}/conditions")
async def see_prepared(request: Request, ask: SeePrepared) -> PreparedMoves:
    """The moves that you have prepared in a game over days, and what you can prepare for."""
    return await _prepared(request, ask.seat)


@OPERATIONS.post(f"{operation.TABLE}/conditions", example={"line": "1:<", "move": ">"})
async def prepare_move(request: Request, ask: Prepare) -> PreparedMoves:
    """Prepare a move for what others may do, as long as nobody learns anything from that."""
    snapshot, seat = await seats.acting(request, ask.seat, seated=True)
    await request.host.service(Conditions).prepare(snapshot.table, seat, ask.line, ask.move)
    return await _prepared(request, ask.seat)


@OPERATIONS.post(f"{operation.TABLE}/conditions/drop", example={"id": "x"})
async def drop_prepared(request: Request, ask: Drop) -> PreparedMoves:
    """Prepare a move no longer."""
    _, seat = await seats.acting(request, ask.seat, seated=True)
    await store.drop(request.host.store, ask.id, request.table, seat)
    return await _prepared(request, ask.seat)


async def _prepared(request: Request, wanted: int | None) -> PreparedMoves:
    snapshot, seat = await seats.acting(request, wanted, seated=True)
    lines = await request.host.service(Conditions).lines_for(snapshot.table, seat)
    request.app.limiter.work(request.client, len(lines))
    return PreparedMoves(
        lines=tuple(PreparedLine(line=each.words, moves=each.replies) for each in lines),
        prepared=tuple(
            PreparedMove(id=each.id, line=each.line, move=each.word, due=each.due)
            for each in await store.conditions_at(request.host.store, request.table, seat)
        ),
    )
