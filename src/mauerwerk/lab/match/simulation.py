"""Many games between bots: played and written down by several workers, and summed up.

Workers answer with the results and texts of some games at a time, and nothing is kept, so that
memory does not grow with the number of games.
"""

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from gzip import GzipFile
from pathlib import Path
from typing import Any, Final, NamedTuple

from mauerwerk.bots import spec
from mauerwerk.core import record
from mauerwerk.core.game import NATURE, AnyGame, Outcome, Seat, Setup, Value
from mauerwerk.games import GAMES
from mauerwerk.kernels import actions_of, kernel_of
from mauerwerk.lab.intervals import Estimate, mean_from_sums, share_from_sums
from mauerwerk.lab.match.match import play_number
from mauerwerk.lab.workers import Workers, map_unordered

# --- Summary ---------------------------------------------------------------------------------


class SeatSummary(Value):
    """The results of one seat, with their intervals; every game is a unit."""

    bot: str
    points: Estimate
    rank: Estimate
    wins: Estimate
    """The share of games; winners who share a win have a part of it each."""


class Summary(Value):
    """The results of many games."""

    games: int
    seats: tuple[SeatSummary, ...]
    moves: float
    """The mean per game, nature's included."""
    turns: float
    shortest: int
    """In turns."""
    longest: int
    reasons: dict[str, int]
    """Why the games ended, the most frequent first."""


def _counted(numbers: Any) -> Counter[int]:  # noqa: ANN401 - an array
    return Counter(numbers.tolist())


def _sums(counts: Mapping[Any, int]) -> tuple[float, float]:
    total = sum(value * times for value, times in counts.items())
    return float(total), float(sum(value * value * times for value, times in counts.items()))


class Tally:
    """Counts games as they are played, and keeps none of them."""

    def __init__(self, bots: Sequence[str]) -> None:
        self._bots = bots
        self._points: list[Counter[int]] = [Counter() for _ in bots]
        self._ranks: list[Counter[int]] = [Counter() for _ in bots]
        self._wins: list[Counter[Fraction]] = [Counter() for _ in bots]
        self._turns: Counter[int] = Counter()
        self._reasons: Counter[str] = Counter()
        self._moves = 0

    def add(self, outcome: Outcome, turns: int, moves: int) -> None:
        """Count one game, by how it ended and how long it was."""
        self._moves += moves
        self._turns[turns] += 1
        self._reasons[outcome.reason] += 1
        for seat, (points, rank) in enumerate(zip(outcome.scores, outcome.ranks, strict=True)):
            self._points[seat][points] += 1
            self._ranks[seat][rank] += 1
        for seat in outcome.winners:
            self._wins[seat][Fraction(1, len(outcome.winners))] += 1

    def add_all(self, played: Any) -> None:  # noqa: ANN401 - `batch.Played`, which needs NumPy
        """Count many games that a kernel has played."""
        self._moves += int(played.decisions.sum())
        self._turns += _counted(played.turns)
        for reason, count in _counted(played.reasons).items():
            self._reasons[played.reason_words[reason]] += count
        for seat in range(len(self._bots)):
            self._points[seat].update(_counted(played.points[:, seat]))
            self._ranks[seat].update(_counted(played.ranks[:, seat]))
            won = played.ranks[:, seat] == 1
            for winners, count in _counted((played.ranks[won] == 1).sum(axis=1)).items():
                self._wins[seat][Fraction(1, winners)] += count

    def __bool__(self) -> bool:
        """Whether it has counted any game."""
        return bool(self._turns)

    def summary(self) -> Summary:
        """The summary, after at least one game."""
        games = self._turns.total()
        return Summary(
            games=games,
            seats=tuple(self._seat(seat, games) for seat in range(len(self._bots))),
            moves=self._moves / games,
            turns=sum(turns * count for turns, count in self._turns.items()) / games,
            shortest=min(self._turns),
            longest=max(self._turns),
            reasons=dict(self._reasons.most_common()),
        )

    def _seat(self, seat: int, games: int) -> SeatSummary:
        return SeatSummary(
            bot=self._bots[seat],
            points=mean_from_sums(games, *_sums(self._points[seat])),
            rank=mean_from_sums(games, *_sums(self._ranks[seat])),
            wins=share_from_sums(games, *_sums(self._wins[seat])),
        )


# --- Games -----------------------------------------------------------------------------------

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


def play_games(
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
    ended: list[Ended] = []
    for number in numbers:
        one = play_number(game, simulation.setup, simulation.bots, simulation.seed, number)
        text = record.write(game, one.record) if simulation.records else ""
        ended.append(Ended(number, one.outcome, one.turns, len(one.record.moves), text))
    return ended


@contextmanager
def open_records(path: Path, game: str) -> Generator[Callable[[int, list[str]], None], None, None]:
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


def moves_writer(game: AnyGame, setup: Setup[Any]) -> Callable[[Any], list[str]]:
    """A function that writes a kernel's games (`batch.PlayedMoves`) as `record.write` would."""
    kernel: Any = kernel_of(game.NAME)
    head = record.write(game, record.Record(game.NAME, game.RULES, setup))
    seats = (NATURE, *map(Seat, range(setup.seats)))
    actions = [game.write(action) for action in actions_of(game, setup)]
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
