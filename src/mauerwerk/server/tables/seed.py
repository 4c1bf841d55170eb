"""Chance that nobody can steer: fixed by a secret seed before the first move, checked at the end.

Before a game a table draws a seed and shows its commitment, from which the seed cannot be found.
Every roll and deal follows from the seed and from the number of the move in the log. When the game
is over the seed is told, and everybody can work out whether it was dealt so.
"""

import hashlib
import hmac
from collections.abc import Collection, Iterator
from typing import Any, Final

from mauerwerk.core.game import NATURE, AnyGame, Chance, Value, draw_lot
from mauerwerk.core.record import Record, replay

SEED_BYTES: Final = 32

_TICKETS: Final = 1 << 256
"""How many values an HMAC-SHA-256 can have."""


def commitment(seed: bytes) -> str:
    """The SHA-256 of the seed in hexadecimal: shown at the start, it fixes the seed.

    >>> commitment(bytes(32))[:16]
    '66687aadf862bd77'
    """
    return hashlib.sha256(seed).hexdigest()


def draw_at(seed: bytes, seq: int) -> Chance:
    """Chance for the move that has this number in the log.

    A ticket is the HMAC-SHA-256 with the seed as key over the ASCII text `SEQ:TICKET`, both in
    decimal without leading zeros, read as a whole number, the first byte highest. Tickets are
    counted from 0. `draw(n)` takes the next ticket; of the 2**256 values it leaves out the highest
    `2**256 % n`, so that n divides the rest evenly, and where it meets one of them it takes another
    ticket. The answer is the remainder of the ticket by n.

    >>> draw = draw_at(bytes(32), 7)
    >>> [draw(6) for _ in range(5)]
    [5, 3, 1, 0, 1]
    """
    if seq < 0:
        raise ValueError(f"moves are numbered from 0, not {seq}")
    tickets = _tickets(seed, seq)

    def draw(n: int) -> int:
        if not 1 <= n <= _TICKETS:
            raise ValueError(f"there is no drawing one of {n}")
        fair = _TICKETS - _TICKETS % n
        return next(ticket for ticket in tickets if ticket < fair) % n

    return draw


def _tickets(seed: bytes, seq: int) -> Iterator[int]:
    count = 0
    while True:
        message = f"{seq}:{count}".encode("ascii")
        yield int.from_bytes(hmac.digest(seed, message, "sha256"), "big")
        count += 1


def nature_word(game: AnyGame, state: Any, seed: bytes, seq: int) -> str:  # noqa: ANN401
    """What nature plays in this state, as the move with this number in the log.

    The weights of `odds` are laid end to end in their order, which is that of `legal`; nature plays
    the action on which a number drawn below their sum falls.
    """
    return game.write(draw_lot(game.odds(state), draw_at(seed, seq)))


class UnfairMove(Value):
    """A move of nature that does not follow from the seed."""

    place: int
    """Which move of the record it is, counted from 0."""
    number: int
    """Its number in the log."""
    word: str
    should_be: str


class Verdict(Value):
    """What came of checking all moves of nature in a record."""

    checked: int
    faults: tuple[UnfairMove, ...]
    given: int = 0
    """Moves of nature with which the table began; no seed says anything about them."""
    by_hand: int = 0
    """Moves of nature that people entered, since they rolled or dealt themselves."""


def check(  # noqa: PLR0913 - the record, and what its line of fairness says
    game: AnyGame,
    record: Record,
    seed: bytes,
    numbers: tuple[int, ...],
    *,
    given: int = 0,
    by_hand: Collection[int] = (),
) -> Verdict:
    """Draw every move of nature again; `numbers` are those of all moves in the log, in order.

    The first `given` moves the table began with, and those with a number in `by_hand` people
    entered: these are counted and left alone.
    """
    if len(numbers) != len(record.moves):
        raise ValueError(f"{len(record.moves)} moves need as many numbers, not {len(numbers)}")
    state = game.start(record.setup)
    checked = was_given = entered = 0
    faults: list[UnfairMove] = []
    steps = zip(numbers, replay(game, record), strict=True)
    for place, (number, (move, step)) in enumerate(steps):
        if move.seat != NATURE:
            pass
        elif place < given:
            was_given += 1
        elif number in by_hand:
            entered += 1
        else:
            checked += 1
            word = nature_word(game, state, seed, number)
            if word != move.word:
                faults.append(UnfairMove(place, number, move.word, word))
        state = step.state
    return Verdict(checked, tuple(faults), was_given, entered)
