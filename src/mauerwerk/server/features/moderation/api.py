"""The messages of the API for the people who run a server."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from mauerwerk.server.api import messages
from mauerwerk.server.api.messages import Answer, Ask, Before, Count
from mauerwerk.server.api.operation import Handler, Operation
from mauerwerk.server.database.transaction import DAY, Transaction
from mauerwerk.server.engine.blocklist import Block, Blocked
from mauerwerk.server.features.moderation import admin_queries
from mauerwerk.server.features.moderation.admin_queries import Filter, ListedGuest, ListedTable
from mauerwerk.server.features.moderation.queues import Queue, queues_of
from mauerwerk.server.features.moderation.state import (
    AuditEntry,
    Report,
    network_of,
)
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import HostAccess, named
from mauerwerk.server.http.request import Request

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

    resolved: Annotated[bool, Meta(description="Those that were dealt with.")] = False
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


class Resolve(Ask):
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

    entries: tuple[AuditEntry, ...]


class Ruled(Answer):
    """Whether anything had to be done; all servers obey within seconds."""

    done: bool = True


def _with_token(handler: Callable[[Request, Any], Awaitable[Any]]) -> Handler:
    """The same handler, for those who know the token."""

    @wraps(handler)
    async def checked(request: Request, ask: Any) -> Any:  # noqa: ANN401 - as the handler has it
        request.app.service(HostAccess).check_header(request)
        if any("\0" in each for each in request.path_params.values()):  # no database has such an id
            raise HttpError(404, "there is nothing here")
        return await handler(request, ask)

    return checked


async def _act(request: Request, work: Callable[[Transaction], object]) -> Ruled:
    return Ruled(done=await request.host.store.write("api", work) is not False)


@_with_token
async def find_tables(request: Request, ask: FindTables) -> ListedTables:
    """Tables, also those that are not public; those changed last first."""
    return ListedTables(
        tables=await request.host.store.read(
            lambda transaction: admin_queries.tables(
                transaction,
                ask.which,
                guest=ask.guest,
                text=ask.text,
                before=ask.before,
                most=ask.most,
            )
        )
    )


@_with_token
async def end_table(request: Request, ask: Why) -> Ruled:
    """End a running game; nobody wins, and its players are told."""
    return await _act(request, lambda transaction: transaction.end_table(request.table, ask.reason))


@_with_token
async def delete_table(request: Request, ask: Why) -> Ruled:
    """Delete a table for good."""
    return await _act(
        request, lambda transaction: transaction.delete_table(request.table, ask.reason)
    )


@_with_token
async def list_guests(request: Request, ask: ListSome) -> ListedGuests:
    """Guests: blocked, reported and busy ones first."""
    found = await request.host.store.read(
        lambda transaction: admin_queries.guests(transaction, ask.most)
    )
    return ListedGuests(guests=found)


@_with_token
async def log_out_guest(request: Request, ask: messages.Nothing) -> Ruled:
    """Make all cookies, tokens and personal links of a guest invalid."""
    del ask
    return await _act(
        request, lambda transaction: transaction.log_out(request.path_params["guest"])
    )


@_with_token
async def rename_guest(request: Request, ask: NewName) -> Ruled:
    """Give a guest another name, also in what was told at their tables."""
    name = named(ask.name)
    return await _act(
        request, lambda transaction: transaction.rename(request.path_params["guest"], name)
    )


@_with_token
async def list_blocks(request: Request, ask: messages.Nothing) -> Blocks:
    """Guests and networks that are blocked."""
    del ask
    rulings = await request.host.store.read(Transaction.rulings)
    return Blocks(blocks=rulings.blocks)


@_with_token
async def block(request: Request, ask: NewBlock) -> Ruled:
    """Block a guest or a network; bots play on for a guest."""
    what = network_of(ask.what) if ask.kind is Blocked.NETWORK else ask.what
    return await _act(
        request, lambda transaction: transaction.block(ask.kind, what, ask.reason, ask.until)
    )


@_with_token
async def lift_block(request: Request, ask: OldBlock) -> Ruled:
    """Let a guest or a network in again."""
    what = network_of(ask.what) if ask.kind is Blocked.NETWORK else ask.what
    return await _act(request, lambda transaction: transaction.unblock(ask.kind, what))


@_with_token
async def list_reports(request: Request, ask: ListReports) -> Reports:
    """What players reported, the last first."""
    found = await request.host.store.read(
        lambda transaction: admin_queries.reports(transaction, resolved=ask.resolved, most=ask.most)
    )
    return Reports(reports=found)


@_with_token
async def resolve_report(request: Request, ask: Resolve) -> Ruled:
    """Note that a report was dealt with."""
    return await _act(
        request, lambda transaction: transaction.resolve(request.path_params["report"], ask.how)
    )


@_with_token
async def see_queues(request: Request, ask: messages.Nothing) -> Queues:
    """The queues of the server that answers, and who fills them."""
    del ask
    return Queues(queues=queues_of(request.app))


@_with_token
async def set_closed(request: Request, ask: Closed) -> Ruled:
    """Take no new tables, or take them again."""
    return await _act(request, lambda transaction: transaction.close(closed=ask.closed))


@_with_token
async def rotate_secret(request: Request, ask: Rotate) -> Ruled:
    """Sign links and cookies with a new secret."""
    return await _act(request, lambda transaction: transaction.rotate_secret(ask.grace_days * DAY))


@_with_token
async def read_audit(request: Request, ask: ListSome) -> Audit:
    """What was done, the last first."""
    return Audit(entries=await request.host.store.read(lambda it: it.audit_log(most=ask.most)))


AT: Final = "/api/admin"
TABLE: Final = f"{AT}/tables/{{table}}"
GUEST: Final = f"{AT}/guests/{{guest}}"
BLOCK: Final = {"kind": "network", "what": "192.0.2.0/24", "reason": "too many tables"}


def _get(path: str, handler: Handler, ask: type[messages.Ask], answer: type) -> Operation:
    return Operation("GET", f"{AT}{path}", handler, ask, answer, for_hosts=True)


def _post(path: str, handler: Handler, ask: type[messages.Ask], **example: Any) -> Operation:  # noqa: ANN401
    return Operation("POST", path, handler, ask, Ruled, example=example, for_hosts=True)


OPERATIONS: Final = (
    _get("/tables", find_tables, FindTables, ListedTables),
    _post(f"{TABLE}/end", end_table, Why, reason="the evening is over"),
    _post(f"{TABLE}/delete", delete_table, Why),
    _get("/guests", list_guests, ListSome, ListedGuests),
    _post(f"{GUEST}/log-out", log_out_guest, messages.Nothing),
    _post(f"{GUEST}/rename", rename_guest, NewName, name="Mason"),
    _get("/blocks", list_blocks, messages.Nothing, Blocks),
    _post(f"{AT}/blocks", block, NewBlock, **BLOCK),
    _post(f"{AT}/blocks/lift", lift_block, OldBlock, kind="guest", what="c2VjcmV0"),
    _get("/reports", list_reports, ListReports, Reports),
    _post(f"{AT}/reports/{{report}}/resolve", resolve_report, Resolve, how="dismissed"),
    _get("/queues", see_queues, messages.Nothing, Queues),
    _post(f"{AT}/closed", set_closed, Closed, closed=True),
    _post(f"{AT}/secret", rotate_secret, Rotate, grace_days=14),
    _get("/audit", read_audit, ListSome, Audit),
)
"""Everything that the people who run a server can ask for."""
