"""Rules of thumb for Die Mauer: count what the others may hold, and mix what could be guessed.

What a fist is worth depends on the others' fists; that is in `fists`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias, assert_never

from mauerwerk.bots.evaluation import Choice, Evaluation, Reason, because
from mauerwerk.bots.mauer.fists import TEMPERATURE, relief, weighed
from mauerwerk.core.language.translation import message, messages
from mauerwerk.core.sight import Sight
from mauerwerk.games.mauer.events import (
    Built,
    Event,
    FistClosed,
    FistsOpened,
    Given,
    RoundEnded,
    View,
)
from mauerwerk.games.mauer.legality import sites
from mauerwerk.games.mauer.rules import totals
from mauerwerk.games.mauer.values import (
    FULL_SET,
    PENALTY,
    Action,
    Appoint,
    Build,
    Choose,
    End,
    Give,
    Options,
    Piece,
    Plan,
)

Holding: TypeAlias = dict[Piece, float]
"""The expected number of pieces of each kind in a hand, as far as one can know."""

Worths: TypeAlias = dict[Piece | None, float]
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


def holdings(sight: Sight[Action, Event, View]) -> list[Holding]:
    """What every seat holds, from this round's events; unseen gifts are spread by guess (DM-19)."""
    pieces = sight.view.pieces
    full = {piece: float(pieces.count(piece)) for piece in FULL_SET}
    held: list[Holding] = [full.copy() for _ in sight.view.counts]
    for event in _this_round(sight.told):
        if type(event) is FistClosed:  # most are, and none of them says anything
            continue
        match event:
            case Built(seat=seat, piece=piece):
                held[seat][piece] = max(held[seat][piece] - 1, 0.0)
            case Given(giver=giver, receiver=receiver, piece=piece):
                for kind, share in _gift(held[giver], piece).items():
                    held[giver][kind] -= share
                    held[receiver][kind] += share
            case FistsOpened(fists=fists):
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


def _this_round(told: Sequence[Event]) -> Sequence[Event]:
    for place in range(len(told) - 1, -1, -1):
        if type(told[place]) is RoundEnded:
            return told[place + 1 :]
    return told


def _gift(giver: Holding, piece: Piece | None) -> Mapping[Piece, float]:
    """The piece that was given; unseen, rather one that costs much."""
    if piece is not None:
        return {piece: 1.0}
    weights = {kind: count * PENALTY[kind] for kind, count in giver.items()}
    total = sum(weights.values()) or 1.0
    return {kind: min(weight / total, giver[kind]) for kind, weight in weights.items()}


# --- Weighing --------------------------------------------------------------------------------


def consider(
    sight: Sight[Action, Event, View],
    _options: Options,
    _remembered: Callable[[], object],
    /,
) -> Evaluation:
    """The worth of every legal action by what all seats may hold."""
    view, seat = sight.view, sight.seat
    held = holdings(sight)
    sums = totals(view.scores, len(held))
    in_hand = [sum(PENALTY[piece] * n for piece, n in each.items()) for each in held]
    rest = [points + cost for points, cost in zip(sums, in_hand, strict=True)]
    best = min(each for other, each in enumerate(rest) if other != seat)
    temperature = 0.0
    worths: Worths = {}
    if any(isinstance(action, Plan) for action in sight.legal):
        assert view.master is not None
        numbers = tuple(tuple(holding[piece] for piece in FULL_SET) for holding in held)
        own = weighed(len(sites(view.wall, Piece.TOWER)), view.master, numbers)[seat]
        worths, temperature = dict(zip((*FULL_SET, None), own, strict=True)), TEMPERATURE
    choices = [_choice(action, sight, held, worths) for action in sight.legal]
    rounds_left = view.rounds - len(view.scores)
    return Evaluation(choices, temperature, lead=best - rest[seat], swing=SWING * rounds_left**0.5)


def _choice(
    action: Action,
    sight: Sight[Action, Event, View],
    held: Sequence[Holding],
    worths: Worths,
) -> Choice:
    view, master = sight.view, sight.view.master == sight.seat
    match action:
        case Plan(piece=piece):
            reason = _about_the_fist(piece, view, master=master)
            fits = piece is not None and bool(sites(view.wall, piece))
            return Choice(action, worths[piece], reason, PENALTY[piece] if piece and fits else 0)
        case Choose(piece=piece):
            return Choice(
                action, relief(piece), because(FREELY, number=PENALTY[piece]), PENALTY[piece]
            )
        case Give(piece=piece):
            reason = because(GIFT, number=PENALTY[piece])
            return Choice(action, relief(piece), reason, PENALTY[piece])
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
        return because(DECOY if master else SAFE)
    return because(UNGUESSED if master else GUESSED, number=PENALTY[piece])


def _end(
    action: Build, end: End, sight: Sight[Action, Event, View], held: Sequence[Holding]
) -> Choice:
    """The end that leaves sites to those who need them: oneself rather than the others (DM-10)."""
    view, seat = sight.view, sight.seat
    piece = view.piece
    assert piece is not None
    open_ends, other = (
        len(sites((piece, *view.wall) if each is End.LEFT else (*view.wall, piece), Piece.TOWER))
        for each in (end, End.RIGHT if end is End.LEFT else End.LEFT)
    )
    own = _needs_a_site(held[seat])
    theirs = sum(_needs_a_site(each) for rival, each in enumerate(held) if rival != seat)
    worth = open_ends * (own - theirs / (len(held) - 1))
    return Choice(action, worth, _about_the_end(open_ends, other, own))


def _about_the_end(open_ends: int, other: int, own: float) -> Reason:
    """What speaks for an end: more sites for oneself, or fewer for the others."""
    if open_ends == other:
        return because(SAME_SITES)
    if open_ends > other:
        return because(OWN_SITES if own else SITES, number=open_ends)
    return because(FEWER_SITES, number=open_ends) if open_ends else because(NO_SITE)


def _needs_a_site(holding: Holding) -> float:
    """What towers and gates in a hand cost, a little of which every site saves."""
    pieces = (Piece.TOWER, Piece.GATE)
    return 0.2 * sum(holding[piece] * PENALTY[piece] for piece in pieces)
