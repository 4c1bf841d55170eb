"""Rules of thumb for Die Mauer: count what the others may hold, and mix what could be guessed.

All fists open together, so that the value of a choice depends on the others' choices. A bot that
always took the best would be guessed. So all seats start with random choices and adapt to each
other a few times; the result is a mixed strategy.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from mauerwerk.bots.evaluation import Choice, Evaluation, Reason, because, shares
from mauerwerk.core.game import Seat, Sight
from mauerwerk.core.language import message, messages
from mauerwerk.core.options import PRINTED
from mauerwerk.games.mauer import events, values
from mauerwerk.games.mauer.legality import is_wall, sites
from mauerwerk.games.mauer.rules import totals
from mauerwerk.games.mauer.values import FULL_SET, End, Piece, penalties

Holding: TypeAlias = dict[Piece, float]
"""The expected number of pieces of each kind in a hand, as far as one can know."""
Values: TypeAlias = dict[Piece | None, float]
"""What it is worth to close a fist around what; None is the empty fist."""
SWING: Final = 12.0
"""The points by which a lead typically still changes in a round."""

FREELY: Final = messages(
    "It rids you of {number} penalty point, and nobody can guess it.",
    "It rids you of {number} penalty points, and nobody can guess it.",
)
GIFT: Final = messages(
    "It rids you of {number} penalty point; the master builder gets it.",
    "It rids you of {number} penalty points; the master builder gets them.",
)
UNGUESSED: Final = messages(
    "If nobody guesses it, it rids you of {number} penalty point.",
    "If nobody guesses it, it rids you of {number} penalty points.",
)
GUESSED: Final = messages(
    "If the master builder plans it too, it rids you of {number} penalty point.",
    "If the master builder plans it too, it rids you of {number} penalty points.",
)
SITES: Final = messages(
    "It leaves {number} site for towers and gates.",
    "It leaves {number} sites for towers and gates.",
)
OWN_SITES: Final = messages(
    "It leaves {number} site for your towers and gates.",
    "It leaves {number} sites for your towers and gates.",
)
FEWER_SITES: Final = messages(
    "It leaves the others only {number} site for their towers and gates.",
    "It leaves the others only {number} sites for their towers and gates.",
)
NO_SITE: Final = message("It leaves the others no site for their towers and gates.")
SAME_SITES: Final = message("Both ends leave the same number of sites for towers and gates.")
EMPTY: Final = message("If yours is the only empty fist, you build what you like.")
OFFER: Final = message("If the master builder's fist is empty too, you give a piece away.")
DECOY: Final = message("There is no site for it now, so nobody gains by guessing it.")
SAFE: Final = message("There is no site for it now, so you risk nothing.")


# --- Counting --------------------------------------------------------------------------------


def holdings(sight: Sight[values.Action, events.Event, events.View]) -> list[Holding]:
    """What every seat holds, from this round's events; unseen gifts are spread by guess (DM-19)."""
    pieces, costs = sight.view.pieces, penalties(sight.view.penalties)
    full = {piece: float(pieces.count(piece)) for piece in FULL_SET}
    held: list[Holding] = [full.copy() for _ in sight.view.counts]
    for event in _this_round(sight.told):
        if type(event) is events.FistClosed:  # most are, and none of them says anything
            continue
        match event:
            case events.Built(seat=seat, piece=piece):
                held[seat][piece] = max(held[seat][piece] - 1, 0.0)
            case events.Given(giver=giver, receiver=receiver, piece=piece):
                for kind, share in _gift(held[giver], piece, costs).items():
                    held[giver][kind] -= share
                    held[receiver][kind] += share
            case events.FistsOpened(fists=fists):
                for holding, plan in zip(held, fists, strict=True):
                    piece = plan.piece
                    if piece is not None and holding[piece] < 1:
                        holding[piece] = 1.0
            case _:
                pass
    for holding, count in zip(held, sight.view.counts, strict=True):
        guessed = sum(holding.values()) or 1.0
        if guessed != count:
            for piece in FULL_SET:
                holding[piece] *= count / guessed
    own = sight.view.hands[sight.seat] or ()
    held[sight.seat] = {piece: float(own.count(piece)) for piece in FULL_SET}
    return held


def _this_round(told: Sequence[events.Event]) -> Sequence[events.Event]:
    for place in range(len(told) - 1, -1, -1):
        if type(told[place]) is events.RoundEnded:
            return told[place + 1 :]
    return told


def _gift(giver: Holding, piece: Piece | None, costs: Mapping[Piece, int]) -> Mapping[Piece, float]:
    """The piece that was given; unseen, rather one that costs much."""
    if piece is not None:
        return {piece: 1.0}
    weights = {kind: count * costs[kind] for kind, count in giver.items()}
    total = sum(weights.values()) or 1.0
    return {kind: min(weight / total, giver[kind]) for kind, weight in weights.items()}


# --- Weighing --------------------------------------------------------------------------------


def consider(
    sight: Sight[values.Action, events.Event, events.View],
    _options: values.Options,
    _remembered: Callable[[], object],
    /,
) -> Evaluation:
    """The value of every legal action by what all seats may hold."""
    view, seat = sight.view, sight.seat
    held, costs = holdings(sight), penalties(view.penalties)
    sums = totals(view.scores, len(held))
    in_hand = [sum(costs[piece] * n for piece, n in each.items()) for each in held]
    rest = [points + cost for points, cost in zip(sums, in_hand, strict=True)]
    best = min(each for other, each in enumerate(rest) if other != seat)
    temperature = 0.0
    worth: Values = {}
    if any(isinstance(action, values.Plan) for action in sight.legal):
        assert view.master is not None
        numbers = tuple(tuple(holding[piece] for piece in FULL_SET) for holding in held)
        own = weighed(len(sites(view.wall, Piece.TOWER)), view.master, numbers, view.penalties)[
            seat
        ]
        worth, temperature = dict(zip((*FULL_SET, None), own, strict=True)), TEMPERATURE
    choices = [_choice(action, sight, held, worth) for action in sight.legal]
    rounds_left = view.rounds - len(view.scores)
    return Evaluation(choices, temperature, lead=best - rest[seat], swing=SWING * rounds_left**0.5)


def _choice(
    action: values.Action,
    sight: Sight[values.Action, events.Event, events.View],
    held: Sequence[Holding],
    worth: Values,
) -> Choice:
    view, master = sight.view, sight.view.master == sight.seat
    costs = penalties(view.penalties)
    match action:
        case values.Plan(piece=piece):
            reason = _about_the_fist(piece, view, master=master)
            fits = piece is not None and bool(sites(view.wall, piece))
            return Choice(action, worth[piece], reason, costs[piece] if piece and fits else 0)
        case values.Choose(piece=piece):
            reason = because(FREELY, number=costs[piece])
            return Choice(action, relief(costs[piece]), reason, costs[piece])
        case values.Give(piece=piece):
            reason = because(GIFT, number=costs[piece])
            return Choice(action, relief(costs[piece]), reason, costs[piece])
        case values.Build(end=end):
            return _end(action, end, sight, held)
        case values.Appoint():
            raise AssertionError(action)


def _about_the_fist(piece: Piece | None, view: events.View, *, master: bool) -> Reason:
    if piece is None:
        return because(EMPTY if master else OFFER)
    if not sites(view.wall, piece):
        return because(DECOY if master else SAFE)
    cost = penalties(view.penalties)[piece]
    return because(UNGUESSED if master else GUESSED, number=cost)


def _end(
    action: values.Build,
    end: End,
    sight: Sight[values.Action, events.Event, events.View],
    held: Sequence[Holding],
) -> Choice:
    """The end that leaves sites to those who need them: oneself rather than the others (DM-10)."""
    view, seat = sight.view, sight.seat
    piece = view.piece
    assert piece is not None
    open_ends, other = (
        len(sites((piece, *view.wall) if each is End.LEFT else (*view.wall, piece), Piece.TOWER))
        for each in (end, End.RIGHT if end is End.LEFT else End.LEFT)
    )
    costs = penalties(view.penalties)
    own = _needs_a_site(held[seat], costs)
    theirs = sum(_needs_a_site(each, costs) for rival, each in enumerate(held) if rival != seat)
    value = open_ends * (own - theirs / (len(held) - 1))
    return Choice(action, value, _about_the_end(open_ends, other, own))


def _about_the_end(open_ends: int, other: int, own: float) -> Reason:
    """What speaks for an end: more sites for oneself, or fewer for the others."""
    if open_ends == other:
        return because(SAME_SITES)
    if open_ends > other:
        return because(OWN_SITES if own else SITES, number=open_ends)
    return because(FEWER_SITES, number=open_ends) if open_ends else because(NO_SITE)


def _needs_a_site(holding: Holding, costs: Mapping[Piece, int]) -> float:
    pieces = (Piece.TOWER, Piece.GATE)
    return 0.2 * sum(holding[piece] * costs[piece] for piece in pieces)


# --- Fists -----------------------------------------------------------------------------------

TEMPO: Final = 3.0
"""The value of holding one piece less, beyond its penalty points: the round ends sooner."""
TEMPERATURE: Final = 1.5
TIMES: Final = 6
"""The number of times that all seats adapt to each other."""


def relief(cost: int) -> float:
    """What it is worth to be rid of a piece that costs this."""
    return cost + TEMPO


Held: TypeAlias = tuple[float, ...]
"""A holding as bare numbers, in the order of the full set."""
Choices: TypeAlias = list[float]
"""Something about every choice: the pieces in the order of the full set, then the empty fist."""
_EMPTY: Final = len(FULL_SET)
"""The place of the empty fist among the choices."""


@lru_cache(maxsize=1 << 8)
def weighed(
    open_ends: int, master: Seat, held: tuple[Held, ...], word: str = PRINTED
) -> tuple[tuple[float, ...], ...]:
    """The value of each choice to each seat, after all have adapted to each other.

    They begin with random choices; then every seat evaluates its choices again, and adapts. Until
    something is given in secret all seats know the same, so that the result can be cached; they ask
    for it soon after each other. The word says what pieces cost.
    """
    fists = _Fists(open_ends, master, held, penalties(word))
    seats = range(len(held))
    for time in range(TIMES):
        answers = [_mixed(fists.values(seat), held[seat]) for seat in seats]
        step = 1 / (time + 2)
        for mixture, answer in zip(fists.mixtures, answers, strict=True):
            for choice, share in enumerate(answer):
                mixture[choice] += step * (share - mixture[choice])
    return tuple(tuple(fists.values(seat)) for seat in seats)


class _Fists:
    """The fists of one turn: what each seat may show, and what that leads to on average."""

    def __init__(
        self,
        open_ends: int,
        master: Seat,
        held: tuple[Held, ...],
        costs: Mapping[Piece, int],
    ) -> None:
        self._reliefs = [relief(costs[piece]) for piece in FULL_SET]
        by_cost = _dearest_first(costs)
        self.mixtures = [_blindly(holding) for holding in held]
        self._master, self._others = master, len(held) - 1
        self._rivals = [seat for seat in range(len(held)) if seat != master]
        self._room = [len(held) if is_wall(piece) else open_ends for piece in FULL_SET]
        self._best = _dearest(held[master], by_cost, open_ends=open_ends)
        self._gifts = [_dearest(holding, by_cost, open_ends=1) for holding in held]
        self._building = {room: self._builds(room) for room in self._room}
        self._guessing = {room: self._guesses(room) for room in self._room}

    def _builds(self, room: int) -> list[float]:
        """The master builder's gain if this many guess: he builds or they do (DM-13 to DM-15)."""
        counts = range(self._others + 1)
        return [1.0 if not count or count > room else -count / self._others for count in counts]

    def _guesses(self, room: int) -> list[float]:
        """What a rival gains by guessing together with this many others (DM-14, DM-15)."""
        gains: list[float] = []
        for count in range(self._others):
            without = (count if 0 < count <= room else 1) / self._others
            with_me = 1 - count / self._others if count + 1 <= room else -1 / self._others
            gains.append(with_me + without)
        return gains

    def values(self, seat: int) -> Choices:
        """What each choice is worth to this seat, by what the others do."""
        others = [self.mixtures[rival] for rival in self._rivals if rival != seat]
        shown = list(zip(*others, strict=True))
        if seat == self._master:
            return self._of_the_master(shown)
        return self._of_a_rival(seat, shown)

    def _of_the_master(self, shown: Sequence[Sequence[float]]) -> Choices:
        """He builds, or those who guessed do; with an empty fist it depends (DM-12 to DM-20)."""
        values = [
            _on_average(shown[place], self._building[room]) * self._reliefs[place] if room else 0.0
            for place, room in enumerate(self._room)
        ]
        alone, one, *_ = _guessers(shown[_EMPTY])
        gift = max(self._gifts[rival] for rival in self._rivals)
        values.append(alone * self._best - one * gift * (1 + 1 / self._others))
        return values

    def _of_a_rival(self, seat: int, shown: Sequence[Sequence[float]]) -> Choices:
        """A guess against none; an empty fist beside the master builder's gives a piece (DM-19)."""
        plans = self.mixtures[self._master]
        values = [
            plans[place] * _on_average(shown[place], self._guessing[room]) * self._reliefs[place]
            if room
            else 0.0
            for place, room in enumerate(self._room)
        ]
        gift = self._gifts[seat] * (1 + 1 / self._others)
        saved = self._best / self._others
        values.append(plans[_EMPTY] * _guessers(shown[_EMPTY])[0] * (gift + saved))
        return values


def _on_average(shares: Sequence[float], gains: Sequence[float]) -> float:
    """What it brings if rivals guess so often, by what it brings if none, one, two … do."""
    value = 0.0
    for likely, gain in zip(_guessers(shares), gains, strict=True):
        value += likely * gain
    return value


def _guessers(shares: Sequence[float]) -> Sequence[float]:
    """How likely none of these rivals, one, two … show what they show so often."""
    if len(shares) == 2:  # noqa: PLR2004 - at a table of four, mostly; written out it is quicker
        one, other = shares
        not_one, not_other = 1 - one, 1 - other
        return not_one * not_other, not_one * other + one * not_other, one * other
    likely = [1 - shares[0], shares[0]]
    for share in shares[1:]:
        rest = 1 - share
        between = [less * share + same * rest for less, same in pairwise(likely)]
        likely = [likely[0] * rest, *between, likely[-1] * share]
    return likely


def _blindly(holding: Held) -> Choices:
    weights = [*(min(count, 1.0) for count in holding), 1.0]
    total = sum(weights)
    return [weight / total for weight in weights]


def _mixed(values: Choices, holding: Held) -> Choices:
    """The better the more often, as far as one holds it."""
    weights = shares(values, TEMPERATURE)
    for place, count in enumerate(holding):
        weights[place] *= min(count, 1.0)
    total = sum(weights) or 1.0
    return [weight / total for weight in weights]


def _dearest_first(costs: Mapping[Piece, int]) -> list[tuple[int, bool, float]]:
    """Of each piece its place, whether it is a wall, and the relief; the dearest first."""
    return [
        (FULL_SET.index(piece), is_wall(piece), relief(costs[piece]))
        for piece in sorted(costs, key=costs.__getitem__, reverse=True)
    ]


def _dearest(holding: Held, by_cost: Sequence[tuple[int, bool, float]], *, open_ends: int) -> float:
    """The relief of the best piece to be rid of, with this many open ends for towers and gates."""
    value, missing = 0.0, 1.0
    for place, wall, rid in by_cost:
        if wall or open_ends:
            likely = min(holding[place], 1.0)
            value += missing * likely * rid
            missing *= 1 - likely
    return value
