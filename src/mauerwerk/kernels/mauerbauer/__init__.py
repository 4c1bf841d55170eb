"""The kernel of Mauerbauer: what `kernels.contract` asks of a game."""

# pyright: reportUnusedImport=false

from collections.abc import Mapping
from typing import Final

from mauerwerk.kernels.mauerbauer import advice, counts, memory
from mauerwerk.kernels.mauerbauer.moves import start
from mauerwerk.kernels.mauerbauer.observation import OBSERVATION, features, observe, scored
from mauerwerk.kernels.mauerbauer.packing import (
    actions,
    max_to_act,
    pack,
    pack_belief,
    pack_setup,
    random_setup,
    unpack,
)
from mauerwerk.kernels.mauerbauer.records import HELD, REASONS, SETUP, STATE
from mauerwerk.kernels.mauerbauer.rules import (
    allowed,
    apply,
    count,
    fill,
    legal,
    pick,
    points,
    rank,
    reason,
    to_act,
    turn,
)

BENCHMARK: Final[Mapping[str, str]] = {}

AIM: Final = 1
"""The most points win (MB-73)."""
