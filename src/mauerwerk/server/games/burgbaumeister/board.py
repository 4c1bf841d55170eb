"""Burgbaumeister for the page: the depot on its cloth, one's own wall, the walls of the others.

Nothing here knows what was turned before, except where the table chose the memory aid (BB-9).
"""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.language.words import capital, points, sentence
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.burgbaumeister.drawing.cards import Reader
from mauerwerk.games.burgbaumeister.drawing.text import when
from mauerwerk.games.burgbaumeister.events import Task, View
from mauerwerk.games.burgbaumeister.notation import say, write
from mauerwerk.games.burgbaumeister.values import Action, Add, HoldFire, Insert, Leave
from mauerwerk.server.games.burgbaumeister.board_depot import cloth, large
from mauerwerk.server.games.burgbaumeister.board_walls import (
    other_walls,
    own_wall,
    standing,
    wall_in_dock,
)
from mauerwerk.server.games.burgbaumeister.consequence import (
    FEW,
    Consequence,
    after_words,
    consequence,
    destroyed,
    fitting,
    gain_words,
    picture_words,
)
from mauerwerk.server.games.markup import html
from mauerwerk.server.games.parts import Button, Parts, SeatLine

LOOK: Final = "bb"
SEATED: Final = True
ASIDE: Final = "side"
SYMBOLS: Final = (
    *("card-back", "card-wall", "card-cloud"),
    *(
        f"fig-{name}"
        for name in (
            *("king", "queen", "knight", "damsel", "raven", "ravens", "cannon", "tower", "wizard"),
        )
    ),
)


def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
    view: View,
    legal: Sequence[Action],
    names: Sequence[str],
    language: Language = ENGLISH,
    before: Sequence[Any] = (),
    notes: Sequence[str] = (),
    /,
) -> Parts:
    """The table as this view has it. What was turned before is not looked up for anybody."""
    offers = {action: (write(action), say(action, language)) for action in legal}
    reader = Reader(offers, language)
    turned = view.turned.card if view.turned else None
    return Parts(
        stage=html(cloth(view, reader)),
        tray=html(*own_wall(view, reader)),
        aside=html(*other_walls(view, reader, names, notes)),
        figure="" if turned is None else html(large(turned, language)),
        consequence=html(*_consequence(view, names, destroyed(before), language)),
        dock=html(*wall_in_dock(view, reader)),
        when=when(view, language),
        seats=tuple(
            SeatLine(str(view.points[seat]), standing(view, Seat(seat), language))
            for seat in range(len(view.walls))
        ),
        buttons=_buttons(reader),
    )


def _buttons(reader: Reader) -> tuple[Button, ...]:
    """To add a card is also pressed in the wall, but the question is to do it or to leave it."""
    buttons = (
        (Add(), True, "A"),
        (Insert(), True, "A"),
        (Leave(), False, "L"),
        (HoldFire(), False, ""),
    )
    return tuple(
        Button(reader.offers[action][0], capital(reader.offers[action][1]), main=main, key=key)
        for action, main, key in buttons
        if action in reader.offers
    )


def _consequence(
    view: View, names: Sequence[str], gone: frozenset[int], language: Language
) -> list[Node]:
    """What adding the card would do: to its player as a fact, to the others as a question."""
    if view.task is not Task.DECIDE or view.turned is None or view.player is None:
        return []
    found = consequence(view)
    if view.seat == view.player:
        return [] if found is None else _for_player(view, found, gone, language)
    name = names[view.player]
    if found is None:
        return [node("p", language("It is too low for {who}'s wall.", who=name))]
    worth = language("it is worth {points}", points=points(found.gain, language))
    asks = language("Will {who} add it?", who=name)
    told = [capital(sentence(worth))] if view.variant else []
    after = after_words(view, found, language, gone)
    return [node("p", " ".join([asks, *told, after]))]


def _for_player(
    view: View, found: Consequence, gone: frozenset[int], language: Language
) -> list[Node]:
    gain = node("b", sentence(gain_words(view, found, language)))
    more = [after_words(view, found, language, gone), picture_words(view, found, language)]
    told = [node("p", gain, " ", " ".join(filter(None, more)))]
    higher = fitting(view, max([found.card.number, *_numbers(view, found.seat)]), gone)
    if 0 < len(higher) <= FEW:
        chips = [node("i", f"{number}") for number in higher]
        told.append(
            node("p", node("span", language("Still fits after it:")), *chips, class_="only")
        )
    return told


def _numbers(view: View, seat: Seat) -> list[int]:
    return [card.number for card in view.walls[seat]]
