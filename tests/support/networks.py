"""Networks that know nothing, and their files."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy import int64

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels import contract
from mauerwerk.kernels.contract import Array, compiled
from mauerwerk.kernels.networks import forward
from mauerwerk.kernels.networks.network import REMEMBERED, VIEW, Network, network_of
from mauerwerk.kernels.networks.safetensors import Tensors, write
from mauerwerk.kernels.observation import lookup_of, spec_of


def blank(
    game: AnyGame,
    setup: Setup[Any],
    units: tuple[int, int],
    *,
    remember: bool = False,
    looks_up: bool = False,
) -> Network:
    """A network for such games that has learnt nothing: all its weights are 0."""
    inputs = spec_of(game, remember=remember).width(setup)
    actions = len(game.choices(setup))
    first, second = units
    most = game.SEATS[-1]
    layers = {"body.0": (inputs, first), "body.1": (first, second), "policy": (second, actions)}
    layers |= {"wins": (second, most), "points": (second, most)}
    arrays: dict[str, Any] = {"scale": np.ones(inputs, np.float32)}
    for name, shape in layers.items():
        arrays[f"{name}.weight"] = np.zeros(shape, np.float32)
        arrays[f"{name}.bias"] = np.zeros(shape[1], np.float32)
    card = {
        "game": game.NAME,
        "revision": str(game.RULES),
        "observation": REMEMBERED if remember else VIEW,
        "inputs": str(inputs),
        "actions": str(actions),
        "seats": f"{game.SEATS[0]}-{most}",
    }
    if looks_up:
        lookup = lookup_of(game, remember=remember)
        assert lookup is not None
        arrays["body.0.weight"] = np.zeros((inputs - lookup.size, first), np.float32)
        arrays["lookup.weight"] = np.zeros((second, lookup.kinds), np.float32)
        arrays["lookup.bias"] = np.zeros(lookup.kinds, np.float32)
        card["lookup"] = " ".join(map(str, lookup))
    return network_of(Tensors(arrays, card))


def drawn(
    game: AnyGame, setup: Setup[Any], *, remember: bool = False, looks_up: bool = False
) -> Network:
    """A small network with weights drawn at random."""
    network = blank(game, setup, (16, 10), remember=remember, looks_up=looks_up)
    draw = np.random.default_rng(1)
    for array in network.weights:
        array[...] = draw.normal(0, 0.3, array.shape)
    return network


def saved(path: Path, network: Network, **changes: str) -> Path:
    """A file of this network, with its card changed."""
    weights = network.weights
    layers = {
        "body.0": (weights.first, weights.first_bias),
        "body.1": (weights.second, weights.second_bias),
        "policy": (weights.policy.T, weights.policy_bias),
        "wins": (weights.wins, weights.wins_bias),
        "points": (weights.points, weights.points_bias),
    }
    if network.lookup:
        layers["lookup"] = weights.lookup, weights.lookup_bias
    arrays: dict[str, Any] = {"scale": weights.scale}
    for name, (weight, bias) in layers.items():
        arrays |= {f"{name}.weight": np.float16(weight), f"{name}.bias": np.float16(bias)}
    write(path, arrays, {**network.card, **changes})
    return path


@compiled
def forward_all(  # noqa: PLR0913, PLR0917 - compiled functions take arrays
    inference: forward.Inference,
    setups: Array,
    states: Array,
    seats: Array,
    logits: Array,
    shares: Array,
) -> None:
    """What the network predicts for each position: the choices of one seat, and every win.

    Logits of actions that are not legal stay as they are.
    """
    for place in range(states.shape[0]):
        seat = int64(seats[place])
        forward.forward(inference, setups[0], states[place], seat)
        for ticket in range(contract.count(setups[0], states[place], seat)):
            action = contract.pick(setups[0], states[place], seat, ticket)
            logits[place, action] = forward.logit(inference, action)
        forward.predict_wins(inference, setups[0], seat)
        for each in range(setups[0].seats):
            shares[place, each] = inference.activations[inference.offsets[forward.SHARES] + each]
