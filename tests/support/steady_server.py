"""`mauerwerk`, with chance that follows from a word in a file: games go the same way every time.

A test writes its name into the file (`CHANCE_FILE`). The dice of the tables that it opens follow
from that name and from how many it has opened, and what a bot decides follows from what it sees.
"""

import os
import random
import sys
from hashlib import sha256
from pathlib import Path
from typing import Final

from mauerwerk.bots.bot import Bot
from mauerwerk.cli import main
from mauerwerk.server.engine import host, thinking


class Seeds:
    """Seeds of tables, each from a name and a number."""

    def __init__(self, file: Path) -> None:
        """Numbers begin anew whenever the file says something else."""
        self._file = file
        self._name, self._count = "", 0

    def __call__(self) -> bytes:
        """The seed of the next table."""
        name = self._file.read_text()
        self._count = self._count + 1 if name == self._name else 0
        self._name = name
        return sha256(f"{name} {self._count}".encode()).digest()


_CHANCE: Final = random.Random()
_choose, _seated = thinking.choose, thinking._seated  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


def choose(bot: thinking.BotAtSeat, turn: thinking.Turn) -> str:
    """The word that the bot plays; the same whenever it sees the same."""
    _CHANCE.seed(repr(turn.sight))
    return _choose(bot, turn)


def seated(bot: thinking.BotAtSeat, turn: thinking.Turn) -> Bot:
    """A bot that forgets the same at every table."""
    return _seated(bot._replace(character=str(turn.sight.seat)), turn)


if __name__ in {"__main__", "__mp_main__"}:  # worker processes decide alike
    choose.__module__, choose.__qualname__ = thinking.__name__, "choose"
    thinking.CHANCE = _CHANCE.randrange  # type: ignore[misc] # pyright: ignore[reportConstantRedefinition]
    thinking.choose = choose
    thinking._seated = seated  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    vars(host)["new_seed"] = Seeds(Path(os.environ["CHANCE_FILE"]))

if __name__ == "__main__":
    sys.exit(main())
