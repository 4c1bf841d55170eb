"""The stage of Die Mauer: hands in the sky, each with its plate, and the wall on its ground."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital, signed
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.mauer.drawing.blocks import Offers, Words
from mauerwerk.games.mauer.drawing.hands import (
    FOOT,
    HAND,
    Foot,
    hand,
    left_over,
    pieces_left,
    pips,
    standing,
    status,
    told,
)
from mauerwerk.games.mauer.drawing.pieces import PIECES
from mauerwerk.games.mauer.drawing.stage import end_name, signature, wall_line
from mauerwerk.games.mauer.drawing.text import places
from mauerwerk.games.mauer.events import Task, View
from mauerwerk.games.mauer.notation import piece_name, plan_name
from mauerwerk.games.mauer.values import Piece, Plan
from mauerwerk.server.games.markup import classes, image, pressed, sign
from mauerwerk.server.games.mauer.board_tray import HIGH

_WIDE: Final = 180
"""How wide a fist may be with the piece beside it, in units of its picture."""


class Player(NamedTuple):
    """A seat's name, what the page adds to it, and what the fist showed a turn ago."""

    seat: Seat
    name: str
    note: str
    showed: Plan | None


_HILLS: Final = (
    "M-40 250C60 170 240 160 380 206S640 250 800 196 1120 170 1300 236V410H-40Z",
    "M-40 270C90 226 260 214 430 246S760 276 930 238 1180 226 1300 262V410H-40Z",
)


def stage(*content: Node, language: Language) -> Node:
    """Sky and hills, and what stands in front of them."""
    far, near = _HILLS
    scene = node(
        "svg",
        node("path", d=far, fill="var(--hill-1)"),
        node("path", d=near, fill="var(--hill-2)"),
        class_="scene",
        viewBox="0 0 1240 410",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
    return node(
        "section",
        node("span", class_="sun", aria_hidden="true"),
        scene,
        *content,
        class_="stage",
        id="stage",
        aria_label=language("The wall"),
    )


def fists(items: Sequence[Node]) -> Node:
    """All hands in the order of the seats."""
    crowd = len(items) > 4 and "crowd"  # noqa: PLR2004 - then names are set smaller on a phone
    three = len(items) == 3 and "three"  # noqa: PLR2004 - then they stand in one row on a phone
    return node("ol", *items, class_=classes("fists", crowd, three), id="fists")


class Shown(NamedTuple):
    """How a hand is shown."""

    drawn: Sequence[Node]
    told: str
    """The same in words."""

    lines: Sequence[str]
    """What stands under the name, the longest first."""

    more: Sequence[Node] = ()
    kinds: Sequence[str] = ()
    """Classes of the item."""


def fist(view: View, player: Player, language: Language) -> Node:
    """A hand as this view has it, with what it showed a turn ago."""
    seat, last = player.seat, player.showed
    over = view.task is Task.NOTHING
    drawn = left_over(view, seat, HAND[0]) if over else hand(view, seat, _WIDE)
    words = [told(view, seat, language)]
    known = isinstance(view.fists[seat], Plan)
    own = known and seat == view.seat
    if last is not None:
        words.append(language("showed {piece} last", piece=plan_name(last, language)))
        # A piece that one knows of stands beside the fist: there is no room for a second.
        drawn = (*drawn, *(() if known else _last(last)))
    waited = seat in view.waiting or (over and places(view)[seat] == 1)
    kinds = [*["now"] * waited, *["hides"] * own, *["over"] * over]
    shown = Shown(drawn, ", ".join(words), status(view, seat, language), (), kinds)
    return item(view, player, shown, language)


def item(view: View, player: Player, shown: Shown, language: Language) -> Node:
    """A hand, the stone beside the master builder's, and a plate with name and state."""
    seat, name, note, _ = player
    master = seat == view.master and view.task is not Task.NOTHING
    stone = [sign("stone", "st", language("the master builder's stone"))] if master else []
    for each in stone:
        each.set("id", "masters-stone")  # the same wherever it lies
    longer, *shorter = shown.lines
    called = capital(signed(name, language, own=seat == view.seat))
    plate = node(
        "div",
        node("b", called),
        node("span", longer, class_="says full"),
        node("span", shorter[0] if shorter else longer, class_="says brief"),
        *_left(view, seat, note, language),
        class_="plate",
        aria_hidden="true",  # the hand says the same in one sentence
    )
    told = ", ".join(filter(None, [shown.told, note]))
    return node(
        "li",
        image(HAND, shown.drawn, "fisthand", f"{called}: {told}"),
        *shown.more,
        *stone,
        plate,
        class_=classes("fist", master and "master", *shown.kinds),
        id=f"fist-{seat}",
        data_speaks_for=seat,
    )


def _left(view: View, seat: Seat, note: str, language: Language) -> list[Node]:
    """How many pieces are left, as pips and as a number, and what the page adds to the name."""
    left = pieces_left(view, seat, language)
    row = [node("i", class_=None if held else "o") for held in pips(view, seat)] if left else []
    signs = [node("span", *row, class_="pips", aria_hidden="true")] if row else []
    words = [
        node("span", word, class_=kind) for word, kind in ((left, None), (note, "who")) if word
    ]
    return [node("span", *signs, *words, class_="left")] if signs or words else []


def _last(plan: Plan) -> tuple[Node, ...]:
    """What a fist showed in the turn before, small and pale beside the cuff."""
    if plan.piece is None:
        return ()
    return (node("g", standing(plan.piece, Foot(20, 123, 0.36)), class_="before"),)


_REACHES: Final = (900, 1100, 1300, 1500, 1800, 2200)
"""Walls up to these lengths stand in one course on a wide page, each lower than the one before."""


def wall(
    view: View, offers: Offers, language: Language, origins: Mapping[str, str] | None = None
) -> Node:
    """The pieces from left to right, with the open ends in chalk.

    `origins` are the hands from which pieces came in this turn, by the names of the pieces.
    """
    line = wall_line(view, offers)
    length = sum(max(PIECES.size_of(f"piece-{piece.value}")[0], 24) for _, piece, _ in line)
    reach = sum(length > most for most in _REACHES)
    stones = [
        _end(view, name, piece, offer, language)
        if offer
        else _built(
            name,
            piece,
            signature(view, place, offers, _foot(piece)),
            (origins or {}).get(name),
            language,
        )
        for place, (name, piece, offer) in enumerate(line)
    ]
    empty = [node("p", language("Nothing is built yet."), class_="bare")] if not line else []
    return node(
        "div",
        *stones,
        *empty,
        class_=f"wallrow reach-{reach}",
        id="wall",
        role="group",
        aria_label=language("The wall"),
    )


def _foot(piece: Piece) -> Foot:
    return Foot(PIECES.size_of(f"piece-{piece.value}")[0] / 2, FOOT, 1)


def _built(
    name: str, piece: Piece, mark: Sequence[Node], origin: str | None, language: Language
) -> Node:
    wide = PIECES.size_of(f"piece-{piece.value}")[0]
    drawn = [standing(piece, _foot(piece)), *([node("g", *mark, class_="last")] if mark else [])]
    return node(
        "span",
        image((wide, HIGH), drawn, None, piece_name(piece, language)),
        class_=classes("stone", bool(mark) and "newest"),
        id=name,
        data_from=origin,
    )


def _end(view: View, name: str, piece: Piece, offer: Words, language: Language) -> Node:
    """An end of the wall where the piece may be built; it is seen there while one thinks of it."""
    said = node("span", end_name(view, name, language), class_="said")
    drawn = (sign(f"ghost-{piece.value}"), sign(f"piece-{piece.value}", "there"))
    return pressed(name, offer, *drawn, said, class_=f"end {name}")
