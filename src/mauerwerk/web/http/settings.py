"""Settings that the people who run a server decide."""

from typing import Final

from mauerwerk.core.game import Value

BODY: Final = 64 * 1024
"""The most bytes that the body of a request may have."""

BODY_SECONDS: Final = 10.0
"""How long the body of a request may take to arrive."""


class Limits(Value):
    """Limits of one client, which is an address; limits on tables hold for each guest too."""

    requests: float = 100.0
    """Requests per second, in the long run. 0: no limit on anything."""

    burst: int = 400
    """Requests at once."""

    guests: int = 60
    """New guests per hour."""

    tables: int = 60
    """New tables per hour."""

    streams: int = 100
    """Streams open at the same time."""

    all_streams: int = 10_000
    """Open streams of all clients together."""

    connections: int = 250
    """Connections open at the same time, streams included."""


class Settings(Value):
    """How a server is to run."""

    address: str = ""
    """The public address, such as `https://walls.example.org`. Empty: as requested."""

    hosts: tuple[str, ...] = ()
    """Names it answers to, in addition to numeric addresses and `localhost`. `*`: any."""

    trust_proxy: bool = False
    """Whether to believe what a proxy in front of it says about the client."""

    metrics_token: str = ""
    """With this token, `/metrics` can be read from other machines."""

    limits: Limits = Limits()

    log: bool = True
    """Whether to write one line to stderr for each request."""
