"""One more entry in the log of a table, and what it means for what was logged before."""

from collections.abc import Sequence
from typing import Any

import msgspec

from mauerwerk.server.tables.entries import Entry, Kind
from mauerwerk.server.tables.table import Logged, Occupant, Player, Table


def with_entry(
    table: Table,
    entry: Entry,
    events: tuple[Any, ...] = (),
    back_to: int | None = None,
    **changes: Any,  # noqa: ANN401 - fields of a table
) -> Table:
    """The table with one more entry, and whatever that changes."""
    if "state" in changes:
        changes["waiting"] = table.game.to_act(changes["state"])
    log = table.log
    occupants = changes.get("occupants", table.occupants)
    known = bool(log) and log[-1].occupants is occupants
    players = log[-1].players if known else _players(occupants)
    changed = changes.get("changes", table.changes)
    logged = Logged(entry, occupants, players, changed, events, back_to)
    return msgspec.structs.replace(table, log=log.followed_by(logged), **changes)


def _players(occupants: Sequence[Occupant]) -> tuple[Player, ...]:
    return tuple(Player(each.name, each.level) for each in occupants)


def ruled(table: Table, entry: Entry) -> Table:
    """What is decided about a table: a player has another name, or the game is ended."""
    if entry.kind is Kind.RENAME:
        return _renamed(table, entry)
    return with_entry(table, entry, ended=entry.word, waiting=(), proposal=None)


def _renamed(table: Table, entry: Entry) -> Table:
    """Call a player otherwise, in all that was told before too: nobody is to read the old name."""
    assert entry.seat is not None
    return with_entry(called(table, entry.seat, entry.word), entry)


def called(table: Table, seat: int, name: str) -> Table:
    """The table with another name for the player at a seat, from the beginning on."""
    before = table.occupants[seat].name

    def retold(logged: Logged) -> Logged:
        if logged.players[seat].name != before:
            return logged
        players = with_item(logged.players, seat, Player(name, logged.players[seat].level))
        return msgspec.structs.replace(logged, players=players)

    occupant = msgspec.structs.replace(table.occupants[seat], name=name)
    return msgspec.structs.replace(
        table,
        log=table.log.retold(retold),
        occupants=with_item(table.occupants, seat, occupant),
    )


_Item = Any


def with_item(items: tuple[_Item, ...], place: int, item: _Item) -> tuple[_Item, ...]:
    """The same items, but for one."""
    return (*items[:place], item, *items[place + 1 :])
