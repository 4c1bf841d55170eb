"""Who sent a request: a guest, by cookie or token; the holder of a seat's token; or nobody."""

import hmac
import re
import secrets
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from mauerwerk.server.engine.blocklist import Block
from mauerwerk.server.engine.host import Host
from mauerwerk.server.http.errors import BusyError, HttpError
from mauerwerk.server.http.limits import Buckets, OccasionalWarning
from mauerwerk.server.http.request import Identity, Request, whole_number
from mauerwerk.server.http.response import Header
from mauerwerk.server.http.settings import Admin, Role
from mauerwerk.server.keys import new_id
from mauerwerk.server.tables.charter import Guest


class BlockedError(HttpError):
    """A client or a guest whom the people who run the server have blocked."""

    def __init__(self, block: Block) -> None:
        self.until = "" if block.until is None else day_and_time(block.until)
        self.reason = block.reason
        until = f" until {self.until}" if self.until else ""
        reason = f": {block.reason}" if block.reason else ""
        super().__init__(403, f"you are blocked here{until}{reason}", code="blocked")


def day_and_time(at: int) -> str:
    """A time for people anywhere.

    >>> day_and_time(1_769_882_459_000)
    '2026-01-31 18:00 UTC'
    """
    return f"{datetime.fromtimestamp(at / 1_000, UTC):%Y-%m-%d %H:%M} UTC"


def check_block(request: Request, identity: Identity) -> None:
    """Refuse those who are blocked. Raises BlockedError."""
    guest = identity.guest.id if identity.guest else ""
    block = request.host.blocklist.block_of(request.client, guest)
    if block is not None:
        raise BlockedError(block)


def identify(request: Request) -> Identity:
    """The sender of a request. Raises HttpError if a foreign page used the cookie."""
    keys = request.host.keys
    if (token := bearer_in(request)) is not None:
        # In a guest's token, a point separates the content from the signature.
        behind = keys.behind(token) if "." in token else None
        if behind is None or behind.guest is None:
            return Identity(token=token)
        return Identity(behind.guest, device=behind.device)
    if (known := request.app.identify(request)) is not None:
        _refuse_foreign(request)
        kept = kept_tokens(request, request.path_params.get("table", ""))
        return Identity(known, "", kept, device=known.id, outside=True)
    if "cookie" not in request.headers:
        return Identity()
    cookie = cookie_in(request, COOKIE)
    behind = keys.behind(cookie)
    kept = kept_tokens(request, request.path_params.get("table", ""))
    if behind.guest or kept:
        _refuse_foreign(request)
    return Identity(behind.guest, "", kept, behind.outdated, behind.device)


OF_PROXIES: Final = frozenset({"basic", "digest", "negotiate", "ntlm"})
"""How people sign in at a proxy; their browsers then say so in every request."""


def bearer_in(request: Request) -> str | None:
    """The token that a program sent; None if it sent none. Raises HttpError for something else."""
    scheme, _, said = request.headers.get("authorization", "").partition(" ")
    token = said.strip()
    if "authorization" not in request.headers or (token and scheme.lower() in OF_PROXIES):
        return None
    if scheme.lower() != "bearer" or not token:
        raise unknown("say `Authorization: Bearer` and a token")
    return token


def _refuse_foreign(request: Request) -> None:
    """Refuse a page of another site, to whose requests a browser adds our cookies. HttpError."""
    if not request.is_safe and not request.is_ours:
        raise HttpError(403, "only a page of this server may use its cookie", code="origin")


def is_unwelcome(request: Request) -> bool:
    """Whether a visitor who was let in would not be now: blocked, or logged out."""
    try:
        caller = identify(request)
        check_block(request, caller)
    except HttpError:
        return True
    # In a seat's token there is no point: this was a guest's.
    return caller.guest is None and (bool(cookie_in(request, COOKIE)) or "." in caller.token)


def guest_in(request: Request) -> Guest:
    """The guest who sent a request. Raises HttpError if the sender is none."""
    if request.identity.guest is None:
        raise no_guest()
    return request.identity.guest


def no_guest() -> HttpError:
    """The error for a sender who is no guest yet."""
    said = "this is for guests: give yourself a name first, at /api/guests"
    return HttpError(401, said, code="guest", headers={"www-authenticate": "Bearer"})


def unknown(message: str) -> HttpError:
    """The error for a sender whom nobody knows here, and who must say who they are."""
    return HttpError(401, message, headers={"www-authenticate": "Bearer"})


# --- Cookies -------------------------------------------------------------------------------------

COOKIE: Final = "mauerwerk"
"""Holds the token of the browser's guest."""

KEPT: Final = "mauerwerk-seats-"
"""Followed by a table's id: the tokens of seats that the browser may play by their links."""

INVITED: Final = "mauerwerk-invited"
"""Tells browsers apart for which a seat is kept; it is random, and forgotten after a day."""

TOKEN: Final = re.compile(r"[A-Za-z0-9_-]+")
"""The form of a token; anything else in a cookie was not written by this server."""

MOST_KEPT: Final = 8
A_DAY: Final = 24 * 3600
A_MONTH: Final = 30 * 24 * 3600
A_YEAR: Final = 365 * 24 * 3600


def cookie_in(request: Request, name: str) -> str:
    """The value of a cookie; empty if there is none."""
    return request.cookies.get(_cookie_name(request, name), "")


def set_cookie(
    request: Request, name: str, value: str, seconds: int = A_YEAR, *, strict: bool = False
) -> Header:
    """The header that sets a cookie, which no script can read and no foreign page can use.

    One that is `strict` is not even sent where somebody follows a link from elsewhere.
    """
    site = "Strict" if strict else "Lax"
    secure = "; Secure" if request.https else ""
    path = request.prefix or "/"
    content = f"{_cookie_name(request, name)}={value}; Path={path}; Max-Age={seconds}"
    return (b"set-cookie", f"{content}; HttpOnly; SameSite={site}{secure}".encode("ascii"))


def _cookie_name(request: Request, name: str) -> str:
    """The cookie's full name. Over https no other host or path can have set it (`__Host-`).

    A server below a path has cookies for that path alone, which that name does not allow.
    """
    if not request.https:
        return name
    return f"__Secure-{name}" if request.prefix else f"__Host-{name}"


def guest_cookie(request: Request, guest: Guest) -> Header:
    """The header by which a browser is recognised as this guest, on the same device as before."""
    before = request.host.keys.behind(cookie_in(request, COOKIE))
    same = before.guest is not None and before.guest.id == guest.id
    return device_cookie(request, guest, before.device if same else "")


def device_cookie(request: Request, guest: Guest, device: str) -> Header:
    """The header by which a browser is recognised as a device of this guest."""
    return set_cookie(request, COOKIE, request.host.keys.guest_token(guest, device))


def without_guest(request: Request) -> Header:
    """The header by which a browser forgets which guest it is."""
    return set_cookie(request, COOKIE, "", 0)


def kept_tokens(request: Request, table: str) -> tuple[str, ...]:
    """The tokens of this table's seats that the browser keeps."""
    kept = cookie_in(request, f"{KEPT}{table}").split(".") if table else ()
    return tuple(token for token in kept if TOKEN.fullmatch(token))


def came_by_link(request: Request) -> bool:
    """Whether a visitor may be let in by the token of a seat, which can become invalid."""
    return "authorization" in request.headers or any(KEPT in name for name in request.cookies)


def keep_tokens(request: Request, table: str, *tokens: str) -> Header:
    """The header by which a browser keeps these tokens, and those it had before."""
    others = [each for each in kept_tokens(request, table) if each not in tokens]
    kept = [*others, *tokens][-MOST_KEPT:]
    return set_cookie(request, f"{KEPT}{table}", ".".join(kept), A_MONTH)


def invited_browser(request: Request) -> str:
    """The browser that opened the link of a seat; empty where it has opened none."""
    return cookie_in(request, INVITED)


def new_invited_browser(request: Request) -> tuple[str, Header]:
    """A name for this browser, and the header by which it keeps it."""
    name = invited_browser(request) or secrets.token_urlsafe(9)
    return name, set_cookie(request, INVITED, name, A_DAY)


# --- Names of guests, as others may see them -----------------------------------------------------

LONGEST_NAME: Final = 32

HIDDEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories that no name may contain: what is invisible or reorders text."""

SHAPELESS: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
)
"""Letters, marks and signs that look like nothing, or like a space."""

SELECTORS: Final = dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
"""What chooses among the shapes of the sign before it; names and chat do without."""

MARKED: Final = frozenset({"Mn", "Me"})
MARKS: Final = 2
"""The most marks over, under or around one letter."""


def named(wish: str) -> str:
    """A name as others may see it: one line, nothing invisible, not too long. Raises HttpError.

    >>> named("  Ada   Lovelace ")
    'Ada Lovelace'
    """
    name = _line(wish)
    if not name:
        raise HttpError(422, "a name has at least one character", code="name")
    if len(name) > LONGEST_NAME:
        raise HttpError(422, f"a name has at most {LONGEST_NAME} characters", code="name")
    if any(map(_is_hidden, name)):
        raise HttpError(422, "a name has no characters that cannot be seen", code="name")
    if "".join(_unstacked(name)) != name:
        raise HttpError(422, "a name has at most two marks on a letter", code="name")
    return name


def _line(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).translate(SELECTORS).split())


def _is_hidden(sign: str) -> bool:
    return unicodedata.category(sign) in HIDDEN or sign in SHAPELESS


def cleaned(text: str, longest: int) -> str:
    r"""What somebody wrote, as others may read it: one line, nothing invisible, not too long.

    >>> cleaned(" Go\n home,\0 ", 9)
    'Go home,'
    """
    seen = "".join(each for each in _line(text) if not _is_hidden(each))
    return "".join(_unstacked(seen))[:longest].strip()


def _unstacked(text: str) -> Iterator[str]:
    """The text with few enough marks on each letter that they stay within the line."""
    marks = 0
    for each in text:
        marks = marks + 1 if unicodedata.category(each) in MARKED else 0
        if marks <= MARKS:
            yield each


def chosen_name(request: Request, wish: str) -> str:
    """A name that somebody chooses, if the hosts allow it. Raises HttpError."""
    name = named(wish)
    if request.host.blocklist.refuses_name(name):
        raise HttpError(422, "this name is not allowed here", code="blocked_name")
    return name


def new_guest(request: Request, name: str) -> Guest:
    """A guest with a new id. Raises HttpError for a name that cannot be shown, or is blocked."""
    return Guest(id=new_id(), name=chosen_name(request, name))


# --- Hosts: a server is managed with its token, sent as a header or typed on a page --------------

HOST_COOKIE: Final = "mauerwerk-host"
SESSION: Final = 3_600
"""Seconds for which somebody is signed in after their last visit to the page."""

ATTEMPTS: Final = (10 / 60, 10)
"""Wrong tokens per second, and at once, that a client may try."""


class HostAccess:
    """Checks the tokens of those who run the server. Without a token nobody has access."""

    def __init__(
        self, host: Host, admins: Sequence[Admin], clock: Callable[[], float] = time.time
    ) -> None:
        """The host whose secret signs cookies, and those who have a token."""
        self._host = host
        self._admins = {each.name: each for each in admins}
        self._clock = clock
        self._attempts = Buckets(*ATTEMPTS, clock=clock)
        self._wrong = OccasionalWarning("a wrong token for hosts was tried", clock)

    @property
    def exists(self) -> bool:
        """Whether the server can be managed over the network at all."""
        return bool(self._admins)

    def check_token(self, request: Request, said: str) -> Admin:
        """Whose token it is. Refuses a wrong one, and a client that has tried many: HttpError."""
        self._check_exists()
        if seconds := self._attempts.take(request.client, 0.0):
            raise BusyError("too many wrong tokens from you; try again in a while", seconds)
        found = [
            each
            for each in self._admins.values()
            if hmac.compare_digest(said.encode(), each.token.encode())
        ]
        if not found:
            self._attempts.take(request.client)
            self._wrong.note()
            raise HttpError(401, "this token is wrong", code="token")
        return found[0]

    def check_header(self, request: Request) -> Admin:
        """Who sent a request. Refuses a program without the right token: HttpError."""
        scheme, _, said = request.headers.get("authorization", "").partition(" ")
        self._check_exists()
        if scheme.lower() != "bearer":
            headers = {"www-authenticate": "Bearer"}
            raise HttpError(401, "this is for the people who run the server", headers=headers)
        return self.check_token(request, said.strip())

    def _check_exists(self) -> None:
        if not self.exists:
            raise HttpError(404, "there is nothing here")

    def sign_in(self, request: Request, admin: Admin) -> Header:
        """The header by which a browser is signed in for a while, in the session it has if any."""
        until = int(self._clock()) + SESSION
        session = self.session_of(request)
        if _named_in(session) != admin.name or not session:
            session = f"{admin.name}~{new_id()}"
        value = f"{until}.{session}.{self._signature(until, session, admin)}"
        return set_cookie(request, HOST_COOKIE, value, SESSION, strict=True)

    def _signature(self, until: int, session: str, admin: Admin) -> str:
        return self._host.keys.session_token(admin.token, f"{until}/{session}")

    def sign_out(self, request: Request) -> Header:
        """The header by which it is not any more."""
        return set_cookie(request, HOST_COOKIE, "", 0, strict=True)

    def signed_in(self, request: Request) -> Admin | None:
        """Who is signed in with a browser; None: nobody. Raises HttpError where nobody can be."""
        self._check_exists()
        session = self.session_of(request)
        return self._admins[_named_in(session)] if session else None

    def session_of(self, request: Request) -> str:
        """The session in which a browser is signed in; empty where it is not."""
        said, _, rest = cookie_in(request, HOST_COOKIE).partition(".")
        session, _, signature = rest.partition(".")
        admin = self._admins.get(_named_in(session))
        until = whole_number(said, 16)
        if admin is None or until is None:
            return ""
        right = self._signature(until, session, admin)
        ours = hmac.compare_digest(right.encode(), signature.encode())
        ended = self._host.keys.has_ended(session) or self._clock() >= until
        return session if ours and not ended else ""


def _named_in(session: str) -> str:
    return session.partition("~")[0]


def check_role(admin: Admin, needed: Role) -> None:
    """Refuse somebody whose role is not enough. Raises HttpError."""
    if not admin.role.may(needed):
        raise HttpError(403, f"this is for the role {needed}, not for {admin.role}", code="role")
