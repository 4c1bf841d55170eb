"""Die Mauer on paper: a word per action, and sentences for actions, events and questions."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.errors import NotAWordError, not_an_action
from mauerwerk.core.game import Seat
from mauerwerk.core.language import (
    ENGLISH,
    Language,
    capital,
    message,
    messages,
    sentence,
    shares,
    waiting_for,
    won,
)
from mauerwerk.games.mauer import events, values

NAME: Final = "mauer"
TITLE: Final = "Die Mauer"

CLAUSES: Final[Mapping[str, str]] = {
    "DM-3": "lots have yet to decide who is the first master builder",
    "DM-5": "everybody closes one fist, around a piece of their own or around nothing",
    "DM-8": "the first piece starts the wall; its word is >",
    "DM-9": "tower and gate never stand next to tower or gate",
    "DM-17": "players who may build do so one after the other, clockwise, each choosing an end",
    "DM-18": "the master builder, alone with an empty fist, names one of his pieces to build",
    "DM-19": "the only rival with an empty fist gives the master builder one of their own pieces",
    "DM-28": "all rounds are played",
}


# --- Words -----------------------------------------------------------------------------------


def write(action: values.Action, /) -> str:
    """One word per action: `T` `-` plan, `!4` choose, `<` `>` build, `*C` give, `@2` appoint."""
    match action:
        case values.Appoint(master=master):
            return f"@{master}"
        case values.Plan(piece=piece):
            return "-" if piece is None else piece.value
        case values.Choose(piece=piece):
            return f"!{piece.value}"
        case values.Build(end=end):
            return end.value
        case values.Give(piece=piece):
            return f"*{piece.value}"
        case _:
            raise not_an_action(action)


_ACTIONS: Final[Mapping[str, values.Action]] = {write(action): action for action in values.ACTIONS}


def parse(word: str, /) -> values.Action:
    """Read what `write` wrote."""
    try:
        return _ACTIONS[word]
    except KeyError:
        expected = message("a plan is T C 1 2 3 4 6 or -, then there are !4, < or > and *C")
        raise NotAWordError(word, expected) from None


# --- Names -----------------------------------------------------------------------------------

OBJECT: Final = "object"
"""The context of a piece to which something is done: German says *den Turm* then."""

_PIECES: Final[Mapping[values.Piece, str]] = {
    values.Piece.TOWER: message("the tower", OBJECT),
    values.Piece.GATE: message("the gate", OBJECT),
    values.Piece.WALL_1: message("a 1", OBJECT),
    values.Piece.WALL_2: message("a 2", OBJECT),
    values.Piece.WALL_3: message("a 3", OBJECT),
    values.Piece.WALL_4: message("a 4", OBJECT),
    values.Piece.WALL_6: message("a 6", OBJECT),
}

ENDINGS: Final[Mapping[str, str]] = {
    values.Ending.OUT: message("a hand is empty"),
    values.Ending.DEADLOCK: message("no piece fits any more"),
    values.Ending.STALL: message("nothing was built for too long"),
}


def piece_name(piece: values.Piece, language: Language = ENGLISH, context: str = "") -> str:
    """The piece as people call it: `the tower`, `a 4`."""
    return language.about(context, _PIECES[piece])


def plan_name(plan: values.Plan, language: Language = ENGLISH, context: str = "") -> str:
    """What an open fist holds: `the gate`, or `nothing`."""
    if plan.piece is None:
        return language.about("fist", "nothing")
    return piece_name(plan.piece, language, context)


def ending_name(ending: values.Ending, language: Language = ENGLISH) -> str:
    """Why a round ended, as half a sentence."""
    return language(ENDINGS[ending])


# --- Sentences -------------------------------------------------------------------------------

_NOBODY: Final[Mapping[str, str]] = {
    "DM-12": message("It fits nowhere, so nobody builds."),
    "DM-18": message("Nothing the master builder holds fits anywhere, so nobody builds."),
    "DM-20": message("Too many empty fists: nothing happens."),
}

_SAID: Final[Mapping[values.End, str]] = {
    values.End.LEFT: message("build at the left end"),
    values.End.RIGHT: message("build at the right end"),
}

_TOLD: Final[Mapping[values.End, str]] = {
    values.End.LEFT: message("{name} built {piece} at the left end"),
    values.End.RIGHT: message("{name} built {piece} at the right end"),
}


def say(action: values.Action, language: Language = ENGLISH, /) -> str:
    """The action as a player would say it."""
    match action:
        case values.Appoint(master=master):
            return language("appoint seat {seat} master builder", seat=master + 1)
        case values.Plan(piece=piece):
            if piece is None:
                return language("close an empty fist")
            return language("plan {piece}", piece=piece_name(piece, language, OBJECT))
        case values.Choose(piece=piece):
            return language("build {piece}", piece=piece_name(piece, language, OBJECT))
        case values.Build(end=end):
            return language(_SAID[end])
        case values.Give(piece=piece):
            return language("give away {piece}", piece=piece_name(piece, language, OBJECT))


def tell(event: events.Event, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """What happened, as a sentence; empty when it goes without saying."""
    match event:
        case events.Appointed(master=master):
            return sentence(language("{name} will be the first master builder", name=names[master]))
        case events.FistClosed():
            return ""
        case events.FistsOpened(master=master, fists=fists):
            return _opened(master, fists, names, language)
        case events.NobodyBuilds(clause=clause):
            return language(_NOBODY[clause])
        case events.Chosen(seat=seat, piece=piece):
            chosen = piece_name(piece, language, OBJECT)
            return sentence(language("{name} chose {piece}", name=names[seat], piece=chosen))
        case events.Built(seat=seat, piece=piece, end=end):
            built = piece_name(piece, language, OBJECT)
            return sentence(language(_TOLD[end], name=names[seat], piece=built))
        case events.Given(giver=giver, receiver=receiver, piece=piece):
            gift = piece_name(piece, language, OBJECT) if piece else language("a piece")
            told = language(
                "{name} gave {other} {piece} in secret",
                name=names[giver],
                other=names[receiver],
                piece=gift,
            )
            return sentence(told)
        case events.RoundEnded(ending=ending, points=points):
            return language(
                "The round is over: {why}. Penalty points: {points}.",
                why=ending_name(ending, language),
                points=shares(names, points, language),
            )
        case events.StonePassed(master=master):
            return sentence(
                language("the master builder's stone passed to {name}", name=names[master])
            )


def _opened(
    master: Seat, fists: Sequence[values.Plan], names: Sequence[str], language: Language
) -> str:
    plan = fists[master]
    rivals = [Seat((master + step) % len(fists)) for step in range(1, len(fists))]
    guessed = [names[seat] for seat in rivals if fists[seat] == plan]
    shown = plan_name(plan, language, OBJECT)
    told = [language("{name} planned {piece}", name=names[master], piece=shown)]
    if guessed[1:]:
        told.append(
            language("{names} guessed it", names=guessed)
            if plan.piece
            else language("{names} also showed an empty fist", names=guessed)
        )
    elif guessed:
        told.append(
            language("{name} guessed it", name=guessed[0])
            if plan.piece
            else language("{name} also showed an empty fist", name=guessed[0])
        )
    for seat in rivals:
        if fists[seat] != plan:
            shown = plan_name(fists[seat], language, OBJECT)
            told.append(language("{name} showed {piece}", name=names[seat], piece=shown))
    return sentence("; ".join(told))


# --- Questions -------------------------------------------------------------------------------


def ask(view: events.View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """What the table waits for, as a question to the viewer; at the end, who won."""
    match view.task:
        case events.Task.LOT:
            return language("Lots decide who is the first master builder.")
        case events.Task.NOTHING:
            return _won(view, names, language)
        case _ if view.seat not in view.waiting or view.master is None:
            return _doing(view, names, language)
        case events.Task.PLAN if view.seat == view.master:
            return language("You are the master builder. What do you plan to build?")
        case events.Task.PLAN:
            question = language(
                "{who} plans in secret. What do you hold in your fist?", who=names[view.master]
            )
            return capital(question)
        case events.Task.CHOOSE:
            return language("Yours is the only empty fist. Which piece do you build?")
        case events.Task.BUILD:
            piece = piece_name(view.piece, language, OBJECT) if view.piece else ""
            if view.wall:
                return language("You build {piece}. At which end?", piece=piece)
            return language("You start with {piece}.", piece=piece)
        case events.Task.GIVE:
            return language(
                "Only you and {who} have empty fists. What do you give {who}?",
                who=names[view.master],
            )


def _doing(view: events.View, names: Sequence[str], language: Language) -> str:
    who = names[view.waiting[0]]
    piece = piece_name(view.piece, language, OBJECT) if view.piece else ""
    match view.task:
        case events.Task.CHOOSE:
            return language("Only {who} has an empty fist and is choosing a piece.", who=who)
        case events.Task.BUILD if view.wall:
            return language("{who} is building {piece} and choosing an end.", who=who, piece=piece)
        case events.Task.BUILD:
            return language("{who} is starting the wall with {piece}.", who=who, piece=piece)
        case events.Task.GIVE if view.master is not None:
            other = names[view.master]
            return sentence(language("{who} is choosing a piece for {other}", who=who, other=other))
        case _:
            return _await(view, names, language)


def _await(view: events.View, names: Sequence[str], language: Language) -> str:
    if view.task is events.Task.PLAN and len(view.waiting) == len(view.hands):
        return language("Everybody is choosing in secret.")
    waited = waiting_for([names[seat] for seat in view.waiting], language)
    own = None if view.seat is None or view.task is not events.Task.PLAN else view.fists[view.seat]
    match own:
        case values.Plan(piece=None):
            return f"{language('Your fist is closed and empty.')} {waited}"
        case values.Plan(piece=values.Piece() as piece):
            held = piece_name(piece, language, OBJECT)
            closed = language("Your fist is closed around {piece}.", piece=held)
            return f"{closed} {waited}"
        case _:
            return waited


_WON: Final = messages(
    "{name} won with {number} penalty point", "{name} won with {number} penalty points"
)
_SHARED: Final = messages(
    "{names} share the win with {number} penalty point each",
    "{names} share the win with {number} penalty points each",
)


def _won(view: events.View, names: Sequence[str], language: Language) -> str:
    sums = [sum(round_) for round_ in zip(*view.scores, strict=True)]
    winners = [name for name, points in zip(names, sums, strict=False) if points == min(sums)]
    return won(winners, min(sums), language, alone=_WON, together=_SHARED)


_ROUND_ENDS: Final[Mapping[values.Ending, str]] = {
    values.Ending.OUT: "DM-23",
    values.Ending.DEADLOCK: "DM-26",
    values.Ending.STALL: "DM-27",
}


def clause(event: events.Event, /) -> str:
    """The clause that explains an event; empty where none is needed.

    >>> clause(events.NobodyBuilds("DM-12"))
    'DM-12'
    """
    match event:
        case events.NobodyBuilds(clause=number):
            return number
        case events.Chosen():
            return "DM-18"
        case events.Given():
            return "DM-19"
        case events.RoundEnded(ending=ending):
            return _ROUND_ENDS[ending]
        case _:
            return ""
