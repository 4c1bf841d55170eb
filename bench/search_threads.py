"""What a second thread brings to the search: simulations per second, and games won.

    python -m bench.search_threads rates [seconds]
    python -m bench.search_threads strength GAME ONE OTHER [games] [seed]

A bot is a number of threads and of simulations in each, such as `2x400`. `2x400` against `1x400`
shows what a second core brings; against `1x800`, what separate trees lose against one tree that
two threads would share without ever waiting for each other. Seats rotate.
"""

import sys
from time import perf_counter, process_time
from typing import Any

from bench.search import MOVES, SETUPS, somewhere

from mauerwerk.bots.bot import Player
from mauerwerk.bots.memory import Tracker
from mauerwerk.bots.search import Search
from mauerwerk.core.beliefs import PERFECT
from mauerwerk.core.game import Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.kernels.search.search import TreeSearch
from mauerwerk.lab.intervals import share_of
from mauerwerk.lab.match.match import chance, play_out

THREADS = (1, 2)
EVERY = 60
"""After this many games it says how they went so far."""
DECISION = 0.2
"""Seconds for each decision."""


def rate(name: str, setup: Setup[Any], threads: int, seconds: float) -> tuple[float, float, float]:
    """Simulations per second, by the clock and of CPU time; the latest answer, in milliseconds."""
    search = TreeSearch(GAMES[name], setup, threads=threads)
    roots: list[tuple[Any, Any, Any]] = []
    for moves in MOVES:
        sight, state = somewhere(name, setup, moves)
        tracker = Tracker(GAMES[name], PERFECT, chance(1, 0, "bench"))
        roots.append((state, sight.seat, tracker.belief(sight)))
        search.search(*roots[-1], seed=1, simulations=100)
    done = took = used = late = 0.0
    while took < seconds:
        for state, seat, belief in roots:
            began, cpu = perf_counter(), process_time()
            found = search.search(state, seat, belief, seed=1, until=began + DECISION)
            now = perf_counter()
            done += found.simulations
            took += now - began
            used += process_time() - cpu
            late = max(late, now - began - DECISION)
    return done / took, done / used, 1000 * late


def rates(seconds: float) -> None:
    """One line per setup and number of threads."""
    head = ("search", "threads", "simulations/s", "per CPU second", "latest, ms")
    sys.stdout.write(f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
    for name, seats, words, _ in SETUPS:
        setup = Setup(seats, from_words(GAMES[name].OPTIONS, words))
        what = " ".join([name, str(seats), *(f"{key}={word}" for key, word in words.items())])
        for threads in THREADS:
            by_clock, by_cpu, late = rate(name, setup, threads, seconds)
            cells = (what, str(threads), f"{by_clock:,.0f}", f"{by_cpu:,.0f}", f"{late:.1f}")
            sys.stdout.write(f"| {' | '.join(cells)} |\n")
            sys.stdout.flush()


def strength(name: str, one: str, other: str, games: int, seed: int) -> None:
    """The share of games that one wins, against others that are all alike."""
    game = GAMES[name]
    setup = Setup(game.SEATS[0], game.OPTIONS())
    won: list[float] = []
    for number in range(games):
        own = number % setup.seats
        players = [
            _player(name, setup, one if seat == own else other, seed, number, seat)
            for seat in range(setup.seats)
        ]
        nature = chance(seed, number // setup.seats, "nature")
        outcome = play_out(game, setup, players, nature).outcome
        won.append((own in outcome.winners) / len(outcome.winners))
        if not len(won) % EVERY or len(won) == games:
            share = share_of(won, games=len(won))
            sys.stdout.write(
                f"{name}, {setup.seats} seats: {one} : {other}  {share.mean:.1%} ({share.low:.1%} "
                f"to {share.high:.1%}) of {len(won)} games, {process_time():.0f} CPU-s\n"
            )
            sys.stdout.flush()


def _player(  # noqa: PLR0913, PLR0917 - a bot, and the luck of its seat
    name: str, setup: Setup[Any], word: str, seed: int, number: int, seat: int
) -> Player:
    threads, _, simulations = word.partition("x")
    luck = chance(seed, number, str(seat))
    bot = Search(GAMES[name], setup, luck, threads=int(threads), simulations=int(simulations))
    return Player(bot, 60.0)


def main() -> None:
    """Rates or strength."""
    match sys.argv[1:]:
        case ["rates", *more]:
            rates(float(more[0]) if more else 6.0)
        case ["strength", name, one, other, *more]:
            games, seed = (int(each) for each in (*more, *("200", "1")[len(more) :]))
            strength(name, one, other, games, seed)
        case _:
            sys.stdout.write(f"{__doc__}\n")


if __name__ == "__main__":
    main()
