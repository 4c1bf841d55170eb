"""The viewpoint from which a page shows a table, also where several people share the device.

A visitor with one seat sees what that seat sees; a visitor with none is a spectator. A visitor with
several seats hands the device on: a gate shuts before each choice that others at the device must
not see, and opens for the player who says who they are. Everything else is watched together, as
spectators see it, also by the player who then has something to choose in front of all. A game
without secrets has nothing to hide, and the page follows the seat whose turn it is.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.game import NATURE, Seat, Value
from mauerwerk.core.language import Language
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.games import room, web_game, web_game_at
from mauerwerk.server.http import errors, seats
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.tables.table import Status, Table, Viewer
from mauerwerk.server.tables.table_views import TableView
from mauerwerk.server.ui.markup import hidden_tray, html

WATCH: Final = "watch"
"""Asks with `?seat=` for the page of a spectator."""


class Viewpoint(Value):
    """The seat that looks, and the gate before it."""

    seat: Viewer
    """Whose page it is; None for a spectator's."""
    own: tuple[Seat, ...]
    """All seats that can be played from here."""
    curtain: Seat | None = None
    """The seat to which the device is to be handed, before anything of its own is shown."""
    together: bool = False
    """Whether all who share the device look at the table, so that nothing of a seat is shown."""
    actor: Seat | None = None
    """The seat that chooses in front of all."""
    watching: bool = False
    """Whether the visitor only wants to watch, though a seat may be kept for them."""
    opened: int | None = None
    """The number of moves when the owner of the seat opened its gate, on a shared device."""

    @property
    def viewer(self) -> Viewer:
        """The viewer for whom the table is drawn: a spectator unless one seat alone looks."""
        return self.seat if self.curtain is None and not self.together else None

    @property
    def acts(self) -> Viewer:
        """The seat for which choices are offered."""
        return self.actor if self.together else self.viewer

    @property
    def counter(self) -> Viewer:
        """The viewer by whose count of notices the page goes; it never goes down."""
        return None if self.shared else self.seat

    @property
    def looks(self) -> Viewer:
        """The seat whose bots wait for the page; of a device that is nobody's yet, the first."""
        return self.seat if self.seat is not None or not self.own else self.own[0]

    @property
    def shared(self) -> bool:
        """Whether several people play at this device."""
        return len(self.own) > 1


def recounted(table: Table, number: int, counter: Viewer, viewer: Viewer) -> int:
    """How many notices a viewer had been told when another, who counts, had been told so many."""
    seen = table.log.length_when(counter, number)
    return table.number_of(seen - 1, viewer) if seen else 0


def free_seats(request: Request, table: Table) -> tuple[Seat, ...]:
    """Seats that nobody has, and whose link was opened in this browser."""
    try:
        own = seats.own_seats(request, table)
    except errors.HttpError:
        return ()
    return tuple(seat for seat in own if not table.occupants[seat].guest)


def viewpoint_at(request: Request, table: Table, wanted: str, opened: str = "") -> Viewpoint:
    """The viewpoint of a page that was asked for with `?seat=`, if shared also with `&opened=`."""
    own = seats.seats_played(request, table)
    if not own:
        return Viewpoint(None, (), watching=wanted == WATCH)
    chosen = whole_number(wanted)
    seat = Seat(chosen) if chosen is not None and chosen in own else None
    if len(own) == 1:
        return Viewpoint(own[0], own)
    asked = [each for each in own if each in table.waiting and not table.occupants[each].level]
    if not web_game_at(table).box.secrets:
        return Viewpoint(asked[0] if asked else own[0] if seat is None else seat, own)
    if table.state is None or not table.waiting:
        return Viewpoint(seat, own)
    since = whole_number(opened)
    since = None if since is None else min(since, len(table.plays))
    if asked and not _in_private(table, table.state):
        return Viewpoint(seat, own, together=True, actor=asked[0], opened=since)
    curtain = None if not asked else seat if seat in asked else _next(seat, asked)
    if curtain in {None, seat} and _is_open(table, seat, since):
        return Viewpoint(seat, own, opened=since)
    return Viewpoint(seat, own, curtain=curtain, together=curtain is None, opened=since)


def _in_private(table: Table, state: object) -> str:
    """What a seat chooses that others at the same device must not see; empty: nothing."""
    private = web_game_at(table).private
    return private(table.game.view(state, None)) if private else "a choice"


def _is_open(table: Table, seat: Seat | None, since: int | None) -> bool:
    """Whether a gate is still open: it shuts when its seat has chosen, or has something new to."""
    if seat is None or since is None:
        return False
    states = [table.before(place) for place in range(since, len(table.plays) + 1)]
    chosen = {
        _in_private(table, state) if seat in to_act else ""
        for state in states
        if NATURE not in (to_act := table.game.to_act(state))
    }
    return len(chosen) <= 1


def _next(seat: Seat | None, asked: list[Seat]) -> Seat:
    """The next seat to play at this device: clockwise from the last one."""
    return next((each for each in asked if seat is not None and each > seat), asked[0])


# --- What is seen from there -------------------------------------------------------------


def view_from(snapshot: Snapshot, viewpoint: Viewpoint) -> TableView:
    """What the page may show; a seat that chooses in front of all has a spectator's view."""
    view = snapshot.view(viewpoint.acts)
    if viewpoint.acts == viewpoint.viewer:
        return view
    return replace(view, view=snapshot.view(viewpoint.viewer).view, hints=False)


def gate_before(
    table_view: TableView, viewpoint: Viewpoint, names: Sequence[str], language: Language
) -> str:
    """What the game shows on a gate that is shut."""
    gate = web_game(table_view.game, table_view.rules).gate
    if viewpoint.curtain is None or gate is None:
        return ""
    return gate(table_view.view, viewpoint.curtain, names, language)


def tray_at(
    table_view: TableView, viewpoint: Viewpoint, parts: room.Parts | None, language: Language
) -> str:
    """What the viewer holds; while several people look together, a cover over it."""
    if viewpoint.together and table_view.status is Status.RUNNING:
        return html(hidden_tray(language))
    return parts.tray if parts else ""
