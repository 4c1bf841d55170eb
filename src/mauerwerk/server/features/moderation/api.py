"""The messages of the API for the people who run a server."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Annotated, Any, Final, Literal

from msgspec import Meta

from mauerwerk.server.api import messages
from mauerwerk.server.api.messages import Answer, Ask, Before, Count
from mauerwerk.server.api.operation import Handler, Operation
from mauerwerk.server.database.transaction import DAY, Transaction
from mauerwerk.server.features.moderation import admin_queries
from mauerwerk.server.features.moderation.admin_queries import Filter, ListedGuest, ListedTable
from mauerwerk.server.features.moderation.queues import Queue, queues_of
from mauerwerk.server.features.moderation.state import (
    AuditEntry,
    Block,
    Blocked,
    Report,
    network_of,
)
from mauerwerk.server.http.call import Call
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.names import named

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


def _with_token(handler: Callable[[Call, Any], Awaitable[Any]]) -> Handler:
    """The same handler, for those who know the token."""

    @wraps(handler)
    async def checked(call: Call, ask: Any) -> Any:  # noqa: ANN401 - as the handler has it
        call.site.access.check_header(call.visit)
        if any("\0" in each for each in call.path.values()):  # no database has such an id
            raise HttpError(404, "there is nothing here")
        return await handler(call, ask)

    return checked


async def _act(call: Call, work: Callable[[Transaction], object]) -> Ruled:
    return Ruled(done=await call.host.ruler.act("api", work) is not False)


@_with_token
async def find_tables(call: Call, ask: FindTables) -> ListedTables:
    """Tables, also those that are not public; those changed last first."""
    return ListedTables(
        tables=await call.host.ruler.look(
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
async def end_table(call: Call, ask: Why) -> Ruled:
    """End a running game; nobody wins, and its players are told."""
    return await _act(call, lambda transaction: transaction.end_table(call.table, ask.reason))


@_with_token
async def delete_table(call: Call, ask: Why) -> Ruled:
    """Delete a table for good."""
    return await _act(call, lambda transaction: transaction.delete_table(call.table, ask.reason))


@_with_token
async def list_guests(call: Call, ask: ListSome) -> ListedGuests:
    """Guests: blocked, reported and busy ones first."""
    found = await call.host.ruler.look(
        lambda transaction: admin_queries.guests(transaction, ask.most)
    )
    return ListedGuests(guests=found)


@_with_token
async def log_out_guest(call: Call, ask: messages.Nothing) -> Ruled:
    """Make all cookies, tokens and personal links of a guest invalid."""
    del ask
    return await _act(call, lambda transaction: transaction.log_out(call.path["guest"]))


@_with_token
async def rename_guest(call: Call, ask: NewName) -> Ruled:
    """Give a guest another name, also in what was told at their tables."""
    name = named(ask.name)
    return await _act(call, lambda transaction: transaction.rename(call.path["guest"], name))


@_with_token
async def list_blocks(call: Call, ask: messages.Nothing) -> Blocks:
    """Guests and networks that are blocked."""
    del ask
    rulings = await call.host.ruler.look(Transaction.rulings)
    return Blocks(blocks=rulings.blocks)


@_with_token
async def block(call: Call, ask: NewBlock) -> Ruled:
    """Block a guest or a network; bots play on for a guest."""
    what = network_of(ask.what) if ask.kind is Blocked.NETWORK else ask.what
    return await _act(
        call, lambda transaction: transaction.block(ask.kind, what, ask.reason, ask.until)
    )


@_with_token
async def lift_block(call: Call, ask: OldBlock) -> Ruled:
    """Let a guest or a network in again."""
    what = network_of(ask.what) if ask.kind is Blocked.NETWORK else ask.what
    return await _act(call, lambda transaction: transaction.unblock(ask.kind, what))


@_with_token
async def list_reports(call: Call, ask: ListReports) -> Reports:
    """What players reported, the last first."""
    found = await call.host.ruler.look(
        lambda transaction: admin_queries.reports(transaction, resolved=ask.resolved, most=ask.most)
    )
    return Reports(reports=found)


@_with_token
async def resolve_report(call: Call, ask: Resolve) -> Ruled:
    """Note that a report was dealt with."""
    return await _act(call, lambda transaction: transaction.resolve(call.path["report"], ask.how))


@_with_token
async def see_queues(call: Call, ask: messages.Nothing) -> Queues:
    """The queues of the server that answers, and who fills them."""
    del ask
    return Queues(queues=queues_of(call.site))


@_with_token
async def set_closed(call: Call, ask: Closed) -> Ruled:
    """Take no new tables, or take them again."""
    return await _act(call, lambda transaction: transaction.close(closed=ask.closed))


@_with_token
async def rotate_secret(call: Call, ask: Rotate) -> Ruled:
    """Sign links and cookies with a new secret."""
    return await _act(call, lambda transaction: transaction.rotate_secret(ask.grace_days * DAY))


@_with_token
async def read_audit(call: Call, ask: ListSome) -> Audit:
    """What was done, the last first."""
    return Audit(entries=await call.host.ruler.look(lambda it: it.audit_log(most=ask.most)))


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
