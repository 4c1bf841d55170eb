"""Settings that the people who run a server decide: all of them, with what they are at first."""

import ipaddress
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, cast
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, inspect

from mauerwerk.core.game import Value
from mauerwerk.core.language import listed
from mauerwerk.server.engine.blocklist import lies_in
from mauerwerk.server.engine.limits import HostLimits

Section = TypeVar("Section", bound=msgspec.Struct)


class SettingsError(ValueError):
    """A file of settings cannot be used; the message says why, in one line."""


class Limits(HostLimits, tag=False, kw_only=True):
    """Limits of one client, which is an address; of one guest; and of the whole server."""

    requests: Annotated[float, Meta(ge=0)] = 100.0
    """Requests per second of one client; 0: no limits for clients."""
    burst: Annotated[int, Meta(ge=1)] = 400
    """Requests of one client at once."""
    request_ms: Annotated[float, Meta(gt=0)] = 2.0
    """Milliseconds of CPU time that a request includes; one that takes longer counts as several."""
    guests: Annotated[int, Meta(ge=1)] = 60
    """New guests per hour of one client; half of them at once."""
    tables: Annotated[int, Meta(ge=1)] = 60
    """New tables per hour of one client or guest; half of them at once."""
    reports: Annotated[int, Meta(ge=1)] = 20
    """Reports per hour of one client; half of them at once."""
    email_addresses: Annotated[int, Meta(ge=1)] = 10
    """E-mail addresses per hour that one client may enter."""
    devices: Annotated[int, Meta(ge=1)] = 20
    """New addresses for notifications, of browsers or others, per hour of one client or guest; half
    of them at once."""
    records: Annotated[float, Meta(gt=0)] = 1.0
    """Records per second that one client may have replayed."""
    pictures: Annotated[float, Meta(gt=0)] = 0.5
    """Pictures for links per second that are drawn for one client."""
    large_boards: Annotated[float, Meta(gt=0)] = 4.0
    """Boards of more than 120 fields per second for one client."""
    notices: Annotated[int, Meta(ge=1)] = 20
    """Notices told again that count as one more request."""
    streams: Annotated[int, Meta(ge=1)] = 100
    """Open streams of one client."""
    all_streams: Annotated[int, Meta(ge=1)] = 10_000
    """Open streams of all clients."""
    connections: Annotated[int, Meta(ge=1)] = 250
    """Open connections of one client, streams included."""
    stalled_stream_seconds: Annotated[float, Meta(ge=1, le=600)] = 10.0
    """Seconds in which a client must take what is sent."""
    body_bytes: Annotated[int, Meta(ge=16_384, le=16 * 2**20)] = 64 * 1024
    """Bytes of the body of a request."""
    body_timeout: Annotated[float, Meta(ge=0.1, le=600)] = 10.0
    """Seconds in which a body must arrive."""
    header_bytes: Annotated[int, Meta(ge=8_192, le=2**20)] = 32 * 1024
    """Bytes of a request before its body."""
    header_fields: Annotated[int, Meta(ge=30)] = 100
    """Header fields of a request."""
    header_timeout: Annotated[float, Meta(ge=0.1, le=600)] = 10.0
    """Seconds in which the head of a request must arrive."""
    seat_reservations: Annotated[int, Meta(ge=1)] = 10_000
    """Seats that are kept for people who opened a link."""
    tracked_clients: Annotated[int, Meta(ge=100)] = 50_000
    """Clients whose requests are counted at the same time."""


class Trusted(Value, tag=False):
    """Networks in which many people share an address, such as a school."""

    networks: tuple[str, ...] = ()
    factor: Annotated[float, Meta(ge=1, le=10_000)] = 30.0
    """How much more a client there may do."""

    def times(self, client: str) -> float:
        """By how much the limits of a client are multiplied."""
        return _times(self, client) if self.networks else 1.0


@lru_cache(maxsize=4096)
def _times(trusted: Trusted, client: str) -> float:
    networks = map(ipaddress.ip_network, trusted.networks)
    inside = any(lies_in(client, network) for network in networks)
    return trusted.factor if inside else 1.0


class Backups(Value, tag=False):
    """Backups that the page for hosts tells of, and makes."""

    folder: str = ""
    """Where they are; empty: nobody knows."""


class Role(StrEnum):
    """What somebody may do who manages a server; each may do what those before may."""

    VIEWER = "viewer"
    """Look at everything that hosts see."""
    MODERATOR = "moderator"
    """Decide about tables, guests, names and reports."""
    OWNER = "owner"
    """Decide about the server: its doors, its secret, its backups."""

    def may(self, needed: "Role") -> bool:
        """Whether this role is enough."""
        order = tuple(Role)
        return order.index(self) >= order.index(needed)


class Admin(Value, tag=False):
    """Somebody who manages the server."""

    token: str
    name: str = ""
    """As the audit log calls them; empty, where all share one token."""
    role: Role = Role.OWNER


class Settings(Value):
    """How a server is to run."""

    address: str = ""
    """The public address, such as `https://walls.example.org`. Empty: as requested."""

    hosts: tuple[str, ...] = ()
    """Names it answers to, in addition to numeric addresses and `localhost`. `*`: any."""

    trust_proxy: bool = False
    """Whether to believe what a proxy in front of it says about the client."""

    metrics_token: str = ""
    """With this token, `/metrics` can be read from other machines."""

    admins: tuple[Admin, ...] = ()
    """Those who manage the server over the network; without any, nobody does."""

    limits: Limits = Limits()
    trusted: Trusted = Trusted()
    backups: Backups = Backups()
    sections: tuple[msgspec.Struct, ...] = ()
    """The settings of features, where they differ from what they are at first."""

    folder: str = ""
    """Where it keeps files beside the database; empty: nowhere."""

    alone: bool = False
    """Whether nobody else can come here: the server runs on the one device that uses it."""

    links: str = ""
    """What links begin with that people pass on; empty: the address."""

    log: bool = True
    """Whether to write one line to stderr for each request."""

    def section(self, kind: type[Section]) -> Section:
        """The settings of a feature."""
        return next((each for each in self.sections if isinstance(each, kind)), kind())

    @property
    def prefix(self) -> str:
        """The path of the public address, below which everything is; empty for none."""
        return _path_of(self.address)


@lru_cache(maxsize=16)
def _path_of(address: str) -> str:
    return urlsplit(address).path.rstrip("/")


OWN_SECTIONS: Final[Mapping[str, type[msgspec.Struct]]] = {
    "limits": Limits,
    "trusted": Trusted,
    "backups": Backups,
}
"""What a file of settings can have, beside the sections of features."""


def read_settings(path: Path, sections: Mapping[str, type[msgspec.Struct]]) -> Settings:
    """The settings in a TOML file, with these sections of features. Raises SettingsError."""
    try:
        content: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as fault:
        raise SettingsError(f"{path}: {fault.strerror or fault}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise SettingsError(f"{path} is not TOML: {fault}") from None
    known = {**OWN_SECTIONS, **sections}
    found = {name: _section(path, name, each, known) for name, each in content.items()}
    check_networks(f"{path}: trusted.networks", getattr(found.get("trusted"), "networks", ()))
    own: dict[str, Any] = {name: each for name, each in found.items() if name in OWN_SECTIONS}
    others = tuple(each for name, each in found.items() if name in sections)
    return Settings(**own, sections=others)


def check_networks(where: str, networks: Iterable[str]) -> None:
    """Refuse what is not a network. Raises SettingsError."""
    for network in networks:
        try:
            ipaddress.ip_network(network)
        except ValueError:
            raise SettingsError(f"{where}: {network} is not a network") from None


def _section(
    path: Path, name: str, content: object, known: Mapping[str, type[msgspec.Struct]]
) -> msgspec.Struct:
    if name not in known:
        names = listed([f"[{each}]" for each in known])
        raise SettingsError(f"{path}: there is no section [{name}], only {names}")
    if not isinstance(content, dict):
        raise SettingsError(f"{path}: [{name}] is a section, with a setting in each line")
    fields = {each.name: each.type for each in _fields_of(known[name])}
    for key, value in cast("dict[str, Any]", content).items():
        if key not in fields:
            near = get_close_matches(key, fields, 1)
            perhaps = f"; perhaps {near[0]}?" if near else f", only {listed(list(fields))}"
            raise SettingsError(f"{path}: there is no setting {key} in [{name}]{perhaps}")
        if isinstance(value, float) and not isfinite(value):
            raise SettingsError(f"{path}: {name}.{key}: {value} is not a number to count with")
    try:
        return msgspec.convert(content, known[name])
    except msgspec.ValidationError as fault:
        said, _, where = str(fault).partition(" - at ")
        place = where.strip("`").removeprefix("$")
        match fields.get(place.removeprefix(".")):
            case inspect.LiteralType(values=words):
                said = f"can be {listed(list(map(str, words)), 'or')}"
            case _:
                pass
        raise SettingsError(f"{path}: {name}{place}: {said}") from None


def _fields_of(section: type[msgspec.Struct]) -> Iterable[inspect.Field]:
    kind = inspect.type_info(section)
    return kind.fields if isinstance(kind, inspect.StructType) else ()


def limit_names() -> tuple[str, ...]:
    """All limits, those of a host last."""
    of_host = HostLimits.__struct_fields__
    return (*(each for each in Limits.__struct_fields__ if each not in of_host), *of_host)
