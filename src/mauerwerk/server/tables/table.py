"""A table: what its log amounts to.

A table is a value; the next entry makes another (`folding`). Nothing here looks at a clock or draws
chance.

Entries are counted by `seq`, which stays inside. Outside, each viewer counts the entries that they
notice: when a player changes the choice in a closed fist, nobody else notices the entry.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final

import msgspec

from mauerwerk.core.game import (
    NATURE,
    AnyGame,
    Ephemeral,
    Outcome,
    Seat,
    Setup,
    Step,
    Value,
    after_forfeits,
)
from mauerwerk.core.record import Move, Record
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.clocks import Clock, Clocks, runs_out
from mauerwerk.server.tables.log import GONE, Entry, Log
from mauerwerk.server.tables.seed import Places

Viewer = Seat | None
"""Who looks: a seat, or a spectator."""

LAPSE: Final = 180_000
"""Milliseconds without an answer after which a move may no longer be taken back."""


KEPT: Final = 600_000
"""Milliseconds for which a seat is kept for a player who left it."""


class Status(StrEnum):
    """How far a table is."""

    OPEN = "open"
    """A seat is still free."""

    RUNNING = "running"
    OVER = "over"


class Card(Value):
    """A table as the lobby shows it; nothing on it is a secret."""

    id: str
    game: str
    seats: int
    public: bool
    status: Status
    created: int
    changed: int
    names: tuple[str, ...]
    """The name of each player; empty for a free seat."""

    levels: tuple[str, ...]
    """The level of the bot that plays for a seat; empty where a person does."""

    waiting: tuple[Seat, ...] = ()
    """Whose turn it is."""

    due: int | None = None
    """When the table acts by itself: a bot moves, or a player's time is up."""

    ranks: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    """How it ended, seat by seat."""

    seconds_per_move: int = 0
    """Seconds for a decision; 0: no limit."""

    clock: Clock = Clock()
    rated: bool = False
    language: str = ""
    """The language of the player who set it up."""

    turn: int = 0
    """When the present question was put, in milliseconds since 1970."""

    late: bool = False
    """Whether spectators see the game later than those who play, or not at all."""


class Occupant(Value):
    """Who has a seat: a guest, a bot, a guest for whom a bot plays, or nobody."""

    guest: str = ""
    name: str = ""
    level: str = ""
    """The level of the bot that plays for the seat now."""

    tenure: int = 0
    """How often the seat has changed hands. Its link is valid until the next time."""

    former: str = ""
    """The guest who left the seat in the middle of the game, to whom it is kept for a while."""

    left: int = 0
    """When they left."""

    forfeited: bool = False
    """Whether it is a bot that failed; another one plays on, and the seat comes last."""

    def is_kept(self, guest: str, at: int) -> bool:
        """Whether at that time the seat is kept for this guest, who may take it back."""
        return bool(self.former) and self.former == guest and at < self.left + KEPT

    def is_free(self, guest: str, at: int) -> bool:
        """Whether this guest may sit down here, if the table lets anybody."""
        kept = self.former and at < self.left + KEPT
        return not self.guest and (not kept or self.former == guest)

    @property
    def taken(self) -> bool:
        """Whether the seat is not free."""
        return bool(self.guest or self.level)

    @property
    def person(self) -> bool:
        """Whether a person decides for the seat now."""
        return bool(self.guest) and not self.level


class Player(Value):
    """Who plays a seat, as everybody may know: a name, and the level of a bot."""

    name: str
    level: str


class Play(Value):
    """A move that stands, with what it led to."""

    seq: int
    seat: Seat
    word: str
    step: Step[Any, Any]
    stage: int
    """The number of plays before the question that this seat answered, perhaps with others."""

    first: int
    """The entry by which everybody noticed it; `seq`, if it was never changed."""

    asked_at: int
    """When the question was put that it answers."""

    by: str = ""
    """The guest who entered it for nature; empty where it was drawn from the seed."""

    gained: int = 0
    """Milliseconds that the player gained with it."""


class Logged(Value):
    """An entry, and what happened because of it."""

    entry: Entry
    occupants: tuple[Occupant, ...]
    """Who sat where then."""

    players: tuple[Player, ...]
    """The same, as everybody may know it."""

    changes: tuple[int, ...]
    """How often each seat had changed a choice that nobody else had seen."""

    events: tuple[Any, ...] = ()
    back_to: int | None = None
    """The first entry that was, or shall be, taken back by this one."""

    def number(self, viewer: Viewer) -> int:
        """How many entries a viewer has noticed, up to this one."""
        return self.entry.seq + 1 - _hidden(self.changes, viewer)


class Proposal(Value):
    """A seat asks whether it may take back the move of an entry."""

    seat: Seat
    number: int
    back_to: int
    at: int
    agreed: tuple[Seat, ...] = ()


class Table(msgspec.Struct, frozen=True, gc=False):
    """Everything about a table, worked out from its log."""

    charter: Charter
    game: AnyGame
    setup: Setup[Any]
    occupants: tuple[Occupant, ...]
    state: Any
    """Where the game stands; None before it starts."""

    log: Log[Logged]

    start: Any = None
    """Where the game stood as it began."""

    waiting: tuple[Seat, ...] = ()
    """Whose turn it is."""

    plays: tuple[Play, ...] = ()
    stage: int = 0
    """The number of plays before the present question."""

    changes: tuple[int, ...] = ()
    """How often each seat changed a choice that nobody else had seen."""

    asked: tuple[int, ...] = ()
    """The number at which each seat was last asked something new."""

    asked_at: int = 0
    """When the present question was put, in milliseconds."""

    turn: int = 0
    """The same without what was added since: it tells one turn from another."""

    clocks: Clocks = ()
    """The clock of each seat, once the game has begun."""

    proposal: Proposal | None = None
    refused: int | None = None
    """The move of which a player refused that it be taken back."""

    rematch: str = ""
    ended: str = ""
    """Why it was ended without a winner (`Ending`); empty if it was not."""

    # --- What it says ------------------------------------------------------------------------

    @property
    def status(self) -> Status:
        """How far it is."""
        if self.ended:
            return Status.OVER
        if self.state is None:
            return Status.OPEN
        return Status.RUNNING if self.waiting else Status.OVER

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; None while it goes on, and where it was ended without a winner."""
        outcome = None if self.state is None else self.game.outcome(self.state)
        return after_forfeits(outcome, self.forfeits) if outcome and self.forfeits else outcome

    @property
    def forfeits(self) -> tuple[Seat, ...]:
        """The seats whose bots failed."""
        sat = enumerate(self.occupants)
        return tuple([Seat(seat) for seat, occupant in sat if occupant.forfeited])

    @property
    def deciding(self) -> tuple[Seat, ...]:
        """Whose turn it is, without nature, whose moves nobody decides (`is_by_hand`)."""
        return tuple([seat for seat in self.waiting if seat != NATURE])

    @property
    def seq(self) -> int:
        """The sequence number of the next entry."""
        return len(self.log)

    def number(self, viewer: Viewer) -> int:
        """How many entries this viewer has noticed."""
        return len(self.log) - _hidden(self.changes, viewer)

    def number_of(self, seq: int, viewer: Viewer) -> int:
        """The number that this entry has for a viewer."""
        return self.log[seq].number(viewer)

    def before(self, place: int) -> Any:  # noqa: ANN401 - the game's own state
        """Where the game stood after so many plays."""
        return self.plays[place - 1].step.state if place else self.start

    def choice(self, seat: Seat) -> Play | None:
        """What this seat chose while others still choose, so that nobody has seen it yet."""
        if not self.waiting:
            return None
        return next((play for play in self.plays[self.stage :] if play.seat == seat), None)

    def record(self) -> Record:
        """The game so far, without the moves that were taken back."""
        moves = tuple(Move(play.seat, play.word) for play in self.plays)
        return Record(self.charter.game, self.charter.rules, self.setup, moves)

    def card(self) -> Card:
        """The table as the lobby shows it."""
        outcome = self.outcome
        return Card(
            id=self.charter.id,
            game=self.charter.game,
            seats=self.setup.seats,
            public=self.charter.public,
            status=self.status,
            created=self.charter.created,
            changed=self.changed,
            names=tuple([occupant.name for occupant in self.occupants]),
            levels=tuple([occupant.level for occupant in self.occupants]),
            waiting=self.waiting,
            due=self.due,
            ranks=outcome.ranks if outcome else (),
            points=outcome.points if outcome else (),
            turn=self.turn,
            seconds_per_move=self.charter.seconds_per_move,
            clock=self.charter.clock,
            rated=self.charter.rated,
            language=self.charter.language,
            late=bool(self.charter.spectator_delay),
        )

    @property
    def changed(self) -> int:
        """When it last changed for all to see."""
        last = self.log.last(None)
        return self.charter.created if last is None else last.entry.at

    @property
    def players(self) -> tuple[Player, ...]:
        """Who plays the seats now, as everybody may know."""
        last = self.log[-1] if self.log else None
        return (Player("", ""),) * len(self.occupants) if last is None else last.players

    @property
    def owners(self) -> tuple[str, ...]:
        """The guest who owns each seat; empty for none, and for one who was forgotten."""
        return tuple(
            ["" if occupant.guest == GONE else occupant.guest for occupant in self.occupants]
        )

    @property
    def deadline(self) -> int | None:
        """When the time for the present question is up; None where there is no limit.

        While a seat asks whether it may take back a move, that is the present question.
        """
        if self.proposal is not None:
            return self.proposal.at + (1_000 * self.charter.seconds_per_move or LAPSE)
        limits = [self.runs_out(seat) for seat in self.deciding if self.occupants[seat].person]
        return min([limit for limit in limits if limit is not None], default=None)

    def runs_out(self, seat: Seat) -> int | None:
        """When the time of a seat that must act is up; None where there is no limit."""
        charter = self.charter
        return runs_out(charter.clock, charter.seconds_per_move, self.clocks[seat], self.asked_at)

    @property
    def due(self) -> int | None:
        """When the table acts by itself; None while it waits for people."""
        if self.proposal is None and any(self.occupants[seat].level for seat in self.deciding):
            return self.asked_at + self.charter.bot_delay_ms
        return self.deadline


def _hidden(changes: Sequence[int], viewer: Viewer) -> int:
    """How many entries a viewer has not noticed: the changes that others made unseen."""
    own = 0 if viewer is None or viewer == NATURE else changes[viewer]
    return sum(changes) - own


# --- What nature and a seat may do --------------------------------------------------------------


def is_by_hand(table: Table) -> bool:
    """Whether it is nature's turn, and people have to enter what it does."""
    if table.waiting != (NATURE,) or table.charter.dice == "server":
        return False
    if len(table.game.odds(table.state)) == 1 or not scribes(table):
        return False
    return table.charter.dice == "scribe" or is_open(table.game, table.setup.seats, table.state)


def is_open(game: AnyGame, seats: int, state: Any) -> bool:  # noqa: ANN401 - the game's own
    """Whether everybody sees all of what nature may do here, and may be told it again.

    The game says so itself: no viewer's `seen` takes anything away, and nothing is `Ephemeral`.
    """
    viewers = (None, *map(Seat, range(seats)))
    events = (
        event for action in game.odds(state) for event in game.apply(state, NATURE, action).events
    )
    return all(
        not isinstance(event, Ephemeral)
        and all(game.seen(event, viewer) == event for viewer in viewers)
        for event in events
    )


def scribes(table: Table) -> tuple[Seat, ...]:
    """The seats that may enter what nature does.

    With dice, every person at the table; else the guest who set it up, unless they are away.
    """
    seated = [Seat(seat) for seat, occupant in enumerate(table.occupants) if occupant.person]
    if table.charter.dice == "scribe":
        opener = table.charter.opener
        own = [seat for seat in seated if table.occupants[seat].guest == opener]
        seated = own or seated
    return tuple(seated)


def places_of(table: Table) -> Places | None:
    """The places of the draws from here on; None where they are numbers of entries.

    Only the draws of this turn count, so only the moves of this turn are looked at.
    """
    if table.charter.draws == "entry":
        return None
    game, places = table.game, Places(table.game, table.setup.seats)
    drawn: list[Any] = []
    for place in range(len(table.plays) - 1, -1, -1):
        before = table.before(place)
        if game.turn(before) != game.turn(table.state):
            break
        if table.plays[place].seat == NATURE:
            drawn.append(before)
    for state in reversed(drawn):
        places.next(state)
    return places


def is_choice(game: AnyGame, state: Any, seat: Seat) -> bool:  # noqa: ANN401 - the game's own
    """Whether it makes a difference what this seat does.

    With one legal move it makes none, nor with two that lead to the same position, such as two
    equal pieces that go to two places in either order.
    """
    match game.legal(state, seat):
        case [_]:
            return False
        case [one, other]:
            return bool(_after(game, state, seat, one) != _after(game, state, seat, other))
        case _:
            return True


def _after(game: AnyGame, state: Any, seat: Seat, action: Any) -> Any:  # noqa: ANN401 - see above
    """The position after a move, and after what this seat must do then."""
    state = game.apply(state, seat, action).state
    while game.to_act(state) == (seat,):
        match game.legal(state, seat):
            case [only]:
                state = game.apply(state, seat, only).state
            case _:
                break
    return state
