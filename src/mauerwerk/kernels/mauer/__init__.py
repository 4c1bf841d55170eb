"""The kernel of Die Mauer: what `kernels.contract` asks of a game."""

# pyright: reportUnusedImport=false

from collections.abc import Mapping
from typing import Final

from mauerwerk.kernels.mauer import advice, counts, memory
from mauerwerk.kernels.mauer.bounds import FIXED, tops
from mauerwerk.kernels.mauer.meanings import MEANINGS
from mauerwerk.kernels.mauer.records import (
    HELD,
    REASONS,
    SETUP,
    STATE,
    actions,
    any_setup,
    at_once,
    believed,
    features,
    layout,
    pack,
    prepare,
    scored,
    unpack,
)
from mauerwerk.kernels.mauer.rules import (
    allowed,
    apply,
    count,
    fill,
    legal,
    observe,
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
