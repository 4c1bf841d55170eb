"""What a feature is: one folder below `features`, declared to the server by one `Feature`."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
import sqlalchemy as sa
from starlette.routing import Route

from mauerwerk.server.api.operation import Operation
from mauerwerk.server.database.personal_data import PersonalData
from mauerwerk.server.database.schema import know
from mauerwerk.server.engine.events import Event
from mauerwerk.server.engine.host import Host
from mauerwerk.server.http.metrics import Metrics
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.page import PageRoute, Panel


@dataclass(frozen=True, kw_only=True)
class Feature:
    """What a feature brings. All but the name may be left out."""

    name: str
    files: Traversable | None = None
    """The folder with its `templates` and `static` files, for a feature of another package."""
    tables: Sequence[sa.Table] = ()
    """Its tables in the database, for a feature of another package: made when they are missing.

    Those of this package are described in `schema.METADATA`."""
    personal_data: Sequence[PersonalData] = ()
    """What it stores about people, which they can download and have deleted."""
    settings: Mapping[str, type[msgspec.Struct]] = field(
        default_factory=dict[str, type[msgspec.Struct]]
    )
    """Its sections of the file of settings, by their names."""
    start: Callable[[Host, Settings], object] | None = None
    """Makes its service, which is found by `host.service(Kind)`. Raises SettingsError.

    A service that is an asynchronous context manager is entered when the server starts, and left
    when it stops."""
    on: Mapping[type[Event], Callable[[Host, Any], Awaitable[object] | None]] = field(
        default_factory=dict[type[Event], Any]
    )
    """What it does when something happens at the host."""
    pages: Sequence[PageRoute] = ()
    """Its pages, and what can be done on them."""
    operations: Iterable[Operation] = ()
    """What programs can ask of it."""
    routes: Sequence[Route] = ()
    """Paths at which it answers by itself, in a protocol that is not this server's own."""
    panels: Sequence[Panel] = ()
    """What it adds to pages of others."""
    identify: Callable[[Host], Callable[[Request], Guest | None] | None] | None = None
    """How it knows who sent a request, if at this host something else says so than a cookie or a
    token."""
    page_values: Callable[[Host, Guest | None], Mapping[str, object]] | None = None
    """What every page is drawn from, for this guest; the base template uses it."""
    joined: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """Static files that its pages load as one, by its path."""
    metrics: Callable[[Metrics, Host], None] | None = None
    """Adds its figures to `/metrics`."""

    @property
    def folder(self) -> Traversable:
        """Where its `templates` and `static` files are."""
        return self.files or resources.files("mauerwerk.server.features").joinpath(self.name)


def add_services(host: Host, settings: Settings, features: Iterable[Feature]) -> None:
    """Make the services of these features and let them know what happens. Raises SettingsError."""
    for feature in features:
        know(feature.tables)
        if feature.start is not None:
            host.add_service(feature.start(host, settings))
        for kind, handle in feature.on.items():
            host.events.subscribe(kind, partial(handle, host))


def sections_of(features: Iterable[Feature]) -> Mapping[str, type[msgspec.Struct]]:
    """The sections of a file of settings that features have."""
    return {name: kind for feature in features for name, kind in feature.settings.items()}


def operations_of(features: Iterable[Feature], *, for_hosts: bool) -> tuple[Operation, ...]:
    """The operations of these features; those for hosts only where hosts have a token."""
    return tuple(
        operation
        for feature in features
        for operation in feature.operations
        if for_hosts or not operation.for_hosts
    )
