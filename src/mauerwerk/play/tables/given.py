"""Moves with which a table begins: a game that was begun elsewhere, and goes on here.

They are words of a record, `0:T` or `~:@2`, nature's among them. The log has them as ordinary
moves; the charter tells that they were given, so that nobody takes them for drawn by the house, and
nobody takes them back.
"""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core import record
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup, SetupError
from mauerwerk.core.language.translation import message
from mauerwerk.core.record import Move, Record, RecordError

MOST: Final = 3_000
"""So many moves may be given; no game that people play is nearly as long."""


def check(game: AnyGame, setup: Setup[Any], words: Sequence[str]) -> None:
    """Play these words from the start. Raises SetupError where the game does not go on from there.

    The record reads them, a word a line, so that a fault is told as it would be of a record.
    """
    if not words:
        return
    if len(words) > MOST:
        raise SetupError(f"a table begins with at most {MOST} moves, not {len(words)}")
    head = record.write(game, Record(game.NAME, game.RULES, setup))
    try:
        played = record.read(head + "\n".join(words), {game.NAME: game})
    except RecordError as fault:
        because = str(fault).removeprefix(f"line {fault.line}: ")
        raise SetupError(f"move {fault.line - 1} to begin with: {because}") from fault
    if [str(move) for move in played.moves] != list(words):
        raise SetupError("moves to begin with are single words of a record, such as 0:T")
    state = game.start(setup)
    for _, step in record.replay(game, played):
        state = step.state
    if not game.to_act(state):
        raise SetupError(
            message("after these moves the game is over; there is nothing left to play")
        )


def moves_of(words: Sequence[str]) -> tuple[Move, ...]:
    """These words, which were checked before, as moves."""
    split = (word.partition(":") for word in words)
    return tuple(Move(NATURE if who == "~" else Seat(int(who)), word) for who, _, word in split)
