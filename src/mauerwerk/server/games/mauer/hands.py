"""The pieces that a builder of Die Mauer holds, small."""

from collections import Counter

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import Language
from mauerwerk.core.svg.drawing import Node, node
from mauerwerk.games.mauer.drawing.picture import IN_TRAY
from mauerwerk.games.mauer.events import Task, View
from mauerwerk.games.mauer.notation import piece_name
from mauerwerk.games.mauer.values import Piece
from mauerwerk.server.games.markup import sign, times


def hand(view: View, seat: Seat, language: Language) -> list[Node]:
    """What a seat holds; nothing once the game is over."""
    if view.task is Task.NOTHING:
        return []
    held = Counter(view.hands[seat] or ())
    return [_piece(kind, held[kind], language) for kind in IN_TRAY if kind and held[kind]]


def _piece(kind: Piece, count: int, language: Language) -> Node:
    """A kind of piece, and how often the seat holds it."""
    drawn = sign(f"piece-{kind.value}", words=piece_name(kind, language))
    return node("li", drawn, *times(count), class_="held")
