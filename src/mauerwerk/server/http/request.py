"""The request that a handler answers: its sender, its server, and what it brings."""

import asyncio
import ipaddress
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, quote, urlsplit

import msgspec
from starlette.requests import cookie_parser
from starlette.types import Receive, Scope

from mauerwerk.server.engine.host import Host
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.limits import Limiter, client_named
from mauerwerk.server.http.metrics import Metrics
from mauerwerk.server.http.settings import Admin, Limits, Settings
from mauerwerk.server.tables.charter import Guest

SAFE: Final = frozenset({"GET", "HEAD"})
"""Methods that change nothing."""

FORWARDED: Final = ("x-forwarded-for", "forwarded", "via", "x-real-ip")
"""Headers that a proxy adds. A request with one of them is not taken for a local one."""

LONGEST_HOST: Final = 300
"""A host name has at most 253 characters; a port may follow."""

HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:/?#@]+)(?::[0-9]{1,5})?")
"""A name or an address, in brackets if it has colons, and perhaps a port."""

FIELDS: Final = 100
"""The most fields that the query of a page, or a form, may have."""

SCOPE_KEY: Final = "mauerwerk.request"

BODY_KEY: Final = "mauerwerk.body"
"""In a scope, the whole body of a request of which nothing is to be waited for."""


@dataclass(eq=False)
class AppState:
    """One running server: its host, with all services, and its settings."""

    host: Host
    settings: Settings
    limiter: Limiter
    metrics: Metrics
    identify: "Callable[[Request], Guest | None]" = lambda _: None
    """Who sent a request, where a feature knows it by something else than a cookie or a token."""

    page_values: Callable[[Guest | None], Mapping[str, object]] = lambda _: {}
    """What features add to what every page is drawn from."""

    def __post_init__(self) -> None:
        """Know the path below which everything is."""
        self.prefix = self.settings.prefix


class Identity(NamedTuple):
    """The person or program that sent a request: a guest, or nobody that this server knows."""

    guest: Guest | None = None
    token: str = ""
    """The token of a seat that came with the request."""

    kept: tuple[str, ...] = ()
    """Tokens of seats that the browser keeps; some of them may be out of date."""

    outdated: bool = False
    """Whether the browser needs a new cookie: it is old, or there is another secret or name."""

    device: str = ""
    """Which of the guest's devices the browser or program is; the first is called as they are."""

    outside: bool = False
    """Whether it was a proxy that said who they are, and by which name."""


NOBODY: Final = Identity()


class Request:
    """One request to this server.

    It does not hold the scope, which holds the request: such a cycle would keep every request in
    memory until the garbage collector finds it.
    """

    def __init__(
        self, app: AppState, scope: Scope, headers: Mapping[str, str] | None = None
    ) -> None:
        """Read the headers, unless they are known. The rest is worked out when it is wanted."""
        self.app = app
        self.host = app.host
        """The host of all tables."""

        self.method: str = scope["method"]
        self.headers = folded(scope["headers"]) if headers is None else headers
        self.host_name = self.headers.get("host", "").lower()
        """The name, and perhaps the port, under which the client knows this server."""

        self.path_params: Mapping[str, str] = scope.get("path_params", {})
        """The parameters in the path of the route."""

        self.identity = NOBODY
        """The sender, once that is known."""

        self.admin: Admin | None = None
        """The host who sent it, once that is known."""

        self._path: str = scope.get("path", "/")
        self.raw_query: bytes = scope.get("query_string", b"")
        self.peer: str = (scope.get("client") or ("", 0))[0]
        """The address at the other end of the connection, perhaps a proxy's; empty for a file."""

        self._scheme: str = scope.get("scheme", "http")
        self._client = ""
        self.body: bytes | None = scope.get(BODY_KEY)
        """The body, if all of it had arrived at the beginning."""

    @property
    def table(self) -> str:
        """The id of the table that the request is about."""
        return self.path_params["table"]

    @property
    def limits(self) -> Limits:
        """The limits of the server."""
        return self.app.settings.limits

    @property
    def client(self) -> str:
        """The client, by its address."""
        if not self._client:
            passed = self._passed
            self._client = client_named(self.peer if passed is None else passed)
        return self._client

    @property
    def _passed(self) -> str | None:
        """The address of the client that a trusted proxy passed on, if one did."""
        said = self.headers.get("x-forwarded-for") if self.app.settings.trust_proxy else None
        # The last address is what the proxy saw; those before it can be made up.
        return without_port(said.rpartition(",")[2].strip()) if said else None

    @property
    def local(self) -> bool:
        """Whether it comes from this machine.

        A server with a public address has a proxy here, whose requests cannot be told from local
        ones unless it says so.
        """
        public = self.app.settings.trust_proxy or self.app.settings.address
        proxied = public or any(name in self.headers for name in FORWARDED)
        return not proxied and _is_loopback(self.peer)

    @property
    def origin(self) -> str:
        """Scheme, host and port, as the browser sees them."""
        return f"{self.scheme}://{self.host_name}"

    @property
    def prefix(self) -> str:
        """The path below which the server is, as the browser sees it."""
        return self.app.prefix

    @property
    def base(self) -> str:
        """The address of the server, as the browser sees it."""
        return f"{self.origin}{self.prefix}"

    def address(self, path: str) -> str:
        """The full address of a path, for links that people pass on."""
        settings = self.app.settings
        return f"{settings.links or settings.address.rstrip('/') or self.base}{path}"

    @property
    def scheme(self) -> str:
        """The scheme as the browser sees it."""
        settings = self.app.settings
        if settings.address and self.host_name:
            public = urlsplit(settings.address)
            if self.host_name == public.netloc.lower():
                return public.scheme
        if settings.trust_proxy and (said := self.headers.get("x-forwarded-proto")):
            return "https" if said.rpartition(",")[2].strip() == "https" else "http"
        return self._scheme

    @cached_property
    def path(self) -> str:
        """The path with its query, by which a form leads back to the page."""
        query = self.raw_query.decode("latin-1")
        return quote(self._path) + (f"?{query}" if query else "")

    @cached_property
    def query(self) -> Mapping[str, str]:
        """The fields of the query; none, if there are too many."""
        try:
            return dict(parse_qsl(self.raw_query.decode("latin-1"), max_num_fields=FIELDS))
        except ValueError:
            return {}

    @cached_property
    def cookies(self) -> dict[str, str]:
        """The cookies by name."""
        return cookie_parser(self.headers.get("cookie", ""))

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


def request_in(scope: Scope) -> Request:
    """The request that the gate put into the scope, now that its route is known."""
    request: Request = scope[SCOPE_KEY]
    request.path_params = scope.get("path_params", {})
    return request


def folded(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """The headers by name; the values of one that is repeated are joined.

    Starlette answers with the first of them, which a client can put before that of a proxy. Joined,
    two hosts, origins or tokens match nothing, and the last forwarded address is the proxy's. Each
    look into Starlette's headers also compares all of them (decision 0018).
    """
    headers: dict[str, str] = {}
    repeated: dict[str, list[str]] = {}
    for raw, value in pairs:
        name, said = raw.decode("latin-1"), value.decode("latin-1")
        if name in headers:
            repeated.setdefault(name, [headers[name]]).append(said)
        else:
            headers[name] = said
    for name, values in repeated.items():
        headers[name] = ("; " if name == "cookie" else ", ").join(values)
    return headers


def without_port(address: str) -> str:
    """An address as some proxies write it, without its port.

    >>> without_port("192.0.2.7:4711"), without_port("[2001:db8::1]:4711"), without_port("::1")
    ('192.0.2.7', '2001:db8::1', '::1')
    """
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


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


# --- Bodies, queries and forms, all within limits ------------------------------------------------
# Fields are read by the standard library and not by Starlette, which puts no limit on their number,
# keeps one of several with the same name, and replaces bytes that are no UTF-8 (decision 0018).

QUERY_FIELDS: Final = 20
"""The most fields that the query of an operation may have."""

DIGITS: Final = 9
"""The most digits of a number in a path, a header or a form."""


def check_media(request: Request, media: str) -> None:
    """Refuse a body of another media type: any foreign page could send it. Raises HttpError."""
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != media:
        raise HttpError(415, f"send {media}")


async def body_of(request: Request, receive: Receive) -> bytes:
    """The whole body, unless it is too large or too slow. Raises HttpError."""
    said = request.headers.get("content-length", "0")
    most = request.limits.body_bytes
    if not said.isdecimal() or int(said) > most:
        raise _too_large(most)
    if request.body is not None and len(request.body) <= most:
        return request.body
    body = bytearray()
    more = True
    try:
        async with asyncio.timeout(request.limits.body_timeout):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise HttpError(400, "the request broke off", code="slow")
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > most:
                    raise _too_large(most)
    except TimeoutError:
        raise HttpError(400, "the request took too long to arrive", code="slow") from None
    return bytes(body)


def _too_large(most: int) -> HttpError:
    # The rest is not read, so the connection cannot be used again.
    headers = {"connection": "close"}
    return HttpError(413, f"a request has at most {most} bytes", headers=headers)


def decoded(body: bytes, decoder: msgspec.json.Decoder[Any]) -> msgspec.Struct:
    """The body as a message. Raises HttpError."""
    try:
        message: msgspec.Struct = decoder.decode(body)
    except msgspec.ValidationError as error:
        raise HttpError(422, f"the request is not as it should be: {error}", code="body") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise HttpError(400, "the request is not JSON", code="json") from None
    return message


def pairs_in(text: bytes, most: int, what: str) -> list[tuple[str, str]]:
    """The fields of a query or a form (`what`), which has `most` at most. Raises HttpError."""
    try:
        return parse_qsl(
            text.decode("ascii"), keep_blank_values=True, max_num_fields=most, errors="strict"
        )
    except ValueError:
        raise HttpError(400, f"the {what} cannot be read", code="query") from None


def query_fields(query: bytes, ask: type[msgspec.Struct]) -> msgspec.Struct:
    """The query as a message. Raises HttpError."""
    fields: dict[str, str] = {}
    for name, value in pairs_in(query, QUERY_FIELDS, "query"):
        if name in fields:
            raise HttpError(422, "a field of the query stands there twice", code="query")
        if value.lower() == "null":
            raise HttpError(422, "leave out what is nothing", code="query")
        fields[name] = value
    try:
        return msgspec.convert(fields, ask, strict=False)
    except msgspec.ValidationError as error:
        raise HttpError(422, f"the query is not as it should be: {error}", code="query") from None


def whole_number(said: str, digits: int = DIGITS) -> int | None:
    """A number from 0, written in digits; None for anything else, or far too many digits."""
    fine = said.isascii() and said.isdecimal() and len(said) <= digits
    return int(said) if fine else None
