"""Burgbaumeister on paper: a word per action, and sentences for actions, events and questions."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.errors import NotAWordError, not_an_action
from mauerwerk.core.game import ranked
from mauerwerk.core.language import ENGLISH, Language, message, sentence, won
from mauerwerk.games.burgbaumeister import events, values

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


# --- Words -----------------------------------------------------------------------------------


def place_name(place: int) -> str:
    """A place of the depot: column a to i, row 1 to 5, `a1` first, `b1` beside it."""
    row, column = divmod(place, values.COLUMNS)
    return f"{'abcdefghi'[column]}{row + 1}"


def write(action: values.Action, /) -> str:
    """One word per action.

    `c3` turn, `44` show, `+` add, `^` insert, `-` leave, `x31` fire, `x-` hold fire, `@2` appoint,
    `L17` spread.
    """
    match action:
        case values.Turn(place=place):
            return place_name(place)
        case values.Show(number=number):
            return f"{number}"
        case values.Add():
            return "+"
        case values.Insert():
            return "^"
        case values.Leave():
            return "-"
        case values.Fire(number=number):
            return f"x{number}"
        case values.HoldFire():
            return "x-"
        case values.Appoint(first=first):
            return f"@{first}"
        case values.Spread(layout=layout):
            return f"L{layout}"
        case _:
            raise not_an_action(action)


_ACTIONS: Final[Mapping[str, values.Action]] = {write(action): action for action in values.ACTIONS}


def parse(word: str, /) -> values.Action:
    """Read what `write` wrote."""
    try:
        return _ACTIONS[word]
    except KeyError:
        expected = message("a place is a1 to i5, then there are + ^ - x31 and x-")
        raise NotAWordError(word, expected) from None


# --- Names -----------------------------------------------------------------------------------

_PICTURES: Final[Mapping[values.Picture, str]] = {
    values.Picture.KING: message("{number}, the king"),
    values.Picture.QUEEN: message("{number}, the queen"),
    values.Picture.KNIGHT: message("{number}, a knight"),
    values.Picture.DAMSEL: message("{number}, a damsel"),
    values.Picture.RAVEN: message("{number}, a raven"),
    values.Picture.TWO_RAVENS: message("{number}, two ravens"),
    values.Picture.CANNON: message("{number}, a cannon"),
    values.Picture.TOWER: message("{number}, a tower"),
    values.Picture.WIZARD: message("{number}, the wizard"),
}

ENDINGS: Final[Mapping[str, str]] = {
    values.Ending.NINE: message("a wall has nine cards"),
    values.Ending.EMPTY: message("the depot is empty"),
    values.Ending.BLOCKED: message("no card that is left fits any wall"),
    values.Ending.STALL: message("nobody has added a card for too long"),
}


def card_name(card: values.Card, language: Language = ENGLISH) -> str:
    """The card as people call it: `44, the king`, or just `8`."""
    if card.picture is None:
        return f"{card.number}"
    return language(_PICTURES[card.picture], number=card.number)


def ending_name(ending: values.Ending, full_wall: int, language: Language = ENGLISH) -> str:
    """Why the game ended, as half a sentence."""
    if ending is values.Ending.NINE and full_wall != values.FULL_WALL:
        return language.many(full_wall, "a wall has {number} card", "a wall has {number} cards")
    return language(ENDINGS[ending])


# --- Sentences -------------------------------------------------------------------------------


def say(action: values.Action, language: Language = ENGLISH, /) -> str:
    """The action as a player would say it."""
    match action:
        case values.Turn(place=place):
            return language("turn the card at {place}", place=place_name(place))
        case values.Show(number=number):
            return language("show {number}", number=number)
        case values.Add():
            return language("add it")
        case values.Insert():
            return language("have the wizard insert it")
        case values.Leave():
            return language("leave it")
        case values.Fire(number=number):
            return language("destroy {number}", number=number)
        case values.HoldFire():
            return language("hold fire")
        case values.Appoint(first=first):
            return language("let seat {seat} begin", seat=first + 1)
        case values.Spread(layout=layout):
            return language("spread the cards in layout {number}", number=layout)


def ask(view: events.View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """What the table waits for, as a question to the viewer; at the end, who won."""
    match view.task:
        case events.Task.LOT:
            return language("Lots decide who begins.")
        case events.Task.SPREAD:
            return language("The cards are being spread.")
        case events.Task.SHOW:
            return language("A card is being turned.")
        case events.Task.NOTHING:
            ended = view.ending and ending_name(view.ending, view.full_wall, language)
            why = f"{sentence(ended)} " if ended else ""
            first = [name for name, place in zip(names, places(view), strict=False) if place == 1]
            return f"{why}{won(first, max(view.points), language)}"
        case _ if view.seat not in view.waiting:
            return _doing(view, names[view.waiting[0]], language)
        case events.Task.TURN:
            return language("It is your turn. Which card do you turn?")
        case events.Task.DECIDE:
            return _ask_where(view, language)
        case events.Task.FIRE:
            return language("Your cannon is loaded. Which card do you destroy?")


def _doing(view: events.View, who: str, language: Language) -> str:
    if view.task is events.Task.FIRE:
        return language("{who} may fire a cannon.", who=who)
    if view.turned is not None and view.turned.card is not None:
        card = card_name(view.turned.card, language)
        return language("{who} turned up {card}.", who=who, card=card)
    return language("{who} is choosing a card to turn.", who=who)


def places(view: events.View) -> tuple[int, ...]:
    """The ranks as the walls stand (BB-10, BB-20)."""
    return ranked(
        [
            (-points, -(wall[-1].number if wall else values.START_TOWER))
            for points, wall in zip(view.points, view.walls, strict=True)
        ]
    )


def _ask_where(view: events.View, language: Language) -> str:
    if view.turned is None or view.turned.card is None or view.seat is None:
        return ""
    card, wall = view.turned.card, view.walls[view.seat]
    name = card_name(card, language)
    if not wall or card.number > wall[-1].number:
        return language("You turned up {card}. Do you add it?", card=name)
    if view.spell == view.seat:
        return language("You turned up {card}. Does your wizard insert it?", card=name)
    return language("You turned up {card}. It is too low for your wall.", card=name)


def tell(event: events.Event, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """What happened, as a sentence; empty when it goes without saying."""
    match event:
        case events.Appointed(first=first):
            return sentence(language("{name} will go first", name=names[first]))
        case events.SpreadOut():
            return language("The cards lie scattered across the table.")
        case events.Turned():
            return ""
        case events.Ended(ending=ending, full_wall=full_wall):
            why = ending_name(ending, full_wall, language)
            return language("The game is over: {why}.", why=why)
        case events.Left(seat=seat):
            return sentence(language("{name} left the card", name=names[seat]))
        case events.FireHeld(seat=seat):
            return sentence(language("{name} held fire", name=names[seat]))
        case events.Shown() | events.Added() | events.Inserted() | events.Fired():
            return sentence(_tell_card(event, names, language))


def _tell_card(
    event: events.Shown | events.Added | events.Inserted | events.Fired,
    names: Sequence[str],
    language: Language,
) -> str:
    name, card = names[event.seat], card_name(event.card, language)
    match event:
        case events.Shown(place=place):
            where = place_name(place)
            return language("{name} turned up {place}: {card}", name=name, place=where, card=card)
        case events.Added():
            return language("{name} added {card}", name=name, card=card)
        case events.Inserted():
            return language("{name}'s wizard inserted {card}", name=name, card=card)
        case events.Fired(victim=victim):
            return language(
                "{name} fired at {other} and hit {card}", name=name, other=names[victim], card=card
            )


_GAME_ENDS: Final[Mapping[values.Ending, str]] = {
    values.Ending.NINE: "BB-10",
    values.Ending.EMPTY: "BB-13",
    values.Ending.BLOCKED: "BB-11",
    values.Ending.STALL: "BB-12",
}


def clause(event: events.Event, /) -> str:
    """The clause that explains an event; empty where none is needed.

    >>> clause(events.Ended(values.Ending.NINE))
    'BB-10'
    """
    match event:
        case events.Inserted():
            return "BB-26"
        case events.Fired() | events.FireHeld():
            return "BB-24"
        case events.Ended(ending=ending):
            return _GAME_ENDS[ending]
        case _:
            return ""
