"""Burgbaumeister for the search: which cards are equal, and a rollout policy.

Games are short enough to be played to their end. The searching seat knows some cards of the depot,
and assumes that the others know the same ones.
"""

from typing import Final

from numpy import int64, uint64

from mauerwerk.games.burgbaumeister.values import PLACES
from mauerwerk.kernels.bits import lowest, size
from mauerwerk.kernels.burgbaumeister import rules
from mauerwerk.kernels.chance import below, draw_action
from mauerwerk.kernels.contract import Int, Record, compile_all, mix

compile_all(__name__)

_PLACES: Final = len(PLACES)
_NEAR: Final = 8
"""Turns without a new card are counted only this close to the limit that ends the game."""
_PATIENCE: Final = 4.0
"""The largest cost, in turns, of a card that is taken: otherwise another player may take it."""
_PICTURE: Final = 1.0
"""The worth, in turns, of a point that a picture adds."""


# --- What is known ---------------------------------------------------------------------------


def infoset_key(setup: Record, state: Record, seat: Int) -> Int:
    """The walls and the known cards, which no seat forgets during the search (BB-9).

    Cards that are too low for every wall are not told apart (BB-7).
    """
    left: Int = min(int64(setup.most_idle) - int64(state.idle), _NEAR)
    seen = mix(uint64(1), int64(state.phase) | int64(state.player) << 4 | left << 8)
    seen = mix(seen, int64(state.place) | int64(state.spell) << 8)
    behind = state.walls[0]
    for each in range(setup.seats):
        seen = mix(seen, state.walls[each])
        behind = min(behind, state.walls[each])
    end: Int = rules.last_of(behind) if state.spell == rules.NOBODY else 0
    for place in range(_PLACES):
        if state.numbers[place] and state.depot >> place & 1:
            number = int64(state.numbers[place])
            seen = mix(seen, place | (number if number > end else 1) << 8)
    return seen


def canonical_action(setup: Record, state: Record, seat: Int, action: Int) -> Int:
    """Unknown cards are equal; so are known ones that do not fit (BB-7)."""
    if state.phase != rules.TURNING:
        return int64(action)
    place = action - rules.TURN
    if state.numbers[place] and _fits(state, seat, place):
        return int64(action)
    known = state.numbers[place] != 0
    for other in range(place):
        alike = state.depot >> other & 1 and (state.numbers[other] != 0) == known
        if alike and not (known and _fits(state, seat, other)):
            return int64(rules.TURN + other)
    return int64(action)


def _fits(state: Record, seat: Int, place: Int) -> bool:
    """Whether a known card can be added or inserted by this seat."""
    if state.spell == seat:
        return True
    return bool(state.walls[seat] >> int64(state.numbers[place]) - rules.LOWEST == 0)


# --- How people play -------------------------------------------------------------------------


def _search_for(state: Record, number: Int, missing: Int) -> float:
    """How many cards must be turned until this many are known that are higher than this number."""
    above = number - rules.LOWEST + 1
    lacking = missing - size(_known(state) >> above)
    if lacking <= 0:
        return 0.0
    return float(lacking * (size(state.unseen) + 1.0) / (size(state.unseen >> above) + 1.0))


def _known(state: Record) -> Int:
    """The known cards of the depot."""
    return state.lying & ~state.unseen


def _cost(setup: Record, state: Record, seat: Int, number: Int) -> float:
    """How many more turns a wall takes after this card, less what its picture is worth."""
    wall = state.walls[seat]
    missing = setup.full_wall - size(wall)
    before = _search_for(state, rules.last_of(wall), missing)
    after = _search_for(state, number, missing - 1)
    return float(after - before - _PICTURE * _extra(setup, number))


def _extra(setup: Record, number: Int) -> Int:
    """About what the picture on a card adds (BB-21 to BB-26)."""
    if not setup.variant:
        return 0
    card = 1 << number - rules.LOWEST
    extra = 0
    if (setup.ones | setup.knights | setup.damsels | setup.cannons | setup.wizards) & card:
        extra = 1
    if setup.twos & card:
        extra = 2
    if setup.threes & card:
        extra = 3
    return extra


def _promising(setup: Record, state: Record, seat: Int, number: Int) -> float:
    """A larger weight for a card that costs less; an unknown card has 1."""
    if state.walls[seat] >> number - rules.LOWEST:
        return 1.0  # the wizard inserts it (BB-26)
    return float(3.0 / (1.0 + max(_cost(setup, state, seat, number), 0.0)))


def prior(setup: Record, state: Record, seat: Int, action: Int) -> float:
    """Cards that cost little, and something new rather than a card that does not fit."""
    if state.phase == rules.TURNING:
        number = int64(state.numbers[action - rules.TURN])
        if number == 0:
            return 1.0
        if not _fits(state, seat, action - rules.TURN):
            return 0.25
        return _promising(setup, state, seat, number)
    if state.phase == rules.DECIDING:
        if action == rules.LEAVE:
            return 0.75
        return _promising(setup, state, seat, int64(state.numbers[state.place]))
    if state.phase == rules.FIRING:
        if action == rules.HOLD_FIRE:
            return 0.2
        return float(1 + _extra(setup, action - rules.FIRE + rules.LOWEST))
    return 1.0


def rollout_action(
    setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int
) -> Int:
    """Take what costs few turns; if nothing known does, turn up something new."""
    if state.phase == rules.TURNING:
        return int64(rules.TURN + _turned(setup, state, seat, seed, number, draw))
    if state.phase == rules.DECIDING:
        turned = int64(state.numbers[state.place])
        if not rules.allowed(setup, state, seat, rules.ADD):
            return int64(
                rules.INSERT if rules.allowed(setup, state, seat, rules.INSERT) else rules.LEAVE
            )
        if _loses(setup, state, seat, turned):
            return int64(rules.LEAVE)
        limit = _PATIENCE + below(seed, number, draw, 8) / 8.0
        return int64(rules.ADD if _cost(setup, state, seat, turned) <= limit else rules.LEAVE)
    if state.phase == rules.FIRING:
        target = _dearest(setup, rules.targets(setup, state))
        return int64(rules.FIRE + target - rules.LOWEST)
    return draw_action(setup, state, seat, seed, number, draw)


def _loses(setup: Record, state: Record, seat: Int, number: Int) -> bool:
    """Whether this would be a ninth card that ends a game others win (BB-20)."""
    if not setup.variant or size(state.walls[seat]) + 1 < setup.full_wall:
        return False
    if setup.cannons >> number - rules.LOWEST & 1:
        return False
    most = 0
    for other in range(setup.seats):
        if other != seat:
            most = max(most, rules.points(setup, state, other))
    return bool(rules.points(setup, state, seat) + 1 + _extra(setup, number) < most)


def _turned(setup: Record, state: Record, seat: Int, seed: Int, number: Int, draw: Int) -> Int:
    """The known card that costs least, if that is little; else a new one. If all are known, any."""
    wanted = _wanted(setup, state, seat)
    if wanted or state.unseen:
        for place in range(_PLACES):
            if state.numbers[place] == wanted and state.depot >> place & 1:
                return int64(place)
    return rules.nth(state.depot, below(seed, number, draw, size(state.depot)))


def _wanted(setup: Record, state: Record, seat: Int) -> Int:
    """The number of the known card that costs least; 0 where none costs little."""
    wall = state.walls[seat]
    left = _known(state)
    best = int64(0)
    if state.spell == seat and left & rules.up_to_highest(wall):
        return _dearest(setup, left & rules.up_to_highest(wall))
    left &= ~rules.up_to_highest(wall)
    least = _PATIENCE
    while left:
        card = lowest(left) + rules.LOWEST
        left &= left - 1
        cost = _cost(setup, state, seat, card)
        if cost <= least and not _loses(setup, state, seat, card):
            best = int64(card)
            least = cost
        if best and not setup.variant:
            return best  # those that are higher cost more
    return best


def _dearest(setup: Record, cards: Int) -> Int:
    """The number of the card that adds most, and of these the highest."""
    best = int64(0)
    most = -1
    while cards:
        card = lowest(cards) + rules.LOWEST
        cards &= cards - 1
        if _extra(setup, card) >= most:
            best = int64(card)
            most = _extra(setup, card)
    return best
