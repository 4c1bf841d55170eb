"""Burgbaumeister by rules of thumb: `bots.burgbaumeister.greedy` a second time, compiled.

The seat remembers every card that was ever turned, as the bot does unless it is told to forget.
What is worth what, and why, is said in `bots`; a test compares both in every position of many
games.
"""

from typing import Final

import numpy as np
from numpy import int64

from mauerwerk.games.burgbaumeister.values import CARDS
from mauerwerk.kernels.bits import lowest, size
from mauerwerk.kernels.burgbaumeister import rules
from mauerwerk.kernels.chance import any_best
from mauerwerk.kernels.contract import Int, Record, compile_all

compile_all(__name__)

_SPELL: Final = 1.5
_FULL_WALL_BONUS: Final = 3.0
_FULL_AHEAD: Final = 1.5
_FULL_BEHIND: Final = -1.0
_HURRY: Final = 4.0
_HASTE: Final = 1.0
_DANGER: Final = 0.4
_FREED: Final = 0.5
_BEHIND: Final = 0.5
_DECIDED: Final = 100.0
"""The figures of `bots`, where most have these names."""

_HIGHEST: Final = CARDS[-1]

ROOM: Final = np.dtype(
    [
        ("worth", "f8", (len(CARDS) + 1,)),  # of each choice, by its place among them
        ("to_come", "f8", (_HIGHEST + 1,)),  # what a wall may bring after a card of this number,
        ("after", "f8", (_HIGHEST + 1,)),  # and the same with one card less
        ("best", "f8", (len(CARDS),)),  # what hidden cards bring, the best first
        ("damage", "f8"),  # of the best shot
        ("danger", "f8"),  # what cannons that may still come can take from one's own wall
        ("knight", "f8"),  # 1 if he would find his damsel in one's own wall,
        ("damsel", "f8"),  # or she him
    ],
    align=True,
)


def greedy_action(
    setup: Record, state: Record, seat: Int, room: Record, seed: Int, number: Int, draw: Int
) -> Int:
    """The best choice; of several that are as good any one, by chance."""
    choices = rules.count(setup, state, seat)
    room.worth[0] = 0.0
    if choices > 1:
        _weigh(setup, state, int64(seat), room)
    return rules.pick(setup, state, seat, any_best(room.worth, choices, seed, number, draw))


def _weigh(setup: Record, state: Record, seat: Int, room: Record) -> None:
    """Write what each choice is worth."""
    wall, left = state.walls[seat], rules.choices(setup, state)
    end = rules.last_of(wall)
    choice = 0
    if state.phase == rules.FIRING:
        while left:
            card = lowest(left)
            left &= left - 1
            is_shot = rules.FIRE + card != rules.HOLD_FIRE
            room.worth[choice] = _damage(setup, state, seat, card) if is_shot else 0.0
            choice += 1
        return
    _look_ahead(setup, state, seat, room)
    stay = room.to_come[end]
    if state.phase == rules.DECIDING:
        number = int64(state.numbers[state.place])
        room.worth[0] = _with_card(setup, state, seat, room, number)
        room.worth[1] = stay
        return
    hidden = _hidden(setup, state, seat, room)
    while left:
        number = int64(state.numbers[lowest(left)])
        left &= left - 1
        worth = stay - 0.02  # turning it gives nothing away
        if number == 0:
            worth = hidden
        elif number > end:
            worth = max(_with_card(setup, state, seat, room, number), stay - 0.01)
        elif state.spell == seat:
            worth = max(_added(setup, room, number, end) - _SPELL, stay)
        room.worth[choice] = worth
        choice += 1


# --- What a card brings ----------------------------------------------------------------------


def _gain(setup: Record, room: Record, number: Int) -> float:
    """What a card is worth in one's wall, its picture included."""
    card = 1 << number - rules.LOWEST
    gain = 1.0
    if not setup.variant:
        return gain
    if setup.ones & card:
        gain += 1.0
    elif setup.twos & card:
        gain += 2.0
    elif setup.threes & card:
        gain += 3.0
    if setup.knights & card:
        gain += room.knight
    elif setup.damsels & card:
        gain += room.damsel
    elif setup.cannons & card:
        gain += room.damage
    elif setup.towers & card:
        gain += _DANGER * room.danger
    elif setup.wizards & card:
        gain += _SPELL
    return gain


def _added(setup: Record, room: Record, number: Int, end: Int) -> float:
    """What a card brings, and the wall after it, which then ends so."""
    return float(_gain(setup, room, number) + room.after[end])


def _with_card(setup: Record, state: Record, seat: Int, room: Record, number: Int) -> float:
    """What it brings to add or insert a card.

    If it is the ninth card, it wins, or it ends a game that is lost (BB-10, BB-20).
    """
    wall = state.walls[seat]
    end = max(number, rules.last_of(wall))
    worth = _added(setup, room, number, end)
    if number < end:
        worth -= _SPELL
    if size(wall) + 1 < setup.full_wall or not setup.variant:
        return worth
    card = 1 << number - rules.LOWEST
    if setup.cannons & card and rules.targets(setup, state):
        return worth  # the shot is still to come (BB-28)
    own = rules.points_of(setup, wall | card)
    for other in range(setup.seats):
        if other != seat:
            points = rules.points(setup, state, other)
            if points > own or (points == own and rules.last_of(state.walls[other]) >= end):
                return worth - _DECIDED
    return worth + _DECIDED


def _hidden(setup: Record, state: Record, seat: Int, room: Record) -> float:
    """The value of turning a card that is unknown."""
    end = rules.last_of(state.walls[seat])
    stay = room.to_come[end]
    total = 0.0
    left = state.unseen
    while left:
        number = lowest(left) + rules.LOWEST
        left &= left - 1
        worth = stay
        if number > end:
            worth = max(stay, _added(setup, room, number, number))
        elif state.spell == seat:
            worth = max(stay, _added(setup, room, number, end) - _SPELL)
        total += worth
    return float(total / max(size(state.unseen), 1))


# --- Shots -----------------------------------------------------------------------------------


def _loss(setup: Record, wall: Int, card: Int) -> Int:
    """The points that a wall loses with a card."""
    return rules.points_of(setup, wall) - rules.points_of(setup, wall & ~(1 << card))


def _damage(setup: Record, state: Record, seat: Int, card: Int) -> float:
    """The value of a shot: the whole loss of the leader, part of that of others (BB-24, BB-27)."""
    most = 0
    owner = seat
    for other in range(setup.seats):
        if other != seat:
            most = max(most, rules.points(setup, state, other))
            if state.walls[other] >> card & 1:
                owner = other
    wall = state.walls[owner]
    lost = float(_loss(setup, wall, card))
    if setup.wizards >> card & 1:
        lost += _SPELL / 2
    if wall >> card == 1:  # it is the last one
        lost -= _FREED
    return float(lost / (1 + _BEHIND * (most - rules.points_of(setup, wall))))


# --- What a wall may still bring -------------------------------------------------------------


def _look_ahead(setup: Record, state: Record, seat: Int, room: Record) -> None:
    """Write what the rest of one's wall may bring, after any number that it may end with."""
    wall = state.walls[seat]
    fewest, most = int64(setup.full_wall), 0
    for other in range(setup.seats):
        if other != seat:
            fewest = min(fewest, setup.full_wall - size(state.walls[other]))
            most = max(most, rules.points(setup, state, other))
    full = _FULL_WALL_BONUS
    if setup.variant:
        full = _FULL_AHEAD if rules.points_of(setup, wall) > most else _FULL_BEHIND
        _look_around(setup, state, seat, room)
    discount = 1 - 1 / (_HURRY + _HASTE * fewest)
    end = rules.last_of(wall)
    for number in range(end, _HIGHEST + 1):
        room.to_come[number] = full
    for _ in range(setup.full_wall - size(wall)):
        for number in range(end, _HIGHEST + 1):
            room.after[number] = room.to_come[number]
        _take_one_more(setup, state, room, end, discount)


def _take_one_more(setup: Record, state: Record, room: Record, end: Int, discount: float) -> None:
    """Write the prospects of a wall that takes one card more than those before, highest last."""
    hidden = size(state.unseen)
    surest = 0.0
    found = 0
    for step in range(_HIGHEST - end + 1):
        number = _HIGHEST - step
        # To wait for the best few of all hidden cards: the more one takes, the sooner.
        waited = total = 0.0
        waits = found > 0
        count = 0
        while waits:
            total += room.best[count]
            count += 1
            longer = discount * total / (hidden - discount * (hidden - count))
            waits = longer > waited and count < found
            waited = max(waited, longer)
        room.to_come[number] = max(waited, discount * surest)
        card = number - rules.LOWEST
        if card >= 0 and state.lying >> card & 1:
            brings = _added(setup, room, number, number)
            if state.unseen >> card & 1:
                place = found
                while place > 0 and room.best[place - 1] < brings:
                    room.best[place] = room.best[place - 1]
                    place -= 1
                room.best[place] = brings
                found += 1
            else:
                surest = max(surest, brings)


def _look_around(setup: Record, state: Record, seat: Int, room: Record) -> None:
    """Write what pictures are worth in one's own wall (BB-22, BB-24, BB-25)."""
    wall = state.walls[seat]
    knights, damsels = size(wall & setup.knights), size(wall & setup.damsels)
    room.knight = 1.0 if damsels > knights else 0.0
    room.damsel = 1.0 if knights > damsels else 0.0
    room.damage = 0.0
    left = rules.targets(setup, state)
    is_first = True
    while left:
        damage = _damage(setup, state, seat, lowest(left))
        left &= left - 1
        room.damage = damage if is_first else max(room.damage, damage)
        is_first = False
    room.danger = 0.0
    if setup.cannons & state.lying:
        left = wall & ~rules.up_to_last_tower(setup, state, seat)
        while left:
            room.danger = max(room.danger, float(_loss(setup, wall, lowest(left))))
            left &= left - 1
