"""Storage functions: written for one transaction, awaited on a store.

    @query
    def followed(transaction: Transaction, guest: str) -> tuple[Card, ...]: ...

    @command(by="guest")
    def follow(transaction: Transaction, guest: str, table: str) -> None: ...

    cards = await followed(store, guest)    # a transaction of its own, in a thread
    cards = followed(transaction, guest)    # a part of a transaction that is open

A query only reads. A command writes all or nothing, and `by` names the actor in the audit log.
"""

from collections.abc import Callable, Coroutine
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeAlias, TypeVar, overload

from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import Transaction

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


Work: TypeAlias = Callable[Concatenate[Transaction, _Given], _Made]


class StorageFunction(Generic[_Given, _Made]):
    """A function of a transaction that a store can run in a transaction of its own."""

    def __init__(self, work: Work[_Given, _Made], by: str | None = None) -> None:
        """Write as this actor; None: only read."""
        self._work = work
        self._by = by
        update_wrapper(self, work)

    @overload
    def __call__(
        self, on: Transaction, /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> _Made: ...

    @overload
    def __call__(
        self, on: Store, /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> Coroutine[Any, Any, _Made]: ...

    def __call__(
        self, on: Transaction | Store, /, *args: _Given.args, **kwargs: _Given.kwargs
    ) -> _Made | Coroutine[Any, Any, _Made]:
        """Run within this transaction, or in one of its own on this store."""
        if isinstance(on, Transaction):
            return self._work(on, *args, **kwargs)

        def work(transaction: Transaction) -> _Made:
            return self._work(transaction, *args, **kwargs)

        return on.read(work) if self._by is None else on.write(self._by, work)

    def by(self, actor: str) -> "StorageFunction[_Given, _Made]":
        """The same command, done by another actor."""
        return StorageFunction(self._work, actor)


def query(work: Work[_Given, _Made]) -> StorageFunction[_Given, _Made]:
    """A storage function that only reads."""
    return StorageFunction(work)


def command(*, by: str) -> Callable[[Work[_Given, _Made]], StorageFunction[_Given, _Made]]:
    """A storage function that writes; `by` is its actor in the audit log."""
    return lambda work: StorageFunction(work, by)
