"""The fourth game behind other people's interfaces, by their own tests."""

from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.fourth_game.game import BREACH

from mauerwerk.adapters import gymnasium as our_gymnasium
from mauerwerk.adapters import notebook, openspiel, pettingzoo
from mauerwerk.adapters.gymnasium import SeatEnv, SeatsVectorEnv
from mauerwerk.core.errors import IllegalMoveError, SetupError
from mauerwerk.core.game import Setup

pyspiel: Any = import_module("pyspiel")
theirs: Any = import_module("pettingzoo.test")

# PettingZoo warns of each environment with masks that is not in a list of its own.
pytestmark = [
    pytest.mark.foreign,
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


@pytest.fixture(autouse=True, scope="module")
def _registered() -> None:
    """Gymnasium and OpenSpiel know the games that were there when the adapters were imported."""
    if "mauerwerk/breach-v1" not in gymnasium.registry:
        our_gymnasium.register(BREACH)
    if "mauerwerk_breach" not in pyspiel.registered_names():
        openspiel.register(BREACH)


@pytest.mark.parametrize("seats", [3, 5])
def test_pettingzoo_accepts_it(seats: int) -> None:
    """Both forms pass PettingZoo's own tests."""
    theirs.api_test(pettingzoo.env("breach", seats=seats), num_cycles=100)
    theirs.seed_test(lambda: pettingzoo.env("breach", seats=seats), num_cycles=20)
    theirs.parallel_api_test(pettingzoo.parallel_env("breach", seats=seats), num_cycles=100)


def test_players_cannot_see_what_another_chose() -> None:
    """Whatever the first holds, the second is shown the same (BR-2)."""
    seen: list[Any] = []
    for stones in range(7):
        env = pettingzoo.env("breach", seats=3)
        env.reset(seed=1)
        env.step(stones)
        assert env.agent_selection == "seat_1"
        seen.append([env.observe(agent)["observation"] for agent in env.possible_agents])

    assert all(np.array_equal(each, seen[0]) for each in seen)


def test_gymnasium_accepts_one_seat() -> None:
    """`check_env` passes."""
    env = gymnasium.make("mauerwerk/breach-v1", illegal="lose", render_mode="ansi", seat=2)

    check_env(env.unwrapped)


def test_a_choice_that_is_not_allowed_is_refused_by_its_clause() -> None:
    """The rules' own error comes through (BR-2)."""
    env = SeatEnv("breach", seats=3, rounds=2)
    env.reset(seed=1)
    env.step(6)

    with pytest.raises(IllegalMoveError, match=r"\(BR-2\)"):
        env.step(1)


def test_many_games_at_once_need_a_kernel() -> None:
    """One line says so."""
    with pytest.raises(SetupError, match="breach has no kernel"):
        SeatsVectorEnv("breach", 6, seats=3)


@pytest.mark.parametrize("seats", [3, 4])
def test_openspiel_accepts_it(seats: int) -> None:
    """`random_sim_test` passes, copies and serialised states included."""
    loaded = openspiel.load("breach", seats=seats, rounds=2)

    pyspiel.random_sim_test(loaded, num_sims=3, serialize=True, verbose=False)
    assert pyspiel.load_game(str(loaded)).setting.setup == loaded.setting.setup


def test_a_notebook_draws_it() -> None:
    """With the plain picture of a game that brings none of its own."""
    state = BREACH.start(Setup(3, BREACH.OPTIONS()))

    assert "The Breach, 0/3" in notebook.show(state).svg
    assert "The Breach, 0/3" in notebook.show(BREACH.view(state, None)).svg
