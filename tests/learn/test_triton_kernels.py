"""The fused kernels compute what plain PyTorch does; without a GPU, Triton interprets them."""

import os
from typing import Any

import pytest

torch: Any = pytest.importorskip("torch")
if not torch.cuda.is_available():
    os.environ["TRITON_INTERPRET"] = "1"
pytest.importorskip("triton")

from mauerwerk.core.game import Setup  # noqa: E402
from mauerwerk.games import GAMES  # noqa: E402
from mauerwerk.kernels.observation import Lookup  # noqa: E402
from mauerwerk.learn import ppo, triton_kernels  # noqa: E402
from mauerwerk.learn.config import Config  # noqa: E402
from mauerwerk.learn.network import Shape  # noqa: E402

pytestmark = [pytest.mark.foreign, pytest.mark.kernels]

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS = 37
SHAPES = {
    "few actions": Shape(inputs=30, actions=24, seats=6, hidden=7, align=64),
    "many actions": Shape(inputs=30, actions=585, seats=4, hidden=30, align=64),
    "nothing hidden": Shape(inputs=30, actions=94, seats=4, hidden=0, align=64),
}


def rows_of(shape: Shape) -> tuple[ppo.Minibatch, Any]:
    """Random rows, some without weights and without legal actions, and what holds what."""
    torch.manual_seed(1)
    masks = torch.rand(ROWS, shape.actions) < 0.3
    masks[:, 3] = True
    masks[5] = False
    policy_weights, value_weights = (torch.rand(2, ROWS) < 0.8).float()
    policy_weights[5] = 0
    actions = (torch.rand(ROWS, shape.actions) * masks).argmax(dim=1).int()
    seats = torch.randint(2, shape.seats + 1, (ROWS,), dtype=torch.int32)
    plays = torch.arange(shape.seats) < seats[:, None]
    wins = torch.softmax(torch.randn(ROWS, shape.seats).masked_fill(~plays, -1e9), dim=1)
    others = shape.seats - 1 if shape.hidden else 0
    held = 1 << torch.arange(max(shape.hidden, 1))
    rows = ppo.Minibatch(
        inputs=torch.zeros(ROWS, 1),
        masks=masks,
        actions=actions,
        log_probs=-2 * torch.rand(ROWS),
        advantages=torch.randn(ROWS),
        policy_weights=policy_weights,
        value_weights=value_weights,
        seats=seats,
        win_targets=wins,
        point_targets=torch.randn(ROWS, shape.seats) * 2,
        hands=torch.randint(0, 1 << 30, (ROWS, others)),
    )
    return ppo.Minibatch(*(field.to(DEVICE) for field in rows)), held.to(DEVICE)


@pytest.mark.parametrize("magnet", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_loss_and_gradient_are_those_of_pytorch(name: str, magnet: bool) -> None:  # noqa: FBT001
    """Every statistic, and the gradient of every column of the heads."""
    shape, game = SHAPES[name], GAMES["mauer"]
    rows, held = rows_of(shape)
    heads, other = torch.randn(2, ROWS, shape.columns, device=DEVICE)
    norms = 1 / torch.stack((rows.policy_weights.sum(), rows.value_weights.sum()))
    coefficients = torch.tensor([0.03, 0.2], device=DEVICE)
    config = Config(game=game, setups=[Setup(3, game.OPTIONS())])
    given = (other if magnet else None, rows, held, norms, coefficients, config)
    leaf = heads.clone().requires_grad_()
    loss, statistics = ppo.loss(shape, leaf, *given)
    loss.backward()

    found, gradient = triton_kernels.loss_and_gradient(shape, heads, *given)

    assert torch.allclose(found, statistics, rtol=1e-4, atol=1e-5)
    assert torch.allclose(gradient, leaf.grad, rtol=1e-3, atol=1e-7)
    assert leaf.grad.abs().sum() > 0


def test_actions_are_sampled_by_their_probabilities() -> None:
    """Legal ones alone, and each with the logarithm of its probability."""
    shape, rows = SHAPES["few actions"], 4000
    heads = torch.randn(1, shape.columns, device=DEVICE).repeat(rows, 1)
    masks = torch.zeros(rows, shape.actions, dtype=torch.bool, device=DEVICE)
    masks[:, [1, 5, 6, 23]] = True
    actions = torch.zeros(rows, dtype=torch.int32, device=DEVICE)
    log_probs = torch.zeros(rows, device=DEVICE)
    counter = torch.tensor(7, dtype=torch.int64, device=DEVICE)

    triton_kernels.sample(heads, masks, counter, actions, log_probs)
    first = actions.clone()
    triton_kernels.sample(heads, masks, counter + 1, actions, log_probs)

    logits = heads[:, : shape.actions].masked_fill(~masks, -1e9)
    every = torch.log_softmax(logits, dim=1)
    chosen = every.gather(1, actions.long()[:, None])[:, 0]
    shares = torch.bincount(actions, minlength=shape.actions) / rows
    assert torch.allclose(log_probs, chosen, atol=1e-4)
    assert torch.allclose(shares, every[0].exp(), atol=0.04)
    assert 0.1 < (first == actions).float().mean() < 0.9


def test_observations_are_encoded_twice() -> None:
    """Once in a row, and once where a minibatch keeps them; padding stays 0."""
    seen = torch.randint(0, 90, (12, 30), dtype=torch.int16, device=DEVICE)
    scale = torch.rand(30, device=DEVICE)
    out, kept = (torch.ones(*size, device=DEVICE) for size in ((12, 64), (3, 9, 64)))

    shape = SHAPES["few actions"]
    triton_kernels.encode(shape, seen, scale, out, kept[:, 2:6])

    assert torch.allclose(out[:, :30], seen * scale)
    assert not out[:, 30:].any()
    assert torch.equal(kept[:, 2:6].flatten(0, 1), out)
    assert (kept[:, :2] == 1).all()
    assert (kept[:, 6:] == 1).all()


def test_what_is_looked_up_is_encoded_last() -> None:
    """Behind what the first layer reads and its padding, as the network itself encodes it."""
    shape = Shape(30, 24, 6, 0, align=64, lookup=Lookup(2, 7, 5, 3))
    seen = torch.randint(0, 90, (12, 30), dtype=torch.int16, device=DEVICE)
    scale = torch.rand(30, device=DEVICE)
    out, kept = (torch.ones(*size, 128, device=DEVICE) for size in ((12,), (1, 12)))

    triton_kernels.encode(shape, seen, scale, out, kept)

    scaled = seen * scale
    assert torch.allclose(out[:, :15], torch.cat((scaled[:, :7], scaled[:, 22:]), dim=1))
    assert torch.allclose(out[:, 64:79], seen[:, 7:22].float())
    assert not out[:, 15:64].any()
    assert not out[:, 79:].any()
