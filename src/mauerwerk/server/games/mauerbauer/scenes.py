"""The scenes of Mauerbauer's rulebook."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.svg import group, node
from mauerwerk.games.mauerbauer.board import board_of
from mauerwerk.games.mauerbauer.drawing import board, geometry, hand, targets
from mauerwerk.server.games.room import BAND, POSTER, Canvas, Painter, SceneView, ground

_HAND: Final = 400


def _board(position: SceneView) -> Canvas:
    view, offers, _, language = position
    left, top, wide, high = geometry.size(board_of(view.board))
    land = board.land(view, targets.targets(view, offers), language)
    sea = group(ground("sea", wide, high), x=left, y=top)
    return Canvas((left, top, wide, high), [sea, land])


def poster(position: SceneView) -> Canvas:
    """The board over the right edge, and the sea where words stand."""
    (wide, high), view = POSTER, position.view
    left, top, across, down = geometry.size(board_of(view.board))
    scale = (high - BAND + 26) / down
    land = board.land(view, (), position.language)
    x, y = wide - scale * (left + across) + 16, -scale * top
    moved = node("g", land, transform=f"translate({x:.1f} {y:.1f}) scale({scale:.4f})")
    waves = node(
        "path",
        d="M430 90q12-10 24 0t24 0M60 260q12-10 24 0t24 0M400 470q12-10 24 0t24 0",
        fill="none",
        stroke="var(--sea-2)",
        stroke_width=3,
        stroke_linecap="round",
    )
    return Canvas((0, 0, wide, high), [ground("sea", wide, high), waves, moved])


def _hand(position: SceneView) -> Canvas:
    view, _, _, language = position
    body, high = hand.tray(view, view.hands[view.seat], _HAND, language)
    return Canvas((0, 0, _HAND, high), [body])


PAINTERS: Final[Mapping[str, Painter]] = {"board": _board, "hand": _hand}
