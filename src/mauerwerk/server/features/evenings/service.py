"""Evenings of a host: what people ask of them, and the tables that they set up.

An evening is changed in one transaction of the database, so that it does not matter at which server
somebody presses a button, or how often. A round is written down first, with ids of its tables that
follow from it. Then the tables are set up. A server that is stopped in between leaves the rest to
the next one that looks. If one of them cannot be set up, the round was not started, and those that
were set up before are deleted.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from msgspec.structs import replace

from mauerwerk.core.game import Seat
from mauerwerk.server.database import errors, queries
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.evenings import store, values
from mauerwerk.server.features.evenings.values import BOT, Evening, Hindrance, RoundTable
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.keys import new_id
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.charter import Chair, Guest, Order
from mauerwerk.server.tables.errors import NoTableError, OtherRulesError, RequestError, TooManyError
from mauerwerk.server.tables.log import GONE, Kind
from mauerwerk.server.tables.requests import Submission
from mauerwerk.server.tables.table import Card, Status

REPAIRS: Final = 600_000
"""Milliseconds after its start in which a round still gets tables that are missing.

A table that is missing later, or was deleted, brings nobody points."""

BOT_DELAY_MS: Final = 1_000
"""Milliseconds that a bot waits before it moves, so that people can follow."""


class LoadedEvening(NamedTuple):
    """An evening as it stands, and its tables that are being played."""

    id: str
    evening: Evening
    cards: Mapping[str, Card]
    deleted: frozenset[str] = frozenset()
    """Those that a host of the server has deleted meanwhile."""


async def create(host: Host, evening: Evening, guest: Guest) -> str:
    """Begin an evening, of which this guest is the host; its id."""
    id_ = new_id()
    new = values.joined(replace(evening, created=host.now(), people=()), guest)
    await store.add(host.store, id_, new)
    return id_


async def load(host: Host, id_: str) -> LoadedEvening:
    """An evening as it stands, with the results of all that has ended. Raises EveningError."""
    found = await _read(host.store, id_)
    current = found.evening.current
    lately = host.now() - REPAIRS
    known = len(found.cards) + len(found.deleted)
    if known < len(found.evening.under_way) and (
        current is not None and found.evening.rounds[current].started > lately
    ):
        await _set_up_missing(host, found)
        before, found = found, await _read(host.store, id_)
        if found.evening.rounds != before.evening.rounds:  # it may have been taken back
            await _drop_surplus(host.store, before)
    if not _results(found, lately):
        return found
    return await _settle(host.store, id_, lately)


# --- Changing --------------------------------------------------------------------------------


async def join(host: Host, id_: str, guest: Guest) -> Evening:
    """Take part. Raises EveningError."""
    return await store.change(host.store, id_, partial(values.joined, guest=guest))


async def leave(host: Host, id_: str, guest: Guest, number: int | None = None) -> Evening:
    """Go home, or, as the host, let somebody go; a bot finishes their game. Raises EveningError."""

    def work(evening: Evening) -> Evening:
        own = evening.person_of(guest.id)
        if own is None:
            raise values.EveningError(Hindrance.NOT_THERE)
        if number is not None and number != own.number:
            _check_host(evening, guest)
        return values.gone(evening, own.number if number is None else number)

    evening = await store.change(host.store, id_, work)
    own = evening.person_of(guest.id)
    assert own is not None
    await _send_away(host, evening, own.number if number is None else number)
    return evening


async def start(host: Host, id_: str, guest: Guest, number: int, game: str = "") -> LoadedEvening:
    """Start this round, once, if it has this game. For the host alone. Raises EveningError."""
    await load(host, id_)  # which notes what has ended
    started: list[int] = []

    def work(evening: Evening) -> Evening:
        started.clear()  # a transaction may be tried again
        if number < len(evening.rounds) and evening.rounds[number].tables:
            return evening  # it was pressed twice
        if number != evening.following or game not in {"", evening.rounds[number].game}:
            raise values.EveningError(Hindrance.NO_SUCH_ROUND)
        name = partial(host.keys.evening_table_id, id_, evening.version)
        started.append(number)
        return values.started(evening, name, host.now())

    begun = LoadedEvening(id_, await change(host, id_, guest, work), {})
    if started:  # otherwise its tables are there, or are set up as it is loaded
        try:
            await _set_up_missing(host, begun)
        except Exception:
            await _take_back(host.store, number, begun)
            raise
    return await load(host, id_)


async def change(host: Host, id_: str, guest: Guest, work: Callable[[Evening], Evening]) -> Evening:
    """What only the host of an evening may change. Raises EveningError."""

    def checked(evening: Evening) -> Evening:
        _check_host(evening, guest)
        return work(evening)

    return await store.change(host.store, id_, checked)


# --- Tables ----------------------------------------------------------------------------------


async def _set_up_missing(host: Host, loaded: LoadedEvening) -> None:
    """Set up the tables of the round that is being played, as far as they do not exist."""
    evening = loaded.evening
    if evening.current is None:
        return
    for table in evening.rounds[evening.current].tables:
        if table.id in loaded.cards or table.id in loaded.deleted or table.over:
            continue
        sitting = {
            Seat(seat): Guest(evening.people[person].guest, evening.people[person].name)
            for seat, person in enumerate(table.people)
            if person != BOT and evening.people[person].guest != GONE
        }
        order = _order(loaded.id, evening, table, sitting)
        with suppress(errors.OvertakenError):  # another server was faster
            await _set_up(host, table.id, order, sitting)


async def _set_up(host: Host, table: str, order: Order, sitting: Mapping[Seat, Guest]) -> None:
    """Set up a table, opened by the first there who has room for one more.

    Nobody opens it where all were forgotten in this very moment.
    """
    openers = tuple(sitting.values())
    for opener in openers:
        try:
            await host.create_at(table, order, sitting, opener)
        except (TooManyError, RequestError):
            if opener == openers[-1]:
                raise
        else:
            return


def _order(id_: str, evening: Evening, table: RoundTable, sitting: Mapping[Seat, Guest]) -> Order:
    """A table of the round that is being played. It is for these people alone."""
    assert evening.current is not None
    played = evening.rounds[evening.current]
    chairs = tuple(
        Chair("human") if Seat(seat) in sitting else Chair("bot", evening.level)
        for seat in range(len(table.people))
    )
    return Order(
        game=played.game,
        chairs=chairs,
        options=played.options,
        seconds_per_move=evening.seconds_per_move,
        bot_delay_ms=BOT_DELAY_MS,
        hints=False,
        rated=False,  # people meet here to play together, not for their rating
        evening=id_,
    )


async def _send_away(host: Host, evening: Evening, number: int) -> None:
    """Let a bot play on for somebody, who may come back to their seat."""
    guest = evening.people[number].guest
    at_table = Submission("", frozenset({Kind.AWAY}))
    for table in evening.under_way:
        if number in table.people:
            with suppress(NoTableError, OtherRulesError):  # nobody waits there
                await host.submit(table.id, at_table, partial(requests.send_away, guest=guest))


@queries.query
def _read(transaction: Transaction, id_: str) -> LoadedEvening:
    evening = store.read(transaction, id_)
    cards = store.cards_of(transaction, _under_way(evening))
    missing = set(_under_way(evening)).difference(cards)
    deleted = moderation.deleted_tables(transaction, missing) if missing else frozenset[str]()
    return LoadedEvening(id_, evening, cards, deleted)


@queries.command(by="evening")
def _settle(transaction: Transaction, id_: str, lately: int) -> LoadedEvening:
    found = _read(transaction, id_)
    work = partial(values.settled, results=_results(found, lately))
    return found._replace(evening=store.change(transaction, id_, work))


@queries.command(by="evening")
def _take_back(transaction: Transaction, number: int, started: LoadedEvening) -> None:
    """A round whose tables could not be set up was not started: nobody plays at any of them."""

    def work(evening: Evening) -> Evening:
        if evening.rounds[number : number + 1] != started.evening.rounds[number : number + 1]:
            return evening
        again = replace(evening.rounds[number], tables=(), started=0)
        return values.with_round(evening, number, again)

    store.change(transaction, started.id, work)
    _drop_surplus(transaction, started)


@queries.command(by="evening")
def _drop_surplus(transaction: Transaction, before: LoadedEvening) -> None:
    """Delete tables of a round that was taken back meanwhile."""
    rounds = store.read(transaction, before.id, held=True).rounds
    still = {table.id for each in rounds for table in each.tables}
    gone = [table for table in _under_way(before.evening) if table not in still]
    for table in store.cards_of(transaction, gone):
        moderation.delete_table(transaction, table)


def _check_host(evening: Evening, guest: Guest) -> None:
    person = evening.person_of(guest.id)
    if person is None or person.number != evening.host:
        raise values.EveningError(Hindrance.NOT_HOST)


def _under_way(evening: Evening) -> tuple[str, ...]:
    return tuple(table.id for table in evening.under_way)


def _results(loaded: LoadedEvening, lately: int) -> dict[str, RoundTable]:
    """The results of tables that are over, or gone, and were not when it was last written."""
    found: dict[str, RoundTable] = {}
    for each in loaded.evening.rounds:
        for table in each.tables:
            card = loaded.cards.get(table.id)
            if not table.over and card is not None and card.status is Status.OVER:
                found[table.id] = _result(table, card)
            elif table.id in loaded.deleted or (
                not table.over and card is None and each.started <= lately
            ):
                found[table.id] = replace(table, over=True)
    return found


def _result(table: RoundTable, card: Card) -> RoundTable:
    return replace(
        table,
        over=True,
        ended=card.changed,
        ranks=card.ranks,
        points=card.points,
        stand_ins=tuple(
            person
            for person, level in zip(table.people, card.levels, strict=True)
            if person != BOT and level
        ),
    )
