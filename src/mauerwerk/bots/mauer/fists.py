"""The fists of Die Mauer: the worth of each choice, as all are made together.

All fists open together, so that the worth of a choice depends on the others' choices. A bot that
always took the best would be guessed. Here all seats start with random choices and adapt to each
other a few times; the result is a mixed strategy.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from mauerwerk.bots.evaluation import shares
from mauerwerk.core.game import Seat
from mauerwerk.games.mauer.legality import is_wall
from mauerwerk.games.mauer.values import FULL_SET, PENALTY, Piece

TEMPO: Final = 3.0
"""The worth of holding one piece less, beyond its penalty points: the round ends sooner."""

TEMPERATURE: Final = 1.5
TIMES: Final = 6
"""The number of times that all seats adapt to each other."""


def relief(piece: Piece) -> float:
    """What it is worth to be rid of a piece."""
    return PENALTY[piece] + TEMPO


Held: TypeAlias = tuple[float, ...]
"""A holding as bare numbers, in the order of the full set."""

Choices: TypeAlias = list[float]
"""Something about every choice: the pieces in the order of the full set, then the empty fist."""

_RELIEFS: Final = tuple(relief(piece) for piece in FULL_SET)
_DEAREST_FIRST: Final = tuple(
    (FULL_SET.index(piece), is_wall(piece), relief(piece)) for piece in PENALTY
)
_EMPTY: Final = len(FULL_SET)
"""The place of the empty fist among the choices."""


@lru_cache(maxsize=1 << 13)
def weighed(open_ends: int, master: Seat, held: tuple[Held, ...]) -> tuple[tuple[float, ...], ...]:
    """The worth of each choice to each seat, after all have adapted to each other.

    They begin with random choices; then every seat evaluates its choices again, and adapts. Until
    something is given in secret all seats know the same, so that the result can be cached.
    """
    fists = _Fists(open_ends, master, held)
    seats = range(len(held))
    for time in range(TIMES):
        answers = [_mixed(fists.worths(seat), held[seat]) for seat in seats]
        step = 1 / (time + 2)
        for mixture, answer in zip(fists.mixtures, answers, strict=True):
            for choice, share in enumerate(answer):
                mixture[choice] += step * (share - mixture[choice])
    return tuple(tuple(fists.worths(seat)) for seat in seats)


class _Fists:
    """The fists of one turn: what each seat may show, and what that leads to on average."""

    def __init__(self, open_ends: int, master: Seat, held: tuple[Held, ...]) -> None:
        """Begin with players who choose at random."""
        self.mixtures = [_blindly(holding) for holding in held]
        self._master, self._others = master, len(held) - 1
        self._rivals = [seat for seat in range(len(held)) if seat != master]
        self._room = [len(held) if is_wall(piece) else open_ends for piece in FULL_SET]
        self._best = _dearest(held[master], open_ends=open_ends)
        self._gifts = [_dearest(holding, open_ends=1) for holding in held]
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

    def worths(self, seat: int) -> Choices:
        """What each choice is worth to this seat, by what the others do."""
        others = [self.mixtures[rival] for rival in self._rivals if rival != seat]
        shown = list(zip(*others, strict=True))
        if seat == self._master:
            return self._of_the_master(shown)
        return self._of_a_rival(seat, shown)

    def _of_the_master(self, shown: Sequence[Sequence[float]]) -> Choices:
        """He builds, or those who guessed do; with an empty fist it depends (DM-12 to DM-20)."""
        worths = [
            _on_average(shown[place], self._building[room]) * _RELIEFS[place] if room else 0.0
            for place, room in enumerate(self._room)
        ]
        alone, one, *_ = _guessers(shown[_EMPTY])
        gift = max(self._gifts[rival] for rival in self._rivals)
        worths.append(alone * self._best - one * gift * (1 + 1 / self._others))
        return worths

    def _of_a_rival(self, seat: int, shown: Sequence[Sequence[float]]) -> Choices:
        """A guess against none; an empty fist beside the master builder's gives a piece (DM-19)."""
        plans = self.mixtures[self._master]
        worths = [
            plans[place] * _on_average(shown[place], self._guessing[room]) * _RELIEFS[place]
            if room
            else 0.0
            for place, room in enumerate(self._room)
        ]
        gift = self._gifts[seat] * (1 + 1 / self._others)
        saved = self._best / self._others
        worths.append(plans[_EMPTY] * _guessers(shown[_EMPTY])[0] * (gift + saved))
        return worths


def _on_average(shares: Sequence[float], gains: Sequence[float]) -> float:
    """What it brings if rivals guess so often, by what it brings if none, one, two … do."""
    worth = 0.0
    for likely, gain in zip(_guessers(shares), gains, strict=True):
        worth += likely * gain
    return worth


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


def _mixed(worths: Choices, holding: Held) -> Choices:
    """The better the more often, as far as one holds it."""
    weights = shares(worths, TEMPERATURE)
    for place, count in enumerate(holding):
        weights[place] *= min(count, 1.0)
    total = sum(weights) or 1.0
    return [weight / total for weight in weights]


def _dearest(holding: Held, *, open_ends: int) -> float:
    """The relief of the best piece to be rid of, with this many open ends for towers and gates."""
    worth, missing = 0.0, 1.0
    for place, wall, rid in _DEAREST_FIRST:
        if wall or open_ends:
            likely = min(holding[place], 1.0)
            worth += missing * likely * rid
            missing *= 1 - likely
    return worth
