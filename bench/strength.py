"""How strong the search is: against greedy, against itself with less time, and when guided.

    python -m bench.strength [pairing ...] [--games 400] [--jobs 16] [--seed 1] [--out FOLDER]
    python -m bench.strength --tell FOLDER ...

In each game one bot plays against others that are all alike; seats rotate. All pairings run in
turns. Each has a file in the folder, and each finished game is written there. So the command can be
stopped at any time and resumed later. `--tell` adds up several folders, for instance of several
machines with different seeds, and prints a table. It needs the extra `kernels` and nothing else.
"""

import argparse
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from mauerwerk.bots import spec
from mauerwerk.bots.search import Search
from mauerwerk.core.game import Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.lab.intervals import share_of
from mauerwerk.lab.match.contest import (
    RESULTS,
    Contest,
    Finished,
    Fixture,
    Result,
    contest,
    play_fixture,
)
from mauerwerk.lab.match.times import GRACE, joined, thinking


class Pairing(NamedTuple):
    """One bot among others, and the share of games that it should win."""

    game: str
    seats: int
    options: dict[str, str]
    one: str
    others: str
    goal: float

    @property
    def setup(self) -> Setup[Any]:
        """The setup of its games."""
        return Setup(self.seats, from_words(GAMES[self.game].OPTIONS, self.options))

    @property
    def lineup(self) -> tuple[str, ...]:
        """The bots, in no particular order."""
        return tuple(sorted([self.one] + [self.others] * (self.seats - 1)))


PAIRINGS = {
    "mauerbauer": Pairing("mauerbauer", 2, {}, "search:0.2s", "greedy", 0.7),
    "burgbaumeister": Pairing("burgbaumeister", 2, {}, "search:0.2s", "greedy", 0.7),
    "variant": Pairing("burgbaumeister", 2, {"variant": "yes"}, "search:0.2s", "greedy", 0.7),
    "mauer": Pairing("mauer", 4, {}, "search:0.2s", "greedy", 0.375),
    "mauerbauer-time": Pairing("mauerbauer", 2, {}, "search:1s", "search:0.1s", 0.58),
    "burgbaumeister-time": Pairing("burgbaumeister", 2, {}, "search:1s", "search:0.1s", 0.58),
    "variant-time": Pairing(
        "burgbaumeister", 2, {"variant": "yes"}, "search:1s", "search:0.1s", 0.58
    ),
    "mauer-time": Pairing("mauer", 4, {}, "search:1s", "search:0.1s", 0.29),
    "mauerbauer-guided": Pairing("mauerbauer", 2, {}, "guided:0.2s", "search:0.2s", 0.62),
    "burgbaumeister-guided": Pairing("burgbaumeister", 2, {}, "guided:0.2s", "search:0.2s", 0.57),
    "variant-guided": Pairing(
        "burgbaumeister", 2, {"variant": "yes"}, "guided:0.2s", "search:0.2s", 0.57
    ),
    "mauer-guided": Pairing("mauer", 4, {}, "guided:0.2s", "search:0.2s", 0.34),
    "mauer-guided-time": Pairing("mauer", 4, {}, "guided:1s", "guided:0.1s", 0.30),
}
"""At four seats the same lead over the others is 0.29: 1.16 times a fair share, as 0.58 is of two.
"""


# --- What came of it -------------------------------------------------------------------------


def share_won(pairing: Pairing, result: Result) -> float:
    """The share of the win of the one bot; several winners share it."""
    first = result.ranks.count(1)
    return 1 / first if result.ranks[result.bots.index(pairing.one)] == 1 else 0.0


def rotated(pairing: Pairing, results: Sequence[Result]) -> list[float]:
    """The share won in each whole rotation."""
    shares: dict[int, list[float]] = {}
    for result in results:
        shares.setdefault(result.fixture.rotation, []).append(share_won(pairing, result))
    return [sum(each) / len(each) for each in shares.values() if len(each) == pairing.seats]


def told(name: str, runs: Sequence[Sequence[Result]]) -> str:
    """One row of the table: all runs of a pairing."""
    pairing = PAIRINGS[name]
    units = [share for run in runs for share in rotated(pairing, run)]
    if not units:
        return f"| {name} | 0 | | | {pairing.goal:.1%} | | | |"
    games = len(units) * pairing.seats
    won = share_of(units, games)
    everybody = [
        thinking(joined(times for run in runs for result in run for times in _of(bot, result)))
        for bot in dict.fromkeys([pairing.one, pairing.others])
        if bot != "greedy"
    ]
    cells = (
        f"{name}: {pairing.one}, {pairing.seats - 1} x {pairing.others}",
        f"{games}",
        f"{won.mean:.1%}",
        "" if won.low is None or won.high is None else f"{won.low:.1%} to {won.high:.1%}",
        f"{pairing.goal:.1%}",
        f"{sum(each.decisions for each in everybody):,}",
        f"{sum(each.late for each in everybody)}",
        ", ".join(f"{each.longest:.3f} s" for each in everybody),
    )
    return f"| {' | '.join(cells)} |"


def _of(bot: str, result: Result) -> Iterator[Any]:
    """How long this bot thought in a game."""
    for who, times in zip(result.bots, result.times, strict=True):
        if who == bot:
            yield times


def table(folders: Sequence[Path], names: Sequence[str]) -> Iterator[str]:
    """The report on these folders, line by line."""
    late = f"later than {GRACE * 1000:.0f} ms after the deadline"
    yield f"| pairing | games | won | 95 % | goal | decisions | {late} | longest |"
    yield "|---|---:|---:|---|---:|---:|---:|---|"
    for name in names:
        runs = [RESULTS.read(folder / f"{name}.jsonl").lines for folder in folders]
        if any(runs):
            yield told(name, runs)


# --- Playing ---------------------------------------------------------------------------------


def fixtures(names: Sequence[str], games: int) -> Iterator[tuple[str, Fixture]]:
    """All games, one rotation of each pairing in turn."""
    most = max(-(-games // PAIRINGS[name].seats) for name in names)
    for rotation in range(most):
        for name in names:
            for turn in range(PAIRINGS[name].seats):
                if rotation * PAIRINGS[name].seats < games:
                    yield name, Fixture(PAIRINGS[name].lineup, rotation, turn)


def warm(name: str) -> None:
    """Compile what a pairing needs, or load it from the cache."""
    pairing, draw = PAIRINGS[name], Random(1).randrange  # noqa: S311 - not a secret
    for word in {pairing.one, pairing.others}:
        bot = spec.sit(word, GAMES[pairing.game], pairing.setup, draw).bot
        if isinstance(bot, Search):
            bot.warm()


def play(names: Sequence[str], games: int, jobs: int, seed: int, folder: Path) -> None:
    """Play the remaining games, and save the results."""
    folder.mkdir(parents=True, exist_ok=True)
    contests = {name: contest(PAIRINGS[name].game, PAIRINGS[name].setup, seed) for name in names}
    played: set[tuple[str, Fixture]] = set()
    with ExitStack() as stack:
        add: dict[str, Callable[[Result], None]] = {}
        for name in names:
            path = folder / f"{name}.jsonl"
            kept = RESULTS.read(path)
            RESULTS.check(path, kept, contests[name])
            played |= {(name, result.fixture) for result in kept.lines}
            add[name] = stack.enter_context(RESULTS.append_to(path, contests[name]))
        spawn = multiprocessing.get_context("spawn")
        pool = stack.enter_context(ProcessPoolExecutor(jobs, mp_context=spawn))
        list(pool.map(warm, names))
        left = (each for each in fixtures(names, games) if each not in played)
        for name, finished in _played(pool, contests, left, jobs):
            add[name](finished.result)
            sys.stderr.write(f"{name} {finished.result.bots} {finished.result.ranks}\n")
            sys.stderr.flush()


def _played(
    pool: ProcessPoolExecutor,
    contests: Mapping[str, Contest],
    left: Iterator[tuple[str, Fixture]],
    jobs: int,
) -> Iterator[tuple[str, Finished]]:
    """Yield games as they finish; few wait at a time, so that rotations finish in order."""
    running: dict[Future[Finished], str] = {}
    while True:
        for name, fixture in islice(left, jobs + 2 - len(running)):
            running[pool.submit(play_fixture, contests[name], fixture)] = name
        if not running:
            return
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield running.pop(future), future.result()


def main() -> None:
    """Play and report, or only report."""
    parser = argparse.ArgumentParser(description="how strong the search is")
    parser.add_argument("pairings", nargs="*", metavar="pairing", help=", ".join(PAIRINGS))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("strength"))
    parser.add_argument("--tell", type=Path, nargs="+", metavar="FOLDER")
    chosen = parser.parse_args()
    names: list[str] = chosen.pairings or list(PAIRINGS)
    if unknown := [name for name in names if name not in PAIRINGS]:
        parser.error(f"there is no pairing {unknown[0]!r}, only {', '.join(PAIRINGS)}")
    if chosen.games < 1 or chosen.jobs < 1:
        parser.error("games and jobs are at least 1")
    if not chosen.tell:
        play(names, chosen.games, chosen.jobs, chosen.seed, chosen.out)
    sys.stdout.writelines(f"{line}\n" for line in table(chosen.tell or [chosen.out], names))


if __name__ == "__main__":
    main()
