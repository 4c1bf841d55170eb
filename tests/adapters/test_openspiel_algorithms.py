"""Algorithms of OpenSpiel run on our games, unchanged."""

from importlib import import_module
from random import Random
from typing import Any

import numpy as np
import pytest

from mauerwerk.adapters import openspiel

ALGORITHMS = "open_spiel.python.algorithms"
cfr: Any = import_module(f"{ALGORITHMS}.cfr")
exploitability: Any = import_module(f"{ALGORITHMS}.exploitability")
external_sampling_mccfr: Any = import_module(f"{ALGORITHMS}.external_sampling_mccfr")
ismcts: Any = import_module(f"{ALGORITHMS}.ismcts")
mcts: Any = import_module(f"{ALGORITHMS}.mcts")

MINIATURE: dict[str, Any] = {"seats": 3, "rounds": 1, "pieces": "TC", "stall": 2}
"""Die Mauer with a tower and a gate: 587 positions, secret gifts included."""


@pytest.mark.thorough
def test_cfr_gets_to_the_bottom_of_a_miniature() -> None:
    """The more it thinks, the less anybody could gain by playing otherwise (NashConv)."""
    game = openspiel.load("mauer", **MINIATURE)
    solver = cfr.CFRSolver(game)
    gains = [exploitability.nash_conv(game, solver.average_policy())]
    for iterations in (5, 15):
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        gains.append(exploitability.nash_conv(game, solver.average_policy()))

    assert gains[0] > gains[1] > gains[2]
    assert gains[2] < gains[0] / 4


def test_mccfr_samples_a_miniature() -> None:
    """Monte Carlo CFR goes through chance and hidden choices."""
    game = openspiel.load("mauer", **MINIATURE, first="lot")
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(5):
        solver.iteration()

    state = game.new_initial_state()
    state.apply_action(0)
    policy = solver.average_policy().action_probabilities(state)
    assert sum(policy.values()) == pytest.approx(1)


def play(game: Any, bot: Any, decisions: int) -> list[float]:  # noqa: ANN401 - OpenSpiel's
    """Let the bot make this many decisions at seat 0, and chance all others; return the result."""
    chance, state = Random(1), game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, odds = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(actions, odds)[0])
        elif state.current_player() == 0 and decisions:
            decisions -= 1
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    assert not decisions
    returns: list[float] = state.returns()
    return returns


def test_information_set_mcts_plays_mauerbauer() -> None:
    """It thinks in worlds that agree with what it knows, and plays with nothing else."""
    game = openspiel.load("mauerbauer", seats=2, board="small")
    chance = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game,
        mcts.RandomRolloutEvaluator(1, chance),
        uct_c=1.0,
        max_simulations=4,
        random_state=chance,
    )

    assert sum(play(game, bot, decisions=10)) == 0
