"""Ray, as far as it is used here: its own types say little of these functions."""

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, NewType, Protocol, cast

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # nobody elsewhere is told
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # else Ray warns of a change
# What befalls workers Ray prints on stdout, where nothing but the answer belongs; so it skips all
# that matches this. It reads these settings once, as it is imported.
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
"""What Ray gives for a call: a reference to an answer that is still to come."""


class Remote(Protocol):
    """A function that is called elsewhere."""

    def options(self, **options: Any) -> "Remote":  # noqa: ANN401 - as Ray takes them
        """The same with other options."""
        ...

    def remote(self, *arguments: Any) -> Piece:  # noqa: ANN401 - as the function takes them
        """Call it."""
        ...


class Ray(Protocol):
    """The module `ray`."""

    def init(self, address: str, /, **options: Any) -> object:  # noqa: ANN401 - as Ray takes them
        """Join a cluster, or start one."""
        ...

    def is_initialized(self) -> bool:
        """Whether this process is part of one."""
        ...

    def shutdown(self) -> None:
        """Leave it; what was started with it ends."""
        ...

    def nodes(self) -> list[dict[str, Any]]:
        """Its machines."""
        ...

    def cluster_resources(self) -> dict[str, float]:
        """What they have together."""
        ...

    def remote(self, **options: Any) -> Callable[[Callable[..., Any]], Remote]:  # noqa: ANN401
        """A way to let functions be called elsewhere."""
        ...

    def wait(
        self, pieces: list[Piece], /, *, num_returns: int = 1, timeout: float | None = None
    ) -> tuple[list[Piece], list[Piece]]:
        """Wait for so many of these, or so many seconds: what is there, and what is not."""
        ...

    def get(self, piece: Piece, /) -> Any:  # noqa: ANN401 - what the function answered
        """The answer, or what Ray raises instead."""
        ...


ray: Final = cast("Ray", import_module("ray"))
