"""PettingZoo's own tests of our environments, and what they do not ask."""

import re
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from tests.adapters.settings import each_game, each_setting

from mauerwerk.adapters import pettingzoo
from mauerwerk.adapters.setting import RENDER_MODES
from mauerwerk.core.errors import IllegalMoveError, SetupError, StaleMoveError

theirs: Any = import_module("pettingzoo.test")

# PettingZoo warns of each environment with masks that is not in a list of its own.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def played(env: Any, seed: int) -> list[tuple[str, float]]:  # noqa: ANN401 - PettingZoo's
    """Play a game as PettingZoo's tutorials do; who acted, and what each had got by then."""
    env.reset(seed=seed)
    for agent in env.possible_agents:
        env.action_space(agent).seed(seed)
    told: list[tuple[str, float]] = []
    for agent in env.agent_iter():
        last: tuple[Any, float, bool, bool, dict[str, Any]] = env.last()
        observation, reward, termination, truncation, info = last

        if termination or truncation:
            action = None
        else:
            if "action_mask" in info:
                mask = info["action_mask"]
            elif "action_mask" in observation:
                mask = observation["action_mask"]
            else:
                mask = None
            action = env.action_space(agent).sample(mask)

        env.step(action)
        told.append((agent, reward))
    env.close()
    return told


@each_game
def test_pettingzoo_accepts_it(game: str, options: dict[str, Any]) -> None:
    """`api_test` and `seed_test` pass."""
    theirs.api_test(pettingzoo.env(game, **options), num_cycles=150)
    theirs.seed_test(lambda: pettingzoo.env(game, **options), num_cycles=30)


@each_game
def test_pettingzoo_accepts_the_parallel_form(game: str, options: dict[str, Any]) -> None:
    """`parallel_api_test` passes."""
    theirs.parallel_api_test(pettingzoo.parallel_env(game, **options), num_cycles=300)


@each_setting
def test_there_is_a_global_state(game: str, options: dict[str, Any]) -> None:
    """What all seats see, side by side, is a state to train on, in both forms."""
    in_turn = pettingzoo.raw_env(game, **options)
    at_once = pettingzoo.parallel_env(game, **options)
    in_turn.reset(seed=1)
    seen, _ = at_once.reset(seed=1)

    both = np.concatenate([each["observation"] for each in seen.values()])
    assert np.array_equal(in_turn.state(), both)
    assert np.array_equal(at_once.state(), both)
    assert in_turn.state_space.contains(both)


@each_game
def test_a_loop_from_the_tutorial_plays_a_game(game: str, options: dict[str, Any]) -> None:
    """The loop runs to the end, is the same for a seed, and what is won is lost by others."""
    env = pettingzoo.env(game, **options)
    told = played(env, seed=7)

    last = dict(told[-options["seats"] :])
    assert list(last) == env.possible_agents
    assert sum(last.values()) == pytest.approx(0, abs=1e-6)
    assert not any(reward for _, reward in told[: -options["seats"]])
    assert played(pettingzoo.env(game, **options), seed=7) == told


def test_who_choose_together_cannot_see_what_another_chose() -> None:
    """Whatever the first plans, the second is shown the same (DM-5)."""
    seen: list[Any] = []
    for plan in range(8):
        env = pettingzoo.env("mauer", seats=3)
        env.reset(seed=1)
        assert env.agent_selection == "seat_0"
        env.step(plan)
        assert env.agent_selection == "seat_1"
        seen.append([env.observe(agent)["observation"] for agent in env.possible_agents])

    assert all(np.array_equal(each, seen[0]) for each in seen)


def test_the_parallel_form_plays_the_same_game() -> None:
    """All answer at once or in turn: it comes to the same."""
    in_turn = pettingzoo.env("mauer", seats=4, rounds=1)
    at_once = pettingzoo.parallel_env("mauer", seats=4, rounds=1)
    in_turn.reset(seed=3)
    seen, _ = at_once.reset(seed=3)
    chance = np.random.default_rng(3)
    rewards, infos = dict[str, float](), dict[str, Any]()
    while at_once.agents:
        asked = [agent for agent, each in seen.items() if each["action_mask"].any()]
        actions: dict[str, int] = {}
        for agent in asked:
            assert in_turn.agent_selection == agent
            mask = in_turn.observe(agent)["action_mask"]
            assert np.array_equal(mask, seen[agent]["action_mask"])
            actions[agent] = int(chance.choice(mask.nonzero()[0]))
            in_turn.step(actions[agent])
        waiting = dict.fromkeys(set(at_once.agents) - set(asked), 0)
        seen, rewards, ended, _, infos = at_once.step({**waiting, **actions})
        assert ended == in_turn.terminations
    assert rewards == in_turn.rewards
    assert infos == in_turn.infos
    assert {info["reason"] for info in infos.values()} <= {"out", "deadlock", "stall"}


def test_when_the_game_is_over_nobody_goes_on() -> None:
    """The next one begins with `reset`, and not unawares."""
    env = pettingzoo.parallel_env("mauer", seats=3, rounds=1)
    seen, _ = env.reset(seed=3)
    actions = dict[str, int]()
    while env.agents:
        actions = {agent: int(each["action_mask"].argmax()) for agent, each in seen.items()}
        seen, *_ = env.step(actions)
    over = env.state()

    with pytest.raises(StaleMoveError, match="begin the next one"):
        env.step(actions)

    assert np.array_equal(env.state(), over)


def test_what_is_not_allowed_is_refused_by_its_clause_and_changes_nothing() -> None:
    """The rules' own words come through; the same agent is asked again (DM-5)."""
    env = pettingzoo.env("mauer", seats=3)
    env.reset(seed=1)
    before = env.state()

    with pytest.raises(IllegalMoveError, match=r"seat 1 may not play '\*2' here: .* \(DM-5\)"):
        env.step(20)
    with pytest.raises(ValueError, match="a number below 24, not 24"):
        env.step(24)

    assert env.agent_selection == "seat_0"
    assert np.array_equal(env.state(), before)


@pytest.mark.parametrize("action", [1.5, 0.0, "1", None, np.True_])
def test_an_action_is_a_whole_number(action: Any) -> None:  # noqa: ANN401 - what no type allows
    """Anything else is refused, and does not lose, as in the Gymnasium environments."""
    one = pettingzoo.env("mauer", seats=3, illegal="lose")
    all_at_once = pettingzoo.parallel_env("mauer", seats=3, illegal="lose")
    one.reset(seed=1)
    all_at_once.reset(seed=1)
    refusal = re.escape(f"actions are whole numbers, not {action!r}")

    with pytest.raises(ValueError, match=refusal):
        one.step(action)
    with pytest.raises(ValueError, match=refusal):
        all_at_once.step(dict.fromkeys(all_at_once.agents, action))

    assert one.agent_selection == "seat_0"
    one.step(1)
    assert not any(one.terminations.values())
    assert all_at_once.agents


def test_whoever_has_answered_has_no_choices_any_more() -> None:
    """The mask is for those who are still to answer."""
    env = pettingzoo.env("mauer", seats=3)
    env.reset(seed=1)
    env.step(0)

    masks = [int(env.observe(agent)["action_mask"].sum()) for agent in env.possible_agents]
    assert masks == [0, 8, 8]


def test_without_a_seed_every_game_is_another() -> None:
    """Two environments that nobody seeded differ, and so do two games of one."""
    one, other = (pettingzoo.env("mauer", seats=6, first="lot") for _ in range(2))
    drawn: list[tuple[Any, ...]] = []
    for env in (one, other):
        for _ in range(20):
            env.reset()
            drawn.append(tuple(env.state()))

    assert drawn[:20] != drawn[20:]
    assert len(set(drawn)) > 1


def test_it_is_drawn_as_a_spectator_sees_it() -> None:
    """As text and as a picture, also when the game is over."""
    for mode, begins in zip(RENDER_MODES, ("Die Mauer", "<svg "), strict=True):
        env = pettingzoo.env("mauer", seats=3, rounds=1, render_mode=mode)
        env.reset(seed=1)
        assert str(env.render()).startswith(begins)
        played(env, seed=1)
        assert str(env.render()).startswith(begins)


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        ({"game": "chess"}, "there is no game 'chess', only mauer, burgbaumeister, mauerbauer"),
        ({"game": "mauer", "seats": 2}, "mauer is for 3 to 6 seats, not 2"),
        ({"game": "mauer", "rounds": 0}, "option rounds can be 1 to 10, not 0"),
        ({"game": "mauer", "walls": 5}, "there is no option 'walls', only"),
        ({"game": "mauer", "illegal": "rasie"}, "illegal can be raise or lose, not 'rasie'"),
        ({"game": "mauer", "render_mode": "x"}, "render_mode can be ansi or svg, not 'x'"),
        ({"game": "mauer", "stall": "off"}, "with stall off the game need not end"),
    ],
)
def test_what_cannot_be_played_is_refused(options: dict[str, Any], refusal: str) -> None:
    """In one line, as everywhere."""
    with pytest.raises(SetupError, match=refusal):
        pettingzoo.env(**options)
