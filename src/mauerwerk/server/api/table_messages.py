"""A table as programs get it: what a viewer may see and is told, with sentences in English."""

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

import msgspec

from mauerwerk.core.game import AnyGame, Value
from mauerwerk.server.engine.audience import NoticeBatch
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.http.errors import ErrorText
from mauerwerk.server.tables import notices, table_views
from mauerwerk.server.tables.table import Viewer
from mauerwerk.server.ui.names import names_of

_encode = msgspec.json.Encoder().encode
_public = attrgetter(*notices.PublicNotice.__struct_fields__)


class NoticeMessage(notices.PublicNotice, tag="notice"):
    """What a viewer is told of one entry of the log."""

    text: tuple[str, ...] = ()
    """The events in sentences."""


_message: Callable[..., NoticeMessage] = NoticeMessage


class Choice(Value):
    """Something a seat may do: its move in the game's notation, and as a player would say it."""

    move: str
    say: str


class TableMessage(table_views.TableView, tag="tableview"):
    """All that a viewer may see of a table now."""

    legal: tuple[Choice, ...]
    """The actions among which this viewer may choose, in canonical order."""
    names: tuple[str, ...]
    """How the seats are called in sentences."""
    prompt: str
    """What the table waits for, as a question."""


class Problem(ErrorText, tag=False, omit_defaults=True):
    """Why something was not done. Nothing has changed."""

    table_view: TableMessage | None = None
    """The table as it is now, where you were too late."""


def view_message(snapshot: Snapshot, viewer: Viewer) -> TableMessage:
    """The table as this viewer sees it."""
    game, seen = snapshot.table.game, snapshot.view(viewer)
    names = names_of(seen.seats)
    fields: dict[str, Any] = msgspec.structs.asdict(seen)
    fields["names"] = names
    fields["prompt"] = "" if seen.view is None or seen.ended else game.ask(seen.view, names)
    fields["legal"] = tuple(Choice(game.write(each), game.say(each)) for each in seen.legal)
    return TableMessage(**fields)


def notice_messages(game: AnyGame, told: Iterable[notices.Notice]) -> tuple[NoticeMessage, ...]:
    """Notices with the sentences of their events, in which all are called as they were then."""
    messages: list[NoticeMessage] = []
    for notice in told:
        names = names_of(notice.players) if notice.events else ()
        text = [said for event in notice.events if (said := game.tell(event, names))]
        messages.append(_message(*_public(notice), tuple(text)))
    return tuple(messages)


def frame_of(game: AnyGame, batch: NoticeBatch) -> bytes:
    """A batch of notices as server-sent events; the first stream that asks keeps the bytes."""
    if batch.frame is None:
        batch.frame = b"".join(
            b"id: %d\nevent: %b\ndata: %b\n\n"
            % (notice.number, notice.kind.encode(), _encode(notice))
            for notice in notice_messages(game, batch.notices)
        )
    return batch.frame
