"""What a viewer of a table is shown: the scene as it is now, and notices of what happened.

Everything that leaves a table is made here, out of the game's `view` and `seen` for that viewer.
What is told once (`Ephemeral`) is in a notice as it happens, and in none that is served later,
until the game is over.
"""

from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core.game import NATURE, Ephemeral, Outcome, Seat, Value
from mauerwerk.core.sight import Sight
from mauerwerk.play.tables import undo
from mauerwerk.play.tables.chance import Chance, is_by_hand, scribes
from mauerwerk.play.tables.entries import Kind, Status
from mauerwerk.play.tables.table import Logged, Occupant, Table, Viewer, noticed


class Notice(Value):
    """What a viewer is told of one entry of the log."""

    number: int
    """How many they have been told with this one."""

    kind: Kind
    seat: Seat | None = None
    """Who did it: a seat, nature (-1), or the house (None)."""

    name: str = ""
    """Who sat down, or who entered what nature did."""

    level: str = ""
    """Which bot plays."""

    back_to: int | None = None
    """What was, or shall be, taken back: the notice with this number, and what followed from it."""

    table: str = ""
    """Where the rematch is played."""

    events: tuple[Any, ...] = ()
    """What happened in the game, as this viewer sees it."""

    text: tuple[str, ...] = ()
    """The same, in sentences."""


class Place(Value):
    """A seat as everybody sees it."""

    name: str
    """Who sits here; empty for a free seat."""

    level: str
    """The level of the bot that plays; empty where a person does."""

    away: bool
    """Whether the bot plays for a person, until they are back."""

    kind: str
    """What the seat was set out for: `open`, `human` or `bot`."""

    asked: bool
    """Whether the table waits for this seat."""


class Choice(Value):
    """Something a seat may do: its word, and as a player would say it."""

    word: str
    say: str


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
    """Whose eyes these are; None for a spectator."""

    places: tuple[Place, ...]
    names: tuple[str, ...]
    """How the seats are called in sentences."""

    public: bool
    pace: int
    tempo: int
    hints: bool
    chance: Chance
    """Who brings nature's moves: the house, or people who roll and deal themselves."""

    given: int
    """With how many moves of another game it began."""

    created: int
    commitment: str
    seed: str | None
    """Where nature's moves came from, once the game is over."""

    view: Any | None
    """The game's own view; None before the game begins."""

    asks: str
    legal: tuple[Choice, ...]
    enters: bool
    """Whether the table waits for what nature does, and this seat may enter it."""

    changes: bool
    """Whether a move now would replace what this seat chose before."""

    undo: undo.Way
    question: Question | None
    deadline: int | None
    outcome: Outcome | None
    rematch: str


BOTS: Final = ("Olmo", "Bruno", "Clara", "Emil", "Greta", "Jonas")
"""Names for bots, one a seat, so that they can be told apart; their level stands beside it."""


def names_of(occupants: Sequence[Occupant]) -> tuple[str, ...]:
    """How the seats are called: people by their names, bots by theirs, nobody by number."""
    called = [_called(occupant, seat) for seat, occupant in enumerate(occupants)]
    return tuple(
        f"{name} {called[: seat + 1].count(name)}" if name in called[:seat] else name
        for seat, name in enumerate(called)
    )


def _called(occupant: Occupant, seat: int) -> str:
    if occupant.name:
        return occupant.name
    return BOTS[seat] if occupant.level else f"seat {seat}"


# --- Scenes ----------------------------------------------------------------------------------


def table_view(table: Table, viewer: Viewer, seed: bytes) -> TableView:
    """The table as this viewer sees it now."""
    names = names_of(table.occupants)
    view = None if table.state is None else table.game.view(table.state, viewer)
    return TableView(
        table=table.charter.id,
        game=table.charter.game,
        title=table.game.TITLE,
        rules=table.charter.rules,
        options=table.charter.options,
        status=table.status,
        number=table.number(viewer),
        seat=viewer,
        places=tuple(_place(table, Seat(seat)) for seat in range(table.setup.seats)),
        names=names,
        public=table.charter.public,
        pace=table.charter.pace,
        tempo=table.charter.tempo,
        hints=table.charter.hints,
        chance=table.charter.chance,
        given=table.charter.given,
        created=table.charter.created,
        commitment=table.charter.commitment,
        seed=seed.hex() if table.status is Status.OVER else None,
        view=view,
        asks="" if view is None else table.game.ask(view, names),
        legal=choices(table, viewer),
        enters=is_by_hand(table) and viewer in scribes(table),
        changes=viewer is not None and table.choice(viewer) is not None,
        undo=undo.way(table, viewer),
        question=_question(table, viewer),
        deadline=table.deadline,
        outcome=table.outcome,
        rematch=table.rematch,
    )


def choices(table: Table, viewer: Viewer) -> tuple[Choice, ...]:
    """What this viewer may do, be it to change a choice that nobody has seen yet."""
    if viewer is None or table.state is None:
        return ()
    state = table.state if table.choice(viewer) is None else undo.without_choice(table, viewer)
    return tuple(
        Choice(table.game.write(action), table.game.say(action))
        for action in table.game.legal(state, viewer)
    )


def _place(table: Table, seat: Seat) -> Place:
    occupant = table.occupants[seat]
    return Place(
        name=occupant.name,
        level=occupant.level,
        away=bool(occupant.guest and occupant.level),
        kind=table.charter.chairs[seat].kind,
        asked=seat in table.waiting,
    )


def _question(table: Table, viewer: Viewer) -> Question | None:
    if table.proposal is None:
        return None
    back_to = table.number_of(table.proposal.back_to, viewer)
    return Question(table.proposal.seat, back_to, undo.waits_for(table, table.proposal))


# --- Notices ---------------------------------------------------------------------------------


def notices(table: Table, viewer: Viewer, *, after: int = 0) -> tuple[Notice, ...]:
    """What this viewer has been told beyond that number, as it may be told again."""
    over = table.status is Status.OVER
    told: list[Notice] = []
    number = 0
    for logged in table.log:
        if noticed(logged.entry, viewer):
            number += 1
            if number > after:
                told.append(_notice(table, logged, viewer, number, again=not over))
    return tuple(told)


def news(before: Table, table: Table, viewer: Viewer) -> tuple[Notice, ...]:
    """What this viewer is told, for the first time, of the entries since that table."""
    number = before.number(viewer)
    told: list[Notice] = []
    for logged in table.log[before.seq :]:
        if noticed(logged.entry, viewer):
            number += 1
            told.append(_notice(table, logged, viewer, number, again=False))
    return tuple(told)


def _notice(table: Table, logged: Logged, viewer: Viewer, number: int, *, again: bool) -> Notice:
    entry = logged.entry
    sits = entry.kind is Kind.SIT
    plays = entry.kind in {Kind.BOT, Kind.AWAY}
    events = _seen(table, logged.events, viewer, again=again) if logged.events else ()
    return Notice(
        number=number,
        kind=entry.kind,
        seat=entry.seat,
        name=entry.word if sits else _scribe(logged),
        level=entry.word if plays else "",
        back_to=None if logged.back_to is None else table.number_of(logged.back_to, viewer),
        table=entry.word if entry.kind is Kind.REMATCH else "",
        events=events,
        text=_told(table, events, logged.occupants) if events else (),
    )


def _scribe(logged: Logged) -> str:
    """Who entered what nature did, as they were called then."""
    if logged.entry.seat != NATURE or not logged.entry.guest:
        return ""
    sat = (occupant for occupant in logged.occupants if occupant.guest == logged.entry.guest)
    return next(sat, Occupant()).name


def _seen(table: Table, events: Sequence[Any], viewer: Viewer, *, again: bool) -> tuple[Any, ...]:
    seen = (table.game.seen(event, viewer) for event in events)
    return tuple(
        event
        for event in seen
        if event is not None and not (again and isinstance(event, Ephemeral))
    )


def _told(table: Table, events: Sequence[Any], occupants: Sequence[Occupant]) -> tuple[str, ...]:
    """The sentences, in which everybody is called as they were then."""
    names = names_of(occupants)
    sentences = (table.game.tell(event, names) for event in events)
    return tuple(sentence for sentence in sentences if sentence)


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
