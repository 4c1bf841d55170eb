"""The part of Ray that is used here, with types: its own say little about these functions."""

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, NewType, Protocol, cast

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # no reports to others
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # or else Ray warns of a change
# Ray prints what happens to workers on stdout, where only the answer belongs; it skips lines that
# match this. It reads these settings once, when it is imported.
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

Piece = NewType("Piece", object)
"""A reference to the answer of a call, which may still be on its way."""


class Remote(Protocol):
    """A function that runs in a worker of the cluster."""

    def options(self, **options: Any) -> "Remote":  # noqa: ANN401 - as Ray takes them
        """The same function with other options."""
        ...

    def remote(self, *arguments: Any) -> Piece:  # noqa: ANN401 - as the function takes them
        """Submit a call."""
        ...


class Ray(Protocol):
    """The module `ray`."""

    def init(self, address: str, /, **options: Any) -> object:  # noqa: ANN401 - as Ray takes them
        """Join a cluster, or start one."""
        ...

    def is_initialized(self) -> bool:
        """Whether this process is connected to one."""
        ...

    def shutdown(self) -> None:
        """Disconnect; a cluster that was started here ends."""
        ...

    def nodes(self) -> list[dict[str, Any]]:
        """Its machines."""
        ...

    def cluster_resources(self) -> dict[str, float]:
        """The resources of all its machines together."""
        ...

    def remote(self, **options: Any) -> Callable[[Callable[..., Any]], Remote]:  # noqa: ANN401
        """A decorator for functions that run in workers."""
        ...

    def wait(
        self, pieces: list[Piece], /, *, num_returns: int = 1, timeout: float | None = None
    ) -> tuple[list[Piece], list[Piece]]:
        """Wait for this many pieces, or until the timeout: the finished ones, and the others."""
        ...

    def get(self, piece: Piece, /) -> Any:  # noqa: ANN401 - what the function answered
        """The answer. Raises what Ray raises if there is none."""
        ...


ray: Final = cast("Ray", import_module("ray"))
