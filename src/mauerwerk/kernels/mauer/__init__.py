"""The kernel of Die Mauer: what `kernels.contract` asks of a game."""

# pyright: reportUnusedImport=false

from collections.abc import Mapping
from typing import Final

from mauerwerk.kernels.mauer import advice, counts, memory
from mauerwerk.kernels.mauer.observation import OBSERVATION, features, observe, scored
from mauerwerk.kernels.mauer.packing import (
    actions,
    max_to_act,
    pack,
    pack_belief,
    pack_setup,
    random_setup,
    unpack,
)
from mauerwerk.kernels.mauer.rules import (
    HELD,
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

BENCHMARK: Final[Mapping[str, str]] = {}

AIM: Final = -1
"""The fewest points win (DM-28)."""
