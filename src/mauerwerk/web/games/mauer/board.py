"""Die Mauer for the page: fists above the wall, the viewer's seven pieces, the slate.

The wall breaks into courses by itself: each piece is a picture of its own in a line that wraps.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import ENGLISH, Language
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
from mauerwerk.games.mauer.drawing.text import places, when
from mauerwerk.games.mauer.events import Event, FistsOpened, RoundEnded, Task, View
from mauerwerk.games.mauer.notation import piece_name, plan_name, say, write
from mauerwerk.games.mauer.rules import totals
from mauerwerk.games.mauer.values import FULL_SET, Action, Build, End, Piece, Plan
from mauerwerk.web.games.markup import classes, html, image, pressed, sign
from mauerwerk.web.games.mauer.board_slate import slate
from mauerwerk.web.games.mauer.board_tray import HIGH, tray
from mauerwerk.web.games.parts import Button, Parts, SeatLine

LOOK: Final = "dm"
SEATED: Final = True
ASIDE: Final = "board"
SYMBOLS: Final = (
    *(f"{kind}-{piece.value}" for kind in ("piece", "ghost") for piece in FULL_SET),
    *("hand-open", "hand-fist", "hold-back", "hold-front", "stone"),
)


def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
    view: View,
    legal: Sequence[Action],
    names: Sequence[str],
    language: Language = ENGLISH,
    before: Sequence[Event] = (),
    notes: Sequence[str] = (),
    /,
) -> Parts:
    """The table as this view has it."""
    offers = {action: (write(action), say(action, language)) for action in legal}
    points = totals(view.scores, len(view.counts))
    seats = [Seat(seat) for seat in range(len(view.counts))]
    return Parts(
        stage=html(_stage(view, offers, _people(view, names, notes, before), language)),
        tray=html(*tray(view, offers, language)),
        aside=html(slate(view, names, language)),
        figure="",
        when=when(view, language),
        seats=tuple(SeatLine(str(points[seat]), _note(view, seat, language)) for seat in seats),
        buttons=_buttons(offers),
    )


def _note(view: View, seat: Seat, language: Language) -> str:
    words = [status(view, seat, language)[0], pieces_left(view, seat, language)]
    return " · ".join(filter(None, words))


def _buttons(offers: Offers) -> tuple[Button, ...]:
    """The ends of the wall once more, for on a phone they may be out of sight."""
    signs = {Build(End.LEFT): "i-left", Build(End.RIGHT): "i-right"}
    return tuple(
        Button(offers[action][0], capital(offers[action][1]), sign=name, main=True)
        for action, name in signs.items()
        if action in offers
    )


_WIDE: Final = 180
"""How wide a fist may be with the piece beside it, in units of its picture."""


class Player(NamedTuple):
    """A seat's name, what the page adds to it, and what the fist showed a turn ago."""

    seat: Seat
    name: str
    note: str
    showed: Plan | None


def _people(
    view: View, names: Sequence[str], notes: Sequence[str], before: Sequence[Event]
) -> list[Player]:
    seats = len(view.counts)
    rows = zip(
        range(seats),
        names,
        [*notes, *[""] * seats],
        [*_shown_last(view, before), *[None] * seats],
        strict=False,
    )
    return [Player(Seat(seat), name, note, showed) for seat, name, note, showed in rows]


def _shown_last(view: View, before: Sequence[Event]) -> tuple[Plan, ...]:
    """What the fists showed in the turn before, while everybody plans the next one."""
    if view.task is Task.PLAN:
        for event in reversed(before):
            if isinstance(event, FistsOpened):
                return event.fists
            if isinstance(event, RoundEnded):
                break
    return ()


# --- The stage -------------------------------------------------------------------------------

_HILLS: Final = (
    "M-40 250C60 170 240 160 380 206S640 250 800 196 1120 170 1300 236V410H-40Z",
    "M-40 270C90 226 260 214 430 246S760 276 930 238 1180 226 1300 262V410H-40Z",
)


def _stage(view: View, offers: Offers, people: Sequence[Player], language: Language) -> Node:
    """What everybody sees."""
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
    crowd = len(people) > 4 and "crowd"  # noqa: PLR2004 - then names are set smaller on a phone
    return node(
        "section",
        node("span", class_="sun", aria_hidden="true"),
        scene,
        node(
            "ol",
            *(_fist(view, player, language) for player in people),
            class_=classes("fists", crowd),
            id="fists",
        ),
        _wall(view, offers, language),
        class_="stage",
        id="stage",
        aria_label=language("The wall"),
    )


def _fist(view: View, player: Player, language: Language) -> Node:
    """A hand, its cuff with the mason's mark, and a plate with name and state."""
    seat, name, note, last = player
    over = view.task is Task.NOTHING
    drawn = left_over(view, seat, HAND[0]) if over else hand(view, seat, _WIDE)
    words = [told(view, seat, language)]
    if last is not None:
        words.append(language("showed {piece} last", piece=plan_name(last, language)))
        drawn = (*drawn, *_last(last))
    longer, *shorter = status(view, seat, language)
    waited = seat in view.waiting or (over and places(view)[seat] == 1)
    master = seat == view.master and not over
    own = seat == view.seat and isinstance(view.fists[seat], Plan)
    stone = [sign("stone", "st", language("the master builder's stone"))] if master else []
    for each in stone:
        each.set("id", "masters-stone")  # the same wherever it lies
    plate = node(
        "div",
        node("b", capital(signed(name, language, own=seat == view.seat))),
        node("span", longer, class_="says full"),
        node("span", shorter[0] if shorter else longer, class_="says brief"),
        *_left(view, seat, note, language),
        class_="plate",
    )
    return node(
        "li",
        image(HAND, drawn, "fisthand", ", ".join(words)),
        *stone,
        plate,
        class_=classes(
            "fist", waited and "now", master and "master", own and "hides", over and "over"
        ),
        id=f"fist-{seat}",
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


def _wall(view: View, offers: Offers, language: Language) -> Node:
    """The pieces from left to right, with the open ends in chalk."""
    line = wall_line(view, offers)
    length = sum(max(PIECES.size_of(f"piece-{piece.value}")[0], 24) for _, piece, _ in line)
    reach = sum(length > most for most in _REACHES)
    stones = [
        _end(view, name, piece, offer, language)
        if offer
        else _built(name, piece, signature(view, place, offers, _foot(piece)), language)
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


def _built(name: str, piece: Piece, mark: Sequence[Node], language: Language) -> Node:
    wide = PIECES.size_of(f"piece-{piece.value}")[0]
    drawn = [standing(piece, _foot(piece)), *([node("g", *mark, class_="last")] if mark else [])]
    return node(
        "span",
        image((wide, HIGH), drawn, None, piece_name(piece, language)),
        class_=classes("stone", bool(mark) and "newest"),
        id=name,
    )


def _end(view: View, name: str, piece: Piece, offer: Words, language: Language) -> Node:
    """An end of the wall where the piece may be built."""
    said = node("span", end_name(view, name, language), class_="said")
    return pressed(name, offer, sign(f"ghost-{piece.value}"), said, class_=f"end {name}")
