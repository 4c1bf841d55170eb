"""Die Mauer for the page: fists above the wall, the viewer's seven pieces, the slate.

The wall breaks into courses by itself: each piece is a picture of its own in a line that wraps.
"""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat
from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg.drawing import Node
from mauerwerk.games.mauer.drawing.blocks import Offers
from mauerwerk.games.mauer.drawing.hands import (
    pieces_left,
    status,
)
from mauerwerk.games.mauer.drawing.text import when
from mauerwerk.games.mauer.events import Built, Event, FistsOpened, RoundEnded, Task, View
from mauerwerk.games.mauer.notation import say, write
from mauerwerk.games.mauer.rules import totals
from mauerwerk.games.mauer.values import FULL_SET, Action, Build, End, Plan
from mauerwerk.server.games.markup import html
from mauerwerk.server.games.mauer.board_slate import slate
from mauerwerk.server.games.mauer.board_stage import Player, fist, fists, stage, wall
from mauerwerk.server.games.mauer.board_tray import tray
from mauerwerk.server.games.mauer.places import places as touched
from mauerwerk.server.games.parts import Button, Parts, SeatLine

LOOK: Final = "dm"
SEATED: Final = True
ASIDE: Final = "board"
SYMBOLS: Final = (
    *(f"{kind}-{piece.value}" for kind in ("piece", "ghost") for piece in FULL_SET),
    *("hand-open", "hand-fist", "hold-back", "hold-front", "stone"),
)


def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
    view: View,
    legal: Sequence[Action],
    names: Sequence[str],
    language: Language = ENGLISH,
    before: Sequence[Event] = (),
    notes: Sequence[str] = (),
    /,
) -> Parts:
    """The table as this view has it."""
    offers = {action: (write(action), say(action, language)) for action in legal}
    points = totals(view.scores, len(view.counts))
    seats = [Seat(seat) for seat in range(len(view.counts))]
    return Parts(
        stage=html(_stage(view, offers, _people(view, names, notes, before), before, language)),
        tray=html(*tray(view, offers, language)),
        aside=html(slate(view, names, language)),
        figure="",
        when=when(view, language),
        seats=tuple(SeatLine(str(points[seat]), _note(view, seat, language)) for seat in seats),
        buttons=_buttons(offers),
    )


def _stage(
    view: View,
    offers: Offers,
    people: Sequence[Player],
    before: Sequence[Event],
    language: Language,
) -> Node:
    """What everybody sees."""
    items = [fist(view, player, language) for player in people]
    return stage(
        fists(items), wall(view, offers, language, _origins(view, before)), language=language
    )


def _origins(view: View, before: Sequence[Event]) -> dict[str, str]:
    """From which hands the pieces of this turn came, by their names on the wall."""
    opened = max(
        (place for place, each in enumerate(before) if isinstance(each, FistsOpened)), default=0
    )
    turn = before[opened:]
    return {
        name: f"fist-{event.seat}"
        for event, names in zip(turn, touched(view, turn), strict=True)
        if isinstance(event, Built)
        for name in names
    }


def _note(view: View, seat: Seat, language: Language) -> str:
    words = [status(view, seat, language)[0], pieces_left(view, seat, language)]
    return " · ".join(filter(None, words))


def _buttons(offers: Offers) -> tuple[Button, ...]:
    """The ends of the wall once more, for on a phone they may be out of sight."""
    signs = {Build(End.LEFT): "i-left", Build(End.RIGHT): "i-right"}
    return tuple(
        Button(offers[action][0], capital(offers[action][1]), sign=name, main=True)
        for action, name in signs.items()
        if action in offers
    )


def _people(
    view: View, names: Sequence[str], notes: Sequence[str], before: Sequence[Event]
) -> list[Player]:
    seats = len(view.counts)
    rows = zip(
        range(seats),
        names,
        [*notes, *[""] * seats],
        [*_shown_last(view, before), *[None] * seats],
        strict=False,
    )
    return [Player(Seat(seat), name, note, showed) for seat, name, note, showed in rows]


def _shown_last(view: View, before: Sequence[Event]) -> tuple[Plan, ...]:
    """What the fists showed in the turn before, while everybody plans the next one."""
    if view.task is Task.PLAN:
        for event in reversed(before):
            if isinstance(event, FistsOpened):
                return event.fists
            if isinstance(event, RoundEnded):
                break
    return ()
