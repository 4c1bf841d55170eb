"""The messages of the API for the people who run a server."""

from typing import Annotated, Final, Literal

from msgspec import Meta

from mauerwerk.play.storage.ruling_lists import Filter, ListedGuest, ListedTable
from mauerwerk.play.storage.rulings import Block, Blocked, Deed, Report
from mauerwerk.web.api.messages import Answer, Ask, Before, Count
from mauerwerk.web.queues import Queue

PLAIN: Final = r"^[^\x00]*$"
"""A text that every database can hold."""

Reason = Annotated[
    str, Meta(max_length=200, pattern=PLAIN, description="Why; for the log, or for who is blocked.")
]
GuestId = Annotated[
    str, Meta(max_length=64, pattern=PLAIN, description="The id of a guest; empty: any.")
]


class FindTables(Ask):
    """Which tables to list."""

    which: Filter = "all"
    guest: GuestId = ""
    text: Annotated[
        str, Meta(max_length=64, pattern=PLAIN, description="A name, or the beginning of an id.")
    ] = ""
    before: Before = None
    most: Count = 50


class ListSome(Ask):
    """How much to list."""

    most: Count = 50


class ListReports(Ask):
    """Which reports to list."""

    settled: Annotated[bool, Meta(description="Those that were dealt with.")] = False
    most: Count = 50


class Why(Ask):
    """Why something is done."""

    reason: Reason = ""


class NewBlock(Ask):
    """A guest or a network to block."""

    kind: Blocked
    what: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=64,
            pattern=PLAIN,
            description="The id of a guest, or a network.",
        ),
    ]
    reason: Reason = ""
    until: Annotated[
        Annotated[int, Meta(ge=0, le=2**53)] | None,
        Meta(description="Milliseconds since 1970; none: for ever."),
    ] = None


class OldBlock(Ask):
    """A guest or a network to let in again."""

    kind: Blocked
    what: Annotated[str, Meta(min_length=1, max_length=64, pattern=PLAIN)]


class NewName(Ask):
    """What a guest shall be called."""

    name: Annotated[str, Meta(min_length=1, max_length=32)]


class Settle(Ask):
    """How a report was dealt with."""

    how: Literal["dismissed", "renamed", "blocked"] = "dismissed"


class Closed(Ask):
    """Whether to refuse new tables."""

    closed: bool


class Rotate(Ask):
    """How long old links and cookies stay valid."""

    grace_days: Annotated[int, Meta(ge=0, le=365, description="0: they are invalid at once.")] = 14


class ListedTables(Answer):
    """Tables, those changed last first."""

    tables: tuple[ListedTable, ...]


class ListedGuests(Answer):
    """Guests: blocked, reported and busy ones first."""

    guests: tuple[ListedGuest, ...]


class Blocks(Answer):
    """Guests and networks that are blocked."""

    blocks: tuple[Block, ...]


class Reports(Answer):
    """What players reported."""

    reports: tuple[Report, ...]


class Queues(Answer):
    """The queues of the server that answers, and who fills them."""

    queues: tuple[Queue, ...]


class Audit(Answer):
    """What was done, the last first."""

    deeds: tuple[Deed, ...]


class Ruled(Answer):
    """Whether anything had to be done; all servers obey within seconds."""

    done: bool = True
