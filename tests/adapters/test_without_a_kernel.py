"""A game that has no kernel: it is played by the rules, and what needs a kernel says so."""

from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mauerwerk.adapters import openspiel, pettingzoo
from mauerwerk.adapters import setting as settings
from mauerwerk.adapters.gymnasium import SeatsVectorEnv
from mauerwerk.adapters.pettingzoo import KernelTable, RulesTable, table_of
from mauerwerk.adapters.setting import setting_of
from mauerwerk.core.errors import IllegalMoveError, SetupError
from mauerwerk.core.game import Seat
from mauerwerk.games import GAMES, mauer

pyspiel: Any = import_module("pyspiel")
theirs: Any = import_module("pettingzoo.test")

AGREED: Any = {"seats": 3, "rounds": 1, "stall": 3, "first": "lot"}

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def always(answer: object) -> Callable[[object], object]:
    """A function that gives the same answer to everything."""

    def answers(_: object) -> object:
        return answer

    return answers


@pytest.fixture(autouse=True)
def _no_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "has_kernel", always(answer=False))


def test_observations_are_plain() -> None:
    """They say who must act, which choices the seat has, and how many turns were played."""
    setting = setting_of("mauer", seats=3)
    state = mauer.start(setting.setup)
    parts = {part.name: slice(part.begin, part.end) for part in setting.encoding.parts}
    seen = setting.features(state, Seat(1))

    assert list(parts) == ["waiting", "legal", "turns"]
    assert len(seen) == setting.width == 3 + setting.choices + 1
    assert seen[parts["waiting"]].tolist() == [1, 1, 1]
    assert np.array_equal(seen[parts["legal"]], setting.mask(state, Seat(1)))


def test_pettingzoo_plays_it_by_the_rules() -> None:
    """Both forms pass PettingZoo's own tests, and a seed begins the same game."""
    assert isinstance(table_of(setting_of("mauer", **AGREED)), RulesTable)
    theirs.api_test(pettingzoo.env("mauer", **AGREED), num_cycles=100)
    theirs.seed_test(lambda: pettingzoo.env("mauer", **AGREED), num_cycles=20)
    theirs.parallel_api_test(pettingzoo.parallel_env("mauer", **AGREED), num_cycles=100)


def test_a_choice_that_is_not_allowed_is_refused() -> None:
    """By the clause that forbids it, and nothing changes."""
    env = pettingzoo.parallel_env("mauer", **AGREED)
    env.reset(seed=1)
    before = env.table.state
    with pytest.raises(IllegalMoveError):
        env.step(dict.fromkeys(env.agents, env.setting.choices - 1))

    assert env.table.state == before


def test_gymnasium_has_one_seat_of_it_and_no_batches() -> None:
    """`check_env` passes; many games at once need a kernel, and one line says so."""
    check_env(gymnasium.make("mauerwerk/mauer-v1", illegal="lose", **AGREED).unwrapped)
    with pytest.raises(SetupError, match="has no kernel"):
        SeatsVectorEnv("mauer", 6, **AGREED)


def test_openspiel_plays_it() -> None:
    """`random_sim_test` passes, tensors included."""
    loaded = openspiel.load("mauer", **AGREED)

    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("less", "says"),
    [
        ({"choices": always(())}, "does not number its actions"),
        ({"longest": always(None)}, "gives no bound on its length"),
    ],
)
def test_what_is_missing_is_named(
    less: dict[str, Any], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenSpiel needs numbers for actions, and a bound for the length of a game."""
    monkeypatch.setitem(GAMES, "mauer", SimpleNamespace(**{**vars(mauer), **less}))
    with pytest.raises(SetupError, match=says):
        openspiel.load("mauer", **AGREED)


def test_without_beliefs_nothing_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game may bring none; then resampling says so."""
    without = SimpleNamespace(**{**vars(mauer), "beliefs": None})
    monkeypatch.setitem(GAMES, "mauer", without)
    state = openspiel.load("mauer", seats=3, rounds=1).new_initial_state()
    with pytest.raises(NotImplementedError, match="mauer has no beliefs"):
        state.resample_from_infostate(0, lambda: 0.5)


def test_with_a_kernel_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules step in only where there is none."""
    monkeypatch.undo()

    assert isinstance(table_of(setting_of("mauer", **AGREED)), KernelTable)
