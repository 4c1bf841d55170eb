"""How many simulations per second the search does on one core, compared with the kernel's loop.

    python -m bench.search [seconds]

A simulation is one path down the tree and then the rollout policy until the evaluation. Seconds are
CPU seconds, so that other load on the machine matters less. The last column depends little on the
machine: simulations for each game that the loop plays in the same time.
"""

import sys
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from bench.contest import Work
from bench.ours import in_the_loop

from mauerwerk.bots.memory import Tracker
from mauerwerk.core.beliefs import PERFECT
from mauerwerk.core.game import NATURE, Observer, Seat, Setup, Sight, draw_lot
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.kernels.search.search import TreeSearch

SETUPS: tuple[tuple[str, int, dict[str, str], int], ...] = (
    ("mauer", 4, {}, 50_000),
    ("burgbaumeister", 2, {}, 50_000),
    ("burgbaumeister", 2, {"variant": "yes"}, 50_000),
    ("mauerbauer", 2, {}, 5_000),
    ("mauerbauer", 4, {}, 5_000),
)
"""Game, seats, options, and the goal in simulations per second."""

MOVES = (0, 20, 60)
"""The numbers of random moves, from the first decision on, after which a search begins."""
SIMULATIONS = 2_000


def somewhere(name: str, setup: Setup[Any], moves: int) -> tuple[Sight[Any, Any, Any], Any]:
    """The sight of a seat that has a choice after at least this many moves, and the state."""
    game, draw = GAMES[name], Random(1).randrange  # noqa: S311 - not a secret
    state: Any = game.start(setup)
    observers = [Observer(game, Seat(seat)) for seat in range(setup.seats)]
    made = 0
    while True:
        seat = game.to_act(state)[0]
        choices = list(game.odds(state)) if seat == NATURE else list(game.legal(state, seat))
        if seat != NATURE and made >= moves and len(choices) > 1:
            return observers[seat].sight(state), state
        made += seat != NATURE
        chosen = draw_lot(game.odds(state), draw) if seat == NATURE else choices[draw(len(choices))]
        step = game.apply(state, seat, chosen)
        for observer in observers:
            observer.follow(step)
        state = step.state


def searching(name: str, setup: Setup[Any]) -> Work:
    """New searches at several points of a game."""
    search = TreeSearch(GAMES[name], setup)
    roots: list[tuple[Any, Any, Any]] = []
    for moves in MOVES:
        sight, state = somewhere(name, setup, moves)
        tracker = Tracker(GAMES[name], PERFECT, Random(1).randrange)  # noqa: S311 - not a secret
        roots.append((state, sight.seat, tracker.belief(sight)))

    def work() -> tuple[int, int]:
        simulations = decisions = 0
        for state, seat, belief in roots:
            thought = search.search(state, seat, belief, seed=1, simulations=SIMULATIONS)
            simulations += thought.simulations
            decisions += thought.decisions
        return simulations, decisions

    return work


def rates(works: Sequence[Work], seconds: float, rounds: int = 5) -> list[tuple[float, float]]:
    """What each contestant does per CPU second, in turns; first calls are not timed."""
    done = [[0, 0, 0.0] for _ in works]
    for work in works:
        work()
    for _ in range(rounds):
        for work, tally in zip(works, done, strict=True):
            began = now = time.process_time()
            while now < began + seconds / rounds:
                games, decisions = work()
                tally[0] += games
                tally[1] += decisions
                now = time.process_time()
            tally[2] += now - began
    return [(games / took, decisions / took) for games, decisions, took in done]


def main() -> None:
    """One line per setup."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    head = ("search", "simulations/s", "decisions/s", "goal", "loop: games/s", "simulations/game")
    sys.stdout.write(f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
    for name, seats, words, goal in SETUPS:
        setup = Setup(seats, from_words(GAMES[name].OPTIONS, words))
        works = [searching(name, setup), in_the_loop(GAMES[name], setup, 500)]
        (simulations, decisions), (games, _) = rates(works, seconds)
        what = " ".join([name, str(seats), *(f"{key}={word}" for key, word in words.items())])
        cells = (
            what,
            f"{simulations:,.0f}",
            f"{decisions:,.0f}",
            f"{goal:,}",
            f"{games:,.0f}",
            f"{simulations / games:.2f}",
        )
        sys.stdout.write(f"| {' | '.join(cells)} |\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
