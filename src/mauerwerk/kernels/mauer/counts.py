"""What is counted in a game of Die Mauer.

A turn has one of DM-12 to DM-15 or DM-18 to DM-20, as its fists are opened. DM-21 is counted for
each rival's empty fist while the master builder shows a piece. DM-23, DM-26 and DM-27 end rounds.
"""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.games.mauer.values import FULL_SET
from mauerwerk.kernels.contract import OWN, Array, Int, Record, compiled
from mauerwerk.kernels.mauer import rules

LEFT: Final = OWN
BUILT: Final = LEFT + rules.KINDS
ROUND: Final = BUILT + rules.KINDS
BY_MASTER: Final = ROUND + rules.MOST_ROUNDS
BY_RIVAL: Final = BY_MASTER + 1
IDLE: Final = BY_MASTER + 2
CLEAN: Final = BY_MASTER + 3
DM_12, DM_13, DM_14, DM_15, DM_18, DM_19, DM_20, DM_21, ROUND_ENDS = range(CLEAN + 1, CLEAN + 10)
"""The place of each column, or of the first of several; rounds end by DM-23, DM-26 and DM-27."""

_CLAUSES: Final = (12, 13, 14, 15, 18, 19, 20, 21, 23, 26, 27)


def names(setup: Setup[Any], /) -> Sequence[str]:
    """The names of the columns from `OWN` on; empty for those that such a game does not have."""
    rounds: int = setup.options.rounds
    return (
        *(f"{stem}/{piece.value}" for stem in ("left", "built") for piece in FULL_SET),
        *(
            f"round/{number}" if number <= rounds else ""
            for number in range(1, rules.MOST_ROUNDS + 1)
        ),
        *("builder/master", "builder/rival", "idle", "clean"),
        *(f"clause/DM-{number}" for number in _CLAUSES),
    )


@compiled
def began(setup: Record, state: Record, seat: Int) -> Int:
    """The first master builder (DM-3)."""
    return state.master


@compiled
def notice(
    setup: Record, before: Record, state: Record, seat: Int, action: Int, notes: Array, row: Array
) -> None:
    """Count pieces built, turns without building, and what was left when a round ended."""
    if before.phase == rules.PLANNING:
        if before.waiting == 1 << seat:
            _open(setup, before, state, seat, action - rules.PLAN, row)
    elif before.phase == rules.BUILDING:
        row[BUILT + before.piece] += 1
        row[BY_MASTER if seat == before.master else BY_RIVAL] += 1
    elif before.phase == rules.CHOOSING:
        row[DM_18] += 1
    elif before.phase == rules.GIVING:
        row[DM_19] += 1
        row[IDLE] += 1
    if state.round != before.round:
        _end_round(setup, before, state, seat, action, row)


@compiled
def _open(setup: Record, before: Record, state: Record, seat: Int, last: Int, row: Array) -> None:
    """All fists are open, this seat's as the last one: who builds (DM-12 to DM-15, DM-21)."""
    master = before.master
    plan = last if seat == master else before.fists[master]
    guessers = empty = 0
    for rival in range(setup.seats):
        if rival != master:
            fist = last if rival == seat else before.fists[rival]
            guessers += fist == plan
            empty += fist == rules.EMPTY
    if plan != rules.EMPTY:
        row[DM_21] += empty
    if state.phase == rules.BUILDING:
        if guessers == 0:
            row[DM_13] += 1
        else:
            row[DM_15 if state.waiting == 1 << master else DM_14] += 1
    elif state.turns != before.turns:  # nobody builds
        row[IDLE] += 1
        if plan != rules.EMPTY:
            row[DM_12] += 1
        else:
            row[DM_20 if guessers else DM_18] += 1


@compiled
def _end_round(
    setup: Record, before: Record, state: Record, seat: Int, action: Int, row: Array
) -> None:
    """What was on the sheet's last line, and in the hands, which are full again by now."""
    row[ROUND_ENDS + state.ending] += 1
    for each in range(setup.seats):
        row[ROUND + before.round] += state.sheet[before.round * rules.MOST_SEATS + each]
        hand = before.hands[each]
        if before.phase == rules.BUILDING and each == seat:
            hand = rules.less_one(hand, before.piece)
        elif before.phase == rules.GIVING and each == seat:
            hand = rules.less_one(hand, action - rules.GIVE)
        elif before.phase == rules.GIVING and each == before.master:
            hand = rules.with_one(hand, action - rules.GIVE)
        row[CLEAN] += hand == 0
        for kind in range(rules.KINDS):
            row[LEFT + kind] += rules.number_of(hand, kind)
