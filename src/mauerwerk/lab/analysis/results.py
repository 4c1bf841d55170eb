"""The results of an analysis: chances at every position, values of choices, decisive moments."""

from collections.abc import Iterator, Sequence
from math import exp, log
from typing import Final, Literal, NamedTuple, TypeAlias

from mauerwerk.core.game import Outcome, Seat, Value

Source: TypeAlias = Literal["search", "greedy"]
Kind: TypeAlias = Literal["mistake", "luck", "turn"]


class Judged(Value):
    """One choice that a seat had."""

    word: str
    value: float
    """The chance to win that it promised, from 0 to 1, by what the seat knew then."""
    visits: int
    """How often it was tried; 0 where it was judged by rules of thumb."""


class AnalysedPosition(Value, tag="position"):
    """The game after this many moves, and the move that came next."""

    at: int
    """The number of moves so far, nature's included."""
    chances: tuple[float, ...]
    """Every seat's chance to win, for an observer who sees all cards; together they are 1.

    While seats choose together nothing is decided, and the chances stay as they were before."""
    seat: Seat | None = None
    """The seat that moved next; None where nature moved, or nobody."""
    chosen: str = ""
    """The word that was played; empty at the end of the record."""
    choices: tuple[Judged, ...] = ()
    """What the seat could do, the best first: the best few and the chosen one.

    Empty where nature moved and where there was nothing to choose."""
    cost: float = 0.0
    """How much of its chance the seat lost by the move; 0 if that cannot be told from noise."""
    stake: float = 0.0
    """How far apart its best and its worst choice are, as far as they were looked at."""


class Moment(Value):
    """A move that decided much."""

    at: int
    """The number of moves before it."""
    seat: Seat
    """The seat that made the mistake, or whose chance changed most."""
    kind: Kind
    """A `mistake` by what the seat knew; `luck`, where nature moved; a `turn`, where players did,
    and nobody could know better."""
    swing: float
    """By how much this seat's chance changed; below 0, it fell."""
    word: str
    """What was played, by the seat or by nature."""
    better: str = ""
    """After a mistake, what would have been better."""


class Analysis(Value):
    """A whole game, or as far as its record goes."""

    of: str
    """The fingerprint of the record; see `fingerprint`."""
    by: Source
    """The method: the search, or, where no kernel plays such a game, rules of thumb."""
    positions: tuple[AnalysedPosition, ...]
    """One for every number of moves from 0 to all of them: `positions[at].at == at`."""
    moments: tuple[Moment, ...]
    """The few that decided most, in the order of the game."""
    lost: tuple[float, ...]
    """The total cost of each seat's mistakes."""
    luck: tuple[float, ...]
    """The total change of each seat's chance by nature's moves."""
    ahead_from: int | None = None
    """The number of moves after which the winner stayed ahead; None if the win is shared."""


# --- Moments ---------------------------------------------------------------------------------

MOST_MOMENTS: Final = 6
NOTABLE: Final = 0.04
"""A smaller swing is no moment: the chances are not that precise."""


def sum_up(
    of: str, by: Source, positions: Sequence[AnalysedPosition], outcome: Outcome | None
) -> Analysis:
    """The analysis from these positions, one for each number of moves."""
    seats = range(len(positions[0].chances))
    lost = [0.0 for _ in seats]
    luck = [0.0 for _ in seats]
    for position in positions:
        if position.seat is not None:
            lost[position.seat] += position.cost
    for before, after in swings(positions):
        if positions[after.at - 1].seat is None:
            for seat, gained in enumerate(change(before, after)):
                luck[seat] += gained
    found = sorted(_moments(positions), key=lambda each: -abs(each.swing))
    return Analysis(
        of=of,
        by=by,
        positions=tuple(positions),
        moments=tuple(sorted(found[:MOST_MOMENTS], key=lambda each: each.at)),
        lost=tuple(lost),
        luck=tuple(luck),
        ahead_from=_ahead_from(positions, outcome),
    )


def _moments(positions: Sequence[AnalysedPosition]) -> Iterator[Moment]:
    for position in positions:
        if position.seat is not None and position.cost >= NOTABLE:
            yield Moment(
                at=position.at,
                seat=position.seat,
                kind="mistake",
                swing=-position.cost,
                word=position.chosen,
                better=position.choices[0].word,
            )
    for before, after in swings(positions):
        between = positions[before.at : after.at]
        changes = change(before, after)
        seat = _moved_most(changes)
        # A mistake is listed once, with its cost by what its seat knew.
        slipped = any(each.cost >= NOTABLE for each in between)
        if abs(changes[seat]) >= NOTABLE and not slipped:
            last = between[-1]
            kind: Kind = "luck" if last.seat is None else "turn"
            # Of moves made together, this seat's own says most.
            own = (each for each in between if each.seat == seat)
            move = last if kind == "luck" else next(own, last)
            yield Moment(move.at, Seat(seat), kind, changes[seat], move.chosen)


def swings(
    positions: Sequence[AnalysedPosition],
) -> Iterator[tuple[AnalysedPosition, AnalysedPosition]]:
    """Pairs of positions between which the chances change: the first of the old ones and the next.

    Between them lies one move, or moves made together, with any moves that were forced.
    """
    before = positions[0]
    for after in positions[1:]:
        if after.chances != before.chances:
            yield before, after
            before = after


def _moved_most(changes: Sequence[float]) -> int:
    """The seat whose chance changed most; of two that changed alike, the one that gained."""
    return max(range(len(changes)), key=lambda seat: (round(abs(changes[seat]), 6), changes[seat]))


def change(before: AnalysedPosition, after: AnalysedPosition) -> tuple[float, ...]:
    """By how much each seat's chance changed."""
    return tuple(new - old for old, new in zip(before.chances, after.chances, strict=True))


def _ahead_from(positions: Sequence[AnalysedPosition], outcome: Outcome | None) -> int | None:
    """The position from which on the winner has had the best chance of all."""
    if outcome is None or len(outcome.winners) != 1:
        return None
    (winner,) = outcome.winners
    since = len(positions) - 1
    for position in reversed(positions[:-1]):
        *_, second, best = sorted(position.chances)
        if position.chances[winner] != best or second == best:
            break
        since = position.at
    return since


_SMALLEST: Final = 1e-6
"""Smaller shares are treated as this one."""


class Lens(NamedTuple):
    """Turns shares in the win into chances to win.

    Where the search plays to the end its shares are chances already. Where it looks only a few
    turns ahead, small advantages decide more than its shares say; see `BotRoom.SHARPNESS`.
    """

    sharpness: float
    """1 leaves shares as they are; more moves them away from even."""

    def chances(self, shares: Sequence[float]) -> tuple[float, ...]:
        """Every seat's chance; together they are 1.

        >>> [round(chance, 2) for chance in Lens(2.0).chances([0.6, 0.4])]
        [0.69, 0.31]
        """
        return _normal([self.sharpness * _log(share) for share in shares])

    def chance(self, share: float, seats: int) -> float:
        """One seat's chance, if the others share the rest equally."""
        return self.chances([share, *[(1 - share) / (seats - 1)] * (seats - 1)])[0]


def pool(searched: Sequence[float], expected: Sequence[float], share: float) -> tuple[float, ...]:
    """Two estimates as one: their geometric mean, with a share from 0 to 1 for what is expected.

    Unlike the arithmetic mean it gives no hope to a seat that has none by one of them.

    >>> [round(chance, 2) for chance in pool([0.8, 0.2], [0.5, 0.5], 0.5)]
    [0.67, 0.33]
    >>> [round(chance, 2) for chance in pool([1.0, 0.0], [0.5, 0.5], 0.1)]
    [1.0, 0.0]
    """
    pairs = zip(searched, expected, strict=True)
    return _normal([(1 - share) * _log(one) + share * _log(other) for one, other in pairs])


def result_of(outcome: Outcome) -> tuple[float, ...]:
    """Each seat's share in the win once the game is over; seats that are first share it."""
    winners = outcome.winners
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(outcome.ranks)))


def _log(share: float) -> float:
    return log(max(share, _SMALLEST))


def _normal(logs: Sequence[float]) -> tuple[float, ...]:
    weights = [exp(each - max(logs)) for each in logs]
    return tuple(weight / sum(weights) for weight in weights)
