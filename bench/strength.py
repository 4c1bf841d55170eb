"""How strong the search is: against the greedy bot, and with more time against itself with less.

    python -m bench.strength [pairing ...] [--games 400] [--jobs 16] [--seed 1] [--out FILE]

In each game one bot sits among others that are all alike; seats rotate. All pairings go on side by
side, and after each game the file is written anew, so that whoever stops it has what there is. It
needs the extra `kernels` and nothing else.
"""

import argparse
import json
import multiprocessing
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from mauerwerk.bots.search import Search
from mauerwerk.core.game import Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.lab.contest import Contest, Finished, Fixture, Result, contest, play_fixture
from mauerwerk.lab.intervals import share_of
from mauerwerk.lab.times import joined, thinking


class Pairing(NamedTuple):
    """One bot among others, and the share of games that it ought to win."""

    game: str
    seats: int
    options: dict[str, str]
    one: str
    others: str
    goal: float


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
}


def contest_of(pairing: Pairing, seed: int) -> Contest:
    """The contest that a pairing is played in."""
    return contest(pairing.game, setup_of(pairing), seed)


def setup_of(pairing: Pairing) -> Setup[Any]:
    """What its table agrees on."""
    return Setup(pairing.seats, from_words(GAMES[pairing.game].OPTIONS, pairing.options))


def fixtures(names: Sequence[str], games: int) -> Iterator[tuple[str, Fixture]]:
    """All games, a rotation of each pairing in turn."""
    most = max(-(-games // PAIRINGS[name].seats) for name in names)
    for rotation in range(most):
        for name in names:
            one, others, seats = PAIRINGS[name].one, PAIRINGS[name].others, PAIRINGS[name].seats
            lineup = tuple(sorted([one] + [others] * (seats - 1)))
            for turn in range(seats):
                if rotation * seats + turn < games:
                    yield name, Fixture(lineup, rotation, turn)


def warm(name: str) -> None:
    """Compile for a pairing's game, or find it compiled."""
    pairing = PAIRINGS[name]
    draw = Random(1).randrange  # noqa: S311 - not a secret
    Search(GAMES[pairing.game], setup_of(pairing), draw).warm()


def share_won(pairing: Pairing, result: Result) -> float:
    """What the one has won: a part of the win where several are first."""
    first = result.ranks.count(1)
    return 1 / first if result.ranks[result.bots.index(pairing.one)] == 1 else 0.0


def summary(pairing: Pairing, results: Sequence[Result]) -> dict[str, Any]:
    """What a pairing has come to so far."""
    rotations: dict[int, list[float]] = {}
    for result in results:
        shares = rotations.setdefault(result.fixture.rotation, [])
        shares.append(share_won(pairing, result))
    whole = [sum(each) / len(each) for each in rotations.values() if len(each) == pairing.seats]
    if not whole:
        return {"games": len(results)}
    won = share_of(whole, len(whole) * pairing.seats)
    own = [times for result in results for times in _times_of(pairing, result)]
    thought = thinking(joined(own))
    return {
        "one": pairing.one,
        "others": pairing.others,
        "seats": pairing.seats,
        "options": pairing.options,
        "games": len(whole) * pairing.seats,
        "won": round(won.mean, 4),
        "from": won.low,
        "to": won.high,
        "times its share": round(won.mean * pairing.seats, 3),
        "goal": pairing.goal,
        "reached": won.mean >= pairing.goal,
        "late": thought.late,
        "longest": thought.longest,
    }


def _times_of(pairing: Pairing, result: Result) -> Iterator[Any]:
    for bot, times in zip(result.bots, result.times, strict=True):
        if bot == pairing.one:
            yield times


def main() -> None:
    """Play, and write down what came of it."""
    parser = argparse.ArgumentParser(description="how strong the search is")
    parser.add_argument("pairings", nargs="*", metavar="pairing", help=", ".join(PAIRINGS))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("strength.json"))
    chosen = parser.parse_args()
    names: list[str] = chosen.pairings or list(PAIRINGS)
    if unknown := [name for name in names if name not in PAIRINGS]:
        parser.error(f"there is no pairing {unknown[0]!r}, only {', '.join(PAIRINGS)}")
    if chosen.games < 1 or chosen.jobs < 1:
        parser.error("games and jobs are at least 1")
    results: dict[str, list[Result]] = {name: [] for name in names}
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(chosen.jobs, mp_context=spawn) as pool:
        list(pool.map(warm, {PAIRINGS[name].game: name for name in names}.values()))
        for name, finished in _played(pool, names, chosen.games, chosen.seed, chosen.jobs):
            results[name].append(finished.result)
            written = {each: summary(PAIRINGS[each], results[each]) for each in names}
            chosen.out.write_text(json.dumps(written, indent=2) + "\n")
            sys.stderr.write(f"{name} {json.dumps(written[name])}\n")
            sys.stderr.flush()


def _played(
    pool: ProcessPoolExecutor, names: Sequence[str], games: int, seed: int, jobs: int
) -> Iterator[tuple[str, Finished]]:
    """Games as they finish; few wait at any time, so that rotations are finished in order."""
    contests = {name: contest_of(PAIRINGS[name], seed) for name in names}
    left = fixtures(names, games)
    running: dict[Future[Finished], str] = {}
    while True:
        for name, fixture in islice(left, jobs + 2 - len(running)):
            running[pool.submit(play_fixture, contests[name], fixture)] = name
        if not running:
            return
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield running.pop(future), future.result()


if __name__ == "__main__":
    main()
