"""Burgbaumeister for learners that remember: every card that was ever turned, and where it lies.

All players see every card that is turned (BB-9), so all remember the same. The rules' state already
knows the cards; when each was last seen is added.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy import int64

from mauerwerk.core.game import Setup, Sight
from mauerwerk.core.observation import Part
from mauerwerk.games.burgbaumeister import beliefs
from mauerwerk.games.burgbaumeister.cards import shown
from mauerwerk.games.burgbaumeister.values import CARDS, PLACES, Options, Picture
from mauerwerk.kernels.bits import lowest, size
from mauerwerk.kernels.burgbaumeister import observation, rules
from mauerwerk.kernels.burgbaumeister.observation import observe as observe_table
from mauerwerk.kernels.burgbaumeister.rules import LOWEST, SHOWING, TURN, up_to_highest
from mauerwerk.kernels.burgbaumeister.rules import apply as apply_rules
from mauerwerk.kernels.burgbaumeister.rules import start as start_game
from mauerwerk.kernels.contract import Array, Int, Record, compiled
from mauerwerk.kernels.observation import Lookup

_CARDS: Final = len(CARDS)
_PLACES: Final = len(PLACES)

LONGEST: Final = 63
"""The largest number in `since`."""

STATE: Final = np.dtype(
    [
        *((name, *rest) for name, *rest in rules.STATE.descr if name),
        ("shown", "i2", (_PLACES,)),  # how many turns were complete when a card was last shown
    ],
    align=True,
)


def _highest(setup: Setup[Options]) -> Mapping[str, int | Sequence[int]]:
    """Towers are safe (BB-25)."""
    faces, variant = shown(setup.options), setup.options.variant
    targets = [faces.get(number) is not Picture.TOWER for number in CARDS]
    return {"destroyed": [int(each and variant) for each in targets]}


ADDED: Final = (
    Part(
        "cards",
        _PLACES * _CARDS,
        "of each place, the number of the card that lies there, where it is known: it was "
        "turned before, or all others were",
    ),
    Part(
        "since",
        _PLACES,
        "1 more than the turns since the card in each place was last face up, 63 at most; 0 "
        "where it never was; all players saw it",
        LONGEST,
    ),
    Part("left", _PLACES, "the places turned and left since a card was last added or inserted"),
    Part("unseen", _CARDS, "the numbers that nobody has seen yet"),
    Part("destroyed", _CARDS, "the numbers that cannons have destroyed"),
    Part("fits", _PLACES, "the places of known cards that one's own wall can take now"),
    Part(
        "skips",
        _PLACES,
        "of each place whose card one could add: how many lower cards of the depot would no "
        "longer fit",
        _CARDS - 1,
    ),
)
OBSERVATION: Final = observation.OBSERVATION.extended(*ADDED, highest=_highest)
AT: Final[Any] = OBSERVATION.starts()
LOOKUP: Final = Lookup(TURN, AT.cards, _PLACES, _CARDS)
"""It does not matter where in the depot a card lies, only which card it is."""


# --- What is compiled ------------------------------------------------------------------------


@compiled
def start(setup: Record, state: Record) -> None:
    """No card has been seen."""
    start_game(setup, state)
    for place in range(_PLACES):
        state.shown[place] = 0


@compiled
def apply(setup: Record, state: Record, seat: Int, action: Int) -> None:
    """Make a legal move; remember when a card is shown."""
    if state.phase == SHOWING:
        state.shown[state.place] = state.turns
    apply_rules(setup, state, seat, action)


@compiled
def observe(
    setup: Record, state: Record, seat: Int, features: Array, lane: Int, lanes: Int
) -> None:
    """The table, and what all remember of it; lanes share the places and the cards."""
    observe_table(setup, state, seat, features, lane, lanes)
    wall = state.walls[seat]
    too_low = up_to_highest(wall)
    place = lane
    while place < _PLACES:
        if state.depot >> place & 1:
            number = int64(state.numbers[place])
            if number:
                features[AT.since + place] = min(state.turns - state.shown[place] + 1, LONGEST)
            elif size(state.unseen) == 1:
                number = lowest(state.unseen) + LOWEST
            if number:
                card = number - LOWEST
                features[AT.cards + place * _CARDS + card] = 1
                if not too_low >> card & 1:
                    features[AT.fits + place] = 1
                    lower = state.lying & ~too_low & ((1 << card) - 1)
                    features[AT.skips + place] = size(lower)
                elif state.spell == seat:
                    features[AT.fits + place] = 1
        features[AT.left + place] = state.left >> place & 1
        place += lanes
    standing = 0
    for other in range(setup.seats):
        standing |= state.walls[other]
    destroyed = setup.all_cards & ~state.lying & ~standing
    card = lane
    while card < _CARDS:
        features[AT.unseen + card] = state.unseen >> card & 1
        features[AT.destroyed + card] = destroyed >> card & 1
        card += lanes


# --- In Python -------------------------------------------------------------------------------


def recall(
    _setup: Setup[Options], belief: beliefs.Belief, _told: Sequence[Any], out: Record, /
) -> None:
    """Write when each card was last shown; the rules' state knows the rest."""
    out["shown"] = 0
    for glimpse in belief.glimpses:
        out["shown"][glimpse.place] = glimpse.turn


def remembered(setup: Setup[Options], sight: Sight[Any, Any, Any], /) -> Sequence[int]:
    """What `observe` writes, from what a seat was told."""
    view, belief = sight.view, beliefs.believe(sight)
    known: dict[int, int] = {}
    for place in view.depot:
        numbers = beliefs.numbers_at(belief, place)
        if len(numbers) == 1:
            known[place] = next(iter(numbers))
    last_seen = {glimpse.place: glimpse.turn for glimpse in belief.glimpses}
    wall = [card.number for card in view.walls[sight.seat]]
    last = max(wall, default=0)
    lying = {*beliefs.unplaced(belief), *beliefs.known(belief).values()}
    higher = {place: number for place, number in known.items() if number > last}
    sizes = OBSERVATION.sizes(setup)
    parts = {part.name: [0] * sizes[part.name] for part in ADDED}
    for place, number in known.items():
        parts["cards"][place * _CARDS + number - LOWEST] = 1
        parts["fits"][place] = int(place in higher or view.spell == sight.seat)
        if place in last_seen:
            parts["since"][place] = min(view.turns - last_seen[place] + 1, LONGEST)
    for place, number in higher.items():
        parts["skips"][place] = sum(last < lower < number for lower in lying)
    for place in belief.left:
        parts["left"][place] = 1
    for number in beliefs.unplaced(belief):
        parts["unseen"][number - LOWEST] = 1
    for number in belief.destroyed:
        parts["destroyed"][number - LOWEST] = 1
    return OBSERVATION.joined(setup, {**observation.parts_of(setup, view), **parts})
