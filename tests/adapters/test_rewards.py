"""Rewards besides that for the final rank: for points, for the lead, and by one's own function."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from mauerwerk.adapters import pettingzoo
from mauerwerk.adapters.gymnasium import SeatEnv, SeatsVectorEnv
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.rewards import Rewards, Scores

TRIED: dict[str, dict[str, Any]] = {
    "mauer": {"seats": 3, "rounds": 2},
    "burgbaumeister": {"seats": 2, "variant": True},
    "mauerbauer": {"seats": 2, "board": "small"},
}
each_game = pytest.mark.parametrize("game", TRIED)


def leads(points: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Of each seat, its points less the mean of the others'."""
    seats = points.shape[-1]
    lead: npt.NDArray[Any] = points - (points.sum(axis=-1, keepdims=True) - points) / (seats - 1)
    return lead


@pytest.mark.parametrize("linger", [True, False])
@each_game
def test_the_rewards_of_a_game_add_up_to_its_points(game: str, linger: bool) -> None:  # noqa: FBT001
    """Or to the lead; where few points win they count against a seat (DM-28)."""
    envs = SeatsVectorEnv(game, TRIED[game]["seats"] * 8, **TRIED[game])
    setup, aim = envs.unwrapped._setting.setup, kernel_of(game).AIM  # noqa: SLF001
    kinds: tuple[Rewards, ...] = ("points", "lead")
    batches = [Batch(GAMES[game], setup, 8, seed=3, linger=linger, rewards=kind) for kind in kinds]
    sums = [np.zeros((8, setup.seats)) for _ in batches]
    ended = 0
    while ended < 12:
        for batch, got in zip(batches, sums, strict=True):
            batch.choose()
            batch.step()
            np.add(got, batch.rewards, out=got)
        by_points, by_lead = batches
        for place in by_points.done.nonzero()[0]:
            points = aim * by_points.results["points"][place, : setup.seats].astype(np.float64)
            assert sums[0][place].tolist() == points.tolist()
            assert sums[1][place].tolist() == pytest.approx(leads(points).tolist(), abs=1e-4)
            assert by_points.points[place].tolist() == (aim * points).tolist()
            assert by_lead.rewards[place].sum() == pytest.approx(0, abs=1e-4)
            sums[0][place] = sums[1][place] = 0
            ended += 1


def test_ones_own_function_sees_what_a_step_has_brought() -> None:
    """It is called once for all games of a batch."""
    seen: list[Scores] = []

    def round_won(scores: Scores) -> Any:  # noqa: ANN401 - an array
        seen.append(scores)
        got = scores.points - scores.before
        return (got == 0) * got.any(axis=1, keepdims=True) + 10 * scores.ranks

    batch = Batch(mauer, Setup(3, mauer.Options(rounds=1)), 16, seed=1, rewards=round_won)
    while not batch.done.any():
        assert not batch.rewards.any()
        batch.choose()
        batch.step()

    assert len(seen) > 1
    assert seen[0].before.shape == (16, 3)
    out = batch.results["points"][batch.done][:, :3] == 0
    ranks = batch.results["ranks"][batch.done][:, :3]
    assert (batch.rewards[batch.done][out] > 1).all()
    assert (batch.rewards[batch.done][ranks == 1] >= 5).all()


@pytest.mark.parametrize(
    ("given", "named"),
    [(None, "not None"), (0.0, "not 0.0"), (np.zeros((1, 1)), r"not one of shape \(1, 1\)")],
)
def test_a_function_rewards_each_seat(
    given: Any,  # noqa: ANN401 - what somebody's function may give
    named: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What is no number per seat is refused, in a kernel and by the rules."""
    expected = rf"returns an array of shape \(1, 3\), with a row for each game .* {named}"
    batch = Batch(mauer, Setup(3, mauer.Options()), 1, seed=1, rewards=lambda _: given)
    batch.choose()
    with pytest.raises(ValueError, match=expected):
        batch.step()

    monkeypatch.setattr("mauerwerk.kernels.KERNELS", {})
    env = pettingzoo.parallel_env("mauer", rewards=lambda _: given)
    env.reset(seed=1)
    with pytest.raises(ValueError, match=expected):
        env.step(dict.fromkeys(env.agents, 7))


@each_game
def test_all_environments_reward_alike(game: str) -> None:
    """Agents in turn, agents at once, and the vector environment, in the same game."""
    in_turn = pettingzoo.raw_env(game, rewards="lead", **TRIED[game])
    at_once = pettingzoo.parallel_env(game, rewards="lead", **TRIED[game])
    envs = SeatsVectorEnv(game, TRIED[game]["seats"], rewards="lead", **TRIED[game])
    in_turn.reset(seed=2)
    seen, _ = at_once.reset(seed=2)
    envs.reset(seed=2)
    got = dict.fromkeys(in_turn.possible_agents, 0.0)
    chance = np.random.default_rng(2)
    infos: dict[str, Any] = {}
    while at_once.agents:
        actions: dict[str, int] = dict.fromkeys(at_once.agents, 0)
        for agent, each in seen.items():
            if each["action_mask"].any():
                assert in_turn.agent_selection == agent
                actions[agent] = int(chance.choice(each["action_mask"].nonzero()[0]))
                in_turn.step(actions[agent])
        seen, rewards, _, _, infos = at_once.step(actions)
        _, of_vector, *_ = envs.step(np.array([*actions.values()]))
        assert in_turn.rewards == rewards
        assert list(rewards.values()) == of_vector.tolist()
        got = {agent: got[agent] + rewards[agent] for agent in got}
    points = np.array([info["points"] for info in infos.values()])
    assert list(got.values()) == pytest.approx(leads(kernel_of(game).AIM * points).tolist())


@each_game
def test_one_seat_against_bots_is_rewarded_on_the_way(game: str) -> None:
    """What it gets for points adds up to its own in the end."""
    env = SeatEnv(game, rewards="points", **TRIED[game])
    _, info = env.reset(seed=1)
    over, got, rewards = False, 0.0, 0
    while not over:
        action = int(info["action_mask"].nonzero()[0][-1])
        _, reward, over, _, info = env.step(action)
        got, rewards = got + reward, rewards + (reward != 0)

    assert got == kernel_of(game).AIM * info["points"]
    assert rewards > 1 or not info["points"]


def test_agents_in_turn_get_what_they_won_while_others_moved() -> None:
    """`last` has all that an agent got since it acted, as PettingZoo has it."""
    env = pettingzoo.env("mauer", seats=3, rounds=3, rewards="points")
    env.reset(seed=4)
    got = dict.fromkeys(env.possible_agents, 0.0)
    infos: dict[str, Any] = {}
    for agent in env.agent_iter():
        seen, reward, over, _, info = env.last()
        got[agent] += reward
        if over:
            infos[agent] = info
        env.step(None if over else int(seen["action_mask"].nonzero()[0][0]))

    assert got == {agent: -info["points"] for agent, info in infos.items()}


def test_what_cannot_be_rewarded_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line; a game without a kernel may have its points only in the end."""
    wrong: Any = "point"
    with pytest.raises(SetupError, match="rewards can be ranks, points, lead or a function, not"):
        SeatEnv("mauer", rewards=wrong)
    with pytest.raises(SetupError, match="rewards can be"):
        pettingzoo.env("mauer", rewards=wrong)

    monkeypatch.setattr("mauerwerk.kernels.KERNELS", {})

    def no_scores(_view: object) -> tuple[int, ...]:
        return ()

    monkeypatch.setattr(mauer, "scores", no_scores)
    with pytest.raises(SetupError, match="mauer shows no points before it ends"):
        pettingzoo.env("mauer", rewards="lead")
    env = pettingzoo.parallel_env("mauer", rounds=1, rewards=lambda scores: scores.points)
    seen, _ = env.reset(seed=1)
    rewards, infos = dict[str, float](), dict[str, Any]()
    while env.agents:
        masks = {agent: each["action_mask"] for agent, each in seen.items()}
        seen, rewards, _, _, infos = env.step({a: int(mask.argmax()) for a, mask in masks.items()})
    assert rewards == {agent: info["points"] for agent, info in infos.items()}
