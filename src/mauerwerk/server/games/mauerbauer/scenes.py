"""The scenes of Mauerbauer's rulebook."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.svg import group
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.drawing import board, geometry, hand, targets
from mauerwerk.server.games.room import Canvas, Painter, SceneView, ground

_HAND: Final = 400


def _board(position: SceneView) -> Canvas:
    view, offers, _, language = position
    left, top, wide, high = geometry.size(board_of(view.board))
    land = board.land(view, targets.targets(view, offers), language)
    sea = group(ground("sea", wide, high), x=left, y=top)
    return Canvas((left, top, wide, high), [sea, land])


def _hand(position: SceneView) -> Canvas:
    view, _, _, language = position
    body, high = hand.tray(view, view.hands[view.seat], _HAND, language)
    return Canvas((0, 0, _HAND, high), [body])


PAINTERS: Final[Mapping[str, Painter]] = {"board": _board, "hand": _hand}
