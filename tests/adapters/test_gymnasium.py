"""Gymnasium's own tests of our environments, and what they do not ask."""

import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from tests.adapters.settings import each_game

from mauerwerk.adapters.gymnasium import SeatEnv, SeatsVectorEnv
from mauerwerk.core.errors import IllegalMoveError, SetupError, StaleMoveError
from mauerwerk.games import GAMES


def name_of(game: str) -> str:
    """The name by which Gymnasium knows a game."""
    return f"mauerwerk/{game}-v{GAMES[game].RULES}"


def play(env: gymnasium.Env[Any, Any], seed: int) -> list[Any]:
    """Play a random game; return everything that was seen, and how it ended."""
    chance = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    told = [seen.tolist()]
    over = False
    while not over:
        allowed: list[int] = info["action_mask"].nonzero()[0].tolist()
        action = int(chance.choice(allowed))
        seen, reward, over, _, info = env.step(action)
        told += [seen.tolist(), reward]
    return [*told, info["points"], info["rank"], info["reason"]]


@each_game
def test_gymnasium_accepts_one_seat(game: str, options: dict[str, Any]) -> None:
    """`check_env` passes; it takes any action, so that what is not allowed must lose here."""
    seat = options["seats"] - 1
    env = gymnasium.make(name_of(game), illegal="lose", render_mode="ansi", seat=seat, **options)

    check_env(env.unwrapped)


@each_game
def test_a_seed_decides_a_game(game: str, options: dict[str, Any]) -> None:
    """Chance and bots included."""
    first, second = (gymnasium.make(name_of(game), **options) for _ in range(2))
    told = play(first, seed=5)

    assert play(second, seed=5) == told
    assert play(first, seed=6) != told


def test_a_seat_is_asked_as_soon_as_others_need_not_be_waited_for() -> None:
    """The others have closed their fists; nobody has opened one (DM-5)."""
    env = SeatEnv("mauer", seats=3, seat=1)
    seen, info = env.reset(seed=1)
    fists = seen[env.layout["fists"]].reshape(6, 10)

    assert info["action_mask"].nonzero()[0].tolist() == list(range(8))
    assert fists[0, 0]  # one's own: thinking
    assert fists[1:3, 1].all()  # the others': closed


def test_what_is_not_allowed_is_refused_by_its_clause() -> None:
    """By default the rules' own error comes through, and the game goes on."""
    env = SeatEnv("mauer", seats=3)
    env.reset(seed=1)

    with pytest.raises(IllegalMoveError, match=r"\(DM-5\)"):
        env.step(20)
    env.step(7)


@pytest.mark.parametrize("action", [1.5, 1.0, "1", None])
def test_an_action_is_a_whole_number(action: Any) -> None:  # noqa: ANN401 - what no type allows
    """Anything else is refused, and does not lose: it is no choice of a learner."""
    env = SeatEnv("mauer", seats=3, illegal="lose")
    env.reset(seed=1)

    with pytest.raises(ValueError, match=f"actions are whole numbers, not {action!r}"):
        env.step(action)
    _, _, over, _, _ = env.step(np.int64(1))
    assert not over


def test_what_is_not_allowed_can_lose() -> None:
    """Where a learner has no masks, the game ends there, and the info says why."""
    env = SeatEnv("mauer", seats=3, illegal="lose")
    env.reset(seed=1)

    _, reward, over, _, info = env.step(20)

    assert (reward, over) == (-1.0, True)
    assert "(DM-5)" in info["illegal"]
    with pytest.raises(StaleMoveError, match="begin the next one"):
        env.step(0)


@pytest.mark.process
def test_bots_that_fail_come_last(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Their traceback is shown once, and others play on for them, as in a match."""
    program = tmp_path / "dies.py"
    program.write_text("input(), print('{}', flush=True), input(), exit('oh no')")
    bot = f"run:{sys.executable} {program}"
    env = SeatEnv("mauer", seats=3, rounds=1, bots=bot)

    for seed in range(3):
        *_, reward, _, rank, _ = play(env, seed)
        assert (reward, rank) == (1.0, 1)

    told = f"oh no\nmauerwerk: the bot {bot} loses a game: it ended with status 1\n"
    assert capsys.readouterr().err == told


@pytest.mark.parametrize(
    ("options", "refusal"),
    [
        ({"seat": 3}, "seat can be 0 to 2, not 3"),
        ({"seat": "1"}, "seat can be 0 to 2, not '1'"),
        ({"bots": ["uniform"]}, "there are 2 other seats, and bots for 1"),
        ({"bots": "genius"}, "there is no bot 'genius'"),
        ({"bots": "greedy:memory=perfect"}, "there is nothing to remember in mauer"),
        ({"illegal": "rasie"}, "illegal can be raise or lose, not 'rasie'"),
        ({"render_mode": "human"}, "render_mode can be ansi or svg, not 'human'"),
        ({"stall": "off"}, "need not end"),
    ],
)
def test_a_table_that_cannot_be_is_refused(options: dict[str, Any], refusal: str) -> None:
    """In one line."""
    with pytest.raises(SetupError, match=refusal):
        SeatEnv("mauer", seats=3, **options)


# --- Many at once ----------------------------------------------------------------------------


@each_game
def test_the_seats_of_many_games_are_a_vector_environment(
    game: str, options: dict[str, Any]
) -> None:
    """Spaces, kinds and shapes are what Gymnasium expects; games end and begin."""
    seats, games = options["seats"], 8
    envs: Any = gymnasium.make_vec(
        name_of(game),
        num_envs=games * seats,
        vectorization_mode="vector_entry_point",
        **options,
    )
    seen, infos = envs.reset(seed=1)
    chance = np.random.default_rng(1)
    ended = 0
    for _ in range(400):
        assert envs.observation_space.contains(seen)
        masks: npt.NDArray[np.int8] = infos["action_mask"]
        assert (masks.any(axis=1) == infos["to_act"]).all()
        actions = np.where(masks, chance.random(masks.shape), -1).argmax(axis=1)
        assert envs.action_space.contains(actions)
        seen, rewards, over, cut, infos = envs.step(actions)
        assert rewards.dtype == np.float32
        assert over.dtype == cut.dtype == np.bool_
        assert not rewards[~over].any()
        assert not infos["to_act"][over].any()
        assert rewards.reshape(games, seats).sum(axis=1) == pytest.approx(0, abs=1e-5)
        ended += int(over.sum()) // seats
    assert ended


def test_the_step_after_the_end_begins_the_next_game() -> None:
    """Gymnasium's `NEXT_STEP`: first one sees how it ended, then how it begins."""
    envs = SeatsVectorEnv("mauer", 30, seats=3, rounds=1)
    first, _ = envs.reset(seed=1)
    seen, over = first, np.zeros(30, np.bool_)
    while not over.any():
        seen, _, over, _, _ = envs.step(envs.choose())
    task = seen[over][:, envs.layout["task"]]
    assert task.argmax(axis=1).tolist() == [5] * len(task)  # nothing

    seen, rewards, _, _, infos = envs.step(envs.choose())

    assert np.array_equal(seen[over], first[over])
    assert infos["to_act"][over].all()
    assert not rewards[over].any()


def test_what_was_returned_is_ones_own_unless_one_says_otherwise() -> None:
    """By default nothing is written over; without copies it is quicker and is."""
    for copy in (True, False):
        envs = SeatsVectorEnv("mauer", 30, seats=3, copy=copy)
        before, infos = envs.reset(seed=1)
        kept, mask = before.copy(), infos["action_mask"].copy()
        for _ in range(3):
            envs.step(envs.choose())

        assert np.array_equal(before, kept) == copy
        assert np.array_equal(infos["action_mask"], mask) == copy or not copy


def test_one_bad_action_refuses_the_step() -> None:
    """And nothing changes."""
    envs = SeatsVectorEnv("mauer", 12, seats=3)
    seen, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    actions[7] = 20

    with pytest.raises(ValueError, match="in place 2 somebody may not do"):
        envs.step(actions)

    actions[7] = 0
    after, *_ = envs.step(actions)
    assert not np.array_equal(after, seen)


@pytest.mark.parametrize("number", [65539, -65533, 1 << 40])
def test_a_number_that_is_too_large_is_no_other_action(number: int) -> None:
    """In 16 bits it would be one that is allowed. Of seats that are not asked none matters."""
    envs = SeatsVectorEnv("mauer", 12, seats=3)
    _, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    actions[7] = number

    with pytest.raises(ValueError, match="in place 2 somebody may not do"):
        envs.step(actions)

    while infos["to_act"].all():
        *_, infos = envs.step(envs.choose())
    envs.step(np.where(infos["to_act"], envs.choose(), number))


def test_actions_are_whole_numbers() -> None:
    """None is rounded to one that nobody chose."""
    envs = SeatsVectorEnv("mauer", 12, seats=3)
    envs.reset(seed=1)

    with pytest.raises(ValueError, match="actions are whole numbers, not float64"):
        envs.step(np.full(12, 2.7))


def test_without_a_seed_the_next_games_of_the_same_begin() -> None:
    """Not those of the seed after it, which may be kept for something else; none comes twice."""
    envs = SeatsVectorEnv("mauer", 60, seats=6, first="lot")
    envs.reset(seed=1)
    played = set(envs.batch.numbers.tolist())
    for _ in range(5):
        envs.reset()
        numbers = envs.batch.numbers.tolist()
        assert played.isdisjoint(numbers)
        assert [number % 10 for number in numbers] == list(range(10))
        played.update(numbers)
        while not envs.batch.done.any():
            envs.step(envs.choose())

    long = SeatsVectorEnv("mauer", 360, seats=6, first="lot")
    first, _ = long.reset(seed=1)
    envs.reset(seed=1)
    again, _ = envs.reset()
    assert np.array_equal(again, first[60:120])


@pytest.mark.parametrize("number", [0, -3, 4, 7])
def test_seats_come_in_whole_games(number: int) -> None:
    """Three seats a game: a multiple of three."""
    with pytest.raises(SetupError, match=f"multiple of the 3 seats, not {number}"):
        SeatsVectorEnv("mauer", number, seats=3)


@each_game
def test_the_space_has_the_bounds_of_the_table(game: str, options: dict[str, Any]) -> None:
    """Not those of its integers: a learner can scale by them. The batch has the same actions."""
    envs = SeatsVectorEnv(game, options["seats"] * 4, **options)
    space: Any = envs.single_observation_space
    actions: Any = envs.single_action_space

    assert envs.batch.masks.shape[-1] == actions.n
    assert (space.low < space.high).all()
    assert space.high.max() < np.iinfo(np.int16).max
    assert (space.high <= 15).mean() > 0.8
