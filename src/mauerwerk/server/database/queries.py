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
from inspect import signature
from typing import (
    Any,
    Concatenate,
    Final,
    Generic,
    ParamSpec,
    TypeAlias,
    TypeVar,
    get_type_hints,
    overload,
)

import msgspec

from mauerwerk.server.database.store import Store
from mauerwerk.server.database.transaction import Transaction

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


Work: TypeAlias = Callable[Concatenate[Transaction, _Given], _Made]


class StorageFunction(Generic[_Given, _Made]):
    """A function of a transaction that a store can run in a transaction of its own."""

    def __init__(self, work: Work[_Given, _Made], by: str | None = None, lasting: str = "") -> None:
        """Write as this actor; None: only read. With the name of a decision, write that down."""
        self._work = work
        self._by = by
        self._lasting = lasting
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

        def work(transaction: Transaction) -> _Made:
            made = self._work(transaction, *args, **kwargs)
            refused: object = made
            if self._lasting and refused is not False:
                given = signature(self._work).bind(transaction, *args, **kwargs).arguments
                _, *names = given
                transaction.remember(self._lasting, {name: given[name] for name in names})
            return made

        if isinstance(on, Transaction):
            return work(on)
        return on.read(work) if self._by is None else on.write(self._by, work)

    def again(self, transaction: Transaction, given: str) -> None:
        """Do it with these arguments, as they were written down."""
        types = get_type_hints(self._work)
        said: dict[str, Any] = msgspec.json.decode(given)
        arguments = {
            name: msgspec.convert(value, types[name], strict=False) for name, value in said.items()
        }
        known = signature(self._work).parameters
        by_name = {name: arguments[name] for name in known if name in arguments}
        call: Callable[..., _Made] = self._work
        call(transaction, **by_name)

    def by(self, actor: str) -> "StorageFunction[_Given, _Made]":
        """The same command, done by another actor."""
        return StorageFunction(self._work, actor, self._lasting)


def query(work: Work[_Given, _Made]) -> StorageFunction[_Given, _Made]:
    """A storage function that only reads."""
    return StorageFunction(work)


LASTING: Final[dict[str, StorageFunction[..., Any]]] = {}
"""The commands that are done again after an older backup was restored, by name."""


def command(
    *, by: str, lasting: str = ""
) -> Callable[[Work[_Given, _Made]], StorageFunction[_Given, _Made]]:
    """A storage function that writes; `by` is its actor in the audit log.

    A decision is `lasting` that must hold also after an older backup was restored: it is written
    down under this name, unless the function returns False. Its arguments must have a JSON form,
    tell no secret, and it may be done twice.
    """

    def made(work: Work[_Given, _Made]) -> StorageFunction[_Given, _Made]:
        function = StorageFunction(work, by, lasting)
        if lasting:
            LASTING[lasting] = function
        return function

    return made


@command(by="server")
def made_once(transaction: Transaction, name: str, make: Callable[[], bytes]) -> bytes:
    """A setting of the database, made by the first who needs it."""
    kept = transaction.state(name)
    if not kept:
        kept = make()
        transaction.set_state(name, kept)
    return kept
