"""A network that learns to answer a frozen player, where PyTorch is installed."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.support.networks import blank, saved

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels import kernel_of
from mauerwerk.lab.exploit import Contest, measure
from mauerwerk.lab.workers import processes

torch: Any = pytest.importorskip("torch")
best_response: Any = pytest.importorskip("mauerwerk.learn.best_response")

pytestmark = [pytest.mark.foreign, pytest.mark.kernels, pytest.mark.slow]

MINIATURE = Setup(3, mauer.Options(rounds=1, pieces="TC", stall=2))
EMPTY = mauer.choices(MINIATURE).index(mauer.parse("-"))


def frozen(path: Path) -> str:
    """A network that nearly always shows an empty fist."""
    network = blank(mauer, MINIATURE, (4, 4))
    network.weights.policy_bias[EMPTY] = 3.0
    return f"net:{saved(path, network)}"


def config_for(contest: Contest) -> Any:  # noqa: ANN401 - a `Config`
    """A training on one core."""
    torch.set_num_threads(1)
    config = best_response.config_for(
        contest, device="cpu", minutes=10.0, demonstrations=4, threads=1
    )
    return replace(config, games=64, steps=16, minibatches=4)


def after(rounds: int) -> Callable[[], bool]:
    """Somebody who wants to stop after so many rounds."""
    left = iter(range(rounds))
    return lambda: next(left, None) is None


def test_a_frozen_network_is_exploited(tmp_path: Path) -> None:
    """Whoever never guesses is soon answered."""
    contest = Contest("mauer", MINIATURE, frozen(tmp_path / "frozen"), 1)
    path = tmp_path / "net.safetensors"
    answer = best_response.exploiter(contest, config_for(contest), path, after(40), print)
    there = answer.gains(contest, 600)
    with processes(1) as workers:
        gains = measure(contest._replace(seed=2), answer.bot, 60, workers)

    assert there is not None
    assert there.games == 600
    assert there.wins.mean == pytest.approx(gains.wins.mean, abs=0.2)
    assert there.frozen_points.mean == pytest.approx(gains.frozen_points.mean, abs=4)
    assert gains.wins.mean > 0.45
    assert gains.more.mean > 0


def test_a_bot_is_exploited_by_games_against_itself(tmp_path: Path) -> None:
    """It is imitated first; then the network learns from games against it."""
    contest = Contest("mauer", MINIATURE, "greedy", 1)
    lines: list[str] = []
    path = tmp_path / "net.safetensors"
    answer = best_response.exploiter(contest, config_for(contest), path, after(2), lines.append)

    assert answer.gains(contest, 3) is None
    assert answer.bot == f"net:{path}"
    assert re.fullmatch(r"the network learnt to make [\d.]+% of greedy's decisions", lines[0])
    assert [each.name for each in tmp_path.iterdir()] == ["net.safetensors"]


def test_a_frozen_network_plays_as_its_bot_does(tmp_path: Path) -> None:
    """It sees the parts of the observation that it knows, and draws as its card says."""
    contest = Contest("mauer", MINIATURE, frozen(tmp_path / "frozen"), 1)
    weights = best_response.files.weights_in(tmp_path / "frozen")
    trainer = best_response.BestResponse(config_for(contest), weights)
    (env,) = trainer.envs
    output = trainer.frozen.forward(env.observations, env.masks, 3)
    legal = int(env.masks[0].sum())
    width = kernel_of("mauer").OBSERVATION.width(MINIATURE)

    assert env.observations.shape[1] > width
    expected = np.exp(3) / (np.exp(3) + legal - 1)
    assert float(output.log_probs[0, EMPTY].exp()) == pytest.approx(expected, abs=1e-3)
    begun = trainer.network.forward(env.observations, env.masks, 3)
    assert int(begun.log_probs[0].argmax()) == EMPTY
    sharp = trainer.frozen.sharpened(0.0)
    certain = sharp.forward(env.observations, env.masks, 3)
    assert float(certain.log_probs[0, EMPTY].exp()) == pytest.approx(1)


def test_exploiters_of_a_training_become_its_rivals() -> None:
    """Each begins as the network is then, answers that, and is added to the league."""
    game = GAMES["mauer"]
    config = best_response.Config(
        game=game, setups=[MINIATURE], games=16, steps=8, minibatches=2, contested=0.5
    )
    trainer = best_response.Trainer(replace(config, exploiters=0.5, exploiter_rounds=2))
    lines: list[str] = []
    exploiters = best_response.Exploiters(trainer, lines.append)
    for _ in range(4):
        trainer.round(0.0)
        exploiters.follow()

    assert len(trainer.league.exploiters) == 2
    assert all(line.startswith("an exploiter wins ") for line in lines)
