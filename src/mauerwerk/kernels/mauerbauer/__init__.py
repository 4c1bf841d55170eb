"""The kernel of Mauerbauer: what `kernels.contract` asks of a game."""

# pyright: reportUnusedImport=false

from collections.abc import Mapping
from typing import Final

from mauerwerk.kernels.mauerbauer import advice, counts, memory
from mauerwerk.kernels.mauerbauer.bounds import FIXED, tops
from mauerwerk.kernels.mauerbauer.building import start
from mauerwerk.kernels.mauerbauer.host import (
    actions,
    any_setup,
    at_once,
    believed,
    features,
    layout,
    prepare,
    scored,
)
from mauerwerk.kernels.mauerbauer.meanings import MEANINGS
from mauerwerk.kernels.mauerbauer.packing import pack, unpack
from mauerwerk.kernels.mauerbauer.records import HELD, REASONS, SETUP, STATE
from mauerwerk.kernels.mauerbauer.rules import (
    allowed,
    apply,
    count,
    legal,
    pick,
    points,
    rank,
    reason,
    to_act,
    turn,
)
from mauerwerk.kernels.mauerbauer.sight import fill, observe

BENCHMARK: Final[Mapping[str, str]] = {}

AIM: Final = 1
"""The most points win (MB-73)."""
