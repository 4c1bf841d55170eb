"""Mauerbauer in sentences: actions, events and questions, as people say them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

from mauerwerk.core.game import NATURE, ranked
from mauerwerk.core.words import counted, listed, sentence, won
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
    Task,
    TowerPlaced,
    TurnPassed,
    View,
)
from mauerwerk.games.mauerbauer.guild import TITLES, Card
from mauerwerk.games.mauerbauer.values import (
    COLOURS,
    TOWERS,
    Action,
    Appoint,
    Build,
    Choose,
    Colour,
    Deal,
    Discard,
    Done,
    Ending,
    Join,
    PlaceHouse,
    PlaceTower,
    Play,
    Roll,
    RollEarly,
    Swap,
    Tower,
)

_ENDINGS: Final[Mapping[Ending, str]] = {
    Ending.WALLS: "the last wall is built",
    Ending.TOWERS: "the last tower is built",
    Ending.HOUSES: "the last house is built",
    Ending.PALACES: "the last palace is built",
    Ending.NO_LINE: "there is no line left to build on",
}


# --- Names -----------------------------------------------------------------------------------


def tower_name(tower: Tower) -> str:
    """`a black tower`."""
    return f"a {tower.name.lower()} tower"


def house_name(colour: Colour) -> str:
    """`a red house`."""
    return f"a {_house(colour)}"


def _house(colour: Colour) -> str:
    return f"{colour.name.lower()} house"


def line_name(line: Line) -> str:
    """`from h3 to j3`."""
    return "from {} to {}".format(*line.split("-"))


def card_name(card: Card) -> str:
    """The card's title, as it stands in a sentence: `“Towers by the water”`."""
    return f"“{TITLES[card]}”"


def roll_name(roll: Roll) -> str:
    """What the dice show: `a black tower, a red house and a free choice`."""
    first, second = ("free choice" if face is None else _house(face) for face in roll.houses)
    houses = [f"two {first}s"] if first == second else [f"a {first}", f"a {second}"]
    return listed([*([tower_name(roll.tower)] if roll.tower else []), *houses])


def ending_name(ending: Ending) -> str:
    """Why the game ends: `the last wall is built`."""
    return _ENDINGS[ending]


# --- Actions ---------------------------------------------------------------------------------


def say(action: Action, /) -> str:
    """The action as a player would say it."""
    match action:
        case Appoint(seat=seat):
            return f"let seat {seat} begin"
        case Deal(card=card):
            return f"deal {card_name(card)}"
        case RollEarly():
            return "roll before building, for a point"
        case Build(line=line):
            return f"build {line_name(line)}"
        case Roll():
            return f"roll {roll_name(action)}"
        case PlaceTower(point=point, tower=tower):
            return f"put {tower_name(tower)} on {point}"
        case PlaceHouse(field=field, colour=colour):
            return f"put {house_name(colour)} on field {field}"
        case Join(city=city):
            return "join no city" if city is None else f"join the city of field {city}"
        case Play(card=card):
            return f"play {card_name(card)}"
        case Discard(card=card):
            return f"discard {card_name(card)} and draw two"
        case Swap(card=card):
            return f"put {card_name(card)} away"
        case Done():
            return "that is all"
        case Choose(city=city):
            return "choose no city" if city is None else f"choose the city of field {city}"
        case _:
            assert_never(action)


# --- Questions -------------------------------------------------------------------------------

_QUESTIONS: Final[Mapping[Task, str]] = {
    Task.BUILD: "Your turn: choose a line for your wall.",
    Task.FREE_TOWER: "Which tower goes on the other end?",
    Task.SCORE: "Play a card, or discard one and draw two.",
    Task.ADD: "Do you play another card?",
    Task.SWAP: "You are furthest behind. Which cards do you swap?",
    Task.CHOOSE: "The last scoring: which city do you choose?",
    Task.FINISH: "The last scoring: you may play up to two cards.",
}


def ask(view: View, names: Sequence[str], /) -> str:
    """What the table waits for, as a question to whom the view belongs; at the end, who won."""
    if view.task is Task.NOTHING:
        return _won(view, names)
    if NATURE in view.waiting:
        return "The dice and the cards decide."
    if view.seat not in view.waiting:
        return f"Waiting for {listed([names[seat] for seat in view.waiting])}."
    if view.roll is not None:
        return _ask_to_place(view, view.roll)
    match view.task:
        case Task.JOIN:
            return f"You closed {_size(view)}. With which city do you join it?"
        case Task.FINISH if view.seat in {each.seat for each in view.laid}:
            return "The last scoring: do you play another card?"
        case _:
            return _QUESTIONS.get(view.task, "")


def _won(view: View, names: Sequence[str]) -> str:
    keys = [(-points, -count) for points, count in zip(view.points, view.counts, strict=True)]
    winners = [name for name, rank in zip(names, ranked(keys), strict=False) if rank == 1]
    return won(winners, counted(max(view.points), "point"))


def _ask_to_place(view: View, roll: Roll) -> str:
    """What the dice show, and where it goes."""
    houses = f"The dice show {roll_name(Roll(None, roll.houses))}."
    match view.task:
        case Task.ROLLED_TOWER if roll.tower is not None:
            return _ask_for_tower(view, roll, roll.tower)
        case Task.FIRST_HOUSE:
            return _ask_for_first_house(view, roll, houses)
        case Task.SECOND_HOUSE:
            return _ask_for_second_house(view, roll, houses)
        case Task.EDGE_HOUSE:
            return f"{houses} Which house do you take?"
        case _:
            return _QUESTIONS.get(view.task, "")


def _ask_for_tower(view: View, roll: Roll, tower: Tower) -> str:
    """When the rolled colour is out, any other will do (MB-21, MB-23)."""
    rolled = f"{tower.name.lower()} tower"
    if view.supply.towers[TOWERS.index(tower)]:
        return f"The dice show {roll_name(roll)}. Where does the {rolled} go?"
    return f"There is no {rolled} left. Where does a tower of your choice go?"


def _ask_for_first_house(view: View, roll: Roll, shown: str) -> str:
    """The first die's house goes on either side (MB-25); when it is out, any other (MB-27)."""
    face = roll.houses[0]
    if face is None:
        return f"{shown} Where does your free choice go?"
    if not _in_supply(view, face):
        return f"There is no {_house(face)} left. Where does a house of your choice go?"
    first = "first " if _is_double(roll) else ""
    return f"{shown} Where does the {first}{_house(face)} go?"


def _ask_for_second_house(view: View, roll: Roll, shown: str) -> str:
    """The second die's house goes on the other side; often that leaves no choice (MB-25)."""
    face = roll.houses[1]
    if face is None:
        return f"{shown} Which house goes on field {view.field}?"
    if not _in_supply(view, face):
        return f"There is no {_house(face)} left. Which house goes on field {view.field}?"
    second = "second " if _is_double(roll) else ""
    return f"{shown} The {second}{_house(face)} goes on field {view.field}."


def _in_supply(view: View, colour: Colour) -> bool:
    return view.supply.houses[COLOURS.index(colour)] > 0


def _is_double(roll: Roll) -> bool:
    return roll.houses[0] == roll.houses[1]


def _size(view: View) -> str:
    fields = next(len(city.fields) for city in view.cities if city.name == view.city)
    return f"a city of {counted(fields, 'field')}"


# --- Events ----------------------------------------------------------------------------------


def tell(event: Event, names: Sequence[str], /) -> str:
    """What happened, as a sentence; empty when it goes without saying."""
    match event:
        case (
            Appointed()
            | Drawn()
            | Reshuffled()
            | Played()
            | Discarded()
            | Swapped()
            | Finished()
            | Chosen()
        ):
            return _tell_card(event, names)
        case RolledEarly(seat=seat, lost=lost):
            points = counted(lost, "point") if lost else "nothing"
            return sentence(f"{names[seat]} rolled before building and lost {points}")
        case Built(seat=seat, line=line):
            return sentence(f"{names[seat]} built a wall {line_name(line)}")
        case Rolled(seat=seat, roll=roll):
            return sentence(f"{names[seat]} rolled {roll_name(roll)}")
        case TowerPlaced(seat=seat, point=point, tower=tower):
            return sentence(f"{names[seat]} put {tower_name(tower)} on {point}")
        case HousePlaced(seat=seat, field=field, colour=colour):
            return sentence(f"{names[seat]} put {house_name(colour)} on field {field}")
        case EndDecided(ending=ending):
            return f"The game is about to end: {ending_name(ending)}."
        case Closed(seat=seat, fields=fields):
            return sentence(f"{names[seat]} closed a city of {counted(len(fields), 'field')}")
        case PalacesBuilt(colours=colours):
            return sentence(f"the houses became {_palaces(colours)}")
        case Cleared(walls=walls, towers=towers):
            stood = ((len(walls), "wall"), (len(towers), "tower"))
            gone = listed([counted(number, thing) for number, thing in stood if number])
            return sentence(f"{gone} went back to the supply")
        case Joined(seat=seat, other=other):
            what = "did not join the city" if other is None else f"joined the city of field {other}"
            return sentence(f"{names[seat]} {what}")
        case TurnPassed(builder=builder):
            return sentence(f"the dice went to {names[builder]}")
        case GameEnded(points=points):
            shares = ", ".join(f"{name} {each}" for name, each in zip(names, points, strict=False))
            return f"The game is over. Points: {shares}."
        case _:
            assert_never(event)


def _tell_card(
    event: Appointed | Drawn | Reshuffled | Played | Discarded | Swapped | Finished | Chosen,
    names: Sequence[str],
) -> str:
    match event:
        case Appointed(seat=seat):
            return f"The lot fell on {names[seat]} to begin."
        case Drawn(seat=seat, card=card):
            what = "a card" if card is None else card_name(card)
            return sentence(f"{names[seat]} drew {what}")
        case Reshuffled(cards=cards):
            return sentence(f"the discard pile of {counted(cards, 'card')} was shuffled")
        case Played(seat=seat, card=card, points=points):
            return sentence(
                f"{names[seat]} played {card_name(card)} for {counted(points, 'point')}"
            )
        case Discarded(seat=seat, card=card):
            return sentence(f"{names[seat]} discarded {card_name(card)}")
        case Swapped(seat=seat, card=card):
            return sentence(f"{names[seat]} put {card_name(card)} away")
        case Finished(seat=seat):
            return sentence(f"{names[seat]} left it at that")
        case Chosen(seat=seat, city=city):
            what = "no city" if city is None else f"the city of field {city}"
            return sentence(f"{names[seat]} chose {what}")
        case _:
            assert_never(event)


def _palaces(colours: Iterable[Colour]) -> str:
    counts = Counter(colours)
    return listed(
        [
            f"{'a' if count == 1 else count} {colour.name.lower()} palace{'s' * (count > 1)}"
            for colour, count in counts.items()
        ]
    )
