"""Registries: what this package has by name, and what other installed packages add to it.

A layer has one registry for what a game can bring to it. Its own entries come first. Other packages
add theirs as entry points of the registry's group, in their `pyproject.toml`:

    [project.entry-points."mauerwerk.games"]
    breach = "breach.game:BREACH"

The groups are `mauerwerk.games`, and for what a game brings to other layers `mauerwerk.bots`,
`mauerwerk.kernels`, `mauerwerk.studies`, `mauerwerk.learn` and `mauerwerk.server.games`. Features
of the server are in `mauerwerk.server.features`.

Nothing is searched for as long as only own entries are asked for by name, and an entry is imported
when it is first used. In a notebook or a test an entry can also be added by hand, for this process:

    GAMES["breach"] = BREACH
"""

import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from importlib import import_module
from typing import Any, Final, Generic, NamedTuple, TypeVar

from mauerwerk.core.errors import SetupError

T = TypeVar("T")


def lacking(entry: Any, protocol: type[Any], called: str) -> str:  # noqa: ANN401 - any object
    """What is wrong with an entry that should keep a protocol; empty when nothing is."""
    names = [name for name in vars(protocol) if not name.startswith("_")]
    missing = [name for name in names if not hasattr(entry, name)]
    return f"this is no {called}, it lacks {', '.join(missing)}" if missing else ""


class RegistryError(SetupError):
    """An installed package adds something that cannot be used; the message says which and why."""


class _Found(NamedTuple):
    """The entry points that were found along a path, and what they have been loaded to."""

    path: tuple[str, ...]
    offers: Mapping[str, Any]
    loaded: dict[str, Any]


class Registry(MutableMapping[str, T], Generic[T]):
    """Entries by name: own ones in their order, then those of other packages by name."""

    def __init__(
        self,
        group: str,
        own: Mapping[str, T],
        fault: Callable[[str, Any], str] = lambda _name, _entry: "",
        load: Callable[[Any], Any] = lambda offer: offer.load(),
    ) -> None:
        """`group` is the group of entry points; `fault` says what is wrong with a foreign entry.

        `load` makes an entry of an entry point; by default the object that it names.
        """
        self.group: Final = group
        self._taken: Final = frozenset(own)
        self._own: Final = dict(own)
        self._fault: Final = fault
        self._load: Final = load
        self._found = _Found((), {}, {})

    def __getitem__(self, name: str) -> T:
        if name in self._own:
            return self._own[name]
        found = self._search()
        if name not in found.loaded:
            found.loaded[name] = self._loaded(found.offers[name])
        entry: T = found.loaded[name]
        return entry

    def __setitem__(self, name: str, entry: T) -> None:
        if fault := self._fault(name, entry):
            raise RegistryError(f"{self.group} cannot have {name}: {fault}")
        self._own[name] = entry

    def __delitem__(self, name: str) -> None:
        del self._own[name]

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._search().offers

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self._own, *self._search().offers)))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _search(self) -> _Found:
        """The entries of other packages, found again only when Python's path has changed."""
        path = tuple(sys.path)
        if self._found.path != path:
            self._found = _Found(path, self._offers(), {})
        return self._found

    def _offers(self) -> Mapping[str, Any]:
        """The entry points of this group by name. Raises RegistryError where a name is taken."""
        # Imported here, because no command should wait for it that plays a game of this package.
        metadata = import_module("importlib.metadata")
        offers: dict[str, Any] = {}
        for offer in sorted(metadata.entry_points(group=self.group), key=lambda each: each.name):
            if offer.name in self._taken or offer.name in offers:
                raise RegistryError(f"{_source(offer)}: the name {offer.name} is taken")
            offers[offer.name] = offer
        return offers

    def _loaded(self, offer: Any) -> Any:  # noqa: ANN401 - an entry point, and what it stands for
        try:
            entry = self._load(offer)
        except Exception as error:  # whatever a package does when it is imported
            line = " ".join(f"{type(error).__name__}: {error}".split())
            raise RegistryError(f"{_source(offer)}: {line}") from error
        if fault := self._fault(offer.name, entry):
            raise RegistryError(f"{_source(offer)}: {fault}")
        return entry


def _source(offer: Any) -> str:  # noqa: ANN401 - an entry point
    """Where an entry point comes from: `mauerwerk.games of breach 1.0 (breach.game:BREACH)`."""
    package = f"{offer.dist.name} {offer.dist.version}" if offer.dist else "an unknown package"
    return f"{offer.group} of {package} ({offer.value})"
