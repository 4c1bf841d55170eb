"""What a viewer may see of a table now, and what a bot is given.

All that leaves a table is made here and in `notices`, out of the game's `view` and `seen` for that
viewer. These are values: sentences are made where they are shown.
"""

from typing import Any, Final

from msgspec.structs import replace

from mauerwerk.core.game import NATURE, Outcome, Seat, Sight, Value
from mauerwerk.server.tables import folding, log, undo
from mauerwerk.server.tables.charter import Dice
from mauerwerk.server.tables.clocks import Clock
from mauerwerk.server.tables.table import Card, Status, Table, Viewer, is_by_hand, scribes


class SeatView(Value):
    """A seat as everybody sees it."""

    name: str
    """The name of the player; empty for a free seat and for a bot."""

    level: str
    """The level of the bot that plays; empty where a person does."""

    away: bool
    """Whether the bot plays for a person, until they are back."""

    forfeited: bool
    """Whether the bot failed, so that another plays on and the seat comes last."""

    kind: str
    """What the seat was set out for: `open`, `human` or `bot`."""

    asked: bool
    """Whether the table waits for this seat."""


class SeatTime(Value):
    """The time of a seat, where there is a clock."""

    left: int | None
    """Milliseconds for the rest of the game, while its clock does not run; None without a total."""

    until: int | None
    """When its time is up, while its clock runs."""

    off: int
    """Days off that the player can still take."""


class Question(Value):
    """A seat asks whether it may take something back."""

    seat: Seat
    back_to: int
    waits_for: tuple[Seat, ...]


class TableView(Value):
    """All that a viewer may see of a table now."""

    table: str
    game: str
    title: str
    rules: int
    options: dict[str, str]
    status: Status
    number: int
    """How many entries this viewer has noticed; a move answers it."""

    seat: Seat | None
    """The viewer; None for a spectator."""

    seats: tuple[SeatView, ...]
    public: bool
    seconds_per_move: int
    bot_delay_ms: int
    hints: bool
    rated: bool
    """Whether the game changes the ratings of its players."""

    dice: Dice
    initial_moves: int
    """How many moves of a record the game began with."""

    created: int
    commitment: str
    seed: str | None
    """Where nature's moves came from, once the game is over."""

    view: Any | None
    """The game's own view; None before the game begins."""

    legal: tuple[Any, ...]
    """The actions among which this viewer may choose, in canonical order."""

    may_enter_roll: bool
    """Whether the table waits for what nature does, and this seat may enter it."""

    replaces_choice: bool
    """Whether a move now would replace what this seat chose before."""

    undo: undo.Way
    question: Question | None
    deadline: int | None
    spectator_delay: int
    """By how many moves spectators are behind; -1: they see nothing before the end."""

    clock: Clock
    times: tuple[SeatTime, ...]
    """The time of each seat; empty where there is no clock, and before the game begins."""

    outcome: Outcome | None
    ended: str
    """Why the game was ended without a winner; empty if it was not."""

    rematch: str

    @property
    def asked(self) -> bool:
        """Whether the table waits for this viewer."""
        return self.seat is not None and self.seats[self.seat].asked


def table_view(table: Table, viewer: Viewer, seed: bytes) -> TableView:
    """The table as this viewer sees it now."""
    charter = table.charter
    return TableView(
        table=charter.id,
        game=charter.game,
        title=table.game.TITLE,
        rules=charter.rules,
        options=charter.options,
        status=table.status,
        number=table.number(viewer),
        seat=viewer,
        seats=tuple(_place(table, Seat(seat)) for seat in range(table.setup.seats)),
        public=charter.public,
        seconds_per_move=charter.seconds_per_move,
        bot_delay_ms=charter.bot_delay_ms,
        hints=charter.hints,
        rated=charter.rated,
        dice=charter.dice,
        initial_moves=charter.given,
        created=charter.created,
        commitment=charter.commitment,
        seed=seed.hex() if table.status is Status.OVER else None,
        view=None if table.state is None else table.game.view(table.state, viewer),
        legal=legal(table, viewer),
        may_enter_roll=is_by_hand(table) and viewer in scribes(table),
        replaces_choice=viewer is not None and table.choice(viewer) is not None,
        undo=undo.way(table, viewer),
        question=_question(table, viewer),
        deadline=table.deadline,
        spectator_delay=charter.spectator_delay,
        clock=charter.clock,
        times=_times(table),
        outcome=table.outcome,
        ended=table.ended,
        rematch=table.rematch,
    )


def legal(table: Table, viewer: Viewer) -> tuple[Any, ...]:
    """The actions of this viewer, including those that change a choice nobody has seen yet."""
    if viewer is None or table.status is not Status.RUNNING:
        return ()
    state = table.state if table.choice(viewer) is None else undo.without_choice(table, viewer)
    return tuple(table.game.legal(state, viewer))


def _place(table: Table, seat: Seat) -> SeatView:
    occupant = table.occupants[seat]
    return SeatView(
        name=occupant.name,
        level=occupant.level,
        away=bool(occupant.guest and occupant.level),
        forfeited=occupant.forfeited,
        kind=table.charter.chairs[seat].kind,
        asked=seat in table.waiting,
    )


def _times(table: Table) -> tuple[SeatTime, ...]:
    charter = table.charter
    if not (charter.seconds_per_move or charter.clock.total) or not table.clocks:
        return ()
    return tuple([_time(table, Seat(seat)) for seat in range(table.setup.seats)])


def _time(table: Table, seat: Seat) -> SeatTime:
    runs = table.proposal is None and seat in table.waiting and table.occupants[seat].person
    clock = table.clocks[seat]
    return SeatTime(
        left=clock.left if table.charter.clock.total else None,
        until=table.runs_out(seat) if runs else None,
        off=clock.off,
    )


def _question(table: Table, viewer: Viewer) -> Question | None:
    if table.proposal is None:
        return None
    back_to = table.number_of(table.proposal.back_to, viewer)
    return Question(table.proposal.seat, back_to, undo.waits_for(table, table.proposal))


def sight(table: Table, seat: Seat) -> Sight[Any, Any, Any]:
    """What a bot at this seat is given: of the moves that stand, all that the seat noticed."""
    told = tuple(
        event
        for play in table.plays
        for event in (table.game.seen(event, seat) for event in play.step.events)
        if event is not None
    )
    return Sight(
        seat=seat,
        view=table.game.view(table.state, seat),
        told=told,
        legal=tuple(table.game.legal(table.state, seat)),
    )


LIVE: Final = 0
NOBODY: Final = -1
"""Instead of a number of moves: spectators see a running game at once, or not at all."""


# --- What spectators see -----------------------------------------------------------------------

# All that is public at once, or some moves later, or nothing. Spectators who are behind see the
# table as its log was then: view, history and stream follow from the same beginning of the log, so
# none of them can tell more than the others. When the game is over, everybody sees all of it.


def is_late(table: Table) -> bool:
    """Whether spectators do not see the table as it is now."""
    return table.charter.spectator_delay != LIVE and table.status is Status.RUNNING


def is_closed(table: Table) -> bool:
    """Whether spectators see nothing of the game until it is over."""
    return table.charter.spectator_delay == NOBODY and table.status is Status.RUNNING


def seen_from_outside(table: Table, before: Table | None = None) -> Table:
    """The table as spectators see it; `before` is what they saw some entries ago."""
    if not is_late(table):
        return table
    cut = _cut(table)
    if before is None or before.seq > cut:
        before = folding.begin(table.charter)
    then = folding.more(before, (logged.entry for logged in table.log[before.seq : cut]))
    for seat, occupant in enumerate(table.occupants):
        known = then.occupants[seat]
        if known.guest == occupant.guest and known.name != occupant.name:
            then = folding.renamed(then, seat, occupant.name)  # nobody is to read the old name
    return then


def card_from_outside(card: Card) -> Card:
    """What people may know of a table in a list who do not play there.

    Where spectators see a game later, it does not say whose turn it is, or when somebody moved.
    """
    if not card.late or card.status is not Status.RUNNING:
        return card
    return replace(card, changed=card.created, waiting=(), due=None, turn=0)


def seen_until(table: Table) -> int:
    """When the last of what spectators see happened, in milliseconds since 1970; 0 for never."""
    cut = _cut(table) if is_late(table) else table.seq
    return table.log[cut - 1].entry.at if cut else 0


def _cut(table: Table) -> int:
    """The length of the log before the moves that spectators do not see yet.

    A choice that is changed before anybody has seen it counts once: nobody is to know of it.
    """
    moves = [
        logged.entry.seq
        for logged in table.log
        if logged.entry.kind is log.Kind.MOVE
        and logged.entry.seat != NATURE
        and logged.entry.number is None
    ][table.charter.given :]
    unseen = (
        moves
        if table.charter.spectator_delay == NOBODY
        else moves[-table.charter.spectator_delay :]
    )
    return unseen[0] if unseen else table.seq
