"""NFSP and Deep CFR of OpenSpiel learn a miniature of Die Mauer; needs PyTorch.

    pip install 'mauerwerk[adapters]' torch
    python examples/openspiel_learners.py [--iterations 20] [--games 3000]

Both learn from the tensor of an information state. NashConv is what all players together could gain
by playing otherwise; it is computed exactly, since the miniature is small.
"""

import sys
from argparse import ArgumentParser
from importlib import import_module
from typing import Any

from mauerwerk.adapters import openspiel

PYTHON = "open_spiel.python"
MINIATURE: dict[str, Any] = {"seats": 3, "rounds": 1, "pieces": "TC", "stall": 2}


def module(name: str) -> Any:  # noqa: ANN401 - OpenSpiel has no types
    """A module of OpenSpiel's Python."""
    return import_module(f"{PYTHON}.{name}")


def nash_conv(game: Any, policy: Any) -> float:  # noqa: ANN401
    """What all players together could gain."""
    return float(module("algorithms.exploitability").nash_conv(game, policy))


def uniform(game: Any) -> float:  # noqa: ANN401
    """The same for players who choose by chance."""
    return nash_conv(game, module("policy").UniformRandomPolicy(game))


def deep_cfr(game: Any, iterations: int) -> float:  # noqa: ANN401
    """Deep CFR for this many iterations."""
    solver = module("pytorch.deep_cfr").DeepCFRSolver(
        game,
        policy_network_layers=(64, 64),
        advantage_network_layers=(64, 64),
        num_iterations=iterations,
        num_traversals=20,
        learning_rate=1e-3,
        batch_size_advantage=256,
        batch_size_strategy=256,
        policy_network_train_steps=400,
        advantage_network_train_steps=100,
        seed=1,
    )
    solver.solve()
    tabular = module("policy").tabular_policy_from_callable(game, solver.action_probabilities)
    return nash_conv(game, tabular)


def nfsp(game: Any, games: int) -> float:  # noqa: ANN401
    """Neural fictitious self-play for this many games."""
    env = module("rl_environment").Environment(game, include_full_state=False)
    agents = [
        module("pytorch.nfsp").NFSP(
            player,
            state_representation_size=game.information_state_tensor_size(),
            num_actions=game.num_distinct_actions(),
            hidden_layers_sizes=[64],
            reservoir_buffer_capacity=100_000,
            anticipatory_param=0.1,
            min_buffer_size_to_learn=200,
            seed=player,
        )
        for player in range(game.num_players())
    ]
    for _ in range(games):
        step = env.reset()
        while not step.last():
            agent = agents[step.observations["current_player"]]
            step = env.step([agent.step(step).action])
        for agent in agents:
            agent.step(step)
    return nash_conv(game, _average(game, agents))


def _average(game: Any, agents: list[Any]) -> Any:  # noqa: ANN401
    """The average policies of these agents, one for each player, as one policy."""
    average = module("pytorch.nfsp").MODE.AVERAGE_POLICY
    rl_environment = module("rl_environment")

    def probabilities(state: Any) -> dict[int, float]:  # noqa: ANN401
        player, players = state.current_player(), range(game.num_players())
        seen = [state.information_state_tensor(each) for each in players]
        legal = [state.legal_actions(each) if each == player else [] for each in players]
        observed = {"info_state": seen, "legal_actions": legal, "current_player": player}
        mid = rl_environment.StepType.MID
        step = rl_environment.TimeStep(observed, rewards=None, discounts=None, step_type=mid)
        agent = agents[player]
        with agent.temp_mode_as(average):
            probs = agent.step(step, is_evaluation=True).probs
        return {action: float(probs[action]) for action in state.legal_actions()}

    return module("policy").tabular_policy_from_callable(game, probabilities)


def main() -> None:
    """Learn, and say how much there is left to gain."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--iterations", type=int, default=20, help="of Deep CFR")
    parser.add_argument("--games", type=int, default=3_000, help="of NFSP")
    words = parser.parse_args()
    game = openspiel.load("mauer", **MINIATURE)
    say = sys.stdout.write
    say(f"NashConv of players who choose by chance: {uniform(game):.3f}\n")
    gain = deep_cfr(game, words.iterations)
    say(f"after {words.iterations} iterations of Deep CFR: {gain:.3f}\n")
    gain = nfsp(game, words.games)
    say(f"after {words.games} games of NFSP: {gain:.3f}\n")


if __name__ == "__main__":
    main()
