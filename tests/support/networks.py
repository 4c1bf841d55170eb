"""Networks that know nothing, and their files."""

from pathlib import Path
from typing import Any

import numpy as np

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels.networks.network import Network, blank
from mauerwerk.kernels.networks.safetensors import write


def drawn(game: AnyGame, setup: Setup[Any], *, remember: bool = False) -> Network:
    """A small network with weights drawn at random."""
    network = blank(game, setup, (16, 10), remember=remember)
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
    arrays: dict[str, Any] = {"scale": weights.scale}
    for name, (weight, bias) in layers.items():
        arrays |= {f"{name}.weight": np.float16(weight), f"{name}.bias": np.float16(bias)}
    write(path, arrays, {**network.card, **changes})
    return path
