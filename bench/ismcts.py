"""Simulations per second in OpenSpiel's Python ISMCTS, compared in one run.

    python -m bench.ismcts [seconds]

Three ways to search the same positions of a random game: states that step by the rules, states that
step through a kernel, and the kernel with this project's evaluator, which plays each rollout in one
call. The aim is ten times the first. In the shortest games the search's own tree, which is
OpenSpiel's Python, takes too much of the time for that. Time is CPU time.
"""

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from time import process_time
from typing import Any, Final

from mauerwerk.adapters import openspiel
from mauerwerk.adapters.positions import Position, RulesPosition, begin

AIM: Final = 10.0
POSITIONS: Final = 8
AT_ONCE: Final = 100
"""Simulations for each decision, in every turn of the contestants."""

GAMES: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("mauer", {"seats": 3, "rounds": 1}),
    ("mauer", {"seats": 4}),
    ("burgbaumeister", {"seats": 2}),
    ("burgbaumeister", {"seats": 2, "variant": True}),
    ("mauerbauer", {"seats": 2}),
)

Evaluator = Callable[[int, Any], Any]


def moves(game: Any, seed: int = 1) -> list[int]:  # noqa: ANN401 - OpenSpiel's
    """A random game, as its actions."""
    state, chance = game.new_initial_state(), Random(seed)  # noqa: S311 - not a secret
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    actions: list[int] = state.history()
    return actions


def searched(game: Any, first: Position, actions: list[int]) -> Iterator[Any]:  # noqa: ANN401
    """States of this game, evenly spread, in which somebody has a choice."""
    state = game.new_initial_state()
    state.position = first
    states: list[Any] = []
    for action in actions:
        if not state.is_chance_node() and len(state.legal_actions()) > 1:
            states.append(state.clone())
        state.apply_action(action)
    yield from states[:: max(1, len(states) // POSITIONS)][:POSITIONS]


class Search:
    """A contestant: searches its positions again and again."""

    def __init__(self, name: str, game: Any, first: Position, evaluator: Evaluator) -> None:  # noqa: ANN401
        """Compile what has to be compiled."""
        numpy: Any = import_module("numpy")
        chance = numpy.random.RandomState(1)
        ismcts = import_module("open_spiel.python.algorithms.ismcts")
        self.name = name
        self._bot = ismcts.ISMCTSBot(
            game, evaluator(1, chance), uct_c=1.0, max_simulations=AT_ONCE, random_state=chance
        )
        self._begin = game, first, moves(game)
        self.simulations, self.seconds = 0, 0.0
        self.turn()
        self.simulations, self.seconds = 0, 0.0

    def turn(self) -> None:
        """Think once about each position; nothing is known from the turn before."""
        states = [*searched(*self._begin)]
        began = process_time()
        for state in states:
            self._bot.step(state)
        self.seconds += process_time() - began
        self.simulations += AT_ONCE * len(states)

    @property
    def speed(self) -> float:
        """Simulations per second."""
        return self.simulations / self.seconds


def report(name: str, options: dict[str, Any], seconds: float) -> Iterator[str]:
    """How fast each is, and how much faster than by the rules."""
    mcts = import_module("open_spiel.python.algorithms.mcts")
    game = openspiel.load(name, **options)
    theirs, ours = mcts.RandomRolloutEvaluator, openspiel.RolloutEvaluator
    by_rules = RulesPosition(game.setting, begin(game.setting))
    searches = [
        Search("states by the rules, OpenSpiel's evaluator", game, by_rules, theirs),
        Search("states in a kernel, OpenSpiel's evaluator", game, game.first, theirs),
        Search("states in a kernel, compiled evaluator", game, game.first, ours),
    ]
    while min(search.seconds for search in searches) < seconds:
        for search in searches:
            while search.seconds <= min(each.seconds for each in searches):
                search.turn()
    yield f"{name} {options}"
    for search in searches:
        times = search.speed / searches[0].speed
        yield f"  {search.name:<46}{search.speed:>8,.0f} simulations/s {times:>6.1f} times"
    if searches[-1].speed < AIM * searches[0].speed:
        yield f"  below the aim of {AIM:.0f} times"


def main() -> None:
    """Measure and print."""
    seconds = float(sys.argv[1]) if sys.argv[1:] else 2.0
    for name, options in GAMES:
        for line in report(name, options, seconds):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
