"""Many games between bots, summed up and written down as they come, by several workers.

Workers answer with the results and texts of some games at a time, and nothing is kept, so that
memory does not grow with the number of games.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from gzip import GzipFile
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from mauerwerk.bots import spec
from mauerwerk.core import record
from mauerwerk.core.game import NATURE, AnyGame, Outcome, Seat, Setup, Value
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
    record: str
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
        text = record.write(game, one.record) if simulation.records else ""
        ended.append(Ended(number, one.outcome, one.turns, len(one.record.moves), text))
    return ended


@contextmanager
def kept_in(path: Path, game: str) -> Generator[Callable[[int, list[str]], None], None, None]:
    """A function that writes the records of some games, by the number of the first.

    Each goes into a file of this folder, or all go into one file if it is named like one. There an
    empty line follows each game. Only whole games are written.
    """
    if TEXT not in path.suffixes[-2:]:

        def write_each(first: int, texts: list[str]) -> None:
            for number, text in enumerate(texts, start=first):
                (path / f"{game}-{number:06}{TEXT}").write_text(text, encoding="utf-8")

        yield write_each
        return
    with path.open("xb") as file:

        def write(_: int, texts: list[str]) -> None:
            content = "".join(f"{text}\n" for text in texts).encode()
            if path.suffix == PACKED:
                with GzipFile(fileobj=file, mode="wb", compresslevel=6, mtime=0) as packed:
                    packed.write(content)
            else:
                file.write(content)
            file.flush()

        yield write


def in_words(game: AnyGame, setup: Setup[Any]) -> Callable[[Any], list[str]]:
    """A function that writes the records of games that a kernel has played (`batch.PlayedMoves`).

    They are what `record.write` would write, without playing the games again.
    """
    kernels: Any = import_module("mauerwerk.kernels")
    kernel = kernels.kernel_of(game.NAME)
    head = record.write(game, record.Record(game.NAME, game.RULES, setup))
    seats = (NATURE, *map(Seat, range(setup.seats)))
    actions = [game.write(action) for action in kernel.actions(setup)]
    words = {seat: [str(record.Move(seat, word)) for word in actions] for seat in seats}

    def write(some: Any) -> list[str]:  # noqa: ANN401 - arrays, which need an extra
        texts: list[str] = []
        begin = 0
        for end, result in zip(some.ends.tolist(), some.results, strict=True):
            lines: dict[int, list[str]] = {}
            line = record.OPENING
            moves: list[tuple[Seat, int, int]] = some.moves[begin:end].tolist()
            for seat, action, turn in moves:
                if line > record.OPENING or seat != NATURE:
                    line = turn
                lines.setdefault(line, []).append(words[seat][action])
            outcome = Outcome(
                ranks=tuple(result["ranks"].tolist()[: setup.seats]),
                points=tuple(result["points"].tolist()[: setup.seats]),
                reason=kernel.REASONS[result["reason"]],
            )
            rows = "".join(f"{' '.join(each)}\n" for each in lines.values())
            texts.append(f"{head}{rows}= {record.ending(outcome)}\n")
            begin = end
        return texts

    return write
