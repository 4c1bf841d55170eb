"""Mauerbauer in sentences: the question that the table asks a viewer."""

from collections.abc import Mapping, Sequence
from typing import Final

from mauerwerk.core.game import NATURE, ranked
from mauerwerk.core.language.translation import ENGLISH, Language, message
from mauerwerk.core.language.words import sentence, won
from mauerwerk.games.mauerbauer.events import (
    Task,
    View,
)
from mauerwerk.games.mauerbauer.naming import (
    OBJECT,
    no_house,
    no_tower,
    roll_name,
    the_house,
    the_tower,
)
from mauerwerk.games.mauerbauer.values import (
    COLOURS,
    TOWERS,
    Colour,
    Roll,
    Tower,
)

_QUESTIONS: Final[Mapping[Task, str]] = {
    Task.BUILD: message("Your turn: choose a line for your wall."),
    Task.FREE_TOWER: message("Which tower goes on the other end?"),
    Task.SCORE: message("Play a card, or discard one and draw two."),
    Task.ADD: message("Do you play another card?"),
    Task.SWAP: message("You are furthest behind. Which cards do you swap?"),
    Task.CHOOSE: message("The last scoring: which city do you choose?"),
    Task.FINISH: message("The last scoring: you may play up to two cards."),
}


def ask(view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
    """What the table waits for, as a question to the viewer; at the end, who won."""
    if view.task is Task.NOTHING:
        return _won(view, names, language)
    if NATURE in view.waiting:
        return language("The dice and the cards decide.")
    if view.seat not in view.waiting:
        return _doing(view, names[view.waiting[0]], language)
    if view.roll is not None:
        return _ask_to_place(view, view.roll, language)
    match view.task:
        case Task.JOIN:
            return _ask_to_join(view, language)
        case Task.SCORE if view.ending is not None:  # nobody draws any more (MB-71)
            return language("Play a card, or discard one for nothing.")
        case Task.SWAP if _shares_last_place(view):
            return language("You share last place. Which cards do you swap?")
        case Task.FINISH if view.seat in {each.seat for each in view.laid}:
            return language("The last scoring: do you play another card?")
        case _:
            return language(_QUESTIONS[view.task]) if view.task in _QUESTIONS else ""


_DOING: Final[Mapping[Task, str]] = {
    Task.BUILD: message("{who} is choosing a line for a wall."),
    Task.SCORE: message("The city is scored: {who} plays a card or discards one."),
    Task.ADD: message("The city is scored: {who} may play another card."),
    Task.SWAP: message("{who} is furthest behind and may swap cards."),
    Task.CHOOSE: message("The last scoring: {who} is choosing a city."),
    Task.FINISH: message("The last scoring: {who} may play up to two cards."),
}


def _doing(view: View, who: str, language: Language) -> str:
    """What another player is doing; dice that lie on the table are named."""
    if view.roll is not None and view.task is not Task.BUILD:
        rolled = roll_name(view.roll, language, OBJECT)
        if view.task in {Task.ROLLED_TOWER, Task.FREE_TOWER}:
            return language("{who} rolled {roll} and is placing a tower.", who=who, roll=rolled)
        return language("{who} rolled {roll} and is placing a house.", who=who, roll=rolled)
    if view.task is Task.SWAP and _shares_last_place(view):
        return language("{who} shares last place and may swap cards.", who=who)
    if view.task is Task.JOIN:
        return language("{who} closed a city and may join it with another.", who=who)
    return language(_DOING[view.task], who=who)


def _shares_last_place(view: View) -> bool:
    """Whether several players have the fewest points (MB-47)."""
    return view.points.count(min(view.points)) > 1


def _won(view: View, names: Sequence[str], language: Language) -> str:
    keys = [(-points, -count) for points, count in zip(view.points, view.counts, strict=True)]
    winners = [name for name, rank in zip(names, ranked(keys), strict=False) if rank == 1]
    return won(winners, max(view.points), language)


def _ask_to_join(view: View, language: Language) -> str:
    return language.many(
        next(len(city.fields) for city in view.cities if city.name == view.city),
        "You closed a city of {number} field. With which city do you join it?",
        "You closed a city of {number} fields. With which city do you join it?",
    )


def _ask_to_place(view: View, roll: Roll, language: Language) -> str:
    """What the dice show, and where it goes."""
    faces = roll_name(Roll(None, roll.houses), language, OBJECT)
    match view.task:
        case Task.ROLLED_TOWER if roll.tower is not None:
            return _ask_for_tower(view, roll, roll.tower, language)
        case Task.FIRST_HOUSE:
            return _ask_for_first_house(view, roll, faces, language)
        case Task.SECOND_HOUSE:
            return _ask_for_second_house(view, roll, faces, language)
        case Task.EDGE_HOUSE:
            return language("The dice show {roll}. Which house do you take?", roll=faces)
        case _:
            return language(_QUESTIONS[view.task]) if view.task in _QUESTIONS else ""


def _ask_for_tower(view: View, roll: Roll, tower: Tower, language: Language) -> str:
    """When the rolled colour is out, any other will do (MB-21, MB-23)."""
    if view.supply.towers[TOWERS.index(tower)]:
        return language(
            "The dice show {roll}. Where does {piece} go?",
            roll=roll_name(roll, language, OBJECT),
            piece=the_tower(tower, language),
        )
    return language(
        "There is {none} left. Where does a tower of your choice go?",
        none=no_tower(tower, language),
    )


def _ask_for_first_house(view: View, roll: Roll, faces: str, language: Language) -> str:
    """The first die's house goes on either side (MB-25); when it is out, any other (MB-27)."""
    face = roll.houses[0]
    if face is None:
        return language("The dice show {roll}. Where does your free choice go?", roll=faces)
    if not _in_supply(view, face):
        return language(
            "There is {none} left. Where does a house of your choice go?",
            none=no_house(face, language),
        )
    piece = the_house(face, language, "first" if _is_double(roll) else "")
    return language("The dice show {roll}. Where does {piece} go?", roll=faces, piece=piece)


def _ask_for_second_house(view: View, roll: Roll, faces: str, language: Language) -> str:
    """The second die's house goes on the other side; often that leaves no choice (MB-25)."""
    face, field = roll.houses[1], view.field or ""
    if face is None:
        return language(
            "The dice show {roll}. Which house goes on field {field}?", roll=faces, field=field
        )
    if not _in_supply(view, face):
        return language(
            "There is {none} left. Which house goes on field {field}?",
            none=no_house(face, language),
            field=field,
        )
    piece = the_house(face, language, "second" if _is_double(roll) else "")
    goes = language("{piece} goes on field {field}", piece=piece, field=field)
    return f"{language('The dice show {roll}.', roll=faces)} {sentence(goes)}"


def _in_supply(view: View, colour: Colour) -> bool:
    return view.supply.houses[COLOURS.index(colour)] > 0


def _is_double(roll: Roll) -> bool:
    return roll.houses[0] == roll.houses[1]
