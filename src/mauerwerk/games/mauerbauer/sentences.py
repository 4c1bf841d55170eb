"""Mauerbauer in sentences: actions and events, as people say them."""

from collections.abc import Sequence
from typing import assert_never

from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.language.words import sentence, shares
from mauerwerk.games.mauerbauer.board import Line
from mauerwerk.games.mauerbauer.events import (
    Appointed,
    Built,
    Chosen,
    Cleared,
    Closed,
    Discarded,
    Drawn,
    EndDecided,
    Event,
    Finished,
    GameEnded,
    HousePlaced,
    Joined,
    PalacesBuilt,
    Played,
    Reshuffled,
    Rolled,
    RolledEarly,
    Swapped,
    TowerPlaced,
    TurnPassed,
)
from mauerwerk.games.mauerbauer.naming import (
    OBJECT,
    card_name,
    ending_name,
    house_name,
    new_palaces,
    roll_name,
    tower_name,
)
from mauerwerk.games.mauerbauer.values import (
    Action,
    Appoint,
    Build,
    Choose,
    Deal,
    Discard,
    Done,
    Join,
    PlaceHouse,
    PlaceTower,
    Play,
    Roll,
    RollEarly,
    Swap,
)

# --- Actions ---------------------------------------------------------------------------------


def say(action: Action, language: Language = ENGLISH, /) -> str:
    """The action as a player would say it."""
    match action:
        case Appoint(seat=seat):
            return language("let seat {seat} begin", seat=seat + 1)
        case RollEarly():
            return language("roll before building, for a point")
        case Build(line=line):
            return language("build from {start} to {end}", **ends(line))
        case Roll():
            return language("roll {roll}", roll=roll_name(action, language, OBJECT))
        case PlaceTower(point=point, tower=tower):
            piece = tower_name(tower, language, OBJECT)
            return language("put {piece} on {point}", piece=piece, point=point)
        case PlaceHouse(field=field, colour=colour):
            piece = house_name(colour, language)
            return language("put {piece} on field {field}", piece=piece, field=field)
        case Join(city=city):
            if city is None:
                return language("join no city")
            return language("join the city of field {field}", field=city)
        case Done():
            return language("done")
        case Choose(city=city):
            if city is None:
                return language("choose no city")
            return language("choose the city of field {field}", field=city)
        case Deal() | Play() | Discard() | Swap():
            return _say_card(action, language)
        case _:
            assert_never(action)


def _say_card(action: Deal | Play | Discard | Swap, language: Language) -> str:
    card = card_name(action.card, language)
    match action:
        case Deal():
            return language("deal {card}", card=card)
        case Play():
            return language("play {card}", card=card)
        case Discard():
            return language("discard {card}", card=card)
        case Swap():
            return language("swap out {card}", card=card)
        case _:
            assert_never(action)


def ends(line: Line) -> dict[str, str]:
    """Where a line begins and ends."""
    start, end = line.split("-")
    return {"start": start, "end": end}


# --- Events ----------------------------------------------------------------------------------


def tell(event: Event, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """What happened, as a sentence; empty when it goes without saying."""
    match event:
        case Appointed(seat=seat):
            return sentence(language("{name} will go first", name=names[seat]))
        case Reshuffled(cards=cards):
            return language.many(
                cards,
                "The discard pile of {number} card was shuffled.",
                "The discard pile of {number} cards was shuffled.",
            )
        case EndDecided(ending=ending):
            return language("The game is about to end: {why}.", why=ending_name(ending, language))
        case PalacesBuilt(colours=colours):
            built = new_palaces(colours, language)
            return language("The houses became {palaces}.", palaces=built)
        case Cleared(walls=walls, towers=towers):
            return sentence(_cleared(len(walls), len(towers), language))
        case TurnPassed(builder=builder):
            return language("The dice went to {name}.", name=names[builder])
        case GameEnded(points=points):
            total = shares(names, points, language)
            return language("The game is over. Points: {points}.", points=total)
        case Drawn() | Played() | Discarded() | Swapped() | Finished() | Chosen():
            return sentence(_tell_card(event, names[event.seat], language))
        case RolledEarly() | Built() | Rolled() | TowerPlaced() | HousePlaced():
            return sentence(_tell_building(event, names[event.seat], language))
        case Closed() | Joined():
            return sentence(_tell_city(event, names[event.seat], language))
        case _:
            assert_never(event)


def _tell_building(
    event: RolledEarly | Built | Rolled | TowerPlaced | HousePlaced, name: str, language: Language
) -> str:
    match event:
        case RolledEarly(lost=0):
            return language("{name} rolled before building and lost nothing", name=name)
        case RolledEarly(lost=lost):
            return language.many(
                lost,
                "{name} rolled before building and lost {number} point",
                "{name} rolled before building and lost {number} points",
                name=name,
            )
        case Built(line=line):
            return language("{name} built a wall from {start} to {end}", name=name, **ends(line))
        case Rolled(roll=roll):
            return language(
                "{name} rolled {roll}", name=name, roll=roll_name(roll, language, OBJECT)
            )
        case TowerPlaced(point=point, tower=tower):
            piece = tower_name(tower, language, OBJECT)
            return language("{name} put {piece} on {point}", name=name, piece=piece, point=point)
        case HousePlaced(field=field, colour=colour):
            piece = house_name(colour, language)
            return language(
                "{name} put {piece} on field {field}", name=name, piece=piece, field=field
            )
        case _:
            assert_never(event)


def _tell_city(event: Closed | Joined, name: str, language: Language) -> str:
    match event:
        case Closed(fields=fields):
            return language.many(
                len(fields),
                "{name} closed a city of {number} field",
                "{name} closed a city of {number} fields",
                name=name,
            )
        case Joined(other=other):
            if other is None:
                return language("{name} did not join the city", name=name)
            return language("{name} joined the city of field {field}", name=name, field=other)
        case _:
            assert_never(event)


def _tell_card(
    event: Drawn | Played | Discarded | Swapped | Finished | Chosen, name: str, language: Language
) -> str:
    match event:
        case Drawn(card=card):
            if card is None:
                return language("{name} drew a card", name=name)
            return language("{name} drew {card}", name=name, card=card_name(card, language))
        case Played(card=card, points=points):
            return language.many(
                points,
                "{name} played {card} for {number} point",
                "{name} played {card} for {number} points",
                name=name,
                card=card_name(card, language),
            )
        case Discarded(card=card):
            return language("{name} discarded {card}", name=name, card=card_name(card, language))
        case Swapped(card=card):
            return language("{name} swapped out {card}", name=name, card=card_name(card, language))
        case Finished():
            return language("{name} finished", name=name)
        case Chosen(city=city):
            if city is None:
                return language("{name} chose no city", name=name)
            return language("{name} chose the city of field {field}", name=name, field=city)
        case _:
            assert_never(event)


def _cleared(walls: int, towers: int, language: Language) -> str:
    """What stood inside a city went back to the supply."""
    stood = [
        *([language.many(walls, "{number} wall", "{number} walls")] if walls else []),
        *([language.many(towers, "{number} tower", "{number} towers")] if towers else []),
    ]
    return language("{pieces} went back to the supply", pieces=language.listed(stood))
