"""The moments that decided a game: mistakes, luck, and turns that nobody could foresee."""

from collections.abc import Iterator, Sequence
from typing import Final

from mauerwerk.core.game import Outcome, Seat
from mauerwerk.lab.analysis.values import AnalysedPosition, Analysis, Kind, Moment, Source

MOST_MOMENTS: Final = 6
NOTABLE: Final = 0.04
"""A smaller swing is no moment: the chances are not that precise."""


def summed_up(
    of: str, by: Source, positions: Sequence[AnalysedPosition], outcome: Outcome | None
) -> Analysis:
    """The analysis from these positions, one for each number of moves."""
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
    """All notable moments, in any order."""
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
        # A mistake is listed once, with its cost by what its seat knew.
        slipped = any(each.cost >= NOTABLE for each in between)
        if abs(changes[seat]) >= NOTABLE and not slipped:
            # Of moves made together, this seat's own says most.
            move = next((each for each in between if each.seat == seat), between[-1])
            kind: Kind = "luck" if between[-1].seat is None else "turn"
            yield Moment(move.at, Seat(seat), kind, changes[seat], move.chosen)


def _swings(
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


def _change(before: AnalysedPosition, after: AnalysedPosition) -> tuple[float, ...]:
    return tuple(new - old for old, new in zip(before.chances, after.chances, strict=True))


def _ahead_from(positions: Sequence[AnalysedPosition], outcome: Outcome | None) -> int | None:
    """The position from which on the winner has had the best chance of all."""
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
