"""The kernel of Burgbaumeister: what `kernels.contract` asks of a game."""

# pyright: reportUnusedImport=false

from collections.abc import Mapping
from typing import Final

from mauerwerk.kernels.burgbaumeister import advice, counts, memory
from mauerwerk.kernels.burgbaumeister.observation import OBSERVATION, features, observe, scored
from mauerwerk.kernels.burgbaumeister.packing import (
    actions,
    max_to_act,
    pack,
    pack_belief,
    pack_setup,
    random_setup,
    unpack,
)
from mauerwerk.kernels.burgbaumeister.rules import (
    BELIEF,
    REASONS,
    SETUP,
    STATE,
    allowed,
    apply,
    count,
    fill,
    legal,
    pick,
    points,
    rank,
    reason,
    start,
    to_act,
    turn,
)

BENCHMARK: Final[Mapping[str, str]] = {"variant": "yes"}

AIM: Final = 1
"""The most points win (BB-10, BB-20)."""
