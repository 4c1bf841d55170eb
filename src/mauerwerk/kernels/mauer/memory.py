"""Die Mauer for learners that remember: what each seat holds, as far as that can be known.

Hands are hidden, but all begin with the same pieces, and all see what is built. So until a piece is
given away everybody knows all hands (DM-2). What a gift was, only two know (DM-19); to the others
it may be any kind that the giver could hold, until somebody shows or builds a piece that tells.

The kernel keeps the ways in which the secret gifts of a round can have gone, by what everybody has
seen. A way is a word with three bits for each gift: in which bits its kind differs from the true
one. So the true way is 0, and the ways that a seat considers are those that have zeros at the gifts
that it gave or got. A gift that no way disagrees about is a secret no longer and is dropped. There
is room for `MOST_WAYS`; if a gift leads to more, all are confused until the round is over.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

import numpy as np
from msgspec.structs import replace
from numpy import int64

from mauerwerk.core.game import Seat, Setup, Sight
from mauerwerk.core.observation import Part
from mauerwerk.games.mauer import beliefs
from mauerwerk.games.mauer.beliefs import Belief
from mauerwerk.games.mauer.events import (
    Event,
    FistClosed,
    FistsOpened,
    Given,
    RoundEnded,
    Task,
    View,
)
from mauerwerk.games.mauer.values import FULL_SET, Action, Hand, Options, Piece, Plan
from mauerwerk.kernels.contract import Array, Int, Record, compiled
from mauerwerk.kernels.mauer import observation, rules
from mauerwerk.kernels.mauer.observation import observe as observe_table
from mauerwerk.kernels.mauer.observation import of_each, of_kinds
from mauerwerk.kernels.mauer.rules import apply as apply_rules
from mauerwerk.kernels.mauer.rules import start as start_game

MOST_SECRETS: Final = 5
MOST_WAYS: Final = 128
OFTEN: Final = 15
"""The largest number in `shown`."""

_PLANS: Final = rules.KINDS + 1
_ALL: Final = 0x0FFFFFFF
_WALLS: Final = 0x0FFFFF00
"""The digits of all kinds, and of those that always fit."""

STATE: Final = np.dtype(
    [
        *((name, *rest) for name, *rest in rules.STATE.descr if name),
        ("shown", "i8", (rules.MOST_SEATS,)),  # a byte for each plan: how often it was shown
        ("ways", "u2", (MOST_WAYS,)),
        ("gifts", "u2", (MOST_SECRETS,)),  # giver, receiver and kind, a digit of four bits each
        ("secrets", "u1"),  # how many gifts there are in `gifts`
        ("number", "u1"),  # how many ways there are
        ("confused", "u1"),
        ("latest", "u1", (rules.MOST_SEATS,)),  # 1 more than the plan that was shown last; 0: none
    ],
    align=True,
)


def _highest(setup: Setup[Options]) -> Mapping[str, int | Sequence[int]]:
    """Of a kind there are as many pieces as seats. One's own gifts are no secret to oneself."""
    secret = np.zeros((rules.MOST_SEATS, rules.MOST_SEATS), np.int64)
    secret[1 : setup.seats, 1 : setup.seats] = MOST_SECRETS
    np.fill_diagonal(secret, 0)
    return {
        "least": of_kinds(setup, setup.seats),
        "most": of_kinds(setup, setup.seats),
        "secret": secret.ravel().tolist(),
        "latest": [*of_kinds(setup, 1), 1],
        "shown": [*of_kinds(setup, OFTEN), OFTEN],
    }


ADDED: Final = (
    of_each(
        "least",
        rules.KINDS,
        "how many of each kind each seat holds at least, by all that one knows",
    ),
    of_each("most", rules.KINDS, "how many of each kind each seat can hold at most"),
    Part(
        "secret",
        rules.MOST_SEATS * rules.MOST_SEATS,
        "by giver and receiver: gifts in this round of which one does not know the kind",
    ),
    Part(
        "confused",
        1,
        "whether there are too many possible gifts in this round to follow: then `least` "
        "is 0 for others, and `most` is what is not built",
    ),
    of_each(
        "latest",
        _PLANS,
        "what each seat showed when fists were last opened in this round: which kind, or nothing",
    ),
    of_each(
        "shown",
        _PLANS,
        "how often each seat has shown each kind, or nothing, in this round, 15 at most",
    ),
)
OBSERVATION: Final = observation.OBSERVATION.extended(*ADDED, highest=_highest)
AT: Final[Any] = OBSERVATION.starts()


# --- Following the game ----------------------------------------------------------------------


@compiled
def start(setup: Record, state: Record) -> None:
    """All hands are known."""
    start_game(setup, state)
    _forget(state)


@compiled
def _forget(state: Record) -> None:
    """A round ends with open hands, and the next one begins with full ones (DM-24, DM-25)."""
    for seat in range(rules.MOST_SEATS):
        state.shown[seat] = 0
        state.latest[seat] = 0
    state.secrets = 0
    state.number = 1
    state.ways[0] = 0
    state.confused = 0


@compiled
def apply(setup: Record, state: Record, seat: Int, action: Int) -> None:
    """Make a legal move, and draw conclusions from what all see of it."""
    scored = int64(state.round)
    revealing = state.phase == rules.CHOOSING
    if state.phase == rules.PLANNING and state.waiting == 1 << seat:
        state.fists[seat] = action - rules.PLAN
        _note_fists(setup, state)
        revealing = True
    elif state.phase == rules.GIVING and not state.confused:
        _give(state, int64(seat), action - rules.GIVE)
    if state.secrets:
        if revealing:
            _rule_out(
                setup,
                state,
                action - rules.CHOOSE if state.phase == rules.CHOOSING else rules.EMPTY,
            )
        _settle(state)
    apply_rules(setup, state, seat, action)
    if state.round != scored:
        _forget(state)


@compiled
def hand_in(state: Record, way: Int, seat: Int) -> Int:
    """What a seat would hold, in digits of four bits, if the gifts had gone this way."""
    held = rules.digits_of(state.hands[seat])
    for place in range(int64(state.secrets)):
        difference = way >> 3 * place & 7
        if difference:
            gift = int64(state.gifts[place])
            kind = gift >> 8
            change = (1 << 4 * (kind ^ difference)) - (1 << 4 * kind)
            if gift & 15 == seat:
                held -= change
            elif gift >> 4 & 15 == seat:
                held += change
    return held


@compiled
def _note_fists(setup: Record, state: Record) -> None:
    """Remember what everybody shows."""
    for seat in range(setup.seats):
        plan = int64(state.fists[seat])
        state.latest[seat] = 1 + plan
        if state.shown[seat] >> 8 * plan & 0xFF < OFTEN:
            state.shown[seat] += 1 << 8 * plan


@compiled
def _rule_out(setup: Record, state: Record, named: Int) -> None:
    """Keep the ways in which all hold what they show (DM-5), and the master what he names.

    If he alone has an empty fist, all see whether he holds anything that fits (DM-18).
    """
    empty = 0
    for seat in range(setup.seats):
        empty += state.fists[seat] == rules.EMPTY
    fitting = _ALL if state.sites else _WALLS
    builds = rules.digits_of(state.hands[state.master]) & fitting != 0
    kept = 0
    for place in range(int64(state.number)):
        way = int64(state.ways[place])
        agrees = True
        for seat in range(setup.seats):
            held = hand_in(state, way, seat)
            piece = int64(state.fists[seat])
            if piece == rules.EMPTY and seat == state.master:
                piece = named
                if empty == 1 and (held & fitting != 0) != builds:
                    agrees = False
            if piece != rules.EMPTY and not held >> 4 * piece & 15:
                agrees = False
        if agrees:
            state.ways[kept] = way
            kept += 1
    state.number = kept


@compiled
def _give(state: Record, giver: Int, kind: Int) -> None:
    """In each way there is one for each kind that the giver would hold (DM-19)."""
    total = int64(state.number)
    for place in range(int64(state.number)):
        way = int64(state.ways[place])
        held = hand_in(state, way, giver)
        to: Int = place
        for each in range(rules.KINDS):
            if held >> 4 * each & 15:
                if to < MOST_WAYS:
                    state.ways[to] = way | (each ^ kind) << 3 * state.secrets
                to = total
                total += 1
        total -= 1  # one took the place of the way itself
    if total > MOST_WAYS or state.secrets == MOST_SECRETS:
        state.confused = 1
        state.secrets = 0
        state.number = 0
    else:
        state.gifts[state.secrets] = giver | state.master << 4 | kind << 8
        state.secrets += 1
        state.number = total


@compiled
def _settle(state: Record) -> None:
    """Drop the gifts that no way disagrees about."""
    doubts: Int = 0
    for each in range(int64(state.number)):
        doubts |= int64(state.ways[each])
    place = 0
    while place < state.secrets:
        if doubts >> 3 * place & 7:
            place += 1
        else:
            before: Int = (1 << 3 * place) - 1
            doubts = doubts & before | doubts >> 3 & ~before
            for each in range(int64(state.number)):
                way = int64(state.ways[each])
                state.ways[each] = way & before | way >> 3 & ~before
            for later in range(place + 1, state.secrets):
                state.gifts[later - 1] = state.gifts[later]
            state.secrets -= 1


# --- What a seat knows -----------------------------------------------------------------------


@compiled
def observe(
    setup: Record, state: Record, seat: Int, features: Array, lane: Int, lanes: Int
) -> None:
    """The table, and what this seat knows of all hands; lanes share the seats."""
    observe_table(setup, state, seat, features, lane, lanes)
    own = 0
    for place in range(int64(state.secrets)):
        gift = int64(state.gifts[place])
        if seat in (gift & 15, gift >> 4 & 15):
            own |= 7 << 3 * place
    if lane == 0:
        features[AT.confused] = state.confused
        _observe_gifts(setup, state, seat, own, features)
    step = lane
    while step < setup.seats:
        other = seat + step if seat + step < setup.seats else seat + step - setup.seats
        least, most = _bounds(setup, state, seat, other, own)
        for kind in range(rules.KINDS):
            features[AT.least + step * rules.KINDS + kind] = least >> 4 * kind & 15
            features[AT.most + step * rules.KINDS + kind] = most >> 4 * kind & 15
        if state.latest[other]:
            features[AT.latest + step * _PLANS + state.latest[other] - 1] = 1
        for plan in range(_PLANS):
            features[AT.shown + step * _PLANS + plan] = state.shown[other] >> 8 * plan & 0xFF
        step += lanes


@compiled
def _observe_gifts(setup: Record, state: Record, seat: Int, own: Int, features: Array) -> None:
    """The gifts that some way which this seat considers disagrees about."""
    doubts: Int = 0
    for place in range(int64(state.number)):
        if not int64(state.ways[place]) & own:
            doubts |= int64(state.ways[place])
    for place in range(int64(state.secrets)):
        if doubts >> 3 * place & 7:
            gift = int64(state.gifts[place])
            giver = (gift & 15) - seat
            receiver = (gift >> 4 & 15) - seat
            if giver < 0:
                giver += setup.seats
            if receiver < 0:
                receiver += setup.seats
            features[AT.secret + giver * rules.MOST_SEATS + receiver] += 1


@compiled
def _bounds(setup: Record, state: Record, seat: Int, other: Int, own: Int) -> tuple[Int, Int]:
    """The smallest and the largest number of each kind that the other can hold, in digits."""
    least = most = rules.digits_of(state.hands[other])
    if state.confused and other != seat:
        return 0, _not_built(setup, state, seat, most)
    for place in range(int64(state.number)):
        way = int64(state.ways[place])
        if not way & own:
            held = hand_in(state, way, other)
            if held != least or held != most:
                for kind in range(rules.KINDS):
                    digit = 15 << 4 * kind
                    least = least & ~digit | min(least & digit, held & digit)
                    most = most & ~digit | max(most & digit, held & digit)
    return least, most


@compiled
def _not_built(setup: Record, state: Record, seat: Int, held: Int) -> Int:
    """What others hold, in digits, but of no kind more pieces than there are in this hand."""
    left = 0
    for each in range(setup.seats):
        if each != seat:
            left += rules.digits_of(state.hands[each])
    number = rules.size_of(held)
    most = 0
    for kind in range(rules.KINDS):
        most |= min(left >> 4 * kind & 15, number) << 4 * kind
    return most


# --- In Python -------------------------------------------------------------------------------


_Way: TypeAlias = tuple[Belief, tuple[Piece, ...]]
"""A belief for which no gift was a secret, and the kinds that the gifts then were."""


def recall(_setup: Setup[Options], _belief: Belief, told: Sequence[Event], out: Record, /) -> None:
    """Write what was shown in this round.

    A search imagines what others hold. In such a world all take the hands for known: the ways in
    which gifts can have gone would differ from world to world.
    """
    out["shown"], out["latest"] = 0, 0
    out["secrets"], out["number"], out["confused"] = 0, 1, 0
    out["ways"][0] = 0
    plans = [*map(Plan, FULL_SET), Plan(None)]
    for event in reversed(told):
        if isinstance(event, RoundEnded):
            return
        if isinstance(event, FistsOpened):
            for seat, fist in enumerate(event.fists):
                plan = plans.index(fist)
                if int(out["shown"][seat]) >> 8 * plan & 0xFF < OFTEN:
                    out["shown"][seat] += 1 << 8 * plan
                out["latest"][seat] = out["latest"][seat] or 1 + plan


def remembered(setup: Setup[Options], sight: Sight[Action, Event, View], /) -> Sequence[int]:
    """What `observe` writes, from what a seat was told."""
    view = sight.view
    before, begin = beliefs.latest(sight)
    told = sight.told[begin:]
    gifts = _gifts_in(before, told)
    if view.task is Task.NOTHING:
        begin -= 1  # the last event shows all hands
    hands = () if gifts is None else beliefs.possible(beliefs.after(before, sight.told[begin:]))
    clockwise = [Seat((sight.seat + step) % setup.seats) for step in range(setup.seats)]
    parts: dict[str, list[int]] = {part.name: [] for part in ADDED}
    parts["confused"].append(int(gifts is None))
    parts["secret"] += [0] * rules.MOST_SEATS**2
    for gift in gifts or ():
        place = clockwise.index(gift.giver) * rules.MOST_SEATS + clockwise.index(gift.receiver)
        parts["secret"][place] += gift.piece is None
    fists = [event.fists for event in told if isinstance(event, FistsOpened)]
    plans = [*map(Plan, FULL_SET), Plan(None)]
    for seat in clockwise:
        bounds = [
            _bounds_of(view, seat, piece, [held[seat] for held in hands]) for piece in FULL_SET
        ]
        parts["least"] += [least for least, _ in bounds]
        parts["most"] += [most for _, most in bounds]
        shown = [each[seat] for each in fists]
        parts["latest"] += [int(plan in shown[-1:]) for plan in plans]
        parts["shown"] += [min(shown.count(plan), OFTEN) for plan in plans]
    parts |= observation.parts_of(view)
    return OBSERVATION.joined(setup, parts)


def _bounds_of(view: View, seat: Seat, piece: Piece, hands: Sequence[Hand]) -> tuple[int, int]:
    """How many of a kind a seat can hold at least and at most; without hands, all is confused."""
    if hands:
        counts = [hand.count(piece) for hand in hands]
        return min(counts), max(counts)
    own = (view.hands[view.seat or 0] or ()).count(piece)
    if seat == view.seat:
        return own, own
    left = len(view.counts) * view.pieces.count(piece) - view.wall.count(piece) - own
    return 0, min(left, view.counts[seat])


def _gifts_in(before: Belief, told: Sequence[Event]) -> Sequence[Given] | None:
    """The gifts of a round, with the kind where it is known or must be; None when confused."""
    ways: list[_Way] = [(before, ())]
    gifts: list[Given] = []
    for events in _stretches(told):
        first = events[0]
        if isinstance(first, Given):
            by_gift = zip(*(kinds for _, kinds in ways), strict=True)
            secrets = sum(len(set(kinds)) > 1 for kinds in by_gift)
            gifts.append(first)
            ways = [
                (beliefs.after(belief, (replace(first, piece=piece), *events[1:])), (*kinds, piece))
                for belief, kinds in ways
                for piece in dict.fromkeys(beliefs.possible(belief)[0][first.giver])
            ]
            if secrets == MOST_SECRETS or len(ways) > MOST_WAYS:
                return None
            continue
        followed: list[_Way] = []
        for belief, kinds in ways:
            with suppress(ValueError):  # what all have seen contradicts this way
                followed.append((beliefs.after(belief, events), kinds))
        ways = followed
    known = [gift.piece for gift in gifts]
    mine = [
        kinds
        for _, kinds in ways
        if all(piece in (None, kind) for piece, kind in zip(known, kinds, strict=True))
    ]
    return [
        replace(gift, piece=mine[0][place] if len({kinds[place] for kinds in mine}) == 1 else None)
        for place, gift in enumerate(gifts)
    ]


def _stretches(told: Sequence[Event]) -> Iterator[tuple[Event, ...]]:
    """The events, in stretches that begin with a closed fist or a gift."""
    cuts = [place for place, event in enumerate(told) if isinstance(event, FistClosed | Given)]
    for begin, end in zip([0, *cuts], [*cuts, len(told)], strict=True):
        if begin < end:
            yield tuple(told[begin:end])
