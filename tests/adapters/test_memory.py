"""Observations that remember, in every kind of environment."""

import pickle
import random
from typing import Any, Final

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mauerwerk.adapters import openspiel, pettingzoo
from mauerwerk.adapters.gymnasium import SeatEnv, SeatsVectorEnv
from mauerwerk.adapters.setting import setting_of
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, Seat
from mauerwerk.games import burgbaumeister
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.single import SingleGame

SMALL: Final[dict[str, dict[str, Any]]] = {
    "mauer": {"seats": 3, "rounds": 1},
    "burgbaumeister": {"seats": 2, "variant": True},
    "mauerbauer": {"seats": 2, "board": "small"},
}
MOVES: Final = 60


@pytest.mark.parametrize("game", SMALL)
def test_openspiel_shows_what_the_kernel_remembers(game: str) -> None:
    """The tensor comes from what a seat was told, the kernel's row from its own record."""
    spiel = openspiel.load(game, remember=True, **SMALL[game])
    state, observer = spiel.new_initial_state(), spiel.make_py_observer()
    setting = spiel.setting
    position = SingleGame(setting.game, setting.setup, remember=True)
    draw = random.Random(game)
    for _ in range(MOVES):
        if state.is_terminal():
            break
        player = Seat(max(state.current_player(), NATURE))
        number = draw.choice(state.legal_actions())
        position.apply(player, number + setting.choices * (player == NATURE))
        state.apply_action(number)
        viewer = draw.randrange(len(setting.seats))
        if draw.random() < 0.2:
            observer.set_from(state, viewer)
            assert np.array_equal(observer.tensor, position.features[viewer])


def test_openspiel_loads_it_by_its_name() -> None:
    """As a parameter of its own; it is no option of the game."""
    game = openspiel.load("burgbaumeister", 2, remember=True)
    again: Any = openspiel.pyspiel.load_game(str(game))

    assert "remember=True" in str(game)
    assert again.observation_tensor_shape() == [game.setting.width]
    assert pickle.loads(pickle.dumps(again.setting)).remember  # noqa: S301 - our own


@pytest.mark.parametrize("game", SMALL)
def test_one_seat_among_bots_remembers(game: str) -> None:
    """Gymnasium accepts it, and a wider observation has the same parts first."""
    env, plain = (SeatEnv(game, remember=remember, **SMALL[game]) for remember in (True, False))
    seen, _ = env.reset(seed=3)
    before, _ = plain.reset(seed=3)
    for _ in range(6):
        assert np.array_equal(seen[: len(before)], before)
        choice = int(np.flatnonzero(env.action_masks())[0])
        seen, _, over, _, _ = env.step(choice)
        before, *_ = plain.step(choice)
        if over:
            break
    assert seen[len(before) :].any()


def test_gymnasium_accepts_observations_that_remember() -> None:
    """Its own checker says so."""
    env = SeatEnv("burgbaumeister", remember=True, illegal="lose")
    check_env(env, skip_render_check=True)


def test_seats_of_many_games_remember() -> None:
    """The vector environment shows the rows of a batch that remembers."""
    envs = SeatsVectorEnv("burgbaumeister", 8, seats=2, remember=True)
    seen, _ = envs.reset(seed=5)
    setup = setting_of("burgbaumeister", 2).setup
    batch = Batch(burgbaumeister, setup, 4, 5, remember=True, linger=True)
    for _ in range(10):
        assert np.array_equal(seen, batch.observations.reshape(8, -1))
        batch.choose()
        seen, *_ = envs.step(envs.choose())
        batch.step()


def test_agents_remember() -> None:
    """A card that was turned and left is known to both, in both forms (BB-9)."""
    env: Any = pettingzoo.env("burgbaumeister", seats=2, remember=True).unwrapped
    parallel = pettingzoo.parallel_env("burgbaumeister", seats=2, remember=True)
    env.reset(seed=1)
    parallel.reset(seed=1)
    leave = setting_of("burgbaumeister").numbers[burgbaumeister.parse("-")]
    for action in (7, leave):
        env.step(action)
        seen, *_ = parallel.step(dict.fromkeys(parallel.agents, action))

    cards = env.table.batch.layout["cards"]
    for agent in env.agents:
        known = env.observe(agent)["observation"]
        assert known[cards].reshape(45, 45)[7].sum() == 1
        assert np.array_equal(known, seen[agent]["observation"])
        assert env.observation_space(agent)["observation"].contains(known)


def test_without_a_kernel_nothing_remembers(monkeypatch: pytest.MonkeyPatch) -> None:
    """One line says so."""
    monkeypatch.setattr("mauerwerk.kernels.KERNELS", {})

    with pytest.raises(SetupError, match="there is no kernel for mauer"):
        setting_of("mauer", remember=True)
