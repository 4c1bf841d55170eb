"""What the page for hosts shows, in words of the reader's language."""

from mauerwerk.core.game import Value
from mauerwerk.server.games.room import Box


class Figure(Value):
    """One figure of how the server is."""

    label: str
    value: str
    note: str
    warns: bool = False


class TableRow(Value):
    """A table in the list."""

    id: str
    box: Box
    who: str
    state: str
    changed: str
    running: bool


class GuestRow(Value):
    """A guest in the list."""

    guest: str
    name: str
    note: str
    tag: str
    blocked: bool
    here: bool
    """Whether they look at a table now."""

    mark: int


class ReportRow(Value):
    """A report that waits for the host."""

    id: str
    guest: str
    name: str
    quote: str
    note: str


class NetworkRow(Value):
    """A network that is blocked."""

    what: str
    note: str


class LimitRow(Value):
    """How full something is."""

    title: str
    held: int
    most: int
    note: str


class EntryRow(Value):
    """A line of the log of actions."""

    when: str
    words: str


class Question(Value):
    """What the host is asked before something is done."""

    do: str
    what: str


class AdminPage(Value):
    """Everything on the page."""

    needs: str
    """What needs the host, in one or two sentences."""

    figures: tuple[Figure, ...]
    which: str
    find: str
    more: str
    """How many tables there are, in words."""

    tables: tuple[TableRow, ...]
    older: int
    """When the last of them changed, if there may be older ones; 0 if not."""

    guests: tuple[GuestRow, ...]
    guests_more: str
    reports: tuple[ReportRow, ...]
    networks: tuple[NetworkRow, ...]
    limits: tuple[LimitRow, ...]
    settings: tuple[tuple[str, str], ...]
    """All limits by their names, as they are set."""

    entries: tuple[EntryRow, ...]
    closed: bool
    backups: bool
    """Whether the server knows where backups are."""

    asks: Question
    refusal: str
    """Why the last action was not done; empty if it was."""
