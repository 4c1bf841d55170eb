"""Registries: what this package has by name, and what other installed packages add to it.

A layer has one registry for what a game can bring to it. Its own entries come first. Other packages
add theirs as entry points of the registry's group, in their `pyproject.toml`:

    [project.entry-points."mauerwerk.games"]
    breach = "breach.game:BREACH"

The groups are `mauerwerk.games`, and for what a game brings to other layers `mauerwerk.bots`,
`mauerwerk.kernels`, `mauerwerk.studies`, `mauerwerk.learn` and `mauerwerk.server.games`. Features
of the server are in `mauerwerk.server.features`.

An entry that cannot be used, because its module raises an error, it is not what it should be or its
name is taken, is left out, and a line in the log names the package and the reason. `faults` has
these lines by name, and so does the error for an entry that is asked for by that name.

Nothing is searched for as long as only own entries are asked for by name, and an entry is imported
when it is first used. In a notebook or a test an entry can also be added by hand, for this process:

    GAMES["breach"] = BREACH
"""

import logging
import multiprocessing
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from importlib import import_module
from typing import Any, Final, Generic, NamedTuple, TypeVar, overload

from mauerwerk.core.errors import PACKAGE, SetupError, where

T = TypeVar("T")
Default = TypeVar("Default")
_LOG: Final = logging.getLogger(__name__)


def lacking(
    entry: Any,  # noqa: ANN401 - any object
    protocol: type[Any],
    called: str,
    unwritten: Sequence[str] = (),
) -> str:
    """What is wrong with an entry that should keep a protocol; empty when nothing is."""
    names = [name for name in vars(protocol) if not name.startswith("_")]
    missing = [*(name for name in names if not hasattr(entry, name)), *unwritten]
    return f"this is no {called}, it lacks {', '.join(missing)}" if missing else ""


class RegistryError(SetupError):
    """An installed package adds something that cannot be used; the message says which and why."""


class _Found(NamedTuple):
    """The entry points that were found along a path, what they are loaded to, and what is wrong."""

    path: tuple[str, ...]
    offers: Mapping[str, Any]
    loaded: dict[str, Any]
    faults: dict[str, RegistryError]


class Registry(MutableMapping[str, T], Generic[T]):
    """Entries by name: own ones in their order, then those of other packages by name."""

    def __init__(
        self,
        group: str,
        own: Mapping[str, T],
        fault: Callable[[str, Any], str] = lambda _name, _entry: "",
        load: Callable[[Any], Any] = lambda offer: offer.load(),
        *,
        strict: bool = False,
    ) -> None:
        """`group` is the group of entry points; `fault` says what is wrong with a foreign entry.

        `load` makes an entry of an entry point; by default the object that it names. A strict
        registry raises RegistryError instead of leaving an entry out.
        """
        self.group: Final = group
        self._taken: Final = frozenset(own)
        self._own: Final = dict(own)
        self._fault: Final = fault
        self._load: Final = load
        self._strict: Final = strict
        self._found = _Found((), {}, {}, {})

    def __getitem__(self, name: str) -> T:
        if name in self._own:
            return self._own[name]
        found = self._search()
        if name not in found.offers:
            raise KeyError(name)
        if not self._can_load(found, name):
            raise found.faults[name]
        entry: T = found.loaded[name]
        return entry

    def __setitem__(self, name: str, entry: T) -> None:
        if fault := self._fault(name, entry):
            raise RegistryError(f"{self.group} cannot have {name}: {fault}")
        self._own[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._own[name]

    def __contains__(self, name: object) -> bool:
        if name in self._own:
            return True
        found = self._search()
        return name in found.offers and self._can_load(found, str(name))

    def __iter__(self) -> Iterator[str]:
        found = self._search()
        usable = [name for name in found.offers if self._can_load(found, name)]
        return iter(dict.fromkeys((*self._own, *usable)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    @overload
    def get(self, name: str, default: None = None, /) -> T | None: ...
    @overload
    def get(self, name: str, default: Default, /) -> T | Default: ...
    def get(  # pyright: ignore[reportIncompatibleMethodOverride] - by name alone
        self, name: str, default: object = None, /
    ) -> object:
        """The entry, or the default where there is none that can be used."""
        return self[name] if name in self else default  # noqa: SIM401 - this is `get` itself

    @property
    def faults(self) -> Mapping[str, RegistryError]:
        """What is wrong with entries of other packages, by name."""
        found = self._search()
        for name in found.offers:
            self._can_load(found, name)
        return found.faults

    def _search(self) -> _Found:
        """The entries of other packages, found again only when Python's path has changed."""
        path = tuple(sys.path)
        if self._found.path != path:
            self._found = _Found(path, {}, {}, {})
            self._found = self._found._replace(offers=self._offers(self._found))
        return self._found

    def _offers(self, found: _Found) -> Mapping[str, Any]:
        """The entry points of this group by name; of two with the same name, the first."""
        # Imported here, because no command should wait for it that plays a game of this package.
        metadata = import_module("importlib.metadata")
        offers: dict[str, Any] = {}
        for offer in sorted(metadata.entry_points(group=self.group), key=_order):
            if offer.name in self._taken or offer.name in offers:
                key = f"{offer.name} of {_source(offer)}"
                self._leave_out(found, key, offer, f"the name {offer.name} is taken")
            else:
                offers[offer.name] = offer
        return offers

    def _can_load(self, found: _Found, name: str) -> bool:
        """Load an entry, if that was not tried before."""
        if name in found.faults:
            return False
        if name not in found.loaded:
            offer = found.offers[name]
            try:
                entry = self._load(offer)
            except Exception as error:  # noqa: BLE001 - whatever a package does when it is imported
                line = " ".join(f"{type(error).__name__}: {error}".split())
                line += where(error, PACKAGE)
                self._leave_out(found, name, offer, line, error)
                return False
            if fault := self._fault(name, entry):
                self._leave_out(found, name, offer, fault)
                return False
            found.loaded[name] = entry
        return True

    def _leave_out(
        self,
        found: _Found,
        name: str,
        offer: Any,  # noqa: ANN401 - an entry point
        why: str,
        cause: Exception | None = None,
    ) -> None:
        """Note a fault, and log it where a person reads it: not again in each worker."""
        error = RegistryError(f"{_source(offer)}: {why}")
        if self._strict:
            raise error from cause
        error.__cause__ = cause
        found.faults[name] = error
        if multiprocessing.parent_process() is None:
            _LOG.warning("%s; it is left out", error)


def _source(offer: Any) -> str:  # noqa: ANN401 - an entry point
    """Where an entry point comes from: `mauerwerk.games of breach 1.0 (breach.game:BREACH)`."""
    package = f"{offer.dist.name} {offer.dist.version}" if offer.dist else "an unknown package"
    return f"{offer.group} of {package} ({offer.value})"


def _order(offer: Any) -> tuple[str, str]:  # noqa: ANN401 - an entry point
    return offer.name, _source(offer)
