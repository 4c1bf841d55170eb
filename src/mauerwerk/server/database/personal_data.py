"""What belongs to a person beside their tables: how it is taken along, and how it is deleted."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple, TypeAlias

import sqlalchemy as sa

from mauerwerk.server.database.transaction import Transaction

Rows: TypeAlias = tuple[dict[str, Any], ...]


class PersonalData(NamedTuple):
    """One kind of things that a person owns, or that name them."""

    name: str
    """What it is called in the file that they take along."""

    table: sa.Table
    """Where it is stored."""

    taken: Callable[[Transaction, str], Rows]
    """All of it that is stored about this guest, without secrets and without ids of others."""

    forget: Callable[[Transaction, str], None]
    """Deletes it, or removes the guest from it where others still need it."""


def rows_in(transaction: Transaction, wanted: "sa.Select[*tuple[Any, ...]]") -> Rows:
    """What a query finds, by column."""
    return tuple(dict(row) for row in transaction.execute(wanted).mappings())


def of_guest(name: str, table: sa.Table, *hidden: str) -> PersonalData:
    """All rows of a table whose column `guest` names them, less hidden columns."""
    shown = [column for column in table.c if column.name not in {"guest", *hidden}]

    def taken(transaction: Transaction, guest: str) -> Rows:
        return rows_in(transaction, sa.select(*shown).where(table.c.guest == guest))

    def forget(transaction: Transaction, guest: str) -> None:
        transaction.remove(table, table.c.guest == guest)

    return PersonalData(name, table, taken, forget)


SOURCES: Final[list[Callable[[], Iterable[PersonalData]]]] = []
"""What features store about people: the list of features adds theirs."""


def everything() -> Iterator[PersonalData]:
    """All that is stored about people beside tables, by every feature."""
    for source in SOURCES:
        yield from source()
