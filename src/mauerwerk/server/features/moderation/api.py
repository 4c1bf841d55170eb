"""The operations for the people who run a server: lists, and each of the actions."""

from re import sub
from typing import Annotated, Any, Final, get_type_hints

from msgspec import Meta, Struct, defstruct, structs

from mauerwerk.server.api import operation
from mauerwerk.server.engine.blocklist import Block
from mauerwerk.server.features.moderation import state, store
from mauerwerk.server.features.moderation.actions import ACTIONS, PLAIN, AnyAction
from mauerwerk.server.features.moderation.service import Queue, queues_of
from mauerwerk.server.http.request import Request

_LISTS: Final = operation.Operations(for_hosts=True)
ADMIN: Final = "/api/admin"

GuestId = Annotated[
    str, Meta(max_length=64, pattern=PLAIN, description="The id of a guest; empty: any.")
]


class FindTables(operation.Ask):
    """Which tables to list."""

    filter: store.Filter = "all"
    guest: GuestId = ""
    text: Annotated[str, Meta(max_length=64, pattern=PLAIN)] = ""
    """A name, or the beginning of an id."""
    before: operation.Before = None
    limit: operation.Count = 50


class ListSome(operation.Ask):
    """How much to list."""

    limit: operation.Count = 50


class ListReports(operation.Ask):
    """Which reports to list."""

    resolved: Annotated[bool, Meta(description="Those that were dealt with.")] = False
    limit: operation.Count = 50


class ListedTables(operation.Answer):
    """Tables, those changed last first."""

    tables: tuple[store.ListedTable, ...]


class ListedGuests(operation.Answer):
    """Guests: blocked, reported and busy ones first."""

    guests: tuple[store.ListedGuest, ...]


class Blocks(operation.Answer):
    """Guests and networks that are blocked."""

    blocks: tuple[Block, ...]


class Reports(operation.Answer):
    """What players reported."""

    reports: tuple[state.Report, ...]


class Queues(operation.Answer):
    """The queues of the server that answers, and who fills them."""

    queues: tuple[Queue, ...]


class Audit(operation.Answer):
    """What was done, the last first."""

    entries: tuple[state.AuditEntry, ...]


class Ok(operation.Answer):
    """Whether anything had to be done; all servers follow within seconds."""

    done: bool = True


def _operation(action: type[AnyAction]) -> operation.Operation:
    """An operation that does this; what its address does not say is in the body."""
    in_path = [each.name for each in structs.fields(action) if f"{{{each.name}}}" in action.PATH]
    types = get_type_hints(action, include_extras=True)
    body = defstruct(
        action.__name__,
        [
            (each.name, types[each.name])
            if each.required
            else (each.name, types[each.name], each.default)
            for each in structs.fields(action)
            if each.name not in in_path
        ],
        forbid_unknown_fields=True,
        frozen=True,
        namespace={"__doc__": action.__doc__},
    )

    async def handle(request: Request, ask: Struct) -> Ok:
        given: dict[str, Any] = {name: request.path_params[name] for name in in_path}
        wanted = action(**given, **structs.asdict(ask))
        by = state.done_by("api", request.admin)
        done = await request.host.store.write(by, lambda each: store.carry_out(each, wanted))
        return Ok(done=done)

    handle.__name__ = sub(r"(?<!^)(?=[A-Z])", "_", action.__name__).lower()
    handle.__doc__ = action.__doc__
    return operation.Operation(
        "POST",
        action.PATH,
        handle,
        body,
        Ok,
        example=action.EXAMPLE,
        for_hosts=True,
        role=action.ROLE,
    )


@_LISTS.get(f"{ADMIN}/tables")
async def find_tables(request: Request, ask: FindTables) -> ListedTables:
    """Tables, also those that are not public; those changed last first."""
    found = await store.tables(
        request.host.store,
        ask.filter,
        guest=ask.guest,
        text=ask.text,
        before=ask.before,
        most=ask.limit,
    )
    return ListedTables(tables=found)


@_LISTS.get(f"{ADMIN}/guests")
async def list_guests(request: Request, ask: ListSome) -> ListedGuests:
    """Guests: blocked, reported and busy ones first."""
    return ListedGuests(guests=await store.guests(request.host.store, ask.limit))


@_LISTS.get(f"{ADMIN}/blocks")
async def list_blocks(request: Request) -> Blocks:
    """Guests and networks that are blocked."""
    return Blocks(blocks=(await store.decisions(request.host.store)).blocks)


@_LISTS.get(f"{ADMIN}/reports")
async def list_reports(request: Request, ask: ListReports) -> Reports:
    """What players reported, the last first."""
    database = request.host.store
    found = await store.reports(database, resolved=ask.resolved, most=ask.limit)
    return Reports(reports=found)


@_LISTS.get(f"{ADMIN}/queues")
async def see_queues(request: Request) -> Queues:
    """The queues of the server that answers, and who fills them."""
    return Queues(queues=queues_of(request.app))


@_LISTS.get(f"{ADMIN}/audit")
async def read_audit(request: Request, ask: ListSome) -> Audit:
    """What was done, the last first."""
    return Audit(entries=await store.audit_log(request.host.store, most=ask.limit))


OPERATIONS: Final = (*_LISTS, *map(_operation, ACTIONS.values()))
