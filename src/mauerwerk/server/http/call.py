"""What a handler works with: the server it belongs to, and the request it answers."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.invitations.reservations import KeptSeats
from mauerwerk.server.features.sharing.pictures import Pictures
from mauerwerk.server.http.connections import Connections
from mauerwerk.server.http.host_access import HostAccess
from mauerwerk.server.http.identity import Identity
from mauerwerk.server.http.limits import Limiter
from mauerwerk.server.http.metrics import Metrics
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.http.stream import Streams
from mauerwerk.server.http.visit import Visit
from mauerwerk.server.ui.cache import Drawings

if TYPE_CHECKING:  # it writes e-mail in the words of pages
    from mauerwerk.server.features.notifications.delivery import Delivery


class AppState(NamedTuple):
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

    site: AppState
    visit: Visit
    caller: Identity
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
