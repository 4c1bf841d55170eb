"""Moves with which a table begins: a game that was begun elsewhere is continued here.

They are words of a record, `0:T` or `~:@2`, nature's among them. The log has them as ordinary
moves. The charter says that they were given: they are not checked against the seed, and cannot be
taken back.
"""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core import record
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup
from mauerwerk.core.record import Move, Record, RecordError
from mauerwerk.server.tables.errors import Obstacle, OrderError

MOST: Final = 3_000
"""The most moves that may be given; no game that people play is nearly as long."""


def check(game: AnyGame, setup: Setup[Any], words: Sequence[str]) -> None:
    """Play these words from the start. Raises OrderError where the game cannot continue.

    The record reads them, a word a line, so that a fault is told as it would be of a record.
    """
    if not words:
        return
    if len(words) > MOST:
        raise OrderError(Obstacle.TOO_MANY_GIVEN, most=MOST, moves=len(words))
    head = record.write(game, Record(game.NAME, game.RULES, setup))
    try:
        played = record.read(head + "\n".join(words), {game.NAME: game})
    except RecordError as fault:
        because = str(fault).removeprefix(f"line {fault.line}: ")
        raise OrderError(Obstacle.GIVEN_UNREADABLE, move=fault.line - 1, because=because) from fault
    if [str(move) for move in played.moves] != list(words):
        raise OrderError(Obstacle.GIVEN_NOT_WORDS)
    state = game.start(setup)
    for _, step in record.replay(game, played):
        state = step.state
    if not game.to_act(state):
        raise OrderError(Obstacle.GIVEN_TO_THE_END)


def moves_of(words: Sequence[str]) -> tuple[Move, ...]:
    """These words, which were checked before, as moves."""
    split = (word.partition(":") for word in words)
    return tuple(Move(NATURE if who == "~" else Seat(int(who)), word) for who, _, word in split)
