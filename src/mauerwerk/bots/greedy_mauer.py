"""Die Mauer by counting and mixing: who can hold what, what fits, and what everybody wants rid of.

All fists open together, so that each choice is worth what the others make of it. A bot that always
took the best would be guessed. Here everybody is thought to weigh their choices against everybody
else's, a few times over, beginning with players who choose blindly; what comes of it is a mixture.
"""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, assert_never

from mauerwerk.bots.greedy_thought import Judgement, Reason, Thought, because, shares
from mauerwerk.core.game import Seat
from mauerwerk.core.sight import Sight
from mauerwerk.core.tongue import message, messages
from mauerwerk.games.mauer.rules import is_wall, sites, totals
from mauerwerk.games.mauer.values import (
    FULL_SET,
    PENALTY,
    Action,
    Appoint,
    Build,
    Built,
    Choose,
    End,
    Event,
    FistsOpened,
    Give,
    Given,
    Piece,
    Plan,
    RoundEnded,
    View,
)

Holding: TypeAlias = dict[Piece, float]
"""How many of each kind somebody holds, as far as one can know: not always whole numbers."""

Mixture: TypeAlias = dict[Piece | None, float]
"""How often somebody closes a fist around what; None is the empty fist."""

TEMPO: Final = 3.0
"""What it is worth to hold one piece less, besides its penalty points: the round ends sooner."""

HEAT: Final = 1.5
TIMES: Final = 6
"""How often everybody thinks over what the others think."""

SWING: Final = 12.0
"""Points by which a round usually still turns."""

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
EMPTY: Final = message(
    "With the only empty fist you build what you like; with one more you are given a piece."
)
OFFER: Final = message("If the master builder's fist is empty too, you give a piece away.")


# --- Counting --------------------------------------------------------------------------------


def holdings(sight: Sight[Action, Event, View]) -> list[Holding]:
    """What everybody holds, from this round's events; unseen gifts are spread by guess (DM-19)."""
    pieces = sight.view.pieces
    held: list[Holding] = [
        {piece: float(pieces.count(piece)) for piece in FULL_SET} for _ in sight.view.counts
    ]
    for event in _this_round(sight.told):
        match event:
            case Built(seat=seat, piece=piece):
                held[seat][piece] = max(held[seat][piece] - 1, 0.0)
            case Given(giver=giver, receiver=receiver, piece=piece):
                for kind, share in _gift(held[giver], piece).items():
                    held[giver][kind] -= share
                    held[receiver][kind] += share
            case FistsOpened(fists=fists):
                for holding, plan in zip(held, fists, strict=True):
                    if plan.piece is not None:
                        holding[plan.piece] = max(holding[plan.piece], 1.0)
            case _:
                pass
    for holding, count in zip(held, sight.view.counts, strict=True):
        guessed = sum(holding.values()) or 1.0
        for piece in FULL_SET:
            holding[piece] *= count / guessed
    own = sight.view.hands[sight.seat] or ()
    held[sight.seat] = {piece: float(own.count(piece)) for piece in FULL_SET}
    return held


def _this_round(told: Sequence[Event]) -> Sequence[Event]:
    for place in range(len(told) - 1, -1, -1):
        if isinstance(told[place], RoundEnded):
            return told[place + 1 :]
    return told


def _gift(giver: Holding, piece: Piece | None) -> Mapping[Piece, float]:
    """The piece that was given; unseen, rather one that costs much."""
    if piece is not None:
        return {piece: 1.0}
    weights = {kind: count * PENALTY[kind] for kind, count in giver.items()}
    total = sum(weights.values()) or 1.0
    return {kind: min(weight / total, giver[kind]) for kind, weight in weights.items()}


def relief(piece: Piece) -> float:
    """What it is worth to be rid of a piece."""
    return PENALTY[piece] + TEMPO


def _dearest(holding: Holding, wall: tuple[Piece, ...] | None = None) -> float:
    """The relief of the best piece to be rid of, of those that fit this wall if there is one."""
    worth, missing = 0.0, 1.0
    for piece in PENALTY:  # the dearest first
        if wall is None or sites(wall, piece):
            likely = min(holding[piece], 1.0)
            worth += missing * likely * relief(piece)
            missing *= 1 - likely
    return worth


# --- Mixing ----------------------------------------------------------------------------------


class Fists:
    """The fists of one turn: what each seat may show, and what that leads to on average."""

    def __init__(self, view: View, held: Sequence[Holding]) -> None:
        """Begin with players who choose blindly."""
        assert view.master is not None
        self.wall, self.master, self.held = view.wall, view.master, held
        self.others = len(held) - 1
        self.room = {
            piece: len(held) if is_wall(piece) else len(sites(view.wall, piece))
            for piece in FULL_SET
        }
        self.mixtures = [_blindly(holding) for holding in held]

    def think(self, times: int) -> None:
        """Let everybody weigh their choices again, and lean that way."""
        for time in range(times):
            answers = [
                _mixture(self.worths(Seat(seat)), holding) for seat, holding in enumerate(self.held)
            ]
            step = 1 / (time + 2)
            for mixture, answer in zip(self.mixtures, answers, strict=True):
                for choice, share in answer.items():
                    mixture[choice] += step * (share - mixture[choice])

    def worths(self, seat: Seat) -> Mixture:
        """What each choice is worth to this seat, by what the others do."""
        plan, empty = (
            (self._plan, self._empty) if seat == self.master else (self._guess, self._offer)
        )
        worths: Mixture = {piece: plan(seat, piece) for piece in FULL_SET}
        worths[None] = empty(seat)
        return worths

    def guessers(self, choice: Piece | None, *, but: Seat) -> list[float]:
        """How likely no rival, one, two … show this, one seat and the master builder left out."""
        likely = [1.0]
        for seat, mixture in enumerate(self.mixtures):
            if seat not in (but, self.master):
                share = mixture[choice]
                likely = [
                    less * share + same * (1 - share)
                    for less, same in zip([0.0, *likely], [*likely, 0.0], strict=True)
                ]
        return likely

    def _plan(self, seat: Seat, piece: Piece) -> float:
        """The master builder builds, or those who guessed it do (DM-12 to DM-15)."""
        room = self.room[piece]
        if not room:
            return 0.0
        worth = 0.0
        for count, likely in enumerate(self.guessers(piece, but=seat)):
            builds = count == 0 or count > room
            worth += likely * (1.0 if builds else -count / self.others)
        return worth * relief(piece)

    def _empty(self, seat: Seat) -> float:
        """Alone he builds what he likes; with one other he is given something (DM-18 to DM-20)."""
        alone, one, *_ = self.guessers(None, but=seat)
        gift = max(
            _dearest(holding) for each, holding in enumerate(self.held) if each != self.master
        )
        return alone * _dearest(self.held[seat], self.wall) - one * gift * (1 + 1 / self.others)

    def _guess(self, seat: Seat, piece: Piece) -> float:
        """A rival who shows the piece, against one who does not (DM-14, DM-15)."""
        room, worth = self.room[piece], 0.0
        if not room:
            return 0.0
        for count, likely in enumerate(self.guessers(piece, but=seat)):
            without = (count if 0 < count <= room else 1) / self.others
            with_me = 1 - count / self.others if count + 1 <= room else -1 / self.others
            worth += likely * (with_me + without)
        return self.mixtures[self.master][piece] * worth * relief(piece)

    def _offer(self, seat: Seat) -> float:
        """A rival's empty fist beside the master builder's gives a piece away (DM-19)."""
        alone, *_ = self.guessers(None, but=seat)
        gift = _dearest(self.held[seat]) * (1 + 1 / self.others)
        saved = _dearest(self.held[self.master], self.wall) / self.others
        return self.mixtures[self.master][None] * alone * (gift + saved)


def _blindly(holding: Holding) -> Mixture:
    weights: Mixture = {piece: min(count, 1.0) for piece, count in holding.items()}
    weights[None] = 1.0
    total = sum(weights.values())
    return {choice: weight / total for choice, weight in weights.items()}


def _mixture(worths: Mixture, holding: Holding) -> Mixture:
    """The better the more often, as far as one holds it."""
    likely = [1.0 if choice is None else min(holding[choice], 1.0) for choice in worths]
    leaning = shares(list(worths.values()), HEAT)
    weights = [share * hold for share, hold in zip(leaning, likely, strict=True)]
    total = sum(weights) or 1.0
    return {choice: weight / total for choice, weight in zip(worths, weights, strict=True)}


# --- Weighing --------------------------------------------------------------------------------


def consider(sight: Sight[Action, Event, View]) -> Judgement:
    """Weigh every legal action by what everybody may hold."""
    view, seat = sight.view, sight.seat
    held = holdings(sight)
    sums = totals(view.scores, len(held))
    in_hand = [sum(PENALTY[piece] * n for piece, n in each.items()) for each in held]
    rest = [points + cost for points, cost in zip(sums, in_hand, strict=True)]
    best = min(each for other, each in enumerate(rest) if other != seat)
    heat = 0.0
    worths: Mixture = {}
    if any(isinstance(action, Plan) for action in sight.legal):
        fists = Fists(view, held)
        fists.think(TIMES)
        worths, heat = fists.worths(seat), HEAT
    thoughts = [_thought(action, sight, held, worths) for action in sight.legal]
    rounds_left = view.rounds - len(view.scores)
    return Judgement(thoughts, heat, lead=best - rest[seat], swing=SWING * rounds_left**0.5)


def _thought(
    action: Action,
    sight: Sight[Action, Event, View],
    held: Sequence[Holding],
    worths: Mixture,
) -> Thought:
    view, master = sight.view, sight.view.master == sight.seat
    match action:
        case Plan(piece=piece):
            reason = _about_the_fist(piece, view, master=master)
            fits = piece is not None and bool(sites(view.wall, piece))
            return Thought(action, worths[piece], reason, PENALTY[piece] if piece and fits else 0)
        case Choose(piece=piece):
            return Thought(
                action, relief(piece), because(FREELY, number=PENALTY[piece]), PENALTY[piece]
            )
        case Give(piece=piece):
            reason = because(GIFT, number=PENALTY[piece])
            return Thought(action, relief(piece), reason, PENALTY[piece])
        case Build(end=end):
            return _end(action, end, sight, held)
        case Appoint():
            raise AssertionError(action)
        case _:
            assert_never(action)


def _about_the_fist(piece: Piece | None, view: View, *, master: bool) -> Reason:
    if piece is None:
        return because(EMPTY if master else OFFER)
    if not sites(view.wall, piece):
        return because(message("There is no site for it now, so that nothing comes of it."))
    return because(UNGUESSED if master else GUESSED, number=PENALTY[piece])


def _end(
    action: Build, end: End, sight: Sight[Action, Event, View], held: Sequence[Holding]
) -> Thought:
    """The end that leaves sites to those who need them: oneself rather than the others (DM-10)."""
    view, seat = sight.view, sight.seat
    piece = view.piece
    assert piece is not None
    wall = (piece, *view.wall) if end is End.LEFT else (*view.wall, piece)
    open_ends = len(sites(wall, Piece.TOWER))
    own = _needs_a_site(held[seat])
    theirs = sum(_needs_a_site(each) for other, each in enumerate(held) if other != seat)
    worth = open_ends * (own - theirs / (len(held) - 1))
    return Thought(action, worth, because(SITES, number=open_ends))


def _needs_a_site(holding: Holding) -> float:
    """What towers and gates in a hand cost, a little of which every site saves."""
    pieces = (Piece.TOWER, Piece.GATE)
    return 0.2 * sum(holding[piece] * PENALTY[piece] for piece in pieces)
