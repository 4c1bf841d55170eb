"""Who asks, as far as a connection tells: headers, address, scheme, and whether to trust them."""

import ipaddress
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

from mauerwerk.web.http.settings import Settings

SAFE: Final = frozenset({"GET", "HEAD"})
"""Methods that change nothing."""

FORWARDED: Final = ("x-forwarded-for", "forwarded", "via", "x-real-ip")
"""What a proxy adds; with one of these a client is not taken for a local one."""

LONGEST_HOST: Final = 300
"""A name has at most 253 characters, and a port follows."""


class Visit:
    """One request, seen from outside."""

    __slots__ = ("client", "headers", "host", "local", "method", "origin")

    def __init__(self, scope: Mapping[str, Any], settings: Settings) -> None:
        """Read the headers, and what a trusted proxy says."""
        self.method: str = scope["method"]
        self.headers = _headers(scope)
        self.host = self.headers.get("host", "").lower()
        address = (scope.get("client") or ("", 0))[0]
        proxied = any(name in self.headers for name in FORWARDED)
        if settings.trust_proxy and (passed := self.headers.get("x-forwarded-for")):
            # The last one is what the proxy itself saw; what stands before it, anybody can write.
            address = passed.rpartition(",")[2].strip()
            proxied = False
        self.client = client_named(address)
        self.local = not proxied and _is_loopback(address)
        """Whether it comes from this machine, and not through a proxy on it."""
        self.origin = f"{self._scheme(scope, settings)}://{self.host}"
        """Scheme, host and port as the browser sees them."""

    @property
    def https(self) -> bool:
        """Whether the way here is encrypted."""
        return self.origin.startswith("https://")

    @property
    def is_safe(self) -> bool:
        """Whether it only looks."""
        return self.method in SAFE

    @property
    def is_foreign(self) -> bool:
        """Whether a page from elsewhere sent it."""
        origin = self.headers.get("origin")
        site = self.headers.get("sec-fetch-site", "same-origin")
        return (origin is not None and origin != self.origin) or site not in {"same-origin", "none"}

    @property
    def is_ours(self) -> bool:
        """Whether a page of this server sent it: only then is a cookie worth something."""
        return not self.is_foreign and (
            "origin" in self.headers or self.headers.get("sec-fetch-site") == "same-origin"
        )

    def _scheme(self, scope: Mapping[str, Any], settings: Settings) -> str:
        public = urlsplit(settings.address)
        if self.host and self.host == public.netloc.lower():
            return public.scheme
        if settings.trust_proxy and (said := self.headers.get("x-forwarded-proto")):
            return "https" if said.rpartition(",")[2].strip() == "https" else "http"
        return str(scope.get("scheme", "http"))


def _headers(scope: Mapping[str, Any]) -> dict[str, str]:
    headers: dict[str, str] = {}
    pairs: list[tuple[bytes, bytes]] = scope["headers"]
    for raw_name, raw_value in pairs:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        if name in headers:
            value = f"{headers[name]}{'; ' if name == 'cookie' else ', '}{value}"
        headers[name] = value
    return headers


@lru_cache(maxsize=4096)
def client_named(address: str) -> str:
    """A client by its address: with IPv6 a whole /64, since one household has all of it.

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
    """Whether this server answers to a name.

    An address in numbers is no name that somebody else could point here, so it is always allowed.
    """
    return len(host) <= LONGEST_HOST and _is_allowed(host, settings)


@lru_cache(maxsize=4096)
def _is_allowed(host: str, settings: Settings) -> bool:
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    if not name:
        return False
    public = urlsplit(settings.address).hostname
    if name in {"localhost", public, *settings.hosts} or "*" in settings.hosts:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
