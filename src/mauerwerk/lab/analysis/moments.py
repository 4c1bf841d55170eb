"""The moments that decided a game: mistakes, luck, and turns that nobody could foresee."""

from collections.abc import Iterator, Sequence
from typing import Final

from mauerwerk.core.game import Outcome, Seat
from mauerwerk.lab.analysis.values import AnalysedPosition, Analysis, Kind, Moment, Source

MOST_MOMENTS: Final = 6
NOTABLE: Final = 0.04
"""A swing below this is no moment: the curve is not as sure as that."""


def summed_up(
    of: str, by: Source, positions: Sequence[AnalysedPosition], outcome: Outcome | None
) -> Analysis:
    """The analysis that these positions make, one for each number of moves."""
    seats = range(len(positions[0].chances))
    lost = [0.0 for _ in seats]
    luck = [0.0 for _ in seats]
    for position in positions:
        if position.seat is not None:
            lost[position.seat] += position.cost
    for before, after in _swings(positions):
        if positions[after.at - 1].seat is None:
            for seat, change in enumerate(_change(before, after)):
                luck[seat] += change
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
    """All that are notable, in any order."""
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
    for before, after in _swings(positions):
        between = positions[before.at : after.at]
        changes = _change(before, after)
        seat = _moved_most(changes)
        # A mistake is told once, by what it cost by what its seat knew.
        slipped = any(each.cost >= NOTABLE for each in between)
        if abs(changes[seat]) >= NOTABLE and not slipped:
            # Of those who chose together, what this seat chose says most.
            move = next((each for each in between if each.seat == seat), between[-1])
            kind: Kind = "luck" if between[-1].seat is None else "turn"
            yield Moment(move.at, Seat(seat), kind, changes[seat], move.chosen)


def _swings(
    positions: Sequence[AnalysedPosition],
) -> Iterator[tuple[AnalysedPosition, AnalysedPosition]]:
    """Positions between which the chances move: the first that had these chances, and the next.

    Between them lies one move, or a choice together, with moves that were the only ones possible.
    """
    before = positions[0]
    for after in positions[1:]:
        if after.chances != before.chances:
            yield before, after
            before = after


def _moved_most(changes: Sequence[float]) -> int:
    """Whose chance changed most; of two alike, who gained."""
    return max(range(len(changes)), key=lambda seat: (round(abs(changes[seat]), 6), changes[seat]))


def _change(before: AnalysedPosition, after: AnalysedPosition) -> tuple[float, ...]:
    return tuple(new - old for old, new in zip(before.chances, after.chances, strict=True))


def _ahead_from(positions: Sequence[AnalysedPosition], outcome: Outcome | None) -> int | None:
    """Since when the winner has had the best chance of all."""
    if outcome is None or len(outcome.winners) != 1:
        return None
    (winner,) = outcome.winners
    since = len(positions) - 1
    while since and _leads(positions[since - 1], winner):
        since -= 1
    return since


def _leads(position: AnalysedPosition, seat: Seat) -> bool:
    own = position.chances[seat]
    return all(own > chance for each, chance in enumerate(position.chances) if each != seat)
