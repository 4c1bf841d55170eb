"""Burgbaumeister on paper: a word per action, and sentences for actions, events and questions."""

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from mauerwerk.core.errors import NotAWordError
from mauerwerk.core.game import ranked
from mauerwerk.core.language.translation import ENGLISH, Language, message
from mauerwerk.core.language.words import sentence, won
from mauerwerk.games.burgbaumeister.events import (
    Added,
    Appointed,
    Ended,
    Event,
    Fired,
    FireHeld,
    Inserted,
    Left,
    Shown,
    SpreadOut,
    Task,
    Turned,
    View,
)
from mauerwerk.games.burgbaumeister.values import (
    ACTIONS,
    COLUMNS,
    START_TOWER,
    Action,
    Add,
    Appoint,
    Card,
    Ending,
    Fire,
    HoldFire,
    Insert,
    Leave,
    Picture,
    Show,
    Spread,
    Turn,
)

NAME: Final = "burgbaumeister"
TITLE: Final = "Der Wettkampf der Burgbaumeister"

CLAUSES: Final[Mapping[str, str]] = {
    "BB-3": "the cards are about to be spread",
    "BB-4": "lots have yet to decide who begins",
    "BB-5": "the player whose turn it is turns one card in the depot",
    "BB-6": "the player who turned the card adds it to their wall or leaves it",
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
        expected = message("a place is a1 to i5, then there are + ^ - x31 and x-")
        raise NotAWordError(word, expected) from None


# --- Names -----------------------------------------------------------------------------------

_PICTURES: Final[Mapping[Picture, str]] = {
    Picture.KING: message("{number}, the king"),
    Picture.QUEEN: message("{number}, the queen"),
    Picture.KNIGHT: message("{number}, a knight"),
    Picture.DAMSEL: message("{number}, a damsel"),
    Picture.RAVEN: message("{number}, a raven"),
    Picture.TWO_RAVENS: message("{number}, two ravens"),
    Picture.CANNON: message("{number}, a cannon"),
    Picture.TOWER: message("{number}, a tower"),
    Picture.WIZARD: message("{number}, the wizard"),
}

ENDINGS: Final[Mapping[str, str]] = {
    Ending.NINE: message("a wall has nine cards"),
    Ending.EMPTY: message("the depot is empty"),
    Ending.BLOCKED: message("no card that is left fits any wall"),
    Ending.STALL: message("nobody has added a card for too long"),
}
"""Why the game ended: the reason of an outcome in words."""


def card_name(card: Card, language: Language = ENGLISH) -> str:
    """The card as people call it: `44, the king`, or just `8`."""
    if card.picture is None:
        return f"{card.number}"
    return language(_PICTURES[card.picture], number=card.number)


def ending_name(ending: Ending, language: Language = ENGLISH) -> str:
    """Why the game ended, as half a sentence."""
    return language(ENDINGS[ending])


# --- Sentences -------------------------------------------------------------------------------


def say(action: Action, language: Language = ENGLISH, /) -> str:
    """The action as a player would say it."""
    match action:
        case Turn(place=place):
            return language("turn the card at {place}", place=place_name(place))
        case Show(number=number):
            return language("show {number}", number=number)
        case Add():
            return language("add it")
        case Insert():
            return language("have the wizard insert it")
        case Leave():
            return language("leave it")
        case Fire(number=number):
            return language("destroy {number}", number=number)
        case HoldFire():
            return language("hold fire")
        case Appoint(first=first):
            return language("let seat {seat} begin", seat=first + 1)
        case Spread(layout=layout):
            return language("spread the cards in layout {number}", number=layout)
        case _:
            assert_never(action)


def ask(view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """What the table waits for, as a question to the viewer; at the end, who won."""
    match view.task:
        case Task.LOT:
            return language("Lots decide who begins.")
        case Task.SPREAD:
            return language("The cards are being spread.")
        case Task.SHOW:
            return language("A card is being turned.")
        case Task.NOTHING:
            return _won(view, names, language)
        case _ if view.seat not in view.waiting:
            return _doing(view, names[view.waiting[0]], language)
        case Task.TURN:
            return language("It is your turn. Which card do you turn?")
        case Task.DECIDE:
            return _ask_where(view, language)
        case Task.FIRE:
            return language("Your cannon is loaded. Which card do you destroy?")
        case _:
            assert_never(view.task)


def _doing(view: View, who: str, language: Language) -> str:
    """What another player is doing; a card that lies face up is named."""
    if view.task is Task.FIRE:
        return language("{who} may fire a cannon.", who=who)
    if view.turned is not None and view.turned.card is not None:
        card = card_name(view.turned.card, language)
        return language("{who} turned up {card}.", who=who, card=card)
    return language("{who} is choosing a card to turn.", who=who)


def _won(view: View, names: Sequence[str], language: Language) -> str:
    why = f"{sentence(ending_name(view.ending, language))} " if view.ending else ""
    winners = [name for name, place in zip(names, places(view), strict=False) if place == 1]
    return f"{why}{won(winners, max(view.points), language)}"


def places(view: View) -> tuple[int, ...]:
    """The ranks as the walls stand (BB-10, BB-20)."""
    return ranked(
        [
            (-points, -(wall[-1].number if wall else START_TOWER))
            for points, wall in zip(view.points, view.walls, strict=True)
        ]
    )


def _ask_where(view: View, language: Language) -> str:
    """What can be done with the card that lies face up."""
    if view.turned is None or view.turned.card is None or view.seat is None:
        return ""
    card, wall = view.turned.card, view.walls[view.seat]
    name = card_name(card, language)
    if not wall or card.number > wall[-1].number:
        return language("You turned up {card}. Do you add it?", card=name)
    if view.spell == view.seat:
        return language("You turned up {card}. Does your wizard insert it?", card=name)
    return language("You turned up {card}. It is too low for your wall.", card=name)


def tell(event: Event, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """What happened, as a sentence; empty when it goes without saying."""
    match event:
        case Appointed(first=first):
            return sentence(language("{name} will go first", name=names[first]))
        case SpreadOut():
            return language("The cards lie scattered across the table.")
        case Turned():
            return ""
        case Ended(ending=ending):
            return language("The game is over: {why}.", why=ending_name(ending, language))
        case Left(seat=seat):
            return sentence(language("{name} left the card", name=names[seat]))
        case FireHeld(seat=seat):
            return sentence(language("{name} held fire", name=names[seat]))
        case Shown() | Added() | Inserted() | Fired():
            return sentence(_tell_card(event, names, language))
        case _:
            assert_never(event)


def _tell_card(
    event: Shown | Added | Inserted | Fired, names: Sequence[str], language: Language
) -> str:
    """What a player did with a card."""
    name, card = names[event.seat], card_name(event.card, language)
    match event:
        case Shown(place=place):
            where = place_name(place)
            return language("{name} turned up {place}: {card}", name=name, place=where, card=card)
        case Added():
            return language("{name} added {card}", name=name, card=card)
        case Inserted():
            return language("{name}'s wizard inserted {card}", name=name, card=card)
        case Fired(victim=victim):
            return language(
                "{name} fired at {other} and hit {card}", name=name, other=names[victim], card=card
            )
        case _:
            assert_never(event)
