"""The file of a trained network, with its card; `kernels.networks` reads it."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from mauerwerk.kernels.networks.network import REMEMBERED, VIEW
from mauerwerk.kernels.networks.safetensors import write
from mauerwerk.learn.network import POINTS, Weights
from mauerwerk.learn.plan import Plan


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
