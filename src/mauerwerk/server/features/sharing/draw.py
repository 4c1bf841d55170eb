"""A process that draws one picture: what it reads is drawn, what it writes is the picture.

resvg holds on to the interpreter while it draws, and a long game takes seconds. In the process of
the server nobody else would get an answer meanwhile.
"""

import sys
from itertools import groupby
from typing import Final, Literal

import msgspec

from mauerwerk.core import record
from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import language_of
from mauerwerk.core.svg import animation, pixels
from mauerwerk.games import GAMES, game_in

SECONDS: Final = 0.8
"""How long each position of an animation is shown."""

AT_THE_END: Final = 3.0
"""How long the last one is shown."""


class Still(Value, tag="still"):
    """A drawing that is to become pixels."""

    svg: str
    width: int
    theme: Literal["light", "dark"] = "light"


class Moving(Value, tag="moving"):
    """A finished game that is to be drawn with every hand open, as SVG that moves."""

    record: str
    names: tuple[str, ...]
    language: str


def drawn(wanted: Still | Moving) -> bytes:
    """The picture."""
    match wanted:
        case Still():
            return pixels.png(wanted.svg, wanted.theme, wanted.width)
        case Moving():
            return _moving(wanted).encode()


def _moving(wanted: Moving) -> str:
    played = record.read(wanted.record, GAMES)
    game, language = game_in(played), language_of(wanted.language)
    states = [game.start(played.setup), *(step.state for _, step in record.replay(game, played))]
    views = (game.open_view(state) for state in states)
    drawings = [
        each for each, _ in groupby(game.svg(view, wanted.names, language) for view in views)
    ]
    return animation.animated(drawings, [*[SECONDS] * (len(drawings) - 1), AT_THE_END])


if __name__ == "__main__":
    given = msgspec.json.decode(sys.stdin.buffer.read(), type=Still | Moving)
    sys.stdout.buffer.write(drawn(given))
