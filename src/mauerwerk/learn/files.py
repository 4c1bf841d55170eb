"""What a training writes: checkpoints, and the network with its card, for `kernels.networks`.

A checkpoint holds all that is needed to go on, on any device: tensors are kept without padding.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import numpy as np

from mauerwerk.bots.net import temperature_of
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.kernels.networks.network import REMEMBERED, VIEW, load
from mauerwerk.kernels.networks.safetensors import read, write
from mauerwerk.learn.config import POINTS
from mauerwerk.learn.network import Network, Shape, Weights, from_weights

torch: Any = import_module("torch")

IN_POINTS = ("points.weight", "points.bias")
"""What counts in points in a file, and in units of `POINTS` while it is learnt."""


def save(path: Path, network: Network, card: Mapping[str, str]) -> None:
    """Write a network in numbers of 16 bits."""
    arrays = {name: tensor.float().cpu().numpy() for name, tensor in network.weights().items()}
    for name in IN_POINTS:
        arrays[name] = arrays[name] * POINTS
    narrow = {
        name: array if name == "scale" else array.astype(np.float16)
        for name, array in arrays.items()
    }
    new = path.with_name(f"{path.name}.new")
    write(new, narrow, card)
    new.replace(path)


def weights_in(path: Path) -> Weights:
    """The tensors of a network in a file, as it learns. Raises SetupError if it holds none."""
    arrays = read(path).arrays
    weights: Weights = {name: torch.from_numpy(array.copy()) for name, array in arrays.items()}
    for name in weights.keys() & set(IN_POINTS):
        weights[name] = weights[name] / POINTS
    return weights


def network_in(
    path: Path, game: AnyGame, setups: Sequence[Setup[Any]], shape: Shape, device: str
) -> Network:
    """The network in a file. Raises SetupError if it is for other games, or sees more than is here.

    One that does not remember plays where others do: what it sees comes first.
    """
    found = load(path)
    for setup in setups:
        found.refuse(game, setup)
    if len(found.weights.scale) > shape.inputs:
        raise SetupError(f"{path} holds a network of another shape")
    return from_weights(shape, weights_in(path), device)


def rival_in(
    path: Path, game: AnyGame, setups: Sequence[Setup[Any]], shape: Shape, device: str
) -> Network:
    """The network in a file, as its bot plays. Raises SetupError if it cannot play here."""
    network = network_in(path, game, setups, shape, device)
    return network.sharpened(temperature_of(load(path), game, setups[0]))


def card_of(
    game: AnyGame, setups: Sequence[Setup[Any]], network: Network, *, remember: bool
) -> dict[str, str]:
    """What a network is for."""
    seats = sorted({setup.seats for setup in setups})
    lookup = network.shape.lookup
    return {
        "game": game.NAME,
        "revision": str(game.RULES),
        "observation": REMEMBERED if remember else VIEW,
        "inputs": str(network.shape.inputs),
        "actions": str(network.shape.actions),
        "seats": f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else str(seats[0]),
        **({"lookup": " ".join(map(str, lookup))} if lookup else {}),
    }


def save_checkpoint(path: Path, state: Mapping[str, Any]) -> None:
    """Write a checkpoint so that no half of one is ever there."""
    new = path.with_name(f"{path.name}.new")
    torch.save(dict(state), new)
    new.replace(path)


def load_checkpoint(path: Path) -> dict[str, Any]:
    """What was written. Raises SetupError if it is no checkpoint."""
    try:
        state: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, EOFError, RuntimeError, UnpicklingError) as fault:
        raise SetupError(f"{path} holds no training that can go on") from fault
    return state
