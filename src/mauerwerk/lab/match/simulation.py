"""Many games between bots, summed up and written down as they come, by several workers.

Workers answer with the results and texts of some games at a time, and nothing is kept, so that
memory does not grow with the number of games.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from gzip import GzipFile
from pathlib import Path
from typing import Any, Final, NamedTuple

from mauerwerk.bots import spec
from mauerwerk.core import record
from mauerwerk.core.game import Outcome, Setup, Value
from mauerwerk.games import GAMES
from mauerwerk.lab.match.match import simulated
from mauerwerk.lab.workers.mapping import Workers, map_unordered

SOME: Final = 20
"""How many games a worker plays at a time, unless a bot searches."""

TEXT: Final = ".txt"
PACKED: Final = ".gz"
"""The endings of files that hold all records."""


class Simulation(Value):
    """What all games have in common."""

    game: str
    setup: Setup[Any]
    bots: tuple[str, ...]
    """One per seat."""
    seed: int
    records: bool
    """Whether games are written down."""


class Ended(NamedTuple):
    """A game that was played."""

    number: int
    outcome: Outcome
    turns: int
    moves: int
    record: str | None
    """Its text, if games are written down."""


def played(
    simulation: Simulation, games: int, workers: Workers
) -> Generator[list[Ended], None, None]:
    """Play this many games; some at a time, in the order of their numbers."""
    searching = any(spec.read(word).name in spec.SEARCHING for word in simulation.bots)
    size = 1 if searching else SOME
    pieces = (range(first, min(first + size, games)) for first in range(0, games, size))
    waiting: dict[int, list[Ended]] = {}
    due = 0
    for some in map_unordered(partial(_play, simulation), pieces, workers):
        waiting[some[0].number] = some
        while due in waiting:
            ready = waiting.pop(due)
            due += len(ready)
            yield ready


def _play(simulation: Simulation, numbers: range) -> list[Ended]:
    game = GAMES[simulation.game]
    bots = [spec.read(word) for word in simulation.bots]
    ended: list[Ended] = []
    for number in numbers:
        one = simulated(game, simulation.setup, bots, simulation.seed, number)
        text = record.write(game, one.record) if simulation.records else None
        ended.append(Ended(number, one.outcome, one.turns, len(one.record.moves), text))
    return ended


@contextmanager
def kept_in(path: Path, game: str) -> Generator[Callable[[list[Ended]], None], None, None]:
    """A function that writes the records of some games: into a folder, or into one file for all.

    In a file an empty line stands between two games. Only whole games are written.
    """
    if TEXT not in path.suffixes[-2:]:

        def write_each(some: list[Ended]) -> None:
            for each in some:
                name = f"{game}-{each.number:06}{TEXT}"
                (path / name).write_text(each.record or "", encoding="utf-8")

        yield write_each
        return
    with path.open("xb") as file:

        def write(some: list[Ended]) -> None:
            content = "".join(f"{each.record}\n" for each in some).encode()
            if path.suffix == PACKED:
                with GzipFile(fileobj=file, mode="wb", mtime=0) as packed:
                    packed.write(content)
            else:
                file.write(content)
            file.flush()

        yield write
