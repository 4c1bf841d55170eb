"""Die Mauer by rules of thumb: `bots.mauer.greedy` a second time, compiled.

What is worth what, and why, is said in `bots`; a test compares both in every position of many
games.

All know all hands until a piece is given away in a round (DM-2). From then on each seat guesses
what the others hold, by all that it has seen since (DM-19). So these games have more to remember,
and only batches that are made to suggest have it.
"""

from typing import Final

import numpy as np
from numpy import int64

from mauerwerk.kernels.bits import lowest, size
from mauerwerk.kernels.chance import any_best, by_temperature
from mauerwerk.kernels.contract import Int, Record, compile_all
from mauerwerk.kernels.exponential import exp
from mauerwerk.kernels.mauer import memory, rules
from mauerwerk.kernels.mauer.memory import apply as apply_remembering
from mauerwerk.kernels.mauer.memory import start as start_remembering

compile_all(__name__)

_TEMPO: Final = 3.0
_TEMPERATURE: Final = 1.5
_TIMES: Final = 6
_SITE: Final = 0.2
"""The figures of `bots`, where most have these names."""

_SEATS: Final = rules.MOST_SEATS
_KINDS: Final = rules.KINDS
_PLANS: Final = _KINDS + 1

STATE: Final = np.dtype(
    [
        *((name, *rest) for name, *rest in memory.STATE.descr if name),
        ("guesses", "f8", (_SEATS * _SEATS * _KINDS,)),  # by each seat, of each seat's hand
        ("given", "i8"),  # whether anything was given away in this round, so that they count
    ],
    align=True,
)

ROOM: Final = np.dtype(
    [
        ("worth", "f8", (_PLANS,)),  # of each choice, by its place among them
        ("held", "f8", (_SEATS * _KINDS,)),  # how many of each kind each seat may hold
        ("mixtures", "f8", (_SEATS * _PLANS,)),  # how often each seat shows what
        ("answers", "f8", (_SEATS * _PLANS,)),  # how often it would, as the others do
        ("values", "f8", (_PLANS,)),  # what each plan is worth to a seat
        ("likely", "f8", (_SEATS,)),  # how likely no rival shows the same, one, two …
        ("gifts", "f8", (_SEATS,)),  # what it is worth to a seat to give its dearest piece away
        ("best", "f8"),  # and to the master builder to build it
    ],
    align=True,
)


def greedy_action(
    setup: Record, state: Record, seat: Int, room: Record, seed: Int, number: Int, draw: Int
) -> Int:
    """The best choice, or one that is as good; fists are mixed, as they could be guessed."""
    own = int64(seat)
    choices = rules.count(setup, state, seat)
    room.worth[0] = 0.0
    if choices > 1:
        _guess(setup, state, own, room)
        _weigh(setup, state, own, room)
    if state.phase == rules.PLANNING:
        choice = by_temperature(room.worth, choices, _TEMPERATURE, seed, number, draw)
    else:
        choice = any_best(room.worth, choices, seed, number, draw)
    return rules.pick(setup, state, seat, choice)


def _weigh(setup: Record, state: Record, seat: Int, room: Record) -> None:
    """Write what each choice is worth."""
    if state.phase == rules.PLANNING:
        _adapt(setup, state, room)
        _value(setup, state, seat, room)
    left = rules.choices(setup, state, seat)
    choice = 0
    while left:
        action = lowest(left)
        left &= left - 1
        if state.phase == rules.PLANNING:
            worth = room.values[action - rules.PLAN]
        elif state.phase == rules.CHOOSING:
            worth = _relief(setup, action - rules.CHOOSE)
        elif state.phase == rules.GIVING:
            worth = _relief(setup, action - rules.GIVE)
        else:
            worth = _end(setup, state, seat, room, action - rules.BUILD + 1)
        room.worth[choice] = worth
        choice += 1


def _relief(setup: Record, kind: Int) -> float:
    """What it is worth to be rid of a piece."""
    return float(setup.penalties[kind] + _TEMPO)


def _end(setup: Record, state: Record, seat: Int, room: Record, end: Int) -> float:
    """The end that leaves sites to those who need them: oneself rather than the others (DM-10)."""
    is_wall = rules.WALLS >> state.piece & 1
    sites = int64(state.sites | end if is_wall else state.sites & ~end)
    balance = 0.0
    for other in range(int64(setup.seats)):
        tower, gate = room.held[_KINDS * other], room.held[_KINDS * other + 1]
        need = _SITE * (tower * setup.penalties[0] + gate * setup.penalties[1])
        balance += need if other == seat else -need / (setup.seats - 1)
    return float(size(sites) * balance)


# --- What the others may hold ----------------------------------------------------------------


def start(setup: Record, state: Record) -> None:
    """All hands are known."""
    start_remembering(setup, state)
    state.given = 0
    for place in range(_SEATS * _SEATS * _KINDS):
        state.guesses[place] = 0.0


def apply(setup: Record, state: Record, seat: Int, action: Int) -> None:
    """Make a legal move; once a piece was given away in a round, guess by what all see of it."""
    scored = int64(state.round)
    if state.phase == rules.GIVING:
        _give(setup, state, int64(seat), action - rules.GIVE)
    elif state.given and state.phase == rules.BUILDING:
        for viewer in range(int64(setup.seats)):
            place = _place(viewer, seat) + state.piece
            state.guesses[place] = max(state.guesses[place] - 1, 0.0)
    elif state.given and state.phase == rules.PLANNING and state.waiting == 1 << seat:
        for other in range(int64(setup.seats)):
            plan = int64(state.fists[other])
            if other == seat:
                plan = action - rules.PLAN
            if plan != rules.EMPTY:
                for viewer in range(int64(setup.seats)):
                    place = _place(viewer, other) + plan
                    state.guesses[place] = max(state.guesses[place], 1.0)
    apply_remembering(setup, state, seat, action)
    if state.round != scored:
        state.given = 0


def _place(viewer: Int, seat: Int) -> Int:
    """Where the guesses begin that a seat makes about another."""
    return _KINDS * (_SEATS * viewer + seat)


def _give(setup: Record, state: Record, giver: Int, kind: Int) -> None:
    """Two know what is given; to the others it is rather a piece that costs much (DM-19)."""
    master = int64(state.master)
    for viewer in range(int64(setup.seats)):
        if not state.given:
            for seat in range(int64(setup.seats)):
                for each in range(_KINDS):
                    place = _place(viewer, seat) + each
                    state.guesses[place] = rules.number_of(state.hands[seat], each)
        source, target = _place(viewer, giver), _place(viewer, master)
        if viewer in (giver, master):
            state.guesses[source + kind] -= 1
            state.guesses[target + kind] += 1
        else:
            total = 0.0
            for each in range(_KINDS):
                total += state.guesses[source + each] * setup.penalties[each]
            if total == 0:
                total = 1.0
            for each in range(_KINDS):
                held = state.guesses[source + each]
                share = min(held * setup.penalties[each] / total, held)
                state.guesses[source + each] -= share
                state.guesses[target + each] += share
    state.given = 1


def _guess(setup: Record, state: Record, seat: Int, room: Record) -> None:
    """Write what all seats may hold, by what this one knows: its own hand, and all numbers."""
    for other in range(int64(setup.seats)):
        knows = other == seat or not state.given
        count = 0
        guessed = 0.0
        for kind in range(_KINDS):
            number = rules.number_of(state.hands[other], kind)
            count += number
            held = float(number) if knows else state.guesses[_place(seat, other) + kind]
            room.held[_KINDS * other + kind] = held
            guessed += held
        if guessed == 0:
            guessed = 1.0
        for kind in range(_KINDS):
            room.held[_KINDS * other + kind] *= count / guessed


# --- Fists -----------------------------------------------------------------------------------


def _adapt(setup: Record, state: Record, room: Record) -> None:
    """All seats begin with random choices, and adapt to each other a few times."""
    open_ends = size(int64(state.sites))
    for seat in range(int64(setup.seats)):
        room.gifts[seat] = _dearest(setup, room, seat, 1)
        for plan in range(_PLANS):
            room.answers[_PLANS * seat + plan] = 1.0
        _limit(room, seat)
        for plan in range(_PLANS):
            room.mixtures[_PLANS * seat + plan] = room.answers[_PLANS * seat + plan]
    room.best = _dearest(setup, room, int64(state.master), open_ends)
    for time in range(_TIMES):
        for seat in range(int64(setup.seats)):
            _value(setup, state, seat, room)
            most = room.values[0]
            for plan in range(1, _PLANS):
                most = max(most, room.values[plan])
            for plan in range(_PLANS):
                share = exp((room.values[plan] - most) / _TEMPERATURE)
                room.answers[_PLANS * seat + plan] = share
            _limit(room, seat)
        step = 1.0 / (time + 2)
        for place in range(_PLANS * setup.seats):
            room.mixtures[place] += step * (room.answers[place] - room.mixtures[place])


def _limit(room: Record, seat: Int) -> None:
    """Make a mixture of weights: of each plan as much as one holds it."""
    total = room.answers[_PLANS * seat + _KINDS]
    for kind in range(_KINDS):
        room.answers[_PLANS * seat + kind] *= min(room.held[_KINDS * seat + kind], 1.0)
        total += room.answers[_PLANS * seat + kind]
    if total == 0:
        total = 1.0
    for plan in range(_PLANS):
        room.answers[_PLANS * seat + plan] /= total


def _dearest(setup: Record, room: Record, seat: Int, open_ends: Int) -> float:
    """The relief of the best piece to be rid of, with this many open ends for towers and gates."""
    value, missing = 0.0, 1.0
    for place in range(_KINDS):
        kind = int64(setup.dearest[place])
        if open_ends or rules.WALLS >> kind & 1:
            likely = min(room.held[_KINDS * seat + kind], 1.0)
            value += missing * likely * _relief(setup, kind)
            missing *= 1 - likely
    return value


def _value(setup: Record, state: Record, seat: Int, room: Record) -> None:
    """Write what each plan is worth to a seat, by what the others do."""
    master, others = int64(state.master), int64(setup.seats) - 1
    for kind in range(_KINDS):
        sites = setup.seats if rules.WALLS >> kind & 1 else size(int64(state.sites))
        value = 0.0
        if sites:
            _count_guessers(setup, room, seat, master, kind)
            guessers = others if seat == master else others - 1
            for count in range(guessers + 1):
                if seat == master:
                    gain = _builds(count, sites, others)
                else:
                    gain = _guesses(count, sites, others)
                value += room.likely[count] * gain
            value *= _relief(setup, kind)
            if seat != master:
                value *= room.mixtures[_PLANS * master + kind]
        room.values[kind] = value
    _count_guessers(setup, room, seat, master, rules.EMPTY)
    if seat == master:
        gift = -1e9
        for other in range(int64(setup.seats)):
            if other != master:
                gift = max(gift, room.gifts[other])
        value = room.likely[0] * room.best - room.likely[1] * gift * (1 + 1 / others)
    else:
        gain = room.gifts[seat] * (1 + 1 / others) + room.best / others
        value = room.mixtures[_PLANS * master + rules.EMPTY] * room.likely[0] * gain
    room.values[rules.EMPTY] = value


def _count_guessers(setup: Record, room: Record, seat: Int, master: Int, plan: Int) -> None:
    """Write how likely none of the rivals, one, two … show this, apart from this seat."""
    room.likely[0] = 1.0
    rivals = 0
    for other in range(int64(setup.seats)):
        if other not in (seat, master):
            share = room.mixtures[_PLANS * other + plan]
            rivals += 1
            room.likely[rivals] = room.likely[rivals - 1] * share
            for step in range(1, rivals):
                count = rivals - step
                less = room.likely[count - 1] * share
                room.likely[count] = room.likely[count] * (1 - share) + less
            room.likely[0] *= 1 - share


def _builds(count: Int, sites: Int, others: Int) -> float:
    """The master builder's gain if this many guess: he builds or they do (DM-13 to DM-15)."""
    return 1.0 if count == 0 or count > sites else -float(count) / others


def _guesses(count: Int, sites: Int, others: Int) -> float:
    """What a rival gains by guessing together with this many others (DM-14, DM-15)."""
    without = count if 0 < count <= sites else 1
    with_me = others - count if count + 1 <= sites else -1
    return float((with_me + without) / others)
