"""Chance that nobody can steer: fixed by a secret seed before the first move, checked at the end.

Before a game a table draws a seed and shows its commitment, from which the seed cannot be found.
Every roll and deal follows from the seed and from its *place*: the turn, who sees it, and how many
such draws there were in this turn before. So the dice of a turn are the same whatever was played
before them, and a move that is taken back never changes them. When the game is over the seed is
told, and everybody can work out whether it was dealt so.

Who sees a draw belongs to its place for a reason: if cards for one player and for another came from
the same places, a player could look at cards, take back the move, and know what the other is dealt.

Tables that were set up before version 0.3 have the number of the move in the log as its place.
"""

import hashlib
import hmac
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, Final, Literal, TypeAlias

from mauerwerk.core.game import NATURE, AnyGame, Chance, Seat, Value, draw_lot
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


Draws: TypeAlias = Literal["entry", "turn"]
"""What the place of a draw is: the number of its entry in the log, or its place in the turn."""


def draw_at(seed: bytes, place: int | str) -> Chance:
    """Chance for the move at this place.

    A ticket is the HMAC-SHA-256 with the seed as key over the ASCII text `PLACE:TICKET`, read as a
    whole number, the first byte highest. Tickets are counted from 0; all numbers are decimal
    without leading zeros. `draw(n)` takes the next ticket; of the 2**256 values it leaves out the
    highest `2**256 % n`, so that n divides the rest evenly, and where it meets one of them it takes
    another ticket. The answer is the remainder of the ticket by n.

    >>> draw = draw_at(bytes(32), 7)
    >>> [draw(6) for _ in range(5)]
    [5, 3, 1, 0, 1]
    """
    if isinstance(place, int) and place < 0:
        raise ValueError(f"moves are numbered from 0, not {place}")
    tickets = _tickets(seed, place)

    def draw(n: int) -> int:
        if not 1 <= n <= _TICKETS:
            raise ValueError(f"there is no drawing one of {n}")
        fair = _TICKETS - _TICKETS % n
        return next(ticket for ticket in tickets if ticket < fair) % n

    return draw


def _tickets(seed: bytes, place: int | str) -> Iterator[int]:
    count = 0
    while True:
        message = f"{place}:{count}".encode("ascii")
        yield int.from_bytes(hmac.digest(seed, message, "sha256"), "big")
        count += 1


class Places:
    """The places of nature's moves, which are asked for in the order of the game.

    A place is `TURN:WHO:COUNT`. TURN is the number of complete turns behind it. WHO is `all` where
    everybody sees all of what is drawn, else the seats that do, such as `2` or `0,2`; `none` if no
    seat does. COUNT is the number of draws in this turn before it that the same WHO saw.
    """

    def __init__(self, game: AnyGame, seats: int) -> None:
        self._game = game
        self._seats = tuple(map(Seat, range(seats)))
        self._turn = -1
        self._counts: Counter[str] = Counter()

    def next(self, state: Any) -> str:  # noqa: ANN401 - the game's own
        """The place of the move that nature makes in this state."""
        turn, who = self._game.turn(state), self._who(state)
        if turn != self._turn:
            self._turn, self._counts = turn, Counter[str]()
        count = self._counts[who]
        self._counts[who] += 1
        return f"{turn}:{who}:{count}"

    def _who(self, state: Any) -> str:  # noqa: ANN401 - the game's own
        """Who sees all of what nature draws here, by the first of its choices."""
        game = self._game
        events = game.apply(state, NATURE, next(iter(game.odds(state)))).events
        if all(game.seen(event, None) == event for event in events):
            return "all"
        seats = [
            str(seat)
            for seat in self._seats
            if all(game.seen(event, seat) == event for event in events)
        ]
        return ",".join(seats) or "none"


def nature_word(game: AnyGame, state: Any, seed: bytes, place: int | str) -> str:  # noqa: ANN401
    """What nature plays in this state, as the move at this place.

    The weights of `odds` are laid end to end in their order, which is that of `legal`; nature plays
    the action on which a number drawn below their sum falls.
    """
    return game.write(draw_lot(game.odds(state), draw_at(seed, place)))


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
    draws: Draws = "turn",
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
    places = Places(game, record.setup.seats)
    steps = zip(numbers, replay(game, record), strict=True)
    for place, (number, (move, step)) in enumerate(steps):
        at = places.next(state) if move.seat == NATURE and draws == "turn" else number
        if move.seat != NATURE:
            pass
        elif place < given:
            was_given += 1
        elif number in by_hand:
            entered += 1
        else:
            checked += 1
            word = nature_word(game, state, seed, at)
            if word != move.word:
                faults.append(UnfairMove(place, number, move.word, word))
        state = step.state
    return Verdict(checked, tuple(faults), was_given, entered)
