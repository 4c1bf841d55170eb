"""Burgbaumeister for the page: the depot on its cloth, one's own wall, the walls of the others.

On a narrow page the table is turned by a quarter, so that a card stays large enough for a finger.
Nothing here knows what was turned before, except where the table chose the memory aid (BB-9).
"""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.language.words import capital, cards, points, signed
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.burgbaumeister.drawing.cards import (
    HIGH,
    WIDE,
    Reader,
    face,
    small_face,
    start_tower,
)
from mauerwerk.games.burgbaumeister.drawing.depot import face_up, known, lying
from mauerwerk.games.burgbaumeister.drawing.text import wall_words, when
from mauerwerk.games.burgbaumeister.events import Task, View
from mauerwerk.games.burgbaumeister.layouts import HEIGHT, WIDTH, spread
from mauerwerk.games.burgbaumeister.notation import card_name, place_name, places, say, write
from mauerwerk.games.burgbaumeister.values import (
    FULL_WALL,
    PLACES,
    Action,
    Add,
    Card,
    Fire,
    HoldFire,
    Insert,
    Leave,
    Turn,
)
from mauerwerk.web.games.markup import classes, head, html, image, pressed, sign
from mauerwerk.web.games.parts import Button, Parts, SeatLine

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
    before: Sequence[Any] = (),  # noqa: ARG001 - what was turned is not remembered for anybody
    notes: Sequence[str] = (),
    /,
) -> Parts:
    """The table as this view has it."""
    offers = {action: (write(action), say(action, language)) for action in legal}
    reader = Reader(offers, language)
    turned = view.turned.card if view.turned else None
    return Parts(
        stage=html(_cloth(view, reader)),
        tray=html(*_tray(view, reader)),
        aside=html(*_walls(view, reader, names, notes)),
        figure="" if turned is None else html(_large(turned, language)),
        when=when(view, language),
        seats=tuple(
            SeatLine(str(view.points[seat]), _standing(view, Seat(seat), language))
            for seat in range(len(view.walls))
        ),
        buttons=_buttons(reader),
    )


def _buttons(reader: Reader) -> tuple[Button, ...]:
    """To add a card is also pressed in the wall, but the question is to do it or to leave it."""
    return tuple(
        Button(reader.offers[action][0], capital(reader.offers[action][1]), main=main)
        for action, main in ((Add(), True), (Insert(), True), (Leave(), False), (HoldFire(), False))
        if action in reader.offers
    )


# --- The depot -------------------------------------------------------------------------------


def _cloth(view: View, reader: Reader) -> Node:
    caption = node(
        "p",
        node("b", reader.language("Depot")),
        " ",
        node("span", cards(len(view.depot), reader.language)),
        class_="cap",
    )
    laid = _scattered(view, reader) if view.layout is not None else _rows(view, reader)
    return node(
        "section",
        caption,
        laid,
        class_=classes("stage", view.layout is not None and "chaotic"),
        id="stage",
        aria_label=reader.language("Depot"),
    )


def _rows(view: View, reader: Reader) -> Node:
    """Five rows of nine."""
    return node("div", *(_place(view, place, reader) for place in PLACES), class_="depot")


def _place(view: View, place: int, reader: Reader) -> Node:
    """A card, or where one was."""
    name = f"place-{place_name(place)}"
    if view.turned is not None and view.turned.place == place:
        card = view.turned.card
        told = (
            card_name(card, reader.language) if card else reader.language("a card is being turned")
        )
        drawn = _large(card, reader.language) if card else sign("card-back", "back", told)
        return node("div", drawn, id=name, class_=classes("lies up", card is None and "turning"))
    if place not in view.depot:
        return node("div", id=name, class_="gone")
    seen = known(view, place)
    told = reader.language("face down at {place}", place=place_name(place))
    aid = [] if seen is None else [node("b", f"{seen.number}", class_="num aid")]
    offer = reader.offers.get(Turn(place))
    if offer is None:
        told = told if seen is None else f"{told}: {card_name(seen, reader.language)}"
        drawn = sign("card-back", "back", capital(told))
        return node("div", drawn, *aid, id=name, class_="lies")
    word, said = offer
    said = said if seen is None else f"{said}, {card_name(seen, reader.language)}"
    return pressed(name, (word, said), sign("card-back", "back"), *aid, class_="lies")


def _scattered(view: View, reader: Reader) -> Node:
    """A chaotic depot: one picture, which a narrow page turns by a quarter."""
    layout = spread(view.layout)
    drawn = [lying(view, place, layout, 1, reader) for place in PLACES]
    if view.turned is not None:
        drawn.append(face_up(view.turned, layout, 1, (WIDTH, HEIGHT), reader.language))
    cloth = node(
        "svg",
        *drawn,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        class_="mauerwerk",
        role="group",
        aria_label=reader.language("Depot"),
    )
    return node("div", cloth, class_="chaos")


# --- The viewer's own wall -------------------------------------------------------------------


def _large(card: Card, language: Language) -> Node:
    return image((WIDE, HIGH), [face(card, 0, 0, WIDE)], "bc", card_name(card, language))


def _tray(view: View, reader: Reader) -> list[Node]:
    """Start tower, cards, and places for more; with targets where something can be done."""
    if view.seat is None:
        return []
    seat, language = view.seat, reader.language
    wall = view.walls[seat]
    tower = image((WIDE, HIGH), [start_tower(seat, 0, 0, WIDE)], "bc", language("the start tower"))
    row = [node("li", tower, id=f"start-{seat}")]
    row += [node("li", _large(card, language), id=f"card-{card.number}") for card in wall]
    turned = view.turned.card if view.turned else None
    free = list(range(len(wall) + 1, FULL_WALL + 1))
    if turned is not None and Add() in reader.offers:
        here = [node("b", f"{turned.number}", class_="num"), node("span", language("here"))]
        target = pressed("add", reader.offers[Add()], *here, class_="next")
        row.append(node("li", target, class_="offer"))
        free = free[1:]
    if turned is not None and Insert() in reader.offers:
        gap = pressed(
            "insert",
            reader.offers[Insert()],
            node("b", f"{turned.number}", class_="num"),
            class_="next gap",
        )
        place = 1 + sum(card.number < turned.number for card in wall)
        row.insert(place, node("li", gap, class_="offer"))
    row += [node("li", str(place), class_="free") for place in free]
    told = [
        *([points(view.points[seat], language)] if view.variant else []),
        _standing(view, seat, language),
    ]
    return [
        node(
            "section",
            head(language("Your wall"), " · ".join(told)),
            node("ol", *row, class_="own"),
            *([] if Insert() in reader.offers else _guard(view, seat, language)),
            class_=classes("tray", seat == view.player and "now"),
            id="tray",
            aria_label=language("Your wall"),
        )
    ]


def _guard(view: View, seat: Seat, language: Language) -> list[Node]:
    """A line under what is safe, dots under what a cannon can hit (BB-25)."""
    safe, built = view.safe[seat], len(view.walls[seat])
    if not view.variant:
        return []
    spans: list[Node] = []
    if safe:
        shield = sign("i-shield", "ic")
        spans.append(node("span", shield, language("safe"), class_=f"safe span-{safe + 1}"))
    if built > safe:
        start = "" if safe else "late"
        spans.append(
            node("span", language("open"), class_=classes("open", f"span-{built - safe}", start))
        )
    return [node("div", *spans, class_="guard")]


# --- The walls of the others -----------------------------------------------------------------


def _walls(view: View, reader: Reader, names: Sequence[str], notes: Sequence[str]) -> list[Node]:
    """Everybody else's wall with name and points; for a spectator all walls."""
    others = [Seat(seat) for seat in range(len(view.walls)) if seat != view.seat]
    told = [*notes, *[""] * len(names)]
    items = [_wall(view, seat, reader, names[seat], told[seat]) for seat in others]
    title = (
        reader.language("The other walls") if view.seat is not None else reader.language("Walls")
    )
    return [
        node(
            "section",
            node("h2", title, class_="vh"),
            node("ol", *items),
            class_="panel walls",
            id="walls",
        )
    ]


def _wall(view: View, seat: Seat, reader: Reader, name: str, note: str) -> Node:
    language = reader.language
    shot = any(Fire(card.number) in reader.offers for card in view.walls[seat])
    row = [
        node(
            "li",
            image((60, 86), small_face(None, seat), "mc", language("the start tower")),
            class_="mini",
        )
    ]
    safe = view.safe[seat]
    row += [_mini(card, seat, reader, place < safe) for place, card in enumerate(view.walls[seat])]
    free = FULL_WALL - len(view.walls[seat])
    row += [node("li", class_="free") for _ in range(free)]
    words = " · ".join(filter(None, [note, _standing(view, seat, language)]))
    top = node(
        "div",
        node("span", sign(f"mark-{seat + 1}"), class_="tile"),
        node("b", capital(signed(name, language, own=seat == view.seat))),
        node("span", words, class_="far"),
        node("b", str(view.points[seat]), class_="num pts"),
        class_="hd",
    )
    turn = seat == view.player and view.task is not Task.NOTHING
    return node(
        "li",
        top,
        node("ol", *row, class_=classes("row", shot and "shot"), id=f"wall-{seat}"),
        class_=classes("wall", turn and "now"),
        id=f"seat-{seat}",
    )


def _mini(card: Card, seat: Seat, reader: Reader, safe: bool) -> Node:  # noqa: FBT001 - a fact
    """A small card; a target where a cannon can hit it (BB-24)."""
    name, told = f"card-{card.number}", card_name(card, reader.language)
    drawn = small_face(card, seat)
    offer = reader.offers.get(Fire(card.number))
    if offer is not None:
        return node("li", pressed(name, offer, image((60, 86), drawn, "mc"), class_="aim"))
    told = f"{told}, {reader.language('safe')}" if safe else told
    return node("li", image((60, 86), drawn, "mc", told), id=name, class_=classes(safe and "safe"))


def _standing(view: View, seat: Seat, language: Language) -> str:
    """How far a wall has come; when it is over, its rank."""
    words = wall_words(view, seat, language)
    if view.task is not Task.NOTHING:
        return words
    return f"{words}, {language('rank {rank}', rank=places(view)[seat])}"
