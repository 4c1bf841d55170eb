"""Signing in by the proxy in front of the server, which says who somebody is in a header.

Authelia, authentik, Pocket ID and others do so. Only a proxy in a network that the host names is
believed, by the address of the connection itself. Each user of the proxy is one guest, whose id is
made from the name of the user and a key of this database: the same on all servers, after a restart
and after a restore. Nothing is stored for it.
"""

import hmac
import ipaddress
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from functools import lru_cache
from typing import Final, Self

import msgspec

from mauerwerk.core.game import Value
from mauerwerk.server.database.queries import made_once
from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.http.identity import LONGEST_NAME, cleaned
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.settings import SettingsError, check_networks
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.page import ACCOUNT, PageRequest, Panel, for_guest

KEY: Final = "proxy-login-key"
"""The name of the setting with the key from which ids are made; it never changes."""
KEY_BYTES: Final = 32
ID_BYTES: Final = 12
UNIX: Final = "unix"
"""Among networks: whoever can connect to the server's own socket file."""
LONGEST: Final = 300


class ProxyLogin(Value, tag=False):
    """Which proxy is believed, and where it says what."""

    networks: tuple[str, ...] = ()
    """Where the proxy is: addresses or networks, or `unix` for --unix-socket; none: it is off."""
    user: str = "Remote-User"
    """The header with the name of the user, which stays the same for a person."""
    name: str = "Remote-Name"
    """The header with the name that others see."""
    sign_out: str = ""
    """The address at which people sign out of the proxy."""


class ProxyAccess:
    """Finds out who sent a request, by the headers of the proxy."""

    def __init__(self, host: Host, settings: ProxyLogin) -> None:
        """Nobody is known before the key is. Raises SettingsError."""
        self._host = host
        self._key = b""
        self.networks = settings.networks
        """Where a proxy is believed; none, if it is off."""

        check_networks("[proxy_login]", (each for each in settings.networks if each != UNIX))
        if settings.sign_out and not settings.sign_out.startswith(("https://", "http://", "/")):
            raise SettingsError("[proxy_login]: sign_out is an address or a path")
        self.sign_out = settings.sign_out
        """Where people sign out; empty, if nobody said."""

        self._user, self._name = settings.user.lower(), settings.name.lower()
        self._is_proxy = lru_cache(1_024)(self._lies_in_networks)

    async def __aenter__(self) -> Self:
        """Know the key, which the first server makes."""
        if self.networks:
            store = self._host.store
            self._key = await made_once(store, KEY, lambda: secrets.token_bytes(KEY_BYTES))
        return self

    async def __aexit__(self, *_: object) -> None:
        """There is nothing to end."""

    def _lies_in_networks(self, peer: str) -> bool:
        if not peer:
            return UNIX in self.networks
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return False
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        named = (each for each in self.networks if each != UNIX)
        return any(address in ipaddress.ip_network(each) for each in named)

    def guest_in(self, request: Request) -> Guest | None:
        """The guest that a proxy names; None where no proxy that is believed names one."""
        if not self._key or not self._is_proxy(request.peer):
            return None
        user = _text(request.headers.get(self._user, ""))
        # A proxy that adds its header to one that the client sent has both of them in it.
        if not user or "," in user or len(user) > LONGEST:
            return None
        digest = hmac.digest(self._key, user.encode(), "sha256")[:ID_BYTES]
        said = _text(request.headers.get(self._name, ""))
        names = (cleaned(each, LONGEST_NAME) for each in (said, user.partition("@")[0]))
        allowed = (each for each in names if each and not self._host.blocklist.refuses_name(each))
        guest = Guest(urlsafe_b64encode(digest).decode(), next(allowed, "Guest"))
        given = self._host.keys.name_given_to(guest.id)
        return msgspec.structs.replace(guest, name=given) if given else guest


def _text(header: str) -> str:
    """What a header says; most proxies write UTF-8."""
    try:
        return header.encode("latin-1").decode().strip()
    except UnicodeDecodeError:
        return header.strip()


async def _signed_in(request: PageRequest, guest: Guest) -> dict[str, str] | None:
    """How to sign out, for those who have signed in like this."""
    out = request.host.service(ProxyAccess).sign_out
    return {"name": guest.name, "sign_out": out} if request.identity.outside else None


def _identify(host: Host) -> Callable[[Request], Guest | None] | None:
    access = host.service(ProxyAccess)
    return access.guest_in if access.networks else None


FEATURE = Feature(
    name="proxy_login",
    settings={"proxy_login": ProxyLogin},
    start=lambda host, settings: ProxyAccess(host, settings.section(ProxyLogin)),
    identify=_identify,
    panels=(Panel(ACCOUNT, "proxy_login/signed_in.html", for_guest(_signed_in), place=1),),
)
