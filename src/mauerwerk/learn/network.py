"""The network: two layers and four heads, and what they say about positions.

The heads say how likely each action is, which share of the win and how many points each seat will
have, and what others hold. Seats are counted clockwise from the one that looks. They are columns of
one matrix, so that one product computes them all. `kernels.networks` computes the same without
PyTorch, from files in which each head has a matrix of its own.

Where a game has a `Lookup`, a fifth head says what each kind of thing is worth, and that is added
to the logits of the actions at whose places it lies. Nothing else reads what lies where.

On a GPU layers are computed in bf16, and their sizes are padded so that rows are aligned.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final, NamedTuple, TypeAlias

from mauerwerk.kernels.observation import Lookup

torch: Any = import_module("torch")
Tensor: TypeAlias = Any
Weights: TypeAlias = dict[str, Tensor]
"""Tensors by their names in a network's file."""

FORBIDDEN: Final = -1e9
"""The logit of what is impossible, so that its probability is exactly 0."""

LOWEST: Final = 1e-3
"""The temperature that stands in for 0, with which a player takes its likeliest action."""

DENSE: Final = 0.15
"""Where more than this share of inputs is not 0, a CPU is faster if it multiplies all of them."""

HEADS: Final = ("policy", "wins", "points", "hidden")
IN_FILES: Final = (*HEADS, "lookup")
"""The heads that have a matrix of their own in a file."""


class Shape(NamedTuple):
    """How large a network is, and where its heads are."""

    inputs: int
    actions: int
    seats: int
    """The most seats that the game can have."""
    hidden: int
    """How many things each other seat holds or does not hold; may be 0."""
    align: int = 1
    """Inputs, and the columns of the heads, are padded to multiples of this."""
    lookup: Lookup | None = None

    @property
    def body_inputs(self) -> int:
        """The inputs of the first layer: all that are not looked up."""
        return self.inputs - (self.lookup.size if self.lookup else 0)

    @property
    def padded_body(self) -> int:
        """The same with padding."""
        return _padded(self.body_inputs, self.align)

    @property
    def padded_inputs(self) -> int:
        """All inputs with padding; encoded, those that are looked up come last."""
        return self.padded_body + _padded(self.inputs - self.body_inputs, self.align)

    @property
    def all_columns(self) -> int:
        """The columns of the heads, and behind them what kinds of things are worth."""
        return self.columns + _padded(self.lookup.kinds if self.lookup else 0, min(self.align, 8))

    @property
    def wins_at(self) -> int:
        """The first column of the shares of the win; logits of actions come before."""
        return _padded(self.actions, min(self.align, 8))

    @property
    def points_at(self) -> int:
        """The first column of the points."""
        return self.wins_at + self.seats

    @property
    def hidden_at(self) -> int:
        """The first column of what others hold."""
        return self.points_at + self.seats

    @property
    def labels(self) -> int:
        """How many columns say what others hold."""
        return (self.seats - 1) * self.hidden

    @property
    def columns(self) -> int:
        """All columns of the heads, with padding."""
        return _padded(self.hidden_at + self.labels, min(self.align, 8))

    def columns_of(self, head: str) -> slice:
        """The columns of one head."""
        begin, size = {
            "policy": (0, self.actions),
            "wins": (self.wins_at, self.seats),
            "points": (self.points_at, self.seats),
            "hidden": (self.hidden_at, self.labels),
            "lookup": (self.columns, self.lookup.kinds if self.lookup else 0),
        }[head]
        return slice(begin, begin + size)


def _padded(size: int, align: int) -> int:
    return -(-size // align) * align


class PolicyOutput(NamedTuple):
    """What a network says, in a row for each observation."""

    log_probs: Tensor
    """The logarithm of the probability of each action."""
    wins: Tensor
    """The logarithm of each seat's share of the win."""
    points: Tensor
    """The points that each seat will have, in units of `POINTS`."""
    hidden: Tensor
    """For each other seat and each thing it may hold, the logit of the probability that it does."""


class Network:
    """The parameters of a network, and what it computes from encoded observations."""

    def __init__(self, shape: Shape, parameters: Weights, scale: Tensor) -> None:
        """`parameters` are both layers, `body.0` and `body.1`, and the joined `heads`."""
        self.shape, self.parameters, self.scale = shape, parameters, scale

    @property
    def widths(self) -> tuple[int, int]:
        """The units of both layers."""
        return len(self.parameters["body.0.bias"]), len(self.parameters["body.1.bias"])

    def encode(self, observations: Tensor, out: Tensor | None = None) -> Tensor:
        """Observations as the network reads them: on a GPU scaled, in bf16, with padding."""
        if self.scale.device.type == "cpu":
            return observations if out is None else out.copy_(observations)
        rows: Tensor = out
        if out is None:
            size = (*observations.shape[:-1], self.shape.padded_inputs)
            rows = torch.zeros(size, dtype=torch.bfloat16, device=observations.device)
        body = self.outside_lookup(observations * self.scale)
        rows[..., : body.shape[-1]] = body
        if (lookup := self.shape.lookup) is not None:
            begin = self.shape.padded_body
            rows[..., begin : begin + lookup.size] = observations[..., lookup.features]
        return rows

    def outside_lookup(self, rows: Tensor) -> Tensor:
        """Of numbers for each input, those that the first layer reads."""
        if (lookup := self.shape.lookup) is None:
            return rows
        there = lookup.features
        return torch.cat((rows[..., : there.start], rows[..., there.stop :]), dim=-1)

    def heads(self, inputs: Tensor) -> Tensor:
        """All columns of the heads for encoded observations, in rows."""
        kind = inputs.dtype if inputs.is_floating_point() else torch.float32
        weights = {name: tensor.to(kind) for name, tensor in self.parameters.items()}
        if inputs.device.type == "cpu":
            body, scale = self.outside_lookup(inputs), self.outside_lookup(self.scale)
            first = _first_layer(weights, scale, body)
        else:
            body = inputs[:, : self.shape.padded_body]
            first = torch.addmm(weights["body.0.bias"], body, weights["body.0.weight"])
        hidden = torch.relu(first)
        hidden = torch.relu(torch.addmm(weights["body.1.bias"], hidden, weights["body.1.weight"]))
        heads = torch.addmm(weights["heads.bias"], hidden, weights["heads.weight"])
        return (
            heads if self.shape.lookup is None else self._look_up(self.shape.lookup, heads, inputs)
        )

    def _look_up(self, lookup: Lookup, heads: Tensor, inputs: Tensor) -> Tensor:
        """Add to the logit of each place what the kind that lies there is worth."""
        on_cpu = inputs.device.type == "cpu"
        begin = lookup.feature if on_cpu else self.shape.padded_body
        lying = inputs[:, begin : begin + lookup.size].to(heads.dtype)
        lying = lying.unflatten(1, (lookup.places, lookup.kinds))
        worth = heads[:, self.shape.columns_of("lookup"), None]
        begin, end = lookup.action, lookup.action + lookup.places
        logits = heads[:, begin:end] + torch.bmm(lying, worth)[..., 0]
        return torch.cat((heads[:, :begin], logits, heads[:, end : self.shape.columns]), dim=1)

    def forward(self, observations: Tensor, masks: Tensor, seats: int) -> PolicyOutput:
        """What the network says about observations at tables with this many seats."""
        return self.output(self.heads(self.encode(observations)), masks, seats)

    def output(self, heads: Tensor, masks: Tensor, seats: int) -> PolicyOutput:
        """The heads one by one; `wins` has columns for those who play alone."""
        shape = self.shape
        wins, points, hidden = (heads[..., shape.columns_of(head)].float() for head in HEADS[1:])
        return PolicyOutput(
            policy_log_probs(shape, heads, masks),
            torch.log_softmax(wins[..., :seats], dim=-1),
            points[..., :seats],
            hidden,
        )

    def copy(self, kind: Any = None, *, learns: bool = False) -> "Network":  # noqa: ANN401
        """The same network with parameters of its own, of this dtype."""
        copies = {
            name: tensor.detach().to(kind or tensor.dtype, copy=True).requires_grad_(learns)
            for name, tensor in self.parameters.items()
        }
        return Network(self.shape, copies, self.scale)

    def load(self, other: "Network") -> None:
        """Become equal to another network of the same shape, in place."""
        with torch.no_grad():
            for name, tensor in self.parameters.items():
                tensor.copy_(other.parameters[name])

    def ema_update(self, other: "Network", share: float) -> None:
        """Move this share of the way towards another network."""
        with torch.no_grad():
            for name, tensor in self.parameters.items():
                tensor.lerp_(other.parameters[name].to(tensor.dtype), share)

    def sharpened(self, temperature: float) -> "Network":
        """A network that samples as this one does with a temperature."""
        sharp = self.copy()
        for name in ("heads.weight", "heads.bias"):
            for head in ("policy", "lookup"):
                columns = self.shape.columns_of(head)
                sharp.parameters[name][..., columns] /= max(temperature, LOWEST)
        return sharp

    def rescaled(self, scale: Tensor) -> "Network":
        """A network that says the same about observations that are encoded with another scale."""
        other = Network(self.shape, self.copy().parameters, scale)
        factors = self.outside_lookup(self.scale / scale)[:, None]
        first = other.parameters["body.0.weight"]
        first[: self.shape.body_inputs] *= factors.to(first.dtype)
        return other

    def widened(self, widths: tuple[int, int]) -> "Network":
        """A network that says the same, and has at least this many units to learn with."""
        first, second = self.widths
        wide = init(self.shape, (max(first, widths[0]), max(second, widths[1])), self.scale)
        new, own = wide.parameters, {n: each.detach() for n, each in self.parameters.items()}
        new["body.0.weight"][:, :first] = own["body.0.weight"]
        new["body.0.bias"][:first] = own["body.0.bias"]
        new["body.1.weight"][:, :second] = 0
        new["body.1.weight"][:first, :second] = own["body.1.weight"]
        new["body.1.bias"][:second] = own["body.1.bias"]
        new["heads.weight"][second:] = 0
        new["heads.weight"][:second] = own["heads.weight"]
        new["heads.bias"][:] = own["heads.bias"]
        return wide

    def weights(self) -> Weights:
        """The tensors of its file: each head for itself, nothing padded."""
        weights = {name: tensor.detach() for name, tensor in self.parameters.items()}
        heads, biases = weights.pop("heads.weight"), weights.pop("heads.bias")
        weights["body.0.weight"] = weights["body.0.weight"][: self.shape.body_inputs]
        for head in IN_FILES:
            columns = self.shape.columns_of(head)
            if columns.stop > columns.start:
                weights[f"{head}.weight"], weights[f"{head}.bias"] = (
                    heads[:, columns],
                    biases[columns],
                )
        return {"scale": self.scale.float(), **weights}


def _first_layer(weights: Weights, scale: Tensor, observations: Tensor) -> Tensor:
    """The first layer on a CPU. Where few inputs are not 0, only their rows are added."""
    weight, bias = weights["body.0.weight"], weights["body.0.bias"]
    if observations.count_nonzero() > DENSE * observations.numel():
        return torch.addmm(bias, observations * scale, weight)
    rows, inputs = observations.nonzero(as_tuple=True)
    numbers = observations[rows, inputs] * scale[inputs]
    ends = torch.bincount(rows, minlength=len(observations)).cumsum(dim=0)
    first = torch.cat((ends.new_zeros(1), ends))[:-1]
    bag = torch.nn.functional.embedding_bag
    return bag(inputs, weight, first, mode="sum", per_sample_weights=numbers) + bias


def init(shape: Shape, widths: tuple[int, int], scale: Tensor) -> Network:
    """A network that knows nothing: all legal actions are about equally likely."""
    wide, narrow = widths
    weights: Weights = {}
    for name, inputs, outputs in (("body.0", shape.body_inputs, wide), ("body.1", wide, narrow)):
        weights[f"{name}.weight"] = torch.randn(inputs, outputs) * (2 / inputs) ** 0.5
        weights[f"{name}.bias"] = torch.zeros(outputs)
    for head in IN_FILES:
        columns = shape.columns_of(head)
        weights[f"{head}.weight"] = torch.randn(narrow, columns.stop - columns.start) * 0.01
        weights[f"{head}.bias"] = torch.zeros(columns.stop - columns.start)
    if shape.lookup is None:
        del weights["lookup.weight"], weights["lookup.bias"]
    return from_weights(shape, {"scale": scale, **weights}, scale.device)


def from_weights(shape: Shape, weights: Mapping[str, Tensor], device: Any) -> Network:  # noqa: ANN401
    """The network with these tensors. It may see less than `shape` has: the rest has weights of 0.

    Heads that are missing, or have fewer columns, know nothing there. A network without a head for
    what is looked up reads all inputs in its first layer.
    """
    if "lookup.bias" not in weights:
        shape = shape._replace(lookup=None)
    there = {name: tensor.detach().float().to(device) for name, tensor in weights.items()}
    wide, narrow = len(there["body.0.bias"]), len(there["body.1.bias"])
    parameters: Weights = {
        "body.0.weight": torch.zeros(shape.padded_body, wide, device=device),
        "body.0.bias": there["body.0.bias"].clone(),
        "body.1.weight": there["body.1.weight"].clone(),
        "body.1.bias": there["body.1.bias"].clone(),
        "heads.weight": torch.zeros(narrow, shape.all_columns, device=device),
        "heads.bias": torch.zeros(shape.all_columns, device=device),
    }
    inputs = len(there["body.0.weight"])
    parameters["body.0.weight"][:inputs] = there["body.0.weight"]
    for head in IN_FILES:
        if f"{head}.bias" in there:
            begin = shape.columns_of(head).start
            columns = slice(begin, begin + len(there[f"{head}.bias"]))
            parameters["heads.weight"][:, columns] = there[f"{head}.weight"]
            parameters["heads.bias"][columns] = there[f"{head}.bias"]
    scale = torch.ones(shape.inputs, device=device)
    scale[: len(there["scale"])] = there["scale"]
    return Network(shape, parameters, scale)


def policy_log_probs(shape: Shape, heads: Tensor, masks: Tensor) -> Tensor:
    """The logarithm of the probability of each action."""
    logits = heads[..., shape.columns_of("policy")].float()
    return torch.log_softmax(logits.masked_fill(~masks, FORBIDDEN), dim=-1)


def sample(log_probs: Tensor) -> Tensor:
    """Actions by their probabilities."""
    if log_probs.device.type == "cpu":
        below = torch.softmax(log_probs, dim=-1).cumsum(dim=-1)
        drawn = torch.rand(*log_probs.shape[:-1], 1) * below[..., -1:]
        return torch.searchsorted(below, drawn, right=True)[..., 0]
    # A GPU adds in an order that could let an impossible action through: exponential clocks.
    clocks = torch.empty_like(log_probs).exponential_().clamp_(min=1e-12)  # 0/0 would be chosen
    return (log_probs.exp() / clocks).argmax(dim=-1)
