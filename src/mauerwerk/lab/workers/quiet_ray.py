"""Ray, which reads its settings once, when it is imported: told before that to be quiet."""

import os
from importlib import import_module
from typing import Any, Final, TypeAlias

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # no reports to others
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # or else Ray warns of a change
# Ray prints what happens to workers on stdout, where only the answer belongs; it skips lines that
# match this.
os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")

from ray import exceptions
from ray._private.services import canonicalize_bootstrap_address
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

__all__ = [
    "NodeAffinitySchedulingStrategy",
    "Piece",
    "canonicalize_bootstrap_address",
    "exceptions",
    "ray",
]

Piece: TypeAlias = Any
"""A reference to the answer of a call, which may still be on its way."""

ray: Final[Any] = import_module("ray")  # its own types say little about what is used here
