"""What can be asked of a table, and the entries that each request makes."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.server.tables import errors, undo
from mauerwerk.server.tables.charter import Charter, Guest, check_level, initial_moves
from mauerwerk.server.tables.folding import Applied, after, applied, begin, is_up
from mauerwerk.server.tables.log import Ending, Entry, Kind
from mauerwerk.server.tables.seed import nature_word
from mauerwerk.server.tables.table import Status, Table, is_by_hand, places_of, scribes

SUBSTITUTE: Final = "journeyman"
"""The bot that plays for a player who has left or is out of time."""

BACK_AND_FORTH: Final = 300
"""The most entries that a seat may have noticed since the last move that stands."""

MOST_MOVES: Final = 10_000
"""The most moves of a game, nature's included; no game that people play is nearly as long."""

SITTINGS: Final = 20
"""How often a guest may sit down at one table."""


# --- A request and the entries that it makes --------------------------------------------------


class PendingEntries:
    """Writes entries at the end of a table's log, none of which count until they are stored."""

    def __init__(self, table: Table, seed: bytes, at: int, key: str = "") -> None:
        self.table = table
        self.entries: tuple[Entry, ...] = ()
        self._seed = seed
        self.at = at
        """When the request came, in milliseconds."""

        self._key = key

    def write(  # noqa: PLR0913 - the fields of an entry
        self,
        kind: Kind,
        seat: Seat | None = None,
        *,
        word: str = "",
        number: int | None = None,
        guest: str = "",
        keyed: bool = False,
        move: Applied | None = None,
    ) -> None:
        """Add an entry; the one that answers the request bears its key.

        `move` is the result of the word, where the request has already applied it.
        """
        key = self._key if keyed else ""
        entry = Entry(self.table.seq, self.at, kind, seat, word, number, guest, key)
        self.table = after(self.table, entry, move)
        self.entries += (entry,)

    def let_nature_move(self) -> None:
        """Whatever nature owes, unless people enter it."""
        places = None
        while self.table.waiting == (NATURE,) and not is_by_hand(self.table):
            places = places or places_of(self.table)
            place = places.next(self.table.state) if places else self.table.seq
            word = nature_word(self.table.game, self.table.state, self._seed, place)
            self.write(Kind.MOVE, NATURE, word=word)


class Submission(NamedTuple):
    """A request to a table: who makes it, with which key, and what kinds of entries it makes."""

    who: str | Seat
    """A guest, or a seat."""

    kinds: frozenset[Kind]
    key: str = ""
    word: str = ""
    version: int | None = None
    """The number that it answers, if it does."""

    tenure: int | None = None
    """How often the seat had changed hands when it was found to be theirs; None: not checked."""

    seat: Seat | None = None
    """The seat for which a guest asks, where that is known."""

    @property
    def viewer(self) -> Seat | None:
        """The seat that asks, if it is one."""
        return self.seat if isinstance(self.who, str) else self.who


def check_tenure(table: Table, submission: Submission) -> None:
    """Refuse a caller whose seat has changed hands meanwhile. Raises NotYoursError."""
    seat = submission.viewer
    if seat is not None and submission.tenure not in {None, table.occupants[seat].tenure}:
        raise errors.NotYoursError(errors.Reason.SEAT_CHANGED_HANDS, seat=seat)


def answered(table: Table, submission: Submission) -> int | None:
    """The number that a request with this key got the first time; None if it is new."""
    entry = table.log.keyed(submission.who, submission.key)
    if entry is None:
        return None
    if entry.kind not in submission.kinds or (submission.word and entry.word != submission.word):
        raise errors.KeyReusedError
    viewer = entry.seat if submission.viewer is None else submission.viewer
    number = table.number_of(entry.seq, viewer)
    if submission.version is not None and submission.version >= number:
        # It answers a number that the first one led to, so it is another request.
        raise errors.KeyReusedError
    return number


# --- Setting up ------------------------------------------------------------------------------


def set_up(charter: Charter, seed: bytes, sitting: Mapping[Seat, Guest]) -> PendingEntries:
    """A new table with its bots and those who sit from the beginning.

    Raises OrderError where the guest who is to enter all of nature's moves has no seat.
    """
    guests = {guest.id for guest in sitting.values()}
    if charter.dice == "scribe" and charter.opener not in guests:
        raise errors.OrderError(errors.Obstacle.SCRIBE_WITHOUT_SEAT)
    pending = PendingEntries(begin(charter), seed, charter.created)
    for seat, chair in enumerate(charter.chairs):
        if chair.kind == "bot":
            pending.write(Kind.BOT, Seat(seat), word=chair.level)
        elif guest := sitting.get(Seat(seat)):
            pending.write(Kind.SIT, Seat(seat), word=guest.name, guest=guest.id)
    _start_if_full(pending)
    return pending


def _start_if_full(pending: PendingEntries) -> None:
    """Begin once every seat is taken, with the moves that were given."""
    if pending.table.state is None and all(occupant.taken for occupant in pending.table.occupants):
        pending.write(Kind.START)
        for move in initial_moves(pending.table.charter.moves):
            pending.write(Kind.MOVE, move.seat, word=move.word)
        pending.let_nature_move()


# --- Coming and going ------------------------------------------------------------------------


def sit(pending: PendingEntries, seat: Seat | None, guest: Guest) -> Seat:
    """A guest takes an open seat, this one or any; a bot may have played for it meanwhile.

    A seat of any kind that the guest left a short while ago is kept for them.
    """
    free = [
        Seat(each)
        for each, (chair, occupant) in enumerate(
            zip(pending.table.charter.chairs, pending.table.occupants, strict=True)
        )
        if (chair.kind == "open" and occupant.is_free(guest.id, pending.at))
        or occupant.is_kept(guest.id, pending.at)
    ]
    if not free or pending.table.status is Status.OVER:
        raise errors.RequestError(errors.Reason.NO_FREE_SEAT)
    if seat is not None and seat not in free:
        raise errors.RequestError(errors.Reason.SEAT_TAKEN, seat=seat)
    _check_sittings(pending.table, guest.id)
    taken = free[0] if seat is None else seat
    pending.write(Kind.SIT, taken, word=guest.name, guest=guest.id, keyed=True)
    _start_if_full(pending)
    return taken


def claim(pending: PendingEntries, seat: Seat, guest: Guest) -> None:
    """Take a free seat by its own link; its owner comes back by it, on any device."""
    occupant = pending.table.occupants[seat]
    if pending.table.charter.chairs[seat].kind == "bot":
        raise errors.RequestError(errors.Reason.BOT_SEAT, seat=seat)
    if occupant.guest not in {"", guest.id}:
        # The link was valid when it was looked at; another player has used it since.
        raise errors.NotYoursError(errors.Reason.SEAT_CHANGED_HANDS, seat=seat)
    if not occupant.is_free(guest.id, pending.at) and not occupant.guest:
        raise errors.RequestError(errors.Reason.SEAT_TAKEN, seat=seat)
    if not occupant.guest:
        _check_sittings(pending.table, guest.id)
        pending.write(Kind.SIT, seat, word=guest.name, guest=guest.id, keyed=True)
        _start_if_full(pending)
    elif (
        occupant.level
        and not is_up(pending.table, seat)
        and not _too_much_back_and_forth(pending.table, seat, pending.table.stage)
    ):
        pending.write(Kind.BACK, seat, keyed=True)


def put_bot(pending: PendingEntries, seat: Seat, level: str) -> None:
    """A bot takes a seat that is still free before the game."""
    check_level(level)
    if pending.table.state is not None or pending.table.occupants[seat].taken:
        raise errors.RequestError(errors.Reason.SEAT_TAKEN, seat=seat)
    pending.write(Kind.BOT, seat, word=level)
    _start_if_full(pending)


def stand(pending: PendingEntries, seat: Seat) -> None:
    """A guest leaves: before the game the seat is free again, then a bot plays on.

    For a while nobody else can have that seat, and the guest may take it back.
    """
    if not pending.table.occupants[seat].guest:
        raise errors.RequestError(errors.Reason.EMPTY_SEAT, seat=seat)
    if pending.table.status is Status.OVER:
        raise errors.RequestError(errors.Reason.LEAVING_AFTER_END)
    if pending.table.state is None:
        pending.write(Kind.STAND, seat, keyed=True)
    else:
        pending.write(Kind.BOT, seat, word=SUBSTITUTE, keyed=True)
        _go_on(pending)


def hand_over(pending: PendingEntries, seat: Seat, level: str) -> None:
    """A bot plays for this seat until its owner is back."""
    check_level(level)
    if pending.table.status is not Status.RUNNING:
        raise errors.RequestError(errors.Reason.NOT_RUNNING)
    if not pending.table.occupants[seat].guest:
        raise errors.RequestError(errors.Reason.EMPTY_SEAT, seat=seat)
    if pending.table.occupants[seat].level == level:
        return
    _check_back_and_forth(pending.table, seat, pending.table.stage)
    pending.write(Kind.AWAY, seat, word=level, keyed=True)
    _go_on(pending)


def come_back(pending: PendingEntries, seat: Seat) -> None:
    """The owner plays again."""
    occupant = pending.table.occupants[seat]
    if not (occupant.guest and occupant.level):
        raise errors.RequestError(errors.Reason.NO_BOT_PLAYS, seat=seat)
    _check_time(pending.table, seat)
    _check_back_and_forth(pending.table, seat, pending.table.stage)
    pending.write(Kind.BACK, seat, keyed=True)


# --- Playing ---------------------------------------------------------------------------------


def move(pending: PendingEntries, seat: Seat, word: str, version: int) -> None:
    """Play a word, or another one instead of a choice that nobody has seen yet."""
    table = pending.table
    _check_running(table, seat, version)
    _check_length(table)
    chosen = table.choice(seat)
    played = applied(table, seat, word, chosen)  # raises before anything is written
    if chosen is not None:
        _check_back_and_forth(table, seat, table.stage)
    if table.occupants[seat].guest and table.occupants[seat].level:
        _check_time(table, seat)
        pending.write(Kind.BACK, seat)
    number = None if chosen is None else chosen.seq
    pending.write(Kind.MOVE, seat, word=word, number=number, keyed=True, move=played)
    pending.let_nature_move()


def check_move(table: Table, seat: Seat, word: str) -> None:
    """Raise the error with which `move` would refuse this word now; nothing is played."""
    _check_running(table, seat, table.number(seat))
    applied(table, seat, word, table.choice(seat))


def enter(pending: PendingEntries, seat: Seat, word: str, version: int) -> None:
    """A player enters what nature did: they rolled the dice, drew the lot or dealt the card."""
    table = pending.table
    _check_running(table, seat, version)
    _check_length(table)
    if not is_by_hand(table):
        raise errors.RequestError(errors.Reason.NOTHING_TO_ENTER)
    if seat not in scribes(table):
        raise errors.NotYoursError(errors.Reason.OPENER_ENTERS)
    guest = table.occupants[seat].guest
    pending.write(Kind.MOVE, NATURE, word=word, guest=guest, keyed=True)
    pending.let_nature_move()


def play_for(pending: PendingEntries, seat: Seat, word: str, version: int) -> None:
    """A bot's move, for its own seat or for a player who is away."""
    _check_running(pending.table, seat, version)
    if not pending.table.occupants[seat].level or pending.table.proposal:
        raise errors.StaleError(version, pending.table.number(seat))
    pending.write(Kind.MOVE, seat, word=word)
    pending.let_nature_move()


def is_in_series(table: Table, seat: Seat) -> bool:
    """Whether the next move of this seat continues what is one decision to those who look on."""
    series = tuple(table.game.SERIES)
    last = table.plays[-1] if table.plays else None
    return (
        last is not None
        and last.seat == seat
        and any(isinstance(event, series) for event in last.step.events)
    )


def forfeit(pending: PendingEntries, seat: Seat, level: str) -> None:
    """The bot of this level failed. It loses its game, but never that of a player who is away."""
    occupant = pending.table.occupants[seat]
    if pending.table.status is not Status.RUNNING or occupant.level != level:
        return
    if occupant.guest:
        pending.write(Kind.AWAY, seat, word=SUBSTITUTE)
    elif not occupant.forfeited:
        pending.write(Kind.FORFEIT, seat)


def _check_running(table: Table, seat: Seat, version: int) -> None:
    """Refuse a request that was made for another position."""
    if table.state is None:
        raise errors.RequestError(errors.Reason.NOT_BEGUN)
    if table.status is Status.OVER:
        raise errors.GameOverError
    if not table.asked[seat] <= version <= table.number(seat):
        raise errors.StaleError(version, table.number(seat))


# --- Taking back -----------------------------------------------------------------------------


def take_back(pending: PendingEntries, seat: Seat, version: int) -> None:
    """Take back this seat's last move, or ask whether it may."""
    table = pending.table
    _check_running(table, seat, version)
    way = undo.way(table, seat)
    if way is undo.Way.NO:
        raise errors.RequestError(errors.Reason.NOTHING_TO_TAKE_BACK)
    play = undo.last_move(table, seat)
    assert play is not None
    _check_back_and_forth(table, seat, play.stage)
    kind = Kind.UNDO if way is undo.Way.FREE else Kind.ASK
    pending.write(kind, seat, number=play.seq, keyed=True)
    pending.let_nature_move()


def consent(pending: PendingEntries, seat: Seat, *, agree: bool) -> None:
    """Say whether a move may be taken back, which takes the consent of all.

    The seat that asked withdraws the question by refusing.
    """
    proposal = pending.table.proposal
    withdrawn = proposal is not None and seat == proposal.seat and not agree
    if proposal is None or not (withdrawn or seat in undo.waits_for(pending.table, proposal)):
        raise errors.RequestError(errors.Reason.CONSENT_NOT_ASKED, seat=seat)
    if not agree:
        pending.write(Kind.REFUSE, seat, keyed=True)
        return
    pending.write(Kind.AGREE, seat, keyed=True)
    _go_on(pending)


def _go_on(pending: PendingEntries) -> None:
    """Take back a move once nobody is left to ask, and let nature move where nobody can enter."""
    proposal = pending.table.proposal
    if proposal is not None and not undo.waits_for(pending.table, proposal):
        pending.write(Kind.UNDO, proposal.seat, number=proposal.number)
    # Where the last person has gone, nobody is left to roll, or to roll again.
    pending.let_nature_move()


def end(pending: PendingEntries, why: Ending) -> None:
    """End a game without a winner; a table that waits for players is not ended but deleted."""
    match pending.table.status:
        case Status.OPEN:
            raise errors.RequestError(errors.Reason.NOT_BEGUN)
        case Status.RUNNING:
            pending.write(Kind.END, word=why)
        case Status.OVER:
            pass


def rematch(pending: PendingEntries, table: str) -> None:
    """Play again, at another table."""
    if pending.table.status is not Status.OVER:
        raise errors.RequestError(errors.Reason.REMATCH_BEFORE_END)
    if not pending.table.rematch:
        pending.write(Kind.REMATCH, word=table)


def rename(pending: PendingEntries, guest: str, name: str) -> None:
    """The host of the server calls a guest by another name, wherever they sit."""
    for seat, occupant in enumerate(pending.table.occupants):
        if occupant.guest == guest and occupant.name != name:
            pending.write(Kind.RENAME, Seat(seat), word=name)


def send_away(pending: PendingEntries, guest: str) -> None:
    """A bot plays on for a guest whom the host of the server has blocked.

    Before the game their seat is free again, or nobody would play there when it begins.
    """
    table = pending.table
    for seat, occupant in enumerate(table.occupants):
        if occupant.guest == guest and table.status is Status.OPEN:
            stand(pending, Seat(seat))
        elif occupant.guest == guest and table.status is Status.RUNNING and not occupant.level:
            pending.write(Kind.AWAY, Seat(seat), word=SUBSTITUTE)
    if table.status is Status.RUNNING:
        _go_on(pending)


def join(pending: PendingEntries, guest: Guest) -> None:
    """A guest takes any open seat; one who sits there already stays where they are."""
    if all(occupant.guest != guest.id for occupant in pending.table.occupants):
        sit(pending, None, guest)


def fill(pending: PendingEntries, level: str) -> None:
    """Bots take all seats that are still open before the game."""
    for seat, chair in enumerate(pending.table.charter.chairs):
        if chair.kind == "open" and not pending.table.occupants[seat].taken:
            put_bot(pending, Seat(seat), level)


def run_out(pending: PendingEntries, late: int = 0) -> None:
    """Bots play for those whose time is up; a player who has not consented in time refuses.

    All have `late` milliseconds more than the log knows.
    """
    table = pending.table
    if table.proposal is not None:
        assert table.deadline is not None
        if table.deadline <= pending.at:
            pending.write(Kind.REFUSE, undo.waits_for(table, table.proposal)[0])
        return
    for seat in table.deciding:
        up = table.runs_out(seat)
        if table.occupants[seat].person and up is not None and up + late <= pending.at:
            pending.write(Kind.AWAY, seat, word=SUBSTITUTE)
            if table.charter.clock.forfeits:
                pending.write(Kind.FORFEIT, seat)


def rest(pending: PendingEntries, seat: Seat) -> None:
    """Take a day off: the seat has a day more for what it is asked now."""
    table = pending.table
    if table.status is not Status.RUNNING or seat not in table.waiting:
        raise errors.RequestError(errors.Reason.NOTHING_TO_DECIDE, seat=seat)
    if not table.clocks[seat].off:
        raise errors.RequestError(errors.Reason.NO_DAYS_OFF)
    if table.occupants[seat].level:
        pending.write(Kind.BACK, seat)
    pending.write(Kind.REST, seat, keyed=True)


def pause(pending: PendingEntries, milliseconds: int) -> None:
    """Note that all clocks stood still for this long, since no server ran."""
    if pending.table.deadline is not None:
        pending.write(Kind.PAUSE, number=milliseconds)


# --- Limits ----------------------------------------------------------------------------------

# They keep a log from growing for ever. Games end, so their moves are hardly ever too many; a game
# that need not end (DM-27, BB-12) is stopped after very many. All other entries are counted from
# the last move that stands: changes of a choice, moves that are taken back, questions, bots that
# come and go. A seat that has reached the limit can still move.


def _too_much_back_and_forth(table: Table, seat: Seat, stage: int) -> bool:
    """Whether there have been too many entries since the first `stage` plays.

    Entries that this seat does not notice do not count: it would learn how often others
    hesitate.
    """
    if stage:
        began = table.plays[stage - 1].seq
    else:
        kinds = (logged.entry.kind for logged in table.log)
        began = next(seq for seq, kind in enumerate(kinds) if kind is Kind.START)
    return table.number(seat) - table.number_of(began, seat) >= BACK_AND_FORTH


def _check_back_and_forth(table: Table, seat: Seat, stage: int) -> None:
    """Refuse what does not advance the game, once there is too much of it. Raises RequestError."""
    if _too_much_back_and_forth(table, seat, stage):
        raise errors.RequestError(errors.Reason.BACK_AND_FORTH)


def _check_sittings(table: Table, guest: str) -> None:
    """Refuse a seat to a guest who has come and gone too often. Raises RequestError."""
    entries = (logged.entry for logged in table.log.noticed(None))
    if sum(each.kind is Kind.SIT and each.guest == guest for each in entries) >= SITTINGS:
        raise errors.RequestError(errors.Reason.TOO_MANY_SITTINGS)


def is_too_long(table: Table) -> bool:
    """Whether this game has so many moves that it is stopped."""
    return len(table.plays) >= MOST_MOVES


def _check_length(table: Table) -> None:
    """Refuse one more move in a game that does not end. Raises RequestError."""
    if is_too_long(table):
        raise errors.RequestError(errors.Reason.TOO_LONG, moves=MOST_MOVES)


def _check_time(table: Table, seat: Seat) -> None:
    """Refuse a player whose time for the whole game is up: a bot plays on in their place."""
    if is_up(table, seat):
        raise errors.RequestError(errors.Reason.TIME_IS_UP)
