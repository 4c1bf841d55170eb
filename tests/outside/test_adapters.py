"""What learners see of games without a kernel: what the games themselves describe."""

from importlib import import_module
from typing import Any

import pytest
from tests.outside.goofspiel import GOOFSPIEL
from tests.outside.liars import LIARS

from mauerwerk.adapters import openspiel, pettingzoo
from mauerwerk.adapters.gymnasium import SeatEnv
from mauerwerk.adapters.setting import setting_of
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, Seat

pyspiel: Any = import_module("pyspiel")
theirs: Any = import_module("pettingzoo.test")

pytestmark = [
    pytest.mark.foreign,
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def test_liars_dice_shows_ones_own_dice_and_no_others() -> None:
    """By name, within bounds, and the same in all adapters."""
    setting = setting_of("liars", seats=3, dice=2)
    state = LIARS.start(setting.setup)
    for word in ("r2,3", "r4,4", "r6,6"):
        state = LIARS.apply(state, NATURE, LIARS.parse(word)).state
    place = setting.encoding.layout["own"]

    assert setting.features(state, Seat(0))[place].tolist() == [0, 1, 1, 0, 0, 0]
    assert setting.features(state, Seat(2))[place].tolist() == [0, 0, 0, 0, 0, 2]
    assert setting.width == setting.encoding.spec.width(setting.setup) == 25


@pytest.mark.filterwarnings("ignore:Observation numpy array is all zeros")  # a game without points
@pytest.mark.parametrize("game", [{"game": "liars", "dice": 1}, {"game": "goofspiel", "cards": 3}])
def test_pettingzoo_accepts_them(game: dict[str, Any]) -> None:
    """With all of its tests: `parallel_seed_test` ignores masks, so that illegal actions lose."""
    theirs.api_test(pettingzoo.env(**game), num_cycles=60)
    theirs.parallel_api_test(pettingzoo.parallel_env(**game), num_cycles=60)
    theirs.seed_test(lambda: pettingzoo.env(**game), num_cycles=20)
    theirs.parallel_seed_test(lambda: pettingzoo.parallel_env(**game, illegal="lose"))


def test_an_illegal_action_loses_if_one_wants_that() -> None:
    """The agent has -1, the others 0, and the reason is told."""
    env = pettingzoo.env("goofspiel", seats=2, cards=3, illegal="lose")
    env.reset(seed=1)
    env.step(0)
    env.step(1)
    env.step(0)  # it was played before

    assert env.rewards == {"seat_0": -1.0, "seat_1": 0.0}
    assert all(env.terminations.values())
    assert "GS-2" in env.infos["seat_0"]["illegal"]
    table = pettingzoo.parallel_env("goofspiel", seats=2, cards=3, illegal="lose")
    table.reset(seed=1)
    table.step({"seat_0": 0, "seat_1": 1})
    _, rewards, over, _, infos = table.step({"seat_0": 0, "seat_1": 2})
    assert rewards == {"seat_0": -1.0, "seat_1": 0.0}
    assert over == {"seat_0": True, "seat_1": True}
    assert infos["seat_1"] == {}
    with pytest.raises(SetupError, match="illegal can be raise or lose, not 'win'"):
        pettingzoo.env("goofspiel", illegal="win")


def test_points_on_the_way_are_rewards_where_a_game_shows_them() -> None:
    """Goofspiel does, Liar's dice has none."""
    env = SeatEnv("goofspiel", seats=2, cards=3, rewards="points")
    env.reset(seed=1)
    assert env.step(2)[1] >= 0
    with pytest.raises(SetupError, match="liars shows no points before it ends"):
        SeatEnv("liars", seats=2, dice=1, rewards="points")


@pytest.mark.parametrize(("game", "options"), [(LIARS, {"dice": 1}), (GOOFSPIEL, {"cards": 3})])
def test_openspiel_accepts_them(game: Any, options: dict[str, Any]) -> None:  # noqa: ANN401 - any game
    if f"mauerwerk_{game.NAME}" not in pyspiel.registered_names():
        openspiel.register(game)
    loaded = openspiel.load(game.NAME, seats=2, **options)

    pyspiel.random_sim_test(loaded, num_sims=2, serialize=True, verbose=False)
