"""The scenes of Burgbaumeister's rulebook."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.svg import group
from mauerwerk.games.burgbaumeister.cards import STANDARD, card, pictures
from mauerwerk.games.burgbaumeister.drawing import cards
from mauerwerk.games.burgbaumeister.values import FULL_WALL, Picture
from mauerwerk.server.games.room import BAND, POSTER, Canvas, Painter, SceneView, country, ground

_CLOTH: Final = 600
_CARD: Final = 90
_ACROSS: Final = 5
"""The number of cards side by side."""


def _depot(position: SceneView) -> Canvas:
    view, _, _, language = position
    block = cards.depot(view, cards.Reader({}, language), _CLOTH)
    return Canvas((0, 0, _CLOTH, block.height), [ground("cloth", _CLOTH, block.height), block.body])


def _castle(position: SceneView) -> Canvas:
    view, offers, whose, language = position
    reader = cards.Reader(offers, language)
    row = cards.wall(view, whose, reader, _CARD * (FULL_WALL + 1), line="tray-deep")
    # Start tower, cards, and two of the places for more; the rest is cut off.
    wide, high = 12 + _CARD * (len(view.walls[whose]) + 3), row.height + 24
    return Canvas((0, 0, wide, high), [ground("tray", wide, high), group(row.body, x=12, y=12)])


def _gallery(position: SceneView) -> Canvas:
    del position
    table = pictures(STANDARD)
    numbers = [min(each for each in table if table[each] is picture) for picture in Picture]
    step = _CARD + 12
    faces = [
        cards.face(
            card(number, table), 12 + step * (place % _ACROSS), 12 + 132 * (place // _ACROSS), _CARD
        )
        for place, number in enumerate(numbers)
    ]
    wide, high = 12 + step * _ACROSS, 12 + 132 * -(-len(faces) // _ACROSS)
    return Canvas((0, 0, wide, high), [ground("cloth", wide, high), *faces])


def poster(position: SceneView) -> Canvas:
    """The wall of the winner, from one edge to the other."""
    (wide, high), (view, _, whose, language) = POSTER, position
    row = cards.wall(view, whose, cards.Reader({}, language), wide, line="tray-deep")
    foot = high - BAND
    return Canvas((0, 0, wide, high), [*country(foot), group(row.body, y=foot - row.height)])


PAINTERS: Final[Mapping[str, Painter]] = {"depot": _depot, "castle": _castle, "gallery": _gallery}
