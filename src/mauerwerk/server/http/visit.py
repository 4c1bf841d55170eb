"""Where a request comes from: the client, the origin, and whether a foreign page sent it."""

import ipaddress
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import cookie_parser
from starlette.types import Scope

from mauerwerk.server.http.settings import Limits, Settings

SAFE: Final = frozenset({"GET", "HEAD"})
"""Methods that change nothing."""

FORWARDED: Final = ("x-forwarded-for", "forwarded", "via", "x-real-ip")
"""Headers that a proxy adds. A request with one of them is not taken for a local one."""

LONGEST_HOST: Final = 300
"""A host name has at most 253 characters; a port may follow."""

HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:/?#@]+)(?::[0-9]{1,5})?")
"""A name or an address, in brackets if it has colons, and perhaps a port."""


SCOPE_KEY: Final = "mauerwerk.visit"


class Visit:
    """Where a request comes from.

    It does not hold the request, whose scope holds the visit: such a cycle would keep every request
    in memory until the garbage collector finds it.
    """

    __slots__ = ("_cookies", "_peer", "_scheme", "_settings", "headers", "host", "method")

    def __init__(self, scope: Scope, settings: Settings) -> None:
        """Read the headers. What follows from them is worked out when it is wanted."""
        self.method: str = scope["method"]
        self.headers = folded(scope["headers"])
        self.host = self.headers.get("host", "").lower()
        self._cookies: dict[str, str] | None = None
        self._peer: str = (scope.get("client") or ("", 0))[0]
        self._scheme: str = scope.get("scheme", "http")
        self._settings = settings

    @property
    def limits(self) -> Limits:
        """The limits of the server."""
        return self._settings.limits

    @property
    def client(self) -> str:
        """The client, by its address."""
        passed = self._passed
        return client_named(self._peer if passed is None else passed)

    @property
    def _passed(self) -> str | None:
        """The address of the client that a trusted proxy passed on, if one did."""
        said = self.headers.get("x-forwarded-for") if self._settings.trust_proxy else None
        # The last address is what the proxy saw; those before it can be made up.
        return without_port(said.rpartition(",")[2].strip()) if said else None

    @property
    def local(self) -> bool:
        """Whether it comes from this machine.

        A server with a public address has a proxy here, whose requests cannot be told from local
        ones unless it says so.
        """
        public = self._settings.trust_proxy or self._settings.address
        proxied = public or any(name in self.headers for name in FORWARDED)
        return not proxied and _is_loopback(self._peer)

    @property
    def origin(self) -> str:
        """Scheme, host and port, as the browser sees them."""
        return f"{self.scheme}://{self.host}"

    @property
    def prefix(self) -> str:
        """The path below which the server is, as the browser sees it."""
        return self._settings.prefix

    @property
    def base(self) -> str:
        """The address of the server, as the browser sees it."""
        return f"{self.origin}{self.prefix}"

    @property
    def scheme(self) -> str:
        """The scheme as the browser sees it."""
        if self._settings.address and self.host:
            public = urlsplit(self._settings.address)
            if self.host == public.netloc.lower():
                return public.scheme
        if self._settings.trust_proxy and (said := self.headers.get("x-forwarded-proto")):
            return "https" if said.rpartition(",")[2].strip() == "https" else "http"
        return self._scheme

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies by name."""
        if self._cookies is None:
            self._cookies = cookie_parser(self.headers.get("cookie", ""))
        return self._cookies

    @property
    def https(self) -> bool:
        """Whether the browser speaks https."""
        return self.scheme == "https"

    @property
    def is_safe(self) -> bool:
        """Whether its method changes nothing."""
        return self.method in SAFE

    @property
    def is_foreign(self) -> bool:
        """Whether a page of another site sent it."""
        origin = self.headers.get("origin")
        site = self.headers.get("sec-fetch-site", "same-origin")
        return (origin is not None and origin != self.origin) or site not in {"same-origin", "none"}

    @property
    def is_ours(self) -> bool:
        """Whether a page of this server sent it: only then does a cookie count."""
        return not self.is_foreign and (
            "origin" in self.headers or self.headers.get("sec-fetch-site") == "same-origin"
        )


def visit_in(scope: Scope) -> Visit:
    """The visit that the gate put into the scope of a request."""
    visit: Visit = scope[SCOPE_KEY]
    return visit


def folded(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The headers by name; the values of one that is repeated are joined.

    Starlette answers with the first of them, which a client can put before that of a proxy. Joined,
    two hosts, origins or tokens match nothing, and the last forwarded address is the proxy's. Each
    look into Starlette's headers also compares all of them (decision 0018).
    """
    headers: dict[str, list[str]] = {}
    for name, value in pairs:
        headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
    return {
        name: values[0] if len(values) == 1 else ("; " if name == "cookie" else ", ").join(values)
        for name, values in headers.items()
    }


def without_port(address: str) -> str:
    """An address as some proxies write it, without its port.

    >>> without_port("192.0.2.7:4711"), without_port("[2001:db8::1]:4711"), without_port("::1")
    ('192.0.2.7', '2001:db8::1', '::1')
    """
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


@lru_cache(maxsize=4096)
def client_named(address: str) -> str:
    """The client at an address: with IPv6 a whole /64, since one household has all of it.

    >>> client_named("2001:db8:1:2:3:4:5:6")
    '2001:db8:1:2::/64'
    >>> client_named("192.0.2.7")
    '192.0.2.7'
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped:
            return str(ip.ipv4_mapped)
        return str(ipaddress.ip_network((ip.packed[:8] + bytes(8), 64)))
    return str(ip)


@lru_cache(maxsize=4096)
def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def host_is_allowed(host: str, settings: Settings) -> bool:
    """Whether this server answers to a host name.

    An address in numbers is always allowed: nobody else can make it point here.
    """
    return len(host) <= LONGEST_HOST and _is_allowed(host, settings)


@lru_cache(maxsize=4096)
def _is_allowed(host: str, settings: Settings) -> bool:
    matched = HOST.fullmatch(host)
    if matched is None:
        return False
    name = matched[1].strip("[]")
    public = urlsplit(settings.address).hostname
    if name in {"localhost", public, *settings.hosts} or "*" in settings.hosts:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
