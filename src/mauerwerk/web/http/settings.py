"""What a host decides about a server."""

from typing import Final

from mauerwerk.core.game import Value

BODY: Final = 64 * 1024
"""The most bytes that a request may bring."""

BODY_SECONDS: Final = 10.0
"""How long a request may take to arrive."""


class Limits(Value):
    """How much one client may ask for; a client is an address, and a guest besides."""

    requests: float = 100.0
    """Requests a second, in the long run. 0: no limit on anything."""

    burst: int = 400
    """Requests at once."""

    guests: int = 60
    """New guests an hour."""

    tables: int = 60
    """New tables an hour."""

    streams: int = 100
    """Streams open at the same time."""

    all_streams: int = 10_000
    """Streams of everybody together."""


class Settings(Value):
    """A server as its host wants it."""

    address: str = ""
    """Where people find it, such as `https://walls.example.org`. Empty: as they asked for it."""

    hosts: tuple[str, ...] = ()
    """Names it answers to, besides addresses in numbers and `localhost`. `*`: any."""

    trust_proxy: bool = False
    """Whether to believe what a proxy in front says of the client."""

    metrics_token: str = ""
    """Who knows it may read `/metrics` from elsewhere."""

    limits: Limits = Limits()

    log: bool = True
    """Whether each request is a line on stderr."""
