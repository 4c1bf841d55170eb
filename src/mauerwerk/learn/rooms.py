"""The learning room of each game: what a network is to learn beyond the rules.

A game may be without a room. Then a network learns the default options. What it learns about the
hands of others, the kernel says: `HELD`.
"""

from collections.abc import Mapping
from typing import Final, Protocol

from mauerwerk.core.game import AnyGame
from mauerwerk.core.registry import Registry, lacking
from mauerwerk.learn import burgbaumeister, mauer, mauerbauer


class LearnRoom(Protocol):
    """What learning in every game is told about one game: a package of `learn`."""

    @property
    def OPTIONS(self) -> tuple[Mapping[str, str], ...]:  # noqa: N802 - a constant of a module
        """The options, as words, that one network learns; the first are those of most games."""
        ...

    @property
    def ENTROPY(self) -> tuple[float, float]:  # noqa: N802
        """The entropy bonus when learning begins, and when it ends."""
        ...


class _Plain:
    """A game without a learning room: default options."""

    OPTIONS: tuple[Mapping[str, str], ...] = ({},)
    ENTROPY: tuple[float, float] = (0.03, 0.01)


ROOMS: Final = Registry[LearnRoom](
    "mauerwerk.learn",
    {
        "mauer": mauer,
        "burgbaumeister": burgbaumeister,
        "mauerbauer": mauerbauer,
    },
    fault=lambda _name, room: lacking(room, LearnRoom, "learning room"),
)
"""The learning room of every game that has one, by the game's word."""

_PLAIN: Final = _Plain()


def room_of(game: AnyGame) -> LearnRoom:
    """The game's own room, or one for any game."""
    return ROOMS.get(game.NAME, _PLAIN)
