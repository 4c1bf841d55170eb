"""Imitation: a network learns what a teacher does, and what came of it."""

from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final

import numpy as np

from mauerwerk.learn.config import Config
from mauerwerk.learn.demonstrations import Demonstration, demonstrations
from mauerwerk.learn.network import FORBIDDEN, Network, Tensor, policy_log_probs
from mauerwerk.learn.ppo import Learner, Minibatch
from mauerwerk.learn.rollout import advantages

torch: Any = import_module("torch")

EPOCHS: Final = 4
"""How often each decision of a teacher is learnt."""
ROWS: Final = 512
"""How many of them are learnt at a time."""
HELD_BACK: Final = 20
"""One of the teacher's decisions in this many is held back, to test what was learnt."""


def joined(parts: Iterable[Demonstration], device: str) -> Demonstration:
    """Several demonstrations as one, in tensors on a device."""
    columns = zip(*parts, strict=True)
    return Demonstration(*(torch.as_tensor(np.concatenate(each)).to(device) for each in columns))


def imitate(learner: Learner, config: Config) -> float:
    """Learn from the teacher of a configuration; how often the network would do the same then."""
    assert config.teacher is not None
    played = demonstrations(config, config.teacher, config.demonstrations)
    return learn_from(learner, joined(played, config.device), config.learning_rate)


def learn_from(learner: Learner, shown: Demonstration, learning_rate: float) -> float:
    """Learn what a teacher does and what came of it; how often the network would do the same then.

    That share is of decisions that were not learnt from. The same is what the teacher thinks best.
    """
    network = learner.network
    order = torch.randperm(len(shown.actions), device=shown.actions.device)
    held_back, seen = order.tensor_split([-(-len(order) // HELD_BACK)])
    steps = EPOCHS * -(-len(seen) // ROWS)
    step = 0
    for _ in range(EPOCHS):
        shuffled = seen[torch.randperm(len(seen), device=seen.device)]
        for rows in shuffled.split(ROWS):
            learner.schedule(learning_rate * (1 - step / steps), 0.0)
            heads, gradient = _gradient(network, Demonstration(*(f[rows] for f in shown)))
            learner.descend(heads, gradient)
            step += 1
    correct = 0
    for rows in held_back.split(1 << 14):
        some = Demonstration(*(field[rows] for field in shown))
        with torch.no_grad():
            heads = network.heads(network.encode(some.observations))
        likeliest = policy_log_probs(network.shape, heads, some.masks).argmax(dim=-1)
        correct += int((likeliest == some.shares.argmax(dim=-1)).sum())
    return correct / len(held_back)


def _gradient(network: Network, rows: Demonstration) -> tuple[Tensor, Tensor]:
    """The heads, and their gradient for imitating what was done and predicting how games end."""
    shape = network.shape
    heads = network.heads(network.encode(rows.observations))
    leaf = heads.detach().requires_grad_()
    log_probs = policy_log_probs(shape, leaf, rows.masks)
    same = -(rows.shares.float() * log_probs).sum(dim=-1).mean()
    plays = torch.arange(shape.seats, device=leaf.device) < rows.seats[:, None]
    wins = leaf[:, shape.columns_of("wins")].float().masked_fill(~plays, FORBIDDEN)
    win_loss = -(rows.returns[:, 0] * torch.log_softmax(wins, dim=-1)).sum(dim=-1).mean()
    points = leaf[:, shape.columns_of("points")].float()
    off = torch.nn.functional.smooth_l1_loss(points, rows.returns[:, 1], reduction="none")
    points_loss = (off * plays).sum() / plays.sum()
    total = same + 0.5 * win_loss + points_loss
    return heads, torch.autograd.grad(total, leaf)[0]


def minibatch_of(shown: Demonstration, network: Network, aim: int, config: Config) -> Minibatch:
    """Decisions of a network, whose games are over, as a minibatch for PPO."""
    with torch.no_grad():
        inputs = network.encode(shown.observations)
        heads = network.heads(inputs)
    log_probs = policy_log_probs(network.shape, heads, shown.masks)
    shape, rows = network.shape, len(shown.actions)
    plays = torch.arange(shape.seats, device=heads.device) < shown.seats[:, None]
    wins = heads[:, shape.columns_of("wins")].float().masked_fill(~plays, FORBIDDEN)
    points = heads[:, shape.columns_of("points")].float()
    predicted = torch.stack((torch.softmax(wins, dim=-1), points), dim=1)
    seats = int(shown.seats[0])
    better = advantages(
        shown.returns[..., :seats], predicted[..., :seats], aim, config.points_weight
    )
    ones = torch.ones(rows, device=heads.device)
    return Minibatch(
        inputs=inputs,
        masks=shown.masks,
        actions=shown.actions,
        log_probs=log_probs.gather(-1, shown.actions[:, None])[:, 0],
        advantages=(better - better.mean()) / (better.std() + 1e-6),
        policy_weights=ones,
        value_weights=ones,
        seats=shown.seats,
        win_targets=shown.returns[:, 0].contiguous(),
        point_targets=shown.returns[:, 1].contiguous(),
        hands=torch.zeros(
            rows, shape.seats - 1 if shape.hidden else 0, dtype=torch.int64, device=heads.device
        ),
    )
