"""Burgbaumeister, what a seat sees as numbers.

Seats are counted clockwise from one's own. One of several possibilities is a 1 in its place. The
part of a seat that does not play is zero.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, Final

from numpy import uint64

from mauerwerk.core.game import Setup
from mauerwerk.core.observation import ObservationSpec, Part
from mauerwerk.games.burgbaumeister.cards import EXTRA, shown
from mauerwerk.games.burgbaumeister.events import Task, View
from mauerwerk.games.burgbaumeister.values import (
    CARDS,
    LAYOUTS,
    MOST_IDLE_TURNS,
    PLACES,
    Ending,
    Options,
    Picture,
)
from mauerwerk.kernels.bits import size
from mauerwerk.kernels.burgbaumeister import rules
from mauerwerk.kernels.contract import Array, Int, Record, compiled

_CARDS: Final = len(CARDS)
_PLACES: Final = len(PLACES)
_TURNED: Final = 1 << rules.SHOWING | 1 << rules.DECIDING
"""The phases in which a card is turned."""
_CODES: Final[Mapping[Picture, int]] = {picture: 1 + n for n, picture in enumerate(Picture)}


# --- The parts -------------------------------------------------------------------------------


def _highest(setup: Setup[Options]) -> Mapping[str, int | Sequence[int]]:
    """What the options decide.

    A card goes into a wall at least once in 90 turns, or the game is over (BB-12). When it ends,
    one wall has nine cards at most and the others have eight (BB-10), and others may have been
    destroyed (BB-24). So the depot is never empty (BB-13), except by house rules.
    """
    options, variant = setup.options, int(setup.options.variant)
    chaotic, aid = options.depot == "chaotic", int(options.memory_aid)
    built = (options.wall - 1) * setup.seats + 1 + rules.MOST_SHOTS * variant
    can_empty = options.cards <= built
    built = min(built, options.cards)
    return {
        "task": [int(options.first == "lot"), int(chaotic), 1, 1, 1, variant, 1],
        "variant": variant,
        "pictures": picture_codes(setup),
        "layout": len(LAYOUTS) * chaotic,
        "safe": options.wall * variant,
        "points": _most_points(options),
        "spell": variant,
        "turns": options.idle * (built + 1) if can_empty else options.idle * built,
        "aid": aid,
        "seen": CARDS[-1] * aid,
        "ending": (1, int(can_empty), 1, 1),
    }


def _most_points(options: Options) -> int:
    """What the best nine cards are worth (BB-20 to BB-23)."""
    pictures = list(shown(options).values())
    couples = (Picture.KNIGHT, Picture.DAMSEL)
    others = sorted((EXTRA.get(each, 0) for each in pictures if each not in couples), reverse=True)
    numbers = (range(pictures.count(each) + 1) for each in couples)
    wall = min(options.wall, options.cards)
    return wall + max(
        knights + damsels + min(knights, damsels) + sum(others[: wall - knights - damsels])
        for knights, damsels in product(*numbers)
        if knights + damsels <= wall
    )


def picture_codes(setup: Setup[Options]) -> list[int]:
    """What each number shows; all 0 where pictures do not count."""
    faces = shown(setup.options)
    return _row(_CARDS, {number - rules.LOWEST: _CODES[faces[number]] for number in faces})


def _row(width: int, marks: Mapping[int, int]) -> list[int]:
    """Zeros, and what is marked."""
    row = [0] * width
    for place, mark in marks.items():
        row[place] = mark
    return row


_of_each: Final = partial(Part, seats=rules.MOST_SEATS)
"""A part with numbers of each seat."""

OBSERVATION: Final = ObservationSpec(
    Part(
        "task",
        len(Task),
        "what the table waits for: lot, spread, turn, show, decide, fire, nothing",
    ),
    _of_each("waiting", 1, "who must do it"),
    _of_each("player", 1, "whose turn it is"),
    Part("variant", 1, "whether pictures count", fixed=True),
    Part("pictures", _CARDS, "what each number shows, 1 to 9, where pictures count", fixed=True),
    Part("layout", 1, "1 more than the number of a chaotic layout; 0 for a rectangle"),
    Part("depot", _PLACES, "the places where a card lies"),
    Part("turned", _PLACES, "the place where a card is being turned or lies face up"),
    Part("number", _CARDS, "what that card shows"),
    _of_each("walls", _CARDS, "the numbers in the wall of each seat"),
    _of_each("safe", 1, "how many cards of each wall no cannon can destroy"),
    _of_each("points", 1, "points of each seat"),
    _of_each("spell", 1, "who can still have the wizard insert a card"),
    Part("idle", 1, "turns in a row without a new card in any wall", MOST_IDLE_TURNS),
    Part("turns", 1, "complete turns"),
    Part("aid", 1, "whether there is the memory aid", fixed=True),
    Part("seen", _PLACES, "with it, the number that the card in each place has shown"),
    Part("ending", len(Ending), "why the game ended"),
    highest=_highest,
)
AT: Final[Any] = OBSERVATION.starts()


# --- From records ----------------------------------------------------------------------------


@compiled
def observe(
    setup: Record, state: Record, seat: Int, features: Array, lane: Int, lanes: Int
) -> None:
    """The table as it lies now, and no memory but what the aid shows (BB-9)."""
    if lane == 0:
        _observe_scalars(setup, state, features)
    begin, end = lane * _CARDS // lanes, (lane + 1) * _CARDS // lanes
    pictures = features[AT.pictures : AT.pictures + _CARDS]
    for card in range(begin, end):
        pictures[uint64(card)] = setup.pictures[uint64(card)]
    depot = features[AT.depot : AT.depot + _PLACES]
    for place in range(begin, end):
        depot[uint64(place)] = state.depot >> place & 1
    if setup.aid:
        seen = features[AT.seen : AT.seen + _PLACES]
        for place in range(begin, end):
            seen[uint64(place)] = state.numbers[uint64(place)] * (state.depot >> place & 1)
    waiting = rules.to_act(setup, state)
    step = lane
    while step < setup.seats:
        other = seat + step if seat + step < setup.seats else seat + step - setup.seats
        features[uint64(AT.waiting + step)] = waiting >> other & 1
        if state.player == other and state.phase != rules.DRAWING:
            features[uint64(AT.player + step)] = 1
        if state.spell == other:
            features[uint64(AT.spell + step)] = 1
        rules.write(state.walls[other], features, AT.walls + step * _CARDS)
        features[uint64(AT.safe + step)] = size(rules.up_to_last_tower(setup, state, other))
        features[uint64(AT.points + step)] = rules.points(setup, state, other)
        step += lanes


@compiled
def _observe_scalars(setup: Record, state: Record, features: Array) -> None:
    """What there is once: the phase, the card that is turned, how long it has been going on."""
    features[AT.task + state.phase] = 1
    features[AT.variant] = setup.variant
    features[AT.layout] = 1 + state.layout
    if _TURNED >> state.phase & 1:
        features[AT.turned + state.place] = 1
    if state.phase == rules.DECIDING:
        features[AT.number + state.numbers[state.place] - rules.LOWEST] = 1
    features[AT.idle] = state.idle
    features[AT.turns] = state.turns
    features[AT.aid] = setup.aid
    if state.phase == rules.OVER:
        features[AT.ending + state.ending] = 1


# --- From views ------------------------------------------------------------------------------


def features(setup: Setup[Options], view: View, /) -> Sequence[int]:
    """What `observe` writes, from a view and the pictures agreed on."""
    return OBSERVATION.joined(setup, parts_of(setup, view))


def parts_of(setup: Setup[Options], view: View) -> dict[str, list[int]]:
    """The numbers of each part, without the zeros of seats that do not play."""
    seats, own = len(view.walls), view.seat or 0
    clockwise = [(own + step) % seats for step in range(seats)]
    turned, seen = view.turned, view.seen or ()
    face_up = turned.card if turned else None
    return {
        "task": [int(task is view.task) for task in Task],
        "waiting": [int(seat in view.waiting) for seat in clockwise],
        "player": [int(seat == view.player) for seat in clockwise],
        "variant": [int(view.variant)],
        "pictures": picture_codes(setup),
        "layout": [0 if view.layout is None else 1 + view.layout],
        "depot": _row(_PLACES, dict.fromkeys(view.depot, 1)),
        "turned": _row(_PLACES, {turned.place: 1} if turned else {}),
        "number": _row(_CARDS, {face_up.number - rules.LOWEST: 1} if face_up else {}),
        "walls": [
            bit
            for seat in clockwise
            for bit in _row(_CARDS, {card.number - rules.LOWEST: 1 for card in view.walls[seat]})
        ],
        "safe": [view.safe[seat] for seat in clockwise],
        "points": [view.points[seat] for seat in clockwise],
        "spell": [int(seat == view.spell) for seat in clockwise],
        "idle": [view.idle],
        "turns": [view.turns],
        "aid": [int(view.seen is not None)],
        "seen": _row(_PLACES, {each.place: each.card.number for each in seen if each.card}),
        "ending": [int(ending is view.ending) for ending in Ending],
    }
