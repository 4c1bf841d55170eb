"""What the people who run a server have decided, as values."""

import ipaddress
from enum import StrEnum

from mauerwerk.core.game import Value
from mauerwerk.server.engine.blocklist import Block, plain
from mauerwerk.server.http.settings import Admin
from mauerwerk.server.keys import GuestStatus
from mauerwerk.server.tables.errors import FeatureError


class AdminError(FeatureError):
    """What the host wants cannot be done; the message says why. Nothing has changed."""


class Subject(StrEnum):
    """What a report is about."""

    NAME = "name"
    BEHAVIOUR = "behaviour"
    TABLE = "table"
    CHAT = "chat"


class Report(Value, tag=False):
    """Something that a player reported to the host."""

    id: str
    at: int
    table: str
    game: str
    seat: int | None
    """None, where the whole table is meant."""
    guest: str
    name: str
    """The name of the player at that seat then."""
    about: Subject
    text: str
    """What the reporter adds."""
    said: str
    """For chat: what was said, and what came before it."""
    reporter: str
    reporter_name: str
    resolved: str = ""
    """How the host dealt with it; empty until then."""


class Action(StrEnum):
    """What a host can do. Those that end in `-table` change the table that they name."""

    END_TABLE = "end-table"
    DELETE_TABLE = "delete-table"
    RENAME_TABLE = "rename-table"
    SEND_AWAY_TABLE = "send-away-table"
    BLOCK = "block"
    UNBLOCK = "unblock"
    LOG_OUT = "log-out"
    RENAME = "rename"
    RESOLVE = "resolve-report"
    CLOSE = "close"
    REOPEN = "reopen"
    ROTATE = "rotate-secret"
    BACK_UP = "back-up"
    REWRITE_TABLE = "rewrite-table"
    MAINTENANCE = "maintenance"
    PERSON = "person"
    SIGN_OUT = "sign-out"
    VOID = "void-game"

    @property
    def at_table(self) -> bool:
        """Whether it changes one table, which it names."""
        return self.endswith("-table")


class AuditEntry(Value, tag=False):
    """A line of the audit log."""

    id: int
    at: int
    by: str
    """Where it was done: by a `command`, over the `api` or on the `page`, and after a colon by
    whom, if that is known; `guest`: at the wish of a guest; `policy`: by the server itself, as its
    settings say."""
    action: Action
    what: str
    detail: str


def done_by(where: str, admin: Admin | None) -> str:
    """How the audit log says where something was done, and by whom."""
    return f"{where}:{admin.name}" if admin is not None and admin.name else where


class Decisions(Value, tag=False):
    """All decisions that hold now."""

    last: int = 0
    """The number of the last entry."""
    blocks: tuple[Block, ...] = ()
    guest_statuses: tuple[GuestStatus, ...] = ()
    closed: bool = False
    """Whether nobody may open new tables."""
    secret: bytes = b""
    former: bytes = b""
    """The secret before, while what was signed with it is still valid."""
    former_until: int = 0
    ended: tuple[str, ...] = ()
    """Devices that people have signed out, and sessions of hosts."""

    @property
    def who_may_enter(self) -> tuple[object, ...]:
        """All on which it depends whether a visitor is let in, and as whom."""
        return (self.blocks, self.guest_statuses, self.secret, self.former, self.ended)


def name_of(said: str) -> str:
    """A name that is blocked, as it is compared. Raises AdminError.

    >>> name_of(" *B\u00f6se* ")
    '*bose*'
    """
    found = plain(said, keep="*")
    if not found.strip("*"):
        raise AdminError("a name that is blocked has at least one letter")
    return found


def network_of(said: str) -> str:
    """A network, or an address, as a network in its usual form. Raises AdminError.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1/48")
    ('192.0.2.7/32', '2001:db8::/48')
    """
    try:
        return str(ipaddress.ip_network(said.strip(), strict=False))
    except ValueError:
        raise AdminError(
            f"{said!r} is neither an address nor a network like 192.0.2.0/24"
        ) from None
