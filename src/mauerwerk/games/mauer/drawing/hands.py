"""Die Mauer drawn, what stage and tray are made of: blocks, pieces and the hands that hold them."""

from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from mauerwerk.core.game import Seat
from mauerwerk.core.language import Language, points
from mauerwerk.core.svg import Node, fitting, node, use
from mauerwerk.games.mauer import legality, notation, rules
from mauerwerk.games.mauer.drawing import PIECES, text
from mauerwerk.games.mauer.events import Closed, Task, Thinking, View
from mauerwerk.games.mauer.values import Action, Piece, Plan

NARROW: Final = 700
"""What is not wider than this is drawn for a phone: smaller pieces, more rows."""
Words: TypeAlias = tuple[str, str]
"""An action's word, and what a player would say."""
Offers: TypeAlias = Mapping[Action, Words]
"""What may be done now."""


class Block(NamedTuple):
    """A part of the picture."""

    body: Node
    height: float


FOOT: Final = 121
"""Where the foot of a piece stands in its symbol, which is 124 high."""
_ROOM: Final = 126
"""The greatest height of the pieces that a player is left with."""


class Foot(NamedTuple):
    """Where a piece stands, by the middle of its foot, and how large it is."""

    x: float
    y: float
    scale: float


# --- Pieces ----------------------------------------------------------------------------------


def standing(piece: Piece, foot: Foot) -> Node:
    """A piece on its foot."""
    name = f"piece-{piece.value}"
    width, height = (foot.scale * side for side in PIECES.size_of(name))
    return use(name, foot.x - width / 2, foot.y - foot.scale * FOOT, width, height)


def ghost(piece: Piece, foot: Foot, **attributes: str) -> Node:
    """The outline of a piece, in chalk."""
    name = f"ghost-{piece.value}"
    left, top = foot.x - foot.scale * PIECES.size_of(name)[0] / 2, foot.y - foot.scale * FOOT
    at = f"translate({left:.2f} {top:.2f}) scale({foot.scale})"
    return node("path", d=PIECES.outline(name), transform=at, **attributes)


def height_of(piece: Piece) -> float:
    """How high it stands, of the 124 of its symbol."""
    return 58 if legality.is_wall(piece) else 86 if piece is Piece.GATE else 110


# --- Hands -----------------------------------------------------------------------------------

HAND: Final = (140, 126)
"""The size of a hand with what lies in it or stands beside it."""
_OPEN: Final = use("hand-open", 10, 4, 120, 122)
_CLOSED: Final = use("hand-fist", 10, 4, 120, 122)
_FIST: Final = 35
"""Half the width of a closed fist."""


def hand(view: View, seat: Seat, width: float) -> tuple[Node, ...]:
    """Open while thinking, closed, or open with what it held.

    One's own piece stands beside the closed fist; with its neighbours a fist has this width.
    """
    mark = _mark(seat)
    fist = view.fists[seat]
    match fist:
        case Thinking():
            return (_OPEN, mark)
        case Closed():
            return (_CLOSED, mark)
        case Plan(piece=piece) if view.task is Task.PLAN:
            own = [_beside(piece, width, left=seat == view.master)] if piece else []
            return (_CLOSED, mark, *own)
        case Plan(piece=piece):
            return palm(piece, seat) if piece else (_OPEN, mark)


def palm(piece: Piece, seat: Seat, *more: str) -> tuple[Node, ...]:
    """An open palm with a piece; `more` are classes of the piece."""
    wide, _ = PIECES.size_of(f"piece-{piece.value}")
    scale = min(0.98, 90 / wide) if legality.is_wall(piece) else 0.72
    shown = node("g", standing(piece, Foot(70, 82, scale)), class_=" ".join(["held", *more]))
    back, front = (use(f"hold-{side}", 0, 4, 140, 122) for side in ("back", "front"))
    return (back, shown, front, _mark(seat))


def _beside(piece: Piece, width: float, *, left: bool) -> Node:
    """The piece in one's own fist, tied to it by a thread; the stone may lie at the right."""
    wide, _ = PIECES.size_of(f"piece-{piece.value}")
    gap = min(14, width / 6 - _FIST / 3)
    scale = min(0.74, min(48, width / 2 - _FIST - gap + 8) / wide)
    side = -1 if left else 1
    near = 70 + side * (_FIST + gap)
    stands = standing(piece, Foot(near + side * scale * wide / 2, 121, scale))
    thread = f"M{70 + side * (_FIST + 1)} 93Q{70 + side * (_FIST + gap / 2)} 86 {near:g} 89"
    tie = node(
        "path",
        d=thread,
        fill="none",
        stroke="var(--mortar-2)",
        stroke_width=2,
        stroke_dasharray="2 3.4",
        stroke_linecap="round",
    )
    return node("g", tie, stands, class_="beside left" if left else "beside")


def _mark(seat: Seat) -> Node:
    return use(f"mark-{seat + 1}", 62, 106.5, 16, 16, color="var(--on-brick)")


def left_over(view: View, seat: Seat, width: float) -> tuple[Node, ...]:
    """The pieces that a player was left with (DM-2); an open hand for none."""
    hand = view.hands[seat] or ()
    if not hand:
        return (_OPEN, _mark(seat))
    for scale in (0.56, 0.46, 0.38, 0.3, 0.22):
        widths = [scale * PIECES.size_of(f"piece-{piece.value}")[0] for piece in hand]
        levels = fitting.rows(widths, width, 2)
        if len(levels) * scale * FOOT < _ROOM:
            break
    pieces: list[Node] = []
    for level, row in enumerate(levels):
        foot = 123 - scale * FOOT * (len(levels) - 1 - level)
        x = 70 - (sum(widths[place] for place in row) + 2 * (len(row) - 1)) / 2
        for place in row:
            pieces.append(standing(hand[place], Foot(x + widths[place] / 2, foot, scale)))
            x += widths[place] + 2
    return tuple(pieces)


# --- Words -----------------------------------------------------------------------------------


def status(view: View, seat: Seat, language: Language) -> tuple[str, ...]:
    """The line under a name, the longest first."""
    if view.task is Task.NOTHING:
        total = rules.totals(view.scores, len(view.counts))[seat]
        place = text.places(view)[seat]
        words = language("winner") if place == 1 else language("place {place}", place=place)
        return (f"{words} · {points(total, language)}", f"{words} · {total}")
    words = text.fist_words(view, seat, language)
    if view.task is Task.PLAN and isinstance(view.fists[seat], Plan) and seat == view.seat:
        return (language("{piece} · only you see it", piece=words), words)
    if seat == view.master:
        longer = language("master builder")
        return (f"{longer} · {words}", f"{language('master')} · {words}", longer)
    return (words,)


def pieces_left(view: View, seat: Seat, language: Language) -> str:
    """How many pieces the seat holds; empty when that is not counted."""
    if view.task in {Task.LOT, Task.NOTHING}:
        return ""
    return language("{count} left", count=view.counts[seat])


def pips(view: View, seat: Seat) -> tuple[bool, ...]:
    """A pip for each piece of a full set: whether it is still held, in no order of the pieces."""
    count = view.counts[seat]
    return tuple(place < count for place in range(max(count, len(view.pieces))))


def told(view: View, seat: Seat, language: Language) -> str:
    """The same in words, for readers who do not see the picture."""
    if view.task is Task.NOTHING:
        left = ", ".join(notation.piece_name(piece, language) for piece in view.hands[seat] or ())
        left = language("left with {pieces}", pieces=left or language("nothing"))
        return f"{status(view, seat, language)[0]}, {left}"
    master = [language("master builder")] if seat == view.master else []
    left = language.many(view.counts[seat], "{number} piece left", "{number} pieces left")
    return ", ".join([*master, text.fist_words(view, seat, language), left])
