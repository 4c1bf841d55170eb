"""What a handler works with: the server it belongs to, and the request it answers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from mauerwerk.play.host.host import Host
from mauerwerk.web.drawings import Drawings
from mauerwerk.web.http.connections import Connections
from mauerwerk.web.http.host_access import HostAccess
from mauerwerk.web.http.identity import Caller
from mauerwerk.web.http.kept_seats import KeptSeats
from mauerwerk.web.http.limits import Limiter
from mauerwerk.web.http.metrics import Metrics
from mauerwerk.web.http.settings import Settings
from mauerwerk.web.http.stream import Streams
from mauerwerk.web.http.visit import Visit
from mauerwerk.web.pictures.cache import Pictures

if TYPE_CHECKING:  # it writes e-mail in the words of pages
    from mauerwerk.web.calls.delivery import Delivery


class Site(NamedTuple):
    """One running server."""

    host: Host
    settings: Settings
    limiter: Limiter
    streams: Streams
    drawings: Drawings
    kept_seats: KeptSeats
    connections: Connections
    access: HostAccess
    metrics: Metrics
    delivery: "Delivery"
    pictures: Pictures

    def address(self, visit: Visit, path: str) -> str:
        """The full address of a path, for links that people pass on."""
        return f"{self.settings.address.rstrip('/') or visit.base}{path}"


class Call(NamedTuple):
    """One request to a handler."""

    site: Site
    visit: Visit
    caller: Caller
    path: Mapping[str, str]
    """The parameters in the path of the route."""

    @property
    def host(self) -> Host:
        """The host of all tables."""
        return self.site.host

    @property
    def table(self) -> str:
        """The id of the table that the request is about."""
        return self.path["table"]
