"""Mauerbauer for the page: the board in the sea, dice and supply on the water, one's guild cards.

The board is one picture that fits its room; what is beyond its frame is water and plain land, so
that a page may show as much or as little of it as it has room for.
"""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import ENGLISH, YOU, Language, is_you
from mauerwerk.core.svg.drawing import Node, node, use
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.drawing.board import land
from mauerwerk.games.mauerbauer.drawing.geometry import size
from mauerwerk.games.mauerbauer.drawing.ground import coordinates
from mauerwerk.games.mauerbauer.drawing.hand import ART
from mauerwerk.games.mauerbauer.drawing.picture import answer
from mauerwerk.games.mauerbauer.drawing.players import seat_words
from mauerwerk.games.mauerbauer.drawing.targets import Offers, on_board, targets
from mauerwerk.games.mauerbauer.drawing.text import standing
from mauerwerk.games.mauerbauer.events import Event, Rolled, Task, View
from mauerwerk.games.mauerbauer.naming import house_name, new_palaces, tower_name
from mauerwerk.games.mauerbauer.notation import write
from mauerwerk.games.mauerbauer.sentences import say
from mauerwerk.games.mauerbauer.values import (
    COLOURS,
    TOWERS,
    Action,
    Colour,
    Discard,
    PlaceHouse,
    PlaceTower,
    Play,
    Roll,
    Swap,
    Tower,
)
from mauerwerk.web.games.markup import html, sign
from mauerwerk.web.games.mauerbauer.board_cards import scoring, tray
from mauerwerk.web.games.mauerbauer.board_chips import opens, plates
from mauerwerk.web.games.parts import Button, Parts, SeatLine

LOOK: Final = "mb"
SEATED: Final = False
ASIDE: Final = "side"
SYMBOLS: Final = (
    *(f"tower-{tower.name.lower()}" for tower in TOWERS),
    *(f"{kind}-{colour.name.lower()}" for kind in ("house", "palace") for colour in COLOURS),
    *("arms-west", "arms-middle", "arms-east", "wall-line", "boat"),
    *dict.fromkeys(ART.values()),
)

_FAR: Final = 420
"""Plain land goes on beyond anything a page shows."""


def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
    view: View,
    legal: Sequence[Action],
    names: Sequence[str],
    language: Language = ENGLISH,
    before: Sequence[Event] = (),
    notes: Sequence[str] = (),  # noqa: ARG001 - the page has a list of seats for them
    /,
) -> Parts:
    """The table as this view has it."""
    offers = {action: (write(action), say(action, language)) for action in legal}
    return Parts(
        stage=html(
            node(
                "div",
                _board(view, offers, language),
                *_dice(view, names, before, language),
                _supply(view, language),
                class_="onboard",
                id="stage",
            )
        ),
        tray=html(*tray(view, offers, language)),
        aside=html(*scoring(view, names, before, language)),
        figure="",
        when=standing(view, language),
        seats=tuple(
            SeatLine(str(points), seat_words(view, Seat(seat), language))
            for seat, points in enumerate(view.points)
        ),
        buttons=_buttons(offers, language),
    )


def _buttons(offers: Offers, language: Language) -> tuple[Button, ...]:
    """The answers that are neither on the board nor in the hand."""
    elsewhere = set(on_board(offers))
    in_place = PlaceTower | PlaceHouse | Play | Discard | Swap
    answers = [
        action for action in offers if action not in elsewhere and not isinstance(action, in_place)
    ]
    return tuple(
        Button(word, answer(action, said, language), main=len(answers) == 1)
        for action in answers
        for word, said in [offers[action]]
    )


# --- The board -------------------------------------------------------------------------------

_WAVES: Final = (
    *((-60, 0.14), (-190, 0.12), (-176, 0.62), (-44, 0.5), (-110, 0.78), (-230, 0.86)),
    *((24, 0.74), (104, 0.84), (40, 0.95), (150, 0.7), (190, 0.93)),
)
"""Where there are waves: so far left or right of the board, and how far down."""


def _board(view: View, offers: Offers, language: Language) -> Node:
    left, top, wide, high = size(board_of(view.board))
    left, wide, high = left - 12, wide + 24, high + 12
    waves = "".join(
        f"M{(left if aside < 0 else left + wide) + aside:.0f} {top + part * high:.0f}"
        "q7-6 14 0t14 0t14 0"
        for aside, part in _WAVES
    )
    aims = targets(view, offers, lambda place: opens(place, offers, language))
    picture = node(
        "svg",
        node(
            "path",
            d=waves,
            fill="none",
            stroke="var(--sea-2)",
            stroke_width=3,
            stroke_linecap="round",
        ),
        use("boat", left - 150, top + 0.26 * high, 70, 70, class_="boat"),
        land(view, aims, language, _FAR),
        coordinates(board_of(view.board)),
        class_="board mauerwerk",
        viewBox=f"{left:g} {top:g} {wide:g} {high:.1f}",
        preserveAspectRatio="xMidYMid meet",
    )
    chips = plates(offers, language)
    return node("section", picture, *chips, class_="stage", aria_label=language("Board"))


# --- What lies on the sea --------------------------------------------------------------------


def _dice(
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
    whose = language("Your roll") if is_you(name) else language("The roll of {who}", who=name)
    faces = [
        node("span", drawn, class_="die", id=f"die-{view.last[1]}-{place}")
        for place, drawn in enumerate(_faces(roll, language))
    ]
    return [
        node(
            "section",
            node("h2", whose, class_="cap"),
            node("div", *faces, class_="dice"),
            class_="sea-left cast-dice below",
            id="dice",
        )
    ]


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


def _supply(view: View, language: Language) -> Node:
    """What is left of every piece; houses and palaces of a colour side by side."""
    supply = view.supply
    walls = language.many(supply.walls, "{number} wall", "{number} walls")
    towers = [
        _stock(_tower(tower, language), left)
        for tower, left in zip(TOWERS, supply.towers, strict=True)
    ]
    pairs = [
        _stock(drawn, left, kind)
        for colour, houses, palaces in zip(COLOURS, supply.houses, supply.palaces, strict=True)
        for drawn, left, kind in (
            (_house(colour, language), houses, "h"),
            (
                sign(f"palace-{colour.name.lower()}", words=new_palaces([colour], language)),
                palaces,
                "p",
            ),
        )
    ]
    piles = language("Pile {pile}, discard pile {cards}", pile=view.pile, cards=len(view.discard))
    return node(
        "section",
        node("h2", language("Supply"), class_="cap"),
        node(
            "div",
            _stock(sign("wall-line", words=walls), supply.walls, "w"),
            node("div", *towers, class_="t3"),
            *pairs,
            class_="supply",
        ),
        node("p", piles, class_="piles"),
        class_="sea-right stock below",
        id="supply",
    )


def _stock(drawn: Node, left: int, kind: str | None = None) -> Node:
    return node("div", drawn, node("span", str(left)), class_=kind)
