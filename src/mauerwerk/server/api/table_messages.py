"""A table as programs get it: what a viewer may see and is told, with sentences in English."""

from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from mauerwerk.core.game import AnyGame, Outcome, Seat, Value
from mauerwerk.server.engine.audience import NoticeBatch
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.http.errors import ErrorText
from mauerwerk.server.tables import charter, log, notices, table_views
from mauerwerk.server.tables.clocks import Clock
from mauerwerk.server.tables.table import Status, Viewer
from mauerwerk.server.tables.undo import Way
from mauerwerk.server.ui.names import names_of

_encode = msgspec.json.Encoder().encode


class Notice(Value):
    """What a viewer is told of one entry of the log."""

    number: int
    kind: log.Kind
    seat: Seat | None = None
    name: str = ""
    level: str = ""
    back_to: int | None = None
    table: str = ""
    ended: str = ""
    """Why the game was ended without a winner."""

    events: tuple[Any, ...] = ()
    text: tuple[str, ...] = ()
    """The events in sentences."""


class Choice(Value):
    """Something a seat may do: its move in the game's notation, and as a player would say it."""

    move: str
    say: str


class TableView(Value):
    """All that a viewer may see of a table now."""

    table: str
    game: str
    title: str
    rules: int
    options: dict[str, str]
    status: Status
    number: int
    seat: Seat | None
    seats: tuple[table_views.SeatView, ...]
    names: tuple[str, ...]
    """How the seats are called in sentences."""

    public: bool
    seconds_per_move: int
    bot_delay_ms: int
    hints: bool
    rated: bool
    dice: charter.Dice
    initial_moves: int
    created: int
    commitment: str
    seed: str | None
    view: Any | None
    prompt: str
    """What the table waits for, as a question."""

    legal: tuple[Choice, ...]
    may_enter_roll: bool
    replaces_choice: bool
    undo: Way
    question: table_views.Question | None
    deadline: int | None
    spectator_delay: int
    clock: Clock
    times: tuple[table_views.SeatTime, ...]
    outcome: Outcome | None
    ended: str
    """Why the game was ended without a winner; empty if it was not."""

    rematch: str


class Problem(ErrorText, tag=False, omit_defaults=True):
    """Why something was not done. Nothing has changed."""

    table_view: Annotated[
        TableView | None, Meta(description="The table as it is now, where you were too late.")
    ] = None


def view_message(snapshot: Snapshot, viewer: Viewer) -> TableView:
    """The table as this viewer sees it."""
    game, seen = snapshot.table.game, snapshot.view(viewer)
    names = names_of(seen.seats)
    fields: dict[str, Any] = msgspec.structs.asdict(seen)
    fields["names"] = names
    fields["prompt"] = "" if seen.view is None or seen.ended else game.ask(seen.view, names)
    fields["legal"] = tuple(Choice(game.write(each), game.say(each)) for each in seen.legal)
    return TableView(**fields)


def notice_messages(game: AnyGame, told: Iterable[notices.Notice]) -> tuple[Notice, ...]:
    """Notices with the sentences of their events, in which all are called as they were then."""
    return tuple(
        Notice(
            number=notice.number,
            kind=notice.kind,
            seat=notice.seat,
            name=notice.name,
            level=notice.level,
            back_to=notice.back_to,
            table=notice.table,
            ended=notice.ended,
            events=notice.events,
            text=_text(game, notice) if notice.events else (),
        )
        for notice in told
    )


def _text(game: AnyGame, notice: notices.Notice) -> tuple[str, ...]:
    names = names_of(notice.players)
    sentences = (game.tell(event, names) for event in notice.events)
    return tuple(sentence for sentence in sentences if sentence)


def frame_of(game: AnyGame, batch: NoticeBatch) -> bytes:
    """A batch of notices as server-sent events; the first stream that asks keeps the bytes."""
    if batch.frame is None:
        batch.frame = b"".join(
            b"id: %d\nevent: %b\ndata: %b\n\n"
            % (notice.number, notice.kind.encode(), _encode(notice))
            for notice in notice_messages(game, batch.notices)
        )
    return batch.frame
