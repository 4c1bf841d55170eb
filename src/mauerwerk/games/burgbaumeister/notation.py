"""Burgbaumeister on paper: a word per action, and sentences for actions, events and questions."""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from mauerwerk.core.game import NotAWordError, ranked
from mauerwerk.core.words import counted, sentence, whose, won
from mauerwerk.games.burgbaumeister.values import (
    ACTIONS,
    COLUMNS,
    START_TOWER,
    Action,
    Add,
    Added,
    Appoint,
    Appointed,
    Card,
    Ended,
    Ending,
    Event,
    Fire,
    Fired,
    FireHeld,
    HoldFire,
    Insert,
    Inserted,
    Leave,
    Left,
    Picture,
    Show,
    Shown,
    Spread,
    SpreadOut,
    Task,
    Turn,
    Turned,
    View,
)

NAME: Final = "burgbaumeister"
TITLE: Final = "Der Wettkampf der Burgbaumeister"

CLAUSES: Final[Mapping[str, str]] = {
    "BB-3": "the cards are about to be spread",
    "BB-4": "the lot is about to say who begins",
    "BB-5": "whoever's turn it is turns one card that lies in the depot",
    "BB-6": "whoever turned the card adds it to their wall or leaves it",
    "BB-7": "a card is added only if its number is higher than that of the wall's last card",
    "BB-9": "nature is about to show the card, which keeps the number it has once shown",
    "BB-10": "the game is over",
    "BB-24": "a cannon destroys one card in an opponent's wall, or its shot lapses",
    "BB-25": "towers, and all cards with a tower to their right, are safe",
    "BB-26": "the wizard, once, inserts a card that is too low to be added",
}
"""The gist of every clause that can forbid a move."""


# --- Words -----------------------------------------------------------------------------------


def place_name(place: int) -> str:
    """A place of the depot: column a to i, row 1 to 5, `a1` first, `b1` beside it."""
    row, column = divmod(place, COLUMNS)
    return f"{'abcdefghi'[column]}{row + 1}"


def write(action: Action, /) -> str:
    """One word per action.

    `c3` turn, `44` show, `+` add, `^` insert, `-` leave, `x31` fire, `x-` hold fire, `@2` appoint,
    `L17` spread.
    """
    match action:
        case Turn(place=place):
            return place_name(place)
        case Show(number=number):
            return f"{number}"
        case Add():
            return "+"
        case Insert():
            return "^"
        case Leave():
            return "-"
        case Fire(number=number):
            return f"x{number}"
        case HoldFire():
            return "x-"
        case Appoint(first=first):
            return f"@{first}"
        case Spread(layout=layout):
            return f"L{layout}"
        case _:
            assert_never(action)


_ACTIONS: Final[Mapping[str, Action]] = {write(action): action for action in ACTIONS}


def parse(word: str, /) -> Action:
    """Read what `write` wrote."""
    try:
        return _ACTIONS[word]
    except KeyError:
        expected = "a place is a1 to i5, then there are + ^ - x31 and x-"
        raise NotAWordError(word, expected) from None


# --- Sentences -------------------------------------------------------------------------------

_PICTURES: Final[Mapping[Picture, str]] = {
    Picture.KING: "the king",
    Picture.QUEEN: "the queen",
    Picture.KNIGHT: "a knight",
    Picture.DAMSEL: "a damsel",
    Picture.RAVEN: "a raven",
    Picture.TWO_RAVENS: "two ravens",
    Picture.CANNON: "a cannon",
    Picture.TOWER: "a tower",
    Picture.WIZARD: "the wizard",
}

_ENDINGS: Final[Mapping[Ending, str]] = {
    Ending.NINE: "a wall has nine cards",
    Ending.EMPTY: "the depot is empty",
    Ending.BLOCKED: "no card that is left fits any wall",
    Ending.STALL: "nobody has added a card for too long",
}


def picture_name(picture: Picture) -> str:
    """The picture as people call it: `the king`, `a cannon`."""
    return _PICTURES[picture]


def card_name(card: Card) -> str:
    """The card as people call it: `44, the king`, or just `8`."""
    return f"{card.number}" + (f", {picture_name(card.picture)}" if card.picture else "")


def ending_name(ending: Ending) -> str:
    """Why the game ended, as half a sentence."""
    return _ENDINGS[ending]


def say(action: Action, /) -> str:
    """The action as a player would say it."""
    match action:
        case Turn(place=place):
            return f"turn the card at {place_name(place)}"
        case Show(number=number):
            return f"show {number}"
        case Add():
            return "add it"
        case Insert():
            return "have the wizard insert it"
        case Leave():
            return "leave it"
        case Fire(number=number):
            return f"destroy {number}"
        case HoldFire():
            return "hold fire"
        case Appoint(first=first):
            return f"let seat {first} begin"
        case Spread(layout=layout):
            return f"spread the cards in layout {layout}"
        case _:
            assert_never(action)


def ask(view: View, names: Sequence[str], /) -> str:
    """What the table waits for, as a question to whom the view belongs; at the end, who won."""
    match view.task:
        case Task.LOT:
            return "The lot says who begins."
        case Task.SPREAD:
            return "The cards are being spread."
        case Task.SHOW:
            return "A card is being turned."
        case Task.NOTHING:
            return _won(view, names)
        case _ if view.seat not in view.waiting:
            return f"Waiting for {names[view.waiting[0]]}."
        case Task.TURN:
            return "It is your turn. Which card do you turn?"
        case Task.DECIDE:
            return _ask_where(view)
        case Task.FIRE:
            return "Your cannon is loaded. Which card do you destroy?"
        case _:
            assert_never(view.task)


def _won(view: View, names: Sequence[str]) -> str:
    why = f"{sentence(ending_name(view.ending))} " if view.ending else ""
    winners = [name for name, place in zip(names, places(view), strict=False) if place == 1]
    return f"{why}{won(winners, counted(max(view.points), 'point'))}"


def places(view: View) -> tuple[int, ...]:
    """The ranks as the walls stand (BB-10, BB-20)."""
    return ranked(
        [
            (-points, -(wall[-1].number if wall else START_TOWER))
            for points, wall in zip(view.points, view.walls, strict=True)
        ]
    )


def _ask_where(view: View) -> str:
    """What can be done with the card that lies face up."""
    if view.turned is None or view.turned.card is None or view.seat is None:
        return ""
    card, wall = view.turned.card, view.walls[view.seat]
    turned = f"You turned up {card_name(card)}."
    if not wall or card.number > wall[-1].number:
        return f"{turned} Do you add it?"
    if view.spell == view.seat:
        return f"{turned} Does your wizard insert it?"
    return f"{turned} It is too low for your wall."


def tell(event: Event, names: Sequence[str], /) -> str:
    """What happened, as a sentence; empty when it goes without saying."""
    match event:
        case Appointed(first=first):
            return f"The lot fell on {names[first]} to begin."
        case SpreadOut():
            return "The cards lie scattered across the table."
        case Turned():
            return ""
        case Shown(seat=seat, place=place, card=card):
            where = place_name(place)
            return sentence(f"{names[seat]} turned up {where}: {card_name(card)}")
        case Added(seat=seat, card=card):
            return sentence(f"{names[seat]} added {card_name(card)}")
        case Inserted(seat=seat, card=card):
            return sentence(f"{whose(names[seat])} wizard inserted {card_name(card)}")
        case Left(seat=seat):
            return sentence(f"{names[seat]} left it")
        case Fired(seat=seat, victim=victim, card=card):
            return sentence(f"{names[seat]} fired at {names[victim]} and hit {card_name(card)}")
        case FireHeld(seat=seat):
            return sentence(f"{names[seat]} held fire")
        case Ended(ending=ending):
            return f"The game is over: {ending_name(ending)}."
        case _:
            assert_never(event)
