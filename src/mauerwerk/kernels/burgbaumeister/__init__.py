"""The kernel of Burgbaumeister: what `kernels.contract` asks of a game."""

# pyright: reportUnusedImport=false

from collections.abc import Mapping
from typing import Final

from mauerwerk.kernels.burgbaumeister import advice, counts, memory
from mauerwerk.kernels.burgbaumeister.bounds import FIXED, tops
from mauerwerk.kernels.burgbaumeister.meanings import MEANINGS
from mauerwerk.kernels.burgbaumeister.records import (
    BELIEF,
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
from mauerwerk.kernels.burgbaumeister.rules import (
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

BENCHMARK: Final[Mapping[str, str]] = {"variant": "yes"}

AIM: Final = 1
"""The most points win (BB-10, BB-20)."""
