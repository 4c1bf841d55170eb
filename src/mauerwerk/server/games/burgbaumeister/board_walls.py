"""The walls: one's own, large, with the card in question as a ghost; and those of the others."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital, points, signed
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.burgbaumeister.drawing.cards import (
    HIGH,
    WIDE,
    Reader,
    small_face,
    start_tower,
)
from mauerwerk.games.burgbaumeister.drawing.text import wall_words
from mauerwerk.games.burgbaumeister.events import Task, View
from mauerwerk.games.burgbaumeister.notation import card_name, places
from mauerwerk.games.burgbaumeister.values import FULL_WALL, Add, Card, Fire, Insert
from mauerwerk.server.games.burgbaumeister.board_depot import large
from mauerwerk.server.games.burgbaumeister.consequence import Consequence, consequence
from mauerwerk.server.games.markup import classes, head, image, pressed, sign

_FAR: Final = 7
"""Behind as many cards there is no room for words to the right."""

# --- The viewer's own wall -------------------------------------------------------------------


def own_wall(view: View, reader: Reader) -> list[Node]:
    """Start tower, cards, and places for more; with targets where something can be done."""
    if view.seat is None:
        return []
    seat, language = view.seat, reader.language
    return [
        node(
            "section",
            head(language("Your wall"), _standing_of_own(view, seat, language)),
            *_flags(view, seat),
            _row(view, seat, reader),
            *_guard(view, seat, language),
            class_=classes("tray", seat == view.player and "now"),
            id="tray",
            aria_label=language("Your wall"),
        )
    ]


def wall_in_dock(view: View, reader: Reader) -> list[Node]:
    """The same, for the bottom of a narrow page, while a card is to be added or left."""
    seat, language = view.seat, reader.language
    if seat is None or view.task is not Task.DECIDE or seat not in view.waiting:
        return []
    return [
        node(
            "div",
            head(language("Your wall"), _standing_of_own(view, seat, language)),
            _row(view, seat, reader, again=True),
            *_guard(view, seat, language),
            class_="dockwall",
        )
    ]


def _standing_of_own(view: View, seat: Seat, language: Language) -> str:
    """Points, what they would be with the card in question, and how far the wall has come."""
    if not view.variant:
        return standing(view, seat, language)
    now, found = points(view.points[seat], language), consequence(view)
    if found is not None and found.seat == seat:
        now = language("{points}, then {sum}", points=now, sum=view.points[seat] + found.gain)
    return f"{now} · {standing(view, seat, language)}"


def _row(view: View, seat: Seat, reader: Reader, *, again: bool = False) -> Node:
    """The cards, large; drawn again, they have no names and nothing to press."""
    language, wall = reader.language, view.walls[seat]
    tower = image((WIDE, HIGH), [start_tower(seat, 0, 0, WIDE)], "bc", language("the start tower"))
    row = [node("li", tower, id=None if again else f"start-{seat}")]
    row += [
        node("li", large(card, language), id=None if again else f"card-{card.number}")
        for card in wall
    ]
    found = consequence(view)
    ghosts = 0
    if found is not None and found.seat == seat:
        row.insert(found.place + 1, _ghost(view, found, reader, again=again))
        ghosts = 1
    free = range(len(wall) + ghosts + 1, FULL_WALL + 1)
    row += [node("li", f"{place}", class_="free", aria_hidden="true") for place in free]
    return node("ol", *row, class_="own")


def _ghost(view: View, found: Consequence, reader: Reader, *, again: bool) -> Node:
    """The card in question, in the slot that it would take."""
    language = reader.language
    drawn = [large(found.card, language)]
    if view.variant:
        drawn.append(node("b", f"+{found.gain}", class_="plus", aria_hidden="true"))
    offer = reader.offers.get(Insert() if found.inserted else Add())
    if offer is None or again:
        return node("li", *drawn, class_="ghost", aria_hidden="true")
    name = "insert" if found.inserted else "add"
    return node("li", pressed(name, offer, *drawn, class_="next"), class_="ghost")


def _guard(view: View, seat: Seat, language: Language) -> list[Node]:
    """A line under what is safe, dots under what a cannon can hit (BB-25)."""
    safe, built = view.safe[seat], len(view.walls[seat])
    found = consequence(view)
    if not view.variant:
        return []
    if view.task is Task.NOTHING or (found is not None and found.seat == seat and found.inserted):
        return [node("div", class_="guard")]  # it keeps its place, so that the depot stays as large
    spans: list[Node] = []
    if safe:
        shield = sign("i-shield", "ic")
        spans.append(node("span", shield, language("safe"), class_=f"safe span-{safe + 1}"))
    if built > safe:
        where = "" if safe else "late"
        short = safe >= _FAR and "short"
        told = language("open to cannons")
        spans.append(
            node("span", told, class_=classes("open", f"span-{built - safe}", where, short))
        )
    return [node("div", *spans, class_="guard")]


def _flags(view: View, seat: Seat) -> list[Node]:
    """On the winner's wall, when the game is over."""
    if view.task is not Task.NOTHING or places(view)[seat] != 1:
        return []
    built = len(view.walls[seat])
    return [_flag(f"flag at-{place}") for place in (0, 3, 6, 9) if place <= built]


def _flag(class_: str) -> Node:
    return image(
        (20, 25),
        [
            node("path", d="M3 25V2", stroke="var(--piece-line)", stroke_width=2.4),
            node(
                "path",
                d="M4 2.5h14l-4 4.5 4 4.5h-14Z",
                fill="var(--brick)",
                stroke="var(--piece-line)",
                stroke_width=1.2,
                stroke_linejoin="round",
            ),
        ],
        class_,
    )


# --- The walls of the others -----------------------------------------------------------------


def other_walls(
    view: View, reader: Reader, names: Sequence[str], notes: Sequence[str]
) -> list[Node]:
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
    words = " · ".join(filter(None, [note, standing(view, seat, language)]))
    won = view.task is Task.NOTHING and places(view)[seat] == 1
    top = node(
        "div",
        node("span", sign(f"mark-{seat + 1}"), class_="tile"),
        node("b", capital(signed(name, language, own=seat == view.seat))),
        node("span", ": ", class_="vh"),
        *([_flag("flag")] if won else []),
        node("span", words, class_="far"),
        node("span", f", {points(view.points[seat], language)}", class_="vh"),
        node("b", str(view.points[seat]), class_="num pts", aria_hidden="true"),
        class_="hd",
    )
    turn = seat == view.player and view.task is not Task.NOTHING
    return node(
        "li",
        top,
        node(
            "ol",
            *_minis(view, seat, reader),
            class_=classes("row", shot and "shot"),
            id=f"wall-{seat}",
        ),
        class_=classes("wall", turn and "now"),
        id=f"seat-{seat}",
    )


def _minis(view: View, seat: Seat, reader: Reader) -> list[Node]:
    """Start tower, cards, the one that may follow, and places for more."""
    wall, safe = view.walls[seat], view.safe[seat]
    tower = image((60, 86), small_face(None, seat), "mc", reader.language("the start tower"))
    row = [node("li", tower, class_="mini")]
    row += [_mini(card, seat, reader, place < safe) for place, card in enumerate(wall)]
    found = consequence(view)
    free = FULL_WALL - len(wall)
    if found is not None and found.seat == seat:
        ghost = image((60, 86), small_face(found.card, seat), "mc")
        row.insert(found.place + 1, node("li", ghost, class_="maybe", aria_hidden="true"))
        free -= 1
    return [*row, *(node("li", class_="free", aria_hidden="true") for _ in range(free))]


def _mini(card: Card, seat: Seat, reader: Reader, safe: bool) -> Node:  # noqa: FBT001 - a fact
    """A small card; a target where a cannon can hit it (BB-24)."""
    name, told = f"card-{card.number}", card_name(card, reader.language)
    drawn = small_face(card, seat)
    offer = reader.offers.get(Fire(card.number))
    if offer is not None:
        return node("li", pressed(name, offer, image((60, 86), drawn, "mc"), class_="aim"))
    told = f"{told}, {reader.language('safe')}" if safe else told
    return node("li", image((60, 86), drawn, "mc", told), id=name, class_=classes(safe and "safe"))


def standing(view: View, seat: Seat, language: Language) -> str:
    """How far a wall has come; when it is over, its rank."""
    if view.task is Task.NOTHING and len(view.walls[seat]) == FULL_WALL:
        return language("complete")
    return wall_words(view, seat, language)
