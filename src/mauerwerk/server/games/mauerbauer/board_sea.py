"""Mauerbauer for the page: what lies on the sea beside the board, dice and supply."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.language.translation import YOU, Language, is_you
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.mauerbauer.events import Event, Rolled, Task, View
from mauerwerk.games.mauerbauer.naming import counted, counted_palaces, house_name, tower_name
from mauerwerk.games.mauerbauer.values import COLOURS, TOWERS, Colour, Roll, Tower
from mauerwerk.server.games.markup import classes, sign


def dice(
    view: View, names: Sequence[str], before: Sequence[Event], language: Language
) -> list[Node]:
    """The last roll, and whose it was."""
    last = next((event for event in reversed(before) if isinstance(event, Rolled)), None)
    if view.roll is not None and view.builder is not None:
        last = Rolled(view.builder, view.roll)
    if last is None or view.last is None or view.task is Task.ROLL:
        return []
    seat, roll = last.seat, last.roll
    name = YOU if seat == view.seat else names[seat]
    whose = language("Your roll") if is_you(name) else language("{who}'s roll", who=name)
    return [
        node(
            "section",
            node("h2", whose, class_="cap"),
            _thrown(view, roll, f"die-{view.last[1]}", language),
            class_="sea-left cast-dice below",
            id="dice",
        )
    ]


def _thrown(view: View, roll: Roll, name: str, language: Language) -> Node:
    """The dice, which tumble for a new roll; one is pale when what it shows is placed."""
    drawn = _faces(roll, language)
    used = _USED.get(view.task, 0) if view.roll is not None else 0
    spent = min(used, bool(roll.tower)) + max(used - 1, 0)
    faces = [
        node("span", face, class_=classes("die", place < spent and "used"), id=f"{name}-{place}")
        for place, face in enumerate(drawn)
    ]
    return node("div", *faces, class_=classes("dice", view.roll is not None and "thrown"))


_USED: Final = {Task.FREE_TOWER: 1, Task.FIRST_HOUSE: 1, Task.EDGE_HOUSE: 1, Task.SECOND_HOUSE: 2}
"""How many dice are used up, the tower die first; that die may have been left out (MB-20)."""


def in_dock(view: View, language: Language) -> list[Node]:
    """The dice once more beside the question, for a page on which the sea has no room for them."""
    if view.roll is None or view.last is None:
        return []
    thrown = _thrown(view, view.roll, f"dock-die-{view.last[1]}", language)
    return [node("div", thrown, class_="dock-dice", aria_hidden="true")]


def _faces(roll: Roll, language: Language) -> list[Node]:
    drawn = [_tower(roll.tower, language)] if roll.tower else []
    for face in roll.houses:
        if face is None:
            free = node("b", "?", class_="num q", role="img", aria_label=language("a free choice"))
            drawn.append(free)
        else:
            drawn.append(_house(face, language))
    return drawn


def _tower(tower: Tower, language: Language) -> Node:
    return sign(f"tower-{tower.name.lower()}", words=tower_name(tower, language))


def _house(colour: Colour, language: Language) -> Node:
    return sign(f"house-{colour.name.lower()}", words=house_name(colour, language))


def supply(view: View, language: Language) -> Node:
    """What is left of every piece; houses and palaces of a colour side by side."""
    stock = view.supply
    walls = language.many(stock.walls, "{number} wall", "{number} walls")
    towers = [
        _stock(f"tower-{tower.name.lower()}", counted(tower, left, language), left)
        for tower, left in zip(TOWERS, stock.towers, strict=True)
    ]
    pairs = [
        _stock(f"{piece}-{colour.name.lower()}", told(colour, left, language), left, piece[0])
        for colour, houses, palaces in zip(COLOURS, stock.houses, stock.palaces, strict=True)
        for piece, told, left in (
            ("house", counted, houses),
            ("palace", counted_palaces, palaces),
        )
    ]
    piles = language("Pile {pile}, discard pile {cards}", pile=view.pile, cards=len(view.discard))
    return node(
        "section",
        node("h2", language("Supply"), class_="cap"),
        node(
            "div",
            _stock("wall-line", walls, stock.walls, "w"),
            node("div", *towers, class_="t3"),
            *pairs,
            class_="supply",
        ),
        node("p", piles, class_="piles"),
        class_="sea-right stock below",
        id="supply",
    )


def _stock(name: str, words: str, left: int, kind: str | None = None) -> Node:
    """A piece and how many are left; the picture says both."""
    return node(
        "div", sign(name, words=words), node("span", str(left), aria_hidden="true"), class_=kind
    )
