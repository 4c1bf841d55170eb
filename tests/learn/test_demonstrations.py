"""What a teacher shows, and a network that imitates it."""

from typing import Any

import pytest
from tests.learn.support import MINIATURE, config_of, played

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES

torch: Any = pytest.importorskip("torch")

from mauerwerk.learn import imitation  # noqa: E402 - it needs PyTorch
from mauerwerk.learn.demonstrations import Demonstration, demonstrations  # noqa: E402
from mauerwerk.learn.env import VectorEnv  # noqa: E402
from mauerwerk.learn.trainer import Trainer  # noqa: E402

pytestmark = [pytest.mark.foreign, pytest.mark.kernels]


@pytest.mark.parametrize("remember", [False, True])
def test_a_demonstration_shows_what_a_network_would_see(remember: bool) -> None:  # noqa: FBT001
    """The same inputs and actions as in a batch, and only choices that are legal."""
    game = GAMES["burgbaumeister"]
    setup = Setup(2, game.OPTIONS())
    config = config_of(setup, name=game.NAME, remember=remember)
    shape = VectorEnv(game, setup, 8, 1, remember=remember).shape

    shown = imitation.joined(demonstrations(config, "uniform", 1), "cpu")

    assert shown.observations.shape == (len(shown.actions), shape.inputs)
    assert shown.masks.shape == shown.shares.shape == (len(shown.actions), shape.actions)
    assert shown.masks.gather(1, shown.actions[:, None]).all()
    assert shown.shares.gather(1, shown.actions[:, None]).all()
    assert torch.allclose(shown.returns[:, 0].sum(dim=1), torch.ones(len(shown.actions)))


def test_a_teacher_that_searches_says_what_it_thinks_of_each_action() -> None:
    """Shares of legal actions alone, which add up to 1; now and then it takes another."""
    game = GAMES["burgbaumeister"]
    config = config_of(Setup(2, game.OPTIONS()), name=game.NAME)

    shown = imitation.joined(demonstrations(config, "search:simulations=20", 2), "cpu")

    shares = shown.shares
    assert not shares[~shown.masks].any()
    assert torch.allclose(shares.float().sum(dim=1), torch.ones(len(shares)), atol=0.01)
    assert ((shares > 0).sum(dim=1) > 1).any()
    best = shares.argmax(dim=1) == shown.actions
    assert 0.6 < best.float().mean() < 1


def test_a_pupil_does_what_its_teacher_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A teacher who takes the last of the legal actions is soon understood."""
    monkeypatch.setattr(imitation, "EPOCHS", 20)
    torch.set_num_threads(1)
    trainer = Trainer(config_of(MINIATURE, steps=12))
    trainer.round(0.0)
    rows = played(trainer)
    last = rows.masks.shape[1] - 1 - rows.masks.flip(1).float().argmax(dim=1)
    returns = torch.stack((rows.win_targets, rows.point_targets), dim=1)
    shares = torch.nn.functional.one_hot(last, rows.masks.shape[1])
    shown = Demonstration(rows.inputs, rows.masks, last, returns, rows.seats, shares)

    same = imitation.learn_from(trainer.learner, shown, 3e-3)

    assert same > 0.9


def test_what_was_learnt_from_a_teacher_stays_a_rival() -> None:
    """It is kept when the network goes on."""
    torch.set_num_threads(1)
    config = config_of(MINIATURE, teacher="greedy", demonstrations=2, contested=0.5)
    trainer = Trainer(config)

    trainer.imitate()
    trainer.round(0.0)

    (pupil,) = trainer.league.standing
    assert not torch.equal(pupil.parameters["heads.bias"], trainer.network.parameters["heads.bias"])
