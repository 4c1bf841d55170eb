"""What is counted in a game of Mauerbauer.

Every card that was played, with its points, the scoring and the turn, is kept in mind until the
game is over: only then it is known in which third of the game that was, and who won.
"""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.games.mauerbauer.guild import KINDS as CARDS
from mauerwerk.games.mauerbauer.scoring import CARD_CLAUSES, CLAUSE_OF
from mauerwerk.kernels.bits import size
from mauerwerk.kernels.contract import OWN, WIN, Array, Int, Record, compiled
from mauerwerk.kernels.mauerbauer import records

_LARGEST: Final = 7
"""Cities of this many fields or more are counted together."""

_THIRDS: Final = ("early", "middle", "late")
_BY_CARD: Final = (
    *("play", "score", "zero", "when", "play-won", "discard", "swap", "kept"),
    *(f"{stem}-{third}" for third in _THIRDS for stem in ("play", "score")),
)
_CLAUSES: Final = (13, 14, 20, 22, 23, 26, 27, 28, 31, 34, 35, 40, 43, 46, 47)

PLAY, SCORE, ZERO, WHEN, PLAY_WON, DISCARD, SWAP, KEPT, PLAY_THEN = range(
    OWN, OWN + 9 * records.KINDS, records.KINDS
)
SCORE_THEN: Final = PLAY_THEN + records.KINDS
EARNED: Final = OWN + len(_BY_CARD) * records.KINDS
EARNED_WON: Final = EARNED + 3
EARNED_THEN: Final = EARNED + 6
SOURCE: Final = EARNED + 9
CLOSED: Final = SOURCE + len(CARD_CLAUSES)
SIZE: Final = CLOSED + 1
JOINED: Final = SIZE + _LARGEST
PALACES, CLOSER, OTHERS, LAID_ONE, LAID_TWO, LAID_DISCARD = range(JOINED + 1, JOINED + 7)
MB_13, MB_14, MB_20, MB_22, MB_23, MB_26, MB_27, MB_28 = range(LAID_DISCARD + 1, LAID_DISCARD + 9)
MB_31, MB_34, MB_35, MB_40, MB_43, MB_46, MB_47 = range(MB_28 + 1, MB_28 + 8)
OF_CARDS: Final = MB_47 + 1
MB_70: Final = OF_CARDS + len(CARD_CLAUSES)
MB_71: Final = MB_70 + 1
MB_72: Final = MB_70 + 2
"""The place of each column, or the first of several; of `PLAY_THEN` and `SCORE_THEN`, the early."""

_CLAUSE: Final = tuple(CARD_CLAUSES.index(CLAUSE_OF[card]) for card in CARDS)
"""The clause of each kind of card, by its place among those of cards."""

_KIND, _POINTS, _SEAT, _TURN, _SCORING, _WIDTH = range(6)
"""What is noted of a card that was played; the first note is their number.

There is room: each turn takes one of 75 houses, and for two that come back one of 15 palaces, at
most, is gone. So there are at most 105 turns and 106 scorings, with two cards a seat.
"""


def names(_setup: Setup[Any], /) -> Sequence[str]:
    """The names of the columns from `OWN` on."""
    kinds = ("city", "land", "cities")
    return (
        *(f"{stem}/{card.value}" for stem in _BY_CARD for card in CARDS),
        *(f"{stem}/{kind}" for stem in ("earned", "earned-won") for kind in kinds),
        *(f"earned-{third}" for third in _THIRDS),
        *(f"source/{clause}" for clause in CARD_CLAUSES),
        "closed",
        *(f"size/{fields}" for fields in range(1, _LARGEST + 1)),
        *("joined", "palaces", "closer", "others", "laid/one", "laid/two", "laid/discard"),
        *(f"clause/MB-{number}" for number in _CLAUSES),
        *(f"clause/{clause}" for clause in CARD_CLAUSES),
        *(f"clause/MB-{number}" for number in (70, 71, 72)),
    )


# --- As it happens ---------------------------------------------------------------------------


@compiled
def notice(
    setup: Record, before: Record, state: Record, seat: Int, action: Int, notes: Array, row: Array
) -> None:
    """What was built, rolled, closed and joined, and what became of the cards."""
    phase = before.phase
    if phase == records.BUILDING:
        if action == setup.roll_early:
            row[MB_14] += 1
        else:
            row[MB_28] += setup.sides[2 * action + 1] == records.NONE
    elif phase == records.ROLLING:
        _roll(before, state, row)
    elif phase == records.FREE_TOWER:
        row[MB_22] += 1
    elif records.FIRST_HOUSE <= phase <= records.EDGE_HOUSE:
        if records.size_of(state.names) != records.size_of(before.names):
            _close(setup, before, state, row)
    elif phase == records.JOINING:
        row[MB_40] += 1
        row[JOINED] += action - setup.join < setup.fields
        _settle(before, state, row)
    elif phase == records.CHOOSING:
        row[MB_72] += 1
    elif phase in (records.SCORING, records.ADDING, records.FINISHING, records.SWAPPING):
        if action != setup.done:
            _use(setup, before, state, seat, action, notes, row)
        row[MB_71] += state.phase == records.OVER and phase in (records.SCORING, records.ADDING)
    _pass(before, state, row)


@compiled
def _roll(before: Record, state: Record, row: Array) -> None:
    """What the dice showed, and whether there was any of it left (MB-20 to MB-27)."""
    if state.die == records.NONE:
        row[MB_20] += 1
    else:
        row[MB_23] += before.towers_left[state.die] == 0
    for die in range(2):
        face = state.dice[die]
        if face == records.ANY:
            row[MB_26] += 1
        else:
            row[MB_27] += before.houses_left[face] == 0


@compiled
def _close(setup: Record, before: Record, state: Record, row: Array) -> None:
    """A city was closed (MB-31)."""
    fields = 0
    for field in range(setup.fields):
        fields += before.city_of[field] == 0 and state.city_of[field] != 0
    row[MB_31] += 1
    row[CLOSED] += 1
    row[SIZE + min(fields, _LARGEST) - 1] += 1
    _settle(before, state, row)


@compiled
def _settle(before: Record, state: Record, row: Array) -> None:
    """What was built in a city and what was cleared out of it (MB-34, MB-35)."""
    palaces = 0
    for colour in range(records.HOUSE_COLOURS):
        palaces += before.palaces_left[colour] - state.palaces_left[colour]
    row[PALACES] += palaces
    row[MB_34] += palaces > 0
    row[MB_35] += state.walls_left > before.walls_left


@compiled
def _pass(before: Record, state: Record, row: Array) -> None:
    """What can follow from many a move: the end is decided (MB-13, MB-70), a new pile (MB-46).

    Nothing but a new pile makes the pile grow, or not shrink as somebody draws from it.
    """
    if state.ending != before.ending:
        row[MB_13 if state.ending == records.NO_LINE else MB_70] += 1
    if state.pile != before.pile:
        drawn = 1 if before.phase == records.DRAWING else 0
        row[MB_46] += size(state.pile) + drawn > size(before.pile)


@compiled
def _use(
    setup: Record, before: Record, state: Record, seat: Int, action: Int, notes: Array, row: Array
) -> None:
    """A card was played, discarded (MB-43) or swapped (MB-47)."""
    if before.phase == records.SWAPPING:
        row[SWAP + action - setup.swap] += 1
        row[MB_47] += 1
    elif action >= setup.discard:
        row[DISCARD + action - setup.discard] += 1
        row[LAID_DISCARD] += 1
        row[MB_43] += 1
    else:
        points = state.points[seat] - before.points[seat]
        scoring = row[CLOSED]
        if before.phase == records.FINISHING:
            scoring += 1
        else:
            row[CLOSER if seat == before.builder else OTHERS] += points
            if before.phase == records.ADDING:
                row[LAID_TWO] += 1
                row[LAID_ONE] -= 1
            else:
                row[LAID_ONE] += 1
        place = 1 + _WIDTH * notes[0]
        notes[place + _KIND] = action - setup.play
        notes[place + _POINTS] = points
        notes[place + _SEAT] = seat
        notes[place + _TURN] = before.turns
        notes[place + _SCORING] = scoring
        notes[0] += 1


# --- When all is over ------------------------------------------------------------------------


@compiled
def sum_up(setup: Record, state: Record, notes: Array, row: Array) -> None:
    """What was kept, and what each play earned, when, and for whom."""
    for seat in range(setup.seats):
        for kind in range(records.KINDS):
            row[KEPT + kind] += records.number_of(state.hands[seat], kind)
    turns = max(state.turns, 1)
    for play in range(notes[0]):
        place = 1 + _WIDTH * play
        kind, points = notes[place + _KIND], notes[place + _POINTS]
        third = min(3 * notes[place + _TURN] // turns, 2)
        share = row[WIN + notes[place + _SEAT]]
        group = 2 if kind == records.CITIES else 0 if kind < records.LAND_COLOUR else 1
        clause = _CLAUSE[kind]
        row[PLAY + kind] += 1
        row[SCORE + kind] += points
        row[ZERO + kind] += points == 0
        row[WHEN + kind] += notes[place + _SCORING]
        row[PLAY_WON + kind] += share
        row[PLAY_THEN + 2 * records.KINDS * third + kind] += 1
        row[SCORE_THEN + 2 * records.KINDS * third + kind] += points
        row[EARNED + group] += points
        if share:
            row[EARNED_WON + group] += points
        row[EARNED_THEN + third] += points
        row[SOURCE + clause] += points
        row[OF_CARDS + clause] += 1
