"""Die Mauer on paper: a word per action, and sentences for actions, events and questions."""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from mauerwerk.core.game import NotAWordError, Seat
from mauerwerk.core.words import capital, counted, listed, sentence, won
from mauerwerk.games.mauer.values import (
    ACTIONS,
    Action,
    Appoint,
    Appointed,
    Build,
    Built,
    Choose,
    Chosen,
    End,
    Ending,
    Event,
    FistClosed,
    FistsOpened,
    Give,
    Given,
    NobodyBuilds,
    Piece,
    Plan,
    RoundEnded,
    StonePassed,
    Task,
    View,
)

NAME: Final = "mauer"
TITLE: Final = "Die Mauer"

CLAUSES: Final[Mapping[str, str]] = {
    "DM-3": "the lot is about to say who is the first master builder",
    "DM-5": "everybody closes one fist, around a piece of their own or around nothing",
    "DM-8": "the first piece starts the wall; its word is >",
    "DM-9": "tower and gate never stand next to tower or gate",
    "DM-17": "those who may build do so one after the other, clockwise, each choosing an end",
    "DM-18": "the master builder, alone with an empty fist, names one of his pieces to build",
    "DM-19": "the only rival with an empty fist gives the master builder one of their own pieces",
    "DM-28": "all rounds are played",
}
"""The gist of every clause that can forbid a move."""


# --- Words -----------------------------------------------------------------------------------


def write(action: Action, /) -> str:
    """One word per action: `T` `-` plan, `!4` choose, `<` `>` build, `*C` give, `@2` appoint."""
    match action:
        case Appoint(master=master):
            return f"@{master}"
        case Plan(piece=piece):
            return "-" if piece is None else piece.value
        case Choose(piece=piece):
            return f"!{piece.value}"
        case Build(end=end):
            return end.value
        case Give(piece=piece):
            return f"*{piece.value}"
        case _:
            assert_never(action)


_ACTIONS: Final[Mapping[str, Action]] = {write(action): action for action in ACTIONS}


def parse(word: str, /) -> Action:
    """Read what `write` wrote."""
    try:
        return _ACTIONS[word]
    except KeyError:
        expected = "a plan is T C 1 2 3 4 6 or -, then there are !4, < or > and *C"
        raise NotAWordError(word, expected) from None


# --- Sentences -------------------------------------------------------------------------------

_NOBODY: Final[Mapping[str, str]] = {
    "DM-12": "It fits nowhere, so nobody builds.",
    "DM-18": "Nothing the master builder holds fits anywhere, so nobody builds.",
    "DM-20": "Too many empty fists: nothing happens.",
}

_ENDINGS: Final[Mapping[Ending, str]] = {
    Ending.OUT: "a hand is empty",
    Ending.DEADLOCK: "no piece fits any more",
    Ending.STALL: "nothing was built for too long",
}


def piece_name(piece: Piece) -> str:
    """The piece as people call it: `the tower`, `a 4`."""
    match piece:
        case Piece.TOWER:
            return "the tower"
        case Piece.GATE:
            return "the gate"
        case _:
            return f"a {piece.value}"


def plan_name(plan: Plan) -> str:
    """What an open fist holds: `the gate`, or `nothing`."""
    return "nothing" if plan.piece is None else piece_name(plan.piece)


def end_name(end: End) -> str:
    """`left` or `right`."""
    return end.name.lower()


def say(action: Action, /) -> str:
    """The action as a player would say it."""
    match action:
        case Appoint(master=master):
            return f"appoint seat {master} master builder"
        case Plan(piece=piece):
            return "close an empty fist" if piece is None else f"plan {piece_name(piece)}"
        case Choose(piece=piece):
            return f"build {piece_name(piece)}"
        case Build(end=end):
            return f"build at the {end_name(end)} end"
        case Give(piece=piece):
            return f"give away {piece_name(piece)}"
        case _:
            assert_never(action)


def ask(view: View, names: Sequence[str], /) -> str:
    """What the table waits for, as a question to whom the view belongs; at the end, who won."""
    match view.task:
        case Task.LOT:
            return "The lot says who is the first master builder."
        case Task.NOTHING:
            return _won(view, names)
        case _ if view.seat not in view.waiting or view.master is None:
            return f"Waiting for {listed([names[seat] for seat in view.waiting])}."
        case Task.PLAN if view.seat == view.master:
            return "You are the master builder. What do you plan to build?"
        case Task.PLAN:
            return capital(f"{names[view.master]} plans in secret. What do you hold in your fist?")
        case Task.CHOOSE:
            return "Yours is the only empty fist. Which piece do you build?"
        case Task.BUILD:
            piece = piece_name(view.piece) if view.piece else ""
            return f"You build {piece}. At which end?" if view.wall else f"You start with {piece}."
        case Task.GIVE:
            return f"You two have empty fists. What do you give {names[view.master]}?"
        case _:
            assert_never(view.task)


def _won(view: View, names: Sequence[str]) -> str:
    points = [sum(shares) for shares in zip(*view.scores, strict=True)]
    winners = [name for name, sum_ in zip(names, points, strict=False) if sum_ == min(points)]
    return won(winners, counted(min(points), "penalty point"))


def tell(event: Event, names: Sequence[str], /) -> str:
    """What happened, as a sentence; empty when it goes without saying."""
    match event:
        case Appointed(master=master):
            return sentence(f"{names[master]} drew the lot: first master builder")
        case FistClosed():
            return ""
        case FistsOpened(master=master, fists=fists):
            return _opened(master, fists, names)
        case NobodyBuilds(clause=clause):
            return _NOBODY[clause]
        case Chosen(seat=seat, piece=piece):
            return sentence(f"{names[seat]} chose {piece_name(piece)}")
        case Built(seat=seat, piece=piece, end=end):
            return sentence(f"{names[seat]} built {piece_name(piece)} at the {end_name(end)} end")
        case Given(giver=giver, receiver=receiver, piece=piece):
            gift = "a piece in secret" if piece is None else f"{piece_name(piece)} in secret"
            return sentence(f"{names[giver]} gave {names[receiver]} {gift}")
        case RoundEnded(ending=ending, points=points):
            shares = ", ".join(
                f"{name} {share}" for name, share in zip(names, points, strict=False)
            )
            return f"The round is over: {_ENDINGS[ending]}. Penalty points: {shares}."
        case StonePassed(master=master):
            return sentence(f"the master builder's stone passed to {names[master]}")
        case _:
            assert_never(event)


def _opened(master: Seat, fists: Sequence[Plan], names: Sequence[str]) -> str:
    """The open fists: the plan first, then who guessed it, then the others."""
    plan = fists[master]
    rivals = [Seat((master + step) % len(fists)) for step in range(1, len(fists))]
    guessed = [names[seat] for seat in rivals if fists[seat] == plan]
    others = [
        f"{names[seat]} showed {plan_name(fists[seat])}" for seat in rivals if fists[seat] != plan
    ]
    told = [f"{names[master]} planned {plan_name(plan)}"]
    if guessed:
        too = "guessed it" if plan.piece else "showed nothing too"
        told.append(f"{listed(guessed)} {too}")
    return sentence("; ".join([*told, *others]))
