"""What is counted in a game of Burgbaumeister.

Which numbers and pictures stand in the walls at the end, how much of the win belongs to those who
hold them, where the points come from, what cannons and the wizard did, and which clauses applied.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mauerwerk.core.game import Setup
from mauerwerk.games.burgbaumeister.cards import EXTRA
from mauerwerk.games.burgbaumeister.values import CARDS, Picture
from mauerwerk.kernels.bits import size
from mauerwerk.kernels.burgbaumeister import rules
from mauerwerk.kernels.contract import OWN, WIN, Array, Int, Record, compiled

_CARDS: Final = len(CARDS)
_PICTURES: Final = len(Picture)
_SOURCES: Final = ("cards", "king", "queen", "knights", "damsels", "pairs", "ravens")

HELD: Final = OWN
WON: Final = HELD + _CARDS
DESTROYED: Final = WON + _CARDS
PICTURE: Final = DESTROYED + _CARDS
PICTURE_WON: Final = PICTURE + _PICTURES
SOURCE: Final = PICTURE_WON + _PICTURES
SOURCE_WON: Final = SOURCE + len(_SOURCES)
AGAIN: Final = SOURCE_WON + len(_SOURCES)
DECLINED, FIRED, FIRE_HELD, NO_TARGET, USED, LOST, UNUSED = range(AGAIN + 1, AGAIN + 8)
BB_7, BB_8, BB_10, BB_11, BB_12, BB_13, BB_24, BB_26, BB_27 = range(UNUSED + 1, UNUSED + 10)
"""The place of each column, or of the first of several."""

_ENDINGS: Final = (BB_10, BB_13, BB_11, BB_12)
"""The clause of each reason, in their order."""

_SOURCE_OF: Final[Mapping[Picture, str]] = {
    Picture.KING: "king",
    Picture.QUEEN: "queen",
    Picture.KNIGHT: "knights",
    Picture.DAMSEL: "damsels",
    Picture.RAVEN: "ravens",
    Picture.TWO_RAVENS: "ravens",
}
_EXTRAS: Final = tuple(EXTRA.get(picture, 0) for picture in Picture)
_FROM: Final = tuple(_SOURCES.index(_SOURCE_OF.get(picture, "cards")) for picture in Picture)
"""What each picture is worth by itself, and which source that belongs to."""
_PAIRS: Final = _SOURCES.index("pairs")


def names(_setup: Setup[Any], /) -> Sequence[str]:
    """The names of the columns from `OWN` on."""
    return (
        *(f"{stem}/{number}" for stem in ("held", "won", "destroyed") for number in CARDS),
        *(f"{stem}/{picture}" for stem in ("picture", "picture-won") for picture in Picture),
        *(f"{stem}/{source}" for stem in ("source", "source-won") for source in _SOURCES),
        *("again", "declined", "cannon/fired", "cannon/held", "cannon/no-target"),
        *("spell/used", "spell/destroyed", "spell/unused"),
        *(f"clause/BB-{number}" for number in (7, 8, 10, 11, 12, 13, 24, 26, 27)),
    )


@compiled
def notice(
    setup: Record, before: Record, state: Record, seat: Int, action: Int, notes: Array, row: Array
) -> None:
    """Cards turned, added, inserted, left and destroyed."""
    if before.phase == rules.SHOWING:
        row[AGAIN] += before.numbers[before.place] != 0
    elif before.phase == rules.DECIDING:
        if action == rules.LEAVE:
            row[BB_8] += 1
            row[DECLINED] += rules.count(setup, before, seat) > 1
        else:
            _build(setup, before, state, action, row)
    elif before.phase == rules.FIRING:
        row[BB_24] += 1
        if action == rules.HOLD_FIRE:
            row[FIRE_HELD] += 1
        else:
            _fire(setup, before, action - rules.FIRE, row)


@compiled
def _build(setup: Record, before: Record, state: Record, action: Int, row: Array) -> None:
    """A card came into a wall (BB-7, BB-26); a cannon may find nothing to hit (BB-24)."""
    if action == rules.ADD:
        row[BB_7] += 1
    else:
        row[BB_26] += 1
        row[USED] += 1
    card = before.numbers[before.place] - rules.LOWEST
    row[NO_TARGET] += setup.cannons >> card & 1 and state.phase != rules.FIRING


@compiled
def _fire(setup: Record, before: Record, card: Int, row: Array) -> None:
    """A card left the game: what went with it (BB-24, BB-27)."""
    row[FIRED] += 1
    row[DESTROYED + card] += 1
    is_last = False
    for seat in range(setup.seats):
        is_last |= before.walls[seat] >> card == 1
    is_lost = bool(setup.wizards >> card & 1) and before.spell != rules.NOBODY
    row[LOST] += is_lost
    row[BB_27] += is_lost or is_last


@compiled
def sum_up(setup: Record, state: Record, notes: Array, row: Array) -> None:
    """What stands in the walls, whose it is, and what it is worth (BB-20 to BB-23)."""
    row[_ENDINGS[int(state.ending)]] += 1
    row[UNUSED] = state.spell != rules.NOBODY
    for seat in range(setup.seats):
        wall, share = state.walls[seat], row[WIN + seat]
        pairs = min(size(wall & setup.knights), size(wall & setup.damsels))
        _add_source(row, 0, size(wall), share)
        _add_source(row, _PAIRS, pairs, share)
        for card in range(_CARDS):
            if wall >> card & 1:
                row[HELD + card] += 1
                row[WON + card] += share
                if setup.pictures[card]:
                    picture = setup.pictures[card] - 1
                    row[PICTURE + picture] += 1
                    row[PICTURE_WON + picture] += share
                    _add_source(row, _FROM[int(picture)], _EXTRAS[int(picture)], share)


@compiled
def _add_source(row: Array, source: Int, points: Int, share: Int) -> None:
    row[SOURCE + source] += points
    if share:
        row[SOURCE_WON + source] += points
