"""What the API tells, as values: views, events and actions are those of the games."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Outcome, Seat, Setup, Value
from mauerwerk.core.options import from_words
from mauerwerk.games import game_of
from mauerwerk.server.tables import log, table_views
from mauerwerk.server.tables.table import Status


class TableView(Value, forbid_unknown_fields=False):
    """All that a viewer may see of a table now."""

    table: str
    game: str
    rules: int
    options: dict[str, str]
    status: Status
    number: int
    """How many notices this viewer has been given; a move names it as its version."""
    seat: Seat | None
    seats: tuple[table_views.SeatView, ...]
    names: tuple[str, ...]
    """How the seats are called in sentences."""
    view: Any | None
    """The view of the game."""
    prompt: str
    """What the table waits for, as a question."""
    legal: tuple[Any, ...]
    """The actions of the game that this seat may choose from."""
    outcome: Outcome | None
    ended: str
    """Why the game was ended without a winner; empty if it was not."""
    deadline: int | None
    rematch: str

    @property
    def is_asked(self) -> bool:
        """Whether the table waits for this seat."""
        return self.seat is not None and self.seats[self.seat].asked

    @property
    def is_over(self) -> bool:
        """Whether nothing more will be played here."""
        return self.status is Status.OVER

    @property
    def rules_of(self) -> AnyGame:
        """The rules of the table."""
        return _game(self.game, self.rules)

    @property
    def setup(self) -> Setup[Any]:
        """The setup of the table."""
        return Setup(len(self.seats), from_words(self.rules_of.OPTIONS, self.options))


class Notice(Value, forbid_unknown_fields=False):
    """What a viewer is told of one entry of the table's log."""

    number: int
    kind: log.Kind
    seat: Seat | None = None
    name: str = ""
    level: str = ""
    back_to: int | None = None
    """The first notice that was taken back; what followed from it goes too."""
    table: str = ""
    ended: str = ""
    events: tuple[Any, ...] = ()
    """The events of the game, as this viewer sees them."""
    text: tuple[str, ...] = ()
    """The events in sentences."""


class Verdict(Value, forbid_unknown_fields=False, tag=False):
    """Whether a move is allowed now."""

    allowed: bool
    message: str
    """What the move means, or why it is not allowed."""
    clause: str
    """The clause of the rules that forbids it; empty if none does."""


class ChatMessage(Value, forbid_unknown_fields=False, tag=False):
    """Something that was said at a table."""

    number: int
    side: str
    """Whether a player said it (`players`), or a spectator."""
    seat: Seat | None
    name: str
    form: str
    content: str
    say: str
    """What was said, in English words."""


def table_view(said: Mapping[str, Any]) -> TableView:
    """The table view in an answer. Raises SetupError where the game is not known here."""
    game = _game(said["game"], said["rules"])
    seen = said["view"]
    return msgspec.convert(
        {
            **said,
            "view": None if seen is None else msgspec.convert(seen, game.VIEW),
            "legal": tuple(game.parse(choice["move"]) for choice in said["legal"]),
        },
        TableView,
    )


def notice(game: AnyGame, said: Mapping[str, Any]) -> Notice:
    """The notice in an answer."""
    events = msgspec.convert(said["events"], _events(game.EVENTS))
    return msgspec.convert({**said, "events": events}, Notice)


def told_by(notices: Iterable[Notice]) -> tuple[Any, ...]:
    """All events that still hold: what was taken back is left out."""
    valid: list[Notice] = []
    for each in notices:
        if each.kind is log.Kind.UNDO and each.back_to is not None:
            valid = [one for one in valid if one.number < each.back_to]
        valid.append(each)
    return tuple(event for each in valid for event in each.events)


def _game(name: str, rules: int) -> AnyGame:
    game = game_of(name, rules)
    if game is None:
        raise SetupError(f"the game {name}/{rules} is not installed here")
    return game


@cache
def _events(kinds: tuple[type[Value], ...]) -> Any:  # noqa: ANN401 - a type
    some: Any = kinds[0]
    for kind in kinds[1:]:
        some |= kind
    return tuple[some, ...]
