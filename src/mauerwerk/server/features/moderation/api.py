"""The messages of the API for the people who run a server."""

from collections.abc import Callable
from typing import Annotated, Final, Literal

from msgspec import Meta

from mauerwerk.server.api.messages import Answer, Ask, Before, Count, Nothing
from mauerwerk.server.api.operation import Operations
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.blocklist import Block, Blocked
from mauerwerk.server.features.moderation import admin_queries, state, store
from mauerwerk.server.features.moderation.queues import Queue, queues_of
from mauerwerk.server.http.identity import named
from mauerwerk.server.http.request import Request

OPERATIONS: Final = Operations(for_hosts=True)

ADMIN: Final = "/api/admin"
ADMIN_TABLE: Final = f"{ADMIN}/tables/{{table}}"
GUEST: Final = f"{ADMIN}/guests/{{guest}}"
BLOCK: Final = {"kind": "network", "what": "192.0.2.0/24", "reason": "too many tables"}


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

    which: admin_queries.Filter = "all"
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

    tables: tuple[admin_queries.ListedTable, ...]


class ListedGuests(Answer):
    """Guests: blocked, reported and busy ones first."""

    guests: tuple[admin_queries.ListedGuest, ...]


class Blocks(Answer):
    """Guests and networks that are blocked."""

    blocks: tuple[Block, ...]


class Reports(Answer):
    """What players reported."""

    reports: tuple[state.Report, ...]


class Queues(Answer):
    """The queues of the server that answers, and who fills them."""

    queues: tuple[Queue, ...]


class Audit(Answer):
    """What was done, the last first."""

    entries: tuple[state.AuditEntry, ...]


class Ok(Answer):
    """Whether anything had to be done; all servers follow within seconds."""

    done: bool = True


async def _act(request: Request, work: Callable[[Transaction], object]) -> Ok:
    return Ok(done=await request.host.store.write("api", work) is not False)


@OPERATIONS.get(f"{ADMIN}/tables")
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


@OPERATIONS.post(f"{ADMIN_TABLE}/end", example={"reason": "the evening is over"})
async def end_table(request: Request, ask: Why) -> Ok:
    """End a running game; nobody wins, and its players are told."""
    return await _act(request, lambda it: store.end_table(it, request.table, ask.reason))


@OPERATIONS.post(f"{ADMIN_TABLE}/delete", example={})
async def delete_table(request: Request, ask: Why) -> Ok:
    """Delete a table for good."""
    return await _act(request, lambda it: store.delete_table(it, request.table, ask.reason))


@OPERATIONS.get(f"{ADMIN}/guests")
async def list_guests(request: Request, ask: ListSome) -> ListedGuests:
    """Guests: blocked, reported and busy ones first."""
    found = await request.host.store.read(
        lambda transaction: admin_queries.guests(transaction, ask.most)
    )
    return ListedGuests(guests=found)


@OPERATIONS.post(f"{GUEST}/log-out", example={})
async def log_out_guest(request: Request, ask: Nothing) -> Ok:
    """Make all cookies, tokens and personal links of a guest invalid."""
    del ask
    return await _act(request, lambda it: store.log_out(it, request.path_params["guest"]))


@OPERATIONS.post(f"{GUEST}/rename", example={"name": "Mason"})
async def rename_guest(request: Request, ask: NewName) -> Ok:
    """Give a guest another name, also in what was told at their tables."""
    name = named(ask.name)
    return await _act(request, lambda it: store.rename(it, request.path_params["guest"], name))


@OPERATIONS.get(f"{ADMIN}/blocks")
async def list_blocks(request: Request, ask: Nothing) -> Blocks:
    """Guests and networks that are blocked."""
    del ask
    decisions = await request.host.store.read(store.decisions)
    return Blocks(blocks=decisions.blocks)


@OPERATIONS.post(f"{ADMIN}/blocks", example=BLOCK)
async def block(request: Request, ask: NewBlock) -> Ok:
    """Block a guest or a network; bots play on for a guest."""
    what = state.network_of(ask.what) if ask.kind is Blocked.NETWORK else ask.what
    return await _act(request, lambda it: store.block(it, ask.kind, what, ask.reason, ask.until))


@OPERATIONS.post(f"{ADMIN}/blocks/lift", example={"kind": "guest", "what": "c2VjcmV0"})
async def lift_block(request: Request, ask: OldBlock) -> Ok:
    """Let a guest or a network in again."""
    what = state.network_of(ask.what) if ask.kind is Blocked.NETWORK else ask.what
    return await _act(request, lambda it: store.unblock(it, ask.kind, what))


@OPERATIONS.get(f"{ADMIN}/reports")
async def list_reports(request: Request, ask: ListReports) -> Reports:
    """What players reported, the last first."""
    found = await request.host.store.read(
        lambda transaction: admin_queries.reports(transaction, resolved=ask.resolved, most=ask.most)
    )
    return Reports(reports=found)


@OPERATIONS.post(f"{ADMIN}/reports/{{report}}/resolve", example={"how": "dismissed"})
async def resolve_report(request: Request, ask: Resolve) -> Ok:
    """Note that a report was dealt with."""
    return await _act(
        request,
        lambda it: store.resolve(it, request.path_params["report"], ask.how),
    )


@OPERATIONS.get(f"{ADMIN}/queues")
async def see_queues(request: Request, ask: Nothing) -> Queues:
    """The queues of the server that answers, and who fills them."""
    del ask
    return Queues(queues=queues_of(request.app))


@OPERATIONS.post(f"{ADMIN}/closed", example={"closed": True})
async def set_closed(request: Request, ask: Closed) -> Ok:
    """Take no new tables, or take them again."""
    return await _act(request, lambda it: store.close(it, closed=ask.closed))


@OPERATIONS.post(f"{ADMIN}/secret", example={"grace_days": 14})
async def rotate_secret(request: Request, ask: Rotate) -> Ok:
    """Sign links and cookies with a new secret."""
    return await _act(request, lambda it: store.rotate_secret(it, ask.grace_days * store.DAY))


@OPERATIONS.get(f"{ADMIN}/audit")
async def read_audit(request: Request, ask: ListSome) -> Audit:
    """What was done, the last first."""
    return Audit(
        entries=await request.host.store.read(lambda it: store.audit_log(it, most=ask.most))
    )
