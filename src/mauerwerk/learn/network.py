"""A network that learns: tensors by their names in its file, and what it thinks of positions.

Two layers look at what a seat sees. Four heads say how likely each action is, which share of the
win and how many points each seat will have, and what others hold. Seats are counted clockwise from
the one that looks. `kernels.networks` computes the same without PyTorch.
"""

from importlib import import_module
from typing import Any, Final, NamedTuple, TypeAlias

torch: Any = import_module("torch")
Tensor: TypeAlias = Any
Weights: TypeAlias = dict[str, Tensor]

FORBIDDEN: Final = -1e9
"""The logit of what is impossible, so that its probability is exactly 0."""

LOWEST: Final = 1e-3
"""The temperature that stands in for 0, with which a player takes its likeliest action."""

POINTS: Final = 20.0
"""While it learns, the head of points counts in units of this many points."""


class Shape(NamedTuple):
    """How large a network is."""

    inputs: int
    actions: int
    seats: int
    """The most seats that the game can have."""
    secrets: int
    """How many things each other seat holds or does not hold; may be 0."""


class Opinion(NamedTuple):
    """What a network thinks, in a row for each observation."""

    log_probs: Tensor
    """The logarithm of the probability of each action."""
    wins: Tensor
    """The logarithm of each seat's share of the win."""
    points: Tensor
    """The points that each seat will have, in units of `POINTS`."""
    hidden: Tensor
    """For each other seat and each thing it may hold, the logit of the probability that it does."""


def begun(shape: Shape, widths: tuple[int, int]) -> Weights:
    """A network that knows nothing: all legal actions are about equally likely."""
    wide, narrow = widths
    heads = {"policy": shape.actions, "wins": shape.seats, "points": shape.seats}
    heads["hidden"] = (shape.seats - 1) * shape.secrets
    weights = {"scale": torch.ones(shape.inputs)}
    for name, inputs, outputs in (("body.0", shape.inputs, wide), ("body.1", wide, narrow)):
        weights[f"{name}.weight"] = torch.randn(inputs, outputs) * (2 / inputs) ** 0.5
        weights[f"{name}.bias"] = torch.zeros(outputs)
    for name, outputs in heads.items():
        if outputs:
            weights[f"{name}.weight"] = torch.randn(narrow, outputs) * 0.01
            weights[f"{name}.bias"] = torch.zeros(outputs)
    return weights


def learnable(weights: Weights) -> list[Tensor]:
    """The tensors that an optimiser changes: all but the scale of the inputs."""
    return [tensor for name, tensor in weights.items() if name != "scale"]


def moved(weights: Weights, device: str) -> Weights:
    """The same network on a device, as a copy of its own that can learn."""
    copies = {name: tensor.detach().clone().to(device) for name, tensor in weights.items()}
    for tensor in learnable(copies):
        tensor.requires_grad_()
    return copies


def approach(weights: Weights, other: Weights, share: float) -> None:
    """Move a network this share of the way towards another."""
    with torch.no_grad():
        for name, tensor in weights.items():
            tensor.lerp_(other[name], share)


def sharpened(weights: Weights, temperature: float) -> Weights:
    """A network that plays by its probabilities as this one does with a temperature."""
    sharper = dict(weights)
    for name in ("policy.weight", "policy.bias"):
        sharper[name] = weights[name].detach() / max(temperature, LOWEST)
    return sharper


def consider(weights: Weights, observations: Tensor, masks: Tensor, seats: Any) -> Opinion:  # noqa: ANN401
    """What the network thinks of these observations, at tables with this many seats.

    The number of seats is the same for all rows, or a column with one for each of them.
    """
    device = observations.device.type
    with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
        seen = torch.relu(_first_layer(weights, observations))
        thought = torch.relu(_layer(weights, "body.1", seen))
        policy, wins, points = (
            _layer(weights, name, thought) for name in ("policy", "wins", "points")
        )
        hidden = _layer(weights, "hidden", thought) if "hidden.bias" in weights else points[:, :0]
    playing = torch.arange(wins.shape[-1], device=wins.device) < seats
    return Opinion(
        torch.log_softmax(policy.float().masked_fill(~masks, FORBIDDEN), dim=-1),
        torch.log_softmax(wins.float().masked_fill(~playing, FORBIDDEN), dim=-1),
        points.float(),
        hidden.float(),
    )


def _first_layer(weights: Weights, observations: Tensor) -> Tensor:
    """Most inputs are zeros: a CPU only adds the rows of the others."""
    if observations.device.type != "cpu":
        return _layer(weights, "body.0", observations * weights["scale"])
    rows, inputs = observations.nonzero(as_tuple=True)
    numbers = observations[rows, inputs] * weights["scale"][inputs]
    ends = torch.bincount(rows, minlength=len(observations)).cumsum(dim=0)
    first = torch.cat((ends.new_zeros(1), ends))[:-1]
    bag = torch.nn.functional.embedding_bag
    summed = bag(inputs, weights["body.0.weight"], first, mode="sum", per_sample_weights=numbers)
    return summed + weights["body.0.bias"]


def _layer(weights: Weights, name: str, inputs: Tensor) -> Tensor:
    return inputs @ weights[f"{name}.weight"] + weights[f"{name}.bias"]


def drawn(log_probs: Tensor) -> Tensor:
    """Actions drawn by their probabilities, as the first of exponential clocks with these rates."""
    clocks = torch.empty_like(log_probs).exponential_().clamp_(min=1e-12)  # 0/0 would be chosen
    return (log_probs.exp() / clocks).argmax(dim=-1)
