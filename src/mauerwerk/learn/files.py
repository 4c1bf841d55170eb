"""The file of a trained network, with its card; `kernels.networks` reads it."""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from mauerwerk.kernels.networks.network import REMEMBERED, VIEW
from mauerwerk.kernels.networks.safetensors import read, write
from mauerwerk.learn.network import POINTS, Weights
from mauerwerk.learn.plan import Plan

torch: Any = import_module("torch")


def save(path: Path, weights: Weights, card: Mapping[str, str]) -> None:
    """Write a network in numbers of 16 bits. The head of points then counts in points."""
    arrays = {name: tensor.detach().float().cpu().numpy() for name, tensor in weights.items()}
    for name in ("points.weight", "points.bias"):
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
    for name in {"points.weight", "points.bias"} & weights.keys():
        weights[name] = weights[name] / POINTS
    return weights


def card_of(plan: Plan, weights: Weights) -> dict[str, str]:
    """What a network is for."""
    seats = sorted({setup.seats for setup in plan.setups})
    return {
        "game": plan.game.NAME,
        "revision": str(plan.game.RULES),
        "observation": REMEMBERED if plan.remember else VIEW,
        "inputs": str(len(weights["scale"])),
        "actions": str(len(weights["policy.bias"])),
        "seats": f"{seats[0]}-{seats[-1]}" if len(seats) > 1 else str(seats[0]),
    }
