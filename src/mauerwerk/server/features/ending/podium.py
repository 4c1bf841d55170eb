"""The places of a finished game as towers in a wall: the better the place, the higher the tower."""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core.svg import SIGNS, Drawing, Node, fitting, group, label, node, picture
from mauerwerk.server.ui.names import Place
from mauerwerk.server.ui.render import drawn

WIDE: Final = 840
_TOP: Final = -62
_LOW: Final = 330
_ROOM: Final = 580
"""The width that the towers share."""
_NARROW: Final = 648
"""What a page shows at least; a wide one shows more of land and wall on both sides."""
_CROWD: Final = 5
"""As many towers need all the room that there is."""
_SMALLEST: Final = 19
"""The smallest letters: on a phone a picture is two thirds as large."""
_LETTER: Final = 0.66
"""How wide a letter is at most on average, for its size."""


def podium(places: Sequence[Place], words: str) -> Node:
    """The picture, for a page."""
    return node(
        "svg",
        *_drawn(places),
        viewBox=f"{(WIDE - _NARROW) / 2:g} {_TOP} {_NARROW} {_LOW - _TOP}",
        preserveAspectRatio="xMidYMax meet",
        class_="mauerwerk podium",
        role="img",
        aria_label=words,
    )


def podium_file(places: Sequence[Place], title: str, words: str) -> Drawing:
    """The picture by itself, with the name of the game, to be sent to others."""
    high = _LOW - _TOP
    sky = node("rect", width=WIDE, height=high, fill="var(--sky)")
    towers = group(*_drawn(places), y=-_TOP)
    name = label(28, 52, title, size=34, bold=True, serif=True)
    home = label(28, 80, "Mauerwerk", size=17, fill="ink-2")
    return picture(SIGNS, WIDE, high, words, sky, towers, name, home)


def _drawn(places: Sequence[Place]) -> list[Node]:
    winner = min(places, key=lambda place: place.rank)
    towers = sorted(_towers(places, winner), key=lambda tower: -tower["place"].rank)
    return drawn("ending/podium.html", "podium", towers, winner.seat)


def _towers(places: Sequence[Place], winner: Place) -> list[dict[str, Any]]:
    """Each place with the middle and the width of its tower, the first in the middle, and a plate.

    Name and points are as large as the plate allows; that of a narrow tower is wider than it.
    """
    number = len(places)
    step = min(200, (_ROOM if number < _CROWD else _NARROW) / number)
    order: list[Place] = []
    for turn, place in enumerate(sorted(places, key=lambda place: place.rank)):
        if turn % 2:
            order.insert(0, place)
        else:
            order.append(place)
    # With an even number of towers the middle lies between two of them.
    first = WIDE / 2 - step * order.index(winner) + step / 2 * (1 - number % 2)
    towers: list[dict[str, Any]] = []
    for index, place in enumerate(order):
        wide = step * (0.8 if place.rank == 1 else 0.7)
        across = wide - 24 if wide > 100 else step - 6  # noqa: PLR2004 - narrow
        fits = int((across - 4) / max(fitting.columns(place.name), 1) / _LETTER)
        size = max(_SMALLEST, min(23 if place.rank == 1 else 21, fits))
        towers.append(
            {
                "place": place,
                "middle": first + step * index,
                "wide": wide,
                "across": across,
                "size": size,
                "name": fitting.cut(place.name, int((across - 4) / size / _LETTER)),
            }
        )
    return towers
