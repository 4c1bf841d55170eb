"""Operations for the people who run a server, with its token: what `mauerwerk admin` does, too."""

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any, Final

from mauerwerk.play.storage import ruling_lists
from mauerwerk.play.storage.ledger import DAY, Ledger
from mauerwerk.play.storage.rulings import Blocked, network_of
from mauerwerk.web.api import messages
from mauerwerk.web.api import ruling_messages as told
from mauerwerk.web.api.operation import Handler, Operation
from mauerwerk.web.http.call import Call
from mauerwerk.web.http.faults import Fault
from mauerwerk.web.http.names import named
from mauerwerk.web.queues import queues_of


def _with_token(handler: Callable[[Call, Any], Awaitable[Any]]) -> Handler:
    """The same handler, for those who know the token."""

    @wraps(handler)
    async def checked(call: Call, ask: Any) -> Any:  # noqa: ANN401 - as the handler has it
        call.site.access.check_header(call.visit)
        if any("\0" in each for each in call.path.values()):  # no database has such an id
            raise Fault(404, "there is nothing here")
        return await handler(call, ask)

    return checked


async def _act(call: Call, work: Callable[[Ledger], object]) -> told.Ruled:
    return told.Ruled(done=await call.host.ruler.act("api", work) is not False)


@_with_token
async def find_tables(call: Call, ask: told.FindTables) -> told.ListedTables:
    """Tables, also those that are not public; those changed last first."""
    return told.ListedTables(
        tables=await call.host.ruler.look(
            lambda ledger: ruling_lists.tables(
                ledger,
                ask.which,
                guest=ask.guest,
                text=ask.text,
                before=ask.before,
                most=ask.most,
            )
        )
    )


@_with_token
async def end_table(call: Call, ask: told.Why) -> told.Ruled:
    """End a running game; nobody wins, and its players are told."""
    return await _act(call, lambda ledger: ledger.end_table(call.table, ask.reason))


@_with_token
async def delete_table(call: Call, ask: told.Why) -> told.Ruled:
    """Delete a table for good."""
    return await _act(call, lambda ledger: ledger.delete_table(call.table, ask.reason))


@_with_token
async def list_guests(call: Call, ask: told.ListSome) -> told.ListedGuests:
    """Guests: blocked, reported and busy ones first."""
    found = await call.host.ruler.look(lambda ledger: ruling_lists.guests(ledger, ask.most))
    return told.ListedGuests(guests=found)


@_with_token
async def log_out_guest(call: Call, ask: messages.Nothing) -> told.Ruled:
    """Make all cookies, tokens and personal links of a guest invalid."""
    del ask
    return await _act(call, lambda ledger: ledger.log_out(call.path["guest"]))


@_with_token
async def rename_guest(call: Call, ask: told.NewName) -> told.Ruled:
    """Give a guest another name, also in what was told at their tables."""
    name = named(ask.name)
    return await _act(call, lambda ledger: ledger.rename(call.path["guest"], name))


@_with_token
async def list_blocks(call: Call, ask: messages.Nothing) -> told.Blocks:
    """Guests and networks that are blocked."""
    del ask
    rulings = await call.host.ruler.look(Ledger.rulings)
    return told.Blocks(blocks=rulings.blocks)


@_with_token
async def block(call: Call, ask: told.NewBlock) -> told.Ruled:
    """Block a guest or a network; bots play on for a guest."""
    what = network_of(ask.what) if ask.kind is Blocked.NETWORK else ask.what
    return await _act(call, lambda ledger: ledger.block(ask.kind, what, ask.reason, ask.until))


@_with_token
async def lift_block(call: Call, ask: told.OldBlock) -> told.Ruled:
    """Let a guest or a network in again."""
    what = network_of(ask.what) if ask.kind is Blocked.NETWORK else ask.what
    return await _act(call, lambda ledger: ledger.unblock(ask.kind, what))


@_with_token
async def list_reports(call: Call, ask: told.ListReports) -> told.Reports:
    """What players reported, the last first."""
    found = await call.host.ruler.look(
        lambda ledger: ruling_lists.reports(ledger, settled=ask.settled, most=ask.most)
    )
    return told.Reports(reports=found)


@_with_token
async def settle_report(call: Call, ask: told.Settle) -> told.Ruled:
    """Note that a report was dealt with."""
    return await _act(call, lambda ledger: ledger.settle(call.path["report"], ask.how))


@_with_token
async def see_queues(call: Call, ask: messages.Nothing) -> told.Queues:
    """The queues of the server that answers, and who fills them."""
    del ask
    return told.Queues(queues=queues_of(call.site))


@_with_token
async def set_closed(call: Call, ask: told.Closed) -> told.Ruled:
    """Take no new tables, or take them again."""
    return await _act(call, lambda ledger: ledger.close(closed=ask.closed))


@_with_token
async def rotate_secret(call: Call, ask: told.Rotate) -> told.Ruled:
    """Sign links and cookies with a new secret."""
    return await _act(call, lambda ledger: ledger.rotate_secret(ask.grace_days * DAY))


@_with_token
async def read_audit(call: Call, ask: told.ListSome) -> told.Audit:
    """What was done, the last first."""
    return told.Audit(deeds=await call.host.ruler.look(lambda it: it.deeds(most=ask.most)))


AT: Final = "/api/admin"
TABLE: Final = f"{AT}/tables/{{table}}"
GUEST: Final = f"{AT}/guests/{{guest}}"
BLOCK: Final = {"kind": "network", "what": "192.0.2.0/24", "reason": "too many tables"}


def _get(path: str, handler: Handler, ask: type[messages.Ask], answer: type) -> Operation:
    return Operation("GET", f"{AT}{path}", handler, ask, answer, for_hosts=True)


def _post(path: str, handler: Handler, ask: type[messages.Ask], **example: Any) -> Operation:  # noqa: ANN401
    return Operation("POST", path, handler, ask, told.Ruled, example=example, for_hosts=True)


OPERATIONS: Final = (
    _get("/tables", find_tables, told.FindTables, told.ListedTables),
    _post(f"{TABLE}/end", end_table, told.Why, reason="the evening is over"),
    _post(f"{TABLE}/delete", delete_table, told.Why),
    _get("/guests", list_guests, told.ListSome, told.ListedGuests),
    _post(f"{GUEST}/log-out", log_out_guest, messages.Nothing),
    _post(f"{GUEST}/rename", rename_guest, told.NewName, name="Mason"),
    _get("/blocks", list_blocks, messages.Nothing, told.Blocks),
    _post(f"{AT}/blocks", block, told.NewBlock, **BLOCK),
    _post(f"{AT}/blocks/lift", lift_block, told.OldBlock, kind="guest", what="c2VjcmV0"),
    _get("/reports", list_reports, told.ListReports, told.Reports),
    _post(f"{AT}/reports/{{report}}/settle", settle_report, told.Settle, how="dismissed"),
    _get("/queues", see_queues, messages.Nothing, told.Queues),
    _post(f"{AT}/closed", set_closed, told.Closed, closed=True),
    _post(f"{AT}/secret", rotate_secret, told.Rotate, grace_days=14),
    _get("/audit", read_audit, told.ListSome, told.Audit),
)
"""Everything that the people who run a server can ask for."""
