"""What can be asked of a table, and the entries that each request makes."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.server.tables import initial_moves, limits, undo
from mauerwerk.server.tables.chance import is_by_hand, scribes
from mauerwerk.server.tables.entries import Charter, Ending, Kind, Status
from mauerwerk.server.tables.errors import (
    GameOverError,
    NotYoursError,
    Obstacle,
    OrderError,
    Reason,
    RequestError,
    StaleError,
)
from mauerwerk.server.tables.folding import applied, begin
from mauerwerk.server.tables.orders import Guest, check_level
from mauerwerk.server.tables.pending import PendingEntries
from mauerwerk.server.tables.table import Table
from mauerwerk.server.tables.time_spent import is_up


def set_up(charter: Charter, seed: bytes, sitting: Mapping[Seat, Guest]) -> PendingEntries:
    """A new table with its bots and those who sit from the beginning.

    Raises OrderError where the guest who is to enter all of nature's moves has no seat.
    """
    guests = {guest.id for guest in sitting.values()}
    if charter.chance == "all" and charter.opener not in guests:
        raise OrderError(Obstacle.SCRIBE_WITHOUT_SEAT)
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
        for move in initial_moves.moves_of(pending.table.charter.moves):
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
        raise RequestError(Reason.NO_FREE_SEAT)
    if seat is not None and seat not in free:
        raise RequestError(Reason.SEAT_TAKEN, seat=seat)
    limits.check_sittings(pending.table, guest.id)
    taken = free[0] if seat is None else seat
    pending.write(Kind.SIT, taken, word=guest.name, guest=guest.id, keyed=True)
    _start_if_full(pending)
    return taken


def claim(pending: PendingEntries, seat: Seat, guest: Guest) -> None:
    """Take a free seat by its own link; its owner comes back by it, on any device."""
    occupant = pending.table.occupants[seat]
    if pending.table.charter.chairs[seat].kind == "bot":
        raise RequestError(Reason.BOT_SEAT, seat=seat)
    if occupant.guest not in {"", guest.id}:
        # The link was valid when it was looked at; another player has used it since.
        raise NotYoursError(Reason.SEAT_CHANGED_HANDS, seat=seat)
    if not occupant.is_free(guest.id, pending.at) and not occupant.guest:
        raise RequestError(Reason.SEAT_TAKEN, seat=seat)
    if not occupant.guest:
        limits.check_sittings(pending.table, guest.id)
        pending.write(Kind.SIT, seat, word=guest.name, guest=guest.id, keyed=True)
        _start_if_full(pending)
    elif (
        occupant.level
        and not is_up(pending.table, seat)
        and not limits.too_much_back_and_forth(pending.table, seat, pending.table.stage)
    ):
        pending.write(Kind.BACK, seat, keyed=True)


def put_bot(pending: PendingEntries, seat: Seat, level: str) -> None:
    """A bot takes a seat that is still free before the game."""
    check_level(level)
    if pending.table.state is not None or pending.table.occupants[seat].taken:
        raise RequestError(Reason.SEAT_TAKEN, seat=seat)
    pending.write(Kind.BOT, seat, word=level)
    _start_if_full(pending)


def stand(pending: PendingEntries, seat: Seat) -> None:
    """A guest leaves: before the game the seat is free again, then a bot plays on.

    For a while nobody else can have that seat, and the guest may take it back.
    """
    if not pending.table.occupants[seat].guest:
        raise RequestError(Reason.EMPTY_SEAT, seat=seat)
    if pending.table.status is Status.OVER:
        raise RequestError(Reason.LEAVING_AFTER_END)
    if pending.table.state is None:
        pending.write(Kind.STAND, seat, keyed=True)
    else:
        pending.write(Kind.BOT, seat, word=SUBSTITUTE, keyed=True)
        _go_on(pending)


def hand_over(pending: PendingEntries, seat: Seat, level: str) -> None:
    """A bot plays for this seat until its owner is back."""
    check_level(level)
    if pending.table.status is not Status.RUNNING:
        raise RequestError(Reason.NOT_RUNNING)
    if not pending.table.occupants[seat].guest:
        raise RequestError(Reason.EMPTY_SEAT, seat=seat)
    if pending.table.occupants[seat].level == level:
        return
    limits.check_back_and_forth(pending.table, seat, pending.table.stage)
    pending.write(Kind.AWAY, seat, word=level, keyed=True)
    _go_on(pending)


def come_back(pending: PendingEntries, seat: Seat) -> None:
    """The owner plays again."""
    occupant = pending.table.occupants[seat]
    if not (occupant.guest and occupant.level):
        raise RequestError(Reason.NO_BOT_PLAYS, seat=seat)
    check_time(pending.table, seat)
    limits.check_back_and_forth(pending.table, seat, pending.table.stage)
    pending.write(Kind.BACK, seat, keyed=True)


# --- Playing ---------------------------------------------------------------------------------


def move(pending: PendingEntries, seat: Seat, word: str, version: int) -> None:
    """Play a word, or another one instead of a choice that nobody has seen yet."""
    table = pending.table
    _check_running(table, seat, version)
    limits.check_length(table)
    chosen = table.choice(seat)
    played = applied(table, seat, word, chosen)  # raises before anything is written
    if chosen is not None:
        limits.check_back_and_forth(table, seat, table.stage)
    if table.occupants[seat].guest and table.occupants[seat].level:
        check_time(table, seat)
        pending.write(Kind.BACK, seat)
    number = None if chosen is None else chosen.seq
    pending.write(Kind.MOVE, seat, word=word, number=number, keyed=True, move=played)
    pending.let_nature_move()


def enter(pending: PendingEntries, seat: Seat, word: str, version: int) -> None:
    """A player enters what nature did: they rolled the dice, drew the lot or dealt the card."""
    table = pending.table
    _check_running(table, seat, version)
    limits.check_length(table)
    if not is_by_hand(table):
        raise RequestError(Reason.NOTHING_TO_ENTER)
    if seat not in scribes(table):
        raise NotYoursError(Reason.OPENER_ENTERS)
    guest = table.occupants[seat].guest
    pending.write(Kind.MOVE, NATURE, word=word, guest=guest, keyed=True)
    pending.let_nature_move()


def play_for(pending: PendingEntries, seat: Seat, word: str, version: int) -> None:
    """A bot's move, for its own seat or for a player who is away."""
    _check_running(pending.table, seat, version)
    if not pending.table.occupants[seat].level or pending.table.proposal:
        raise StaleError(version, pending.table.number(seat))
    pending.write(Kind.MOVE, seat, word=word)
    pending.let_nature_move()


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
        raise RequestError(Reason.NOT_BEGUN)
    if table.status is Status.OVER:
        raise GameOverError
    if not table.asked[seat] <= version <= table.number(seat):
        raise StaleError(version, table.number(seat))


# --- Taking back -----------------------------------------------------------------------------


def take_back(pending: PendingEntries, seat: Seat, version: int) -> None:
    """Take back this seat's last move, or ask whether it may."""
    table = pending.table
    _check_running(table, seat, version)
    play = undo.last_move(table, seat)
    way = undo.way(table, seat)
    if play is not None and way is not undo.Way.NO:
        limits.check_back_and_forth(table, seat, play.stage)
    match way:
        case undo.Way.FREE if play is not None:
            pending.write(Kind.UNDO, seat, number=play.seq, keyed=True)
        case undo.Way.ASK if play is not None:
            pending.write(Kind.ASK, seat, number=play.seq, keyed=True)
        case _:
            raise RequestError(Reason.NOTHING_TO_TAKE_BACK)
    pending.let_nature_move()


def consent(pending: PendingEntries, seat: Seat, *, agree: bool) -> None:
    """Say whether a move may be taken back, which takes the consent of all.

    The seat that asked withdraws the question by refusing.
    """
    proposal = pending.table.proposal
    withdrawn = proposal is not None and seat == proposal.seat and not agree
    if proposal is None or not (withdrawn or seat in undo.waits_for(pending.table, proposal)):
        raise RequestError(Reason.CONSENT_NOT_ASKED, seat=seat)
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
            raise RequestError(Reason.NOT_BEGUN)
        case Status.RUNNING:
            pending.write(Kind.END, word=why)
        case Status.OVER:
            pass


def rematch(pending: PendingEntries, table: str) -> None:
    """Play again, at another table."""
    if pending.table.status is not Status.OVER:
        raise RequestError(Reason.REMATCH_BEFORE_END)
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


SUBSTITUTE: Final = "journeyman"
"""The bot that plays for a player who has left or is out of time."""


def run_out(pending: PendingEntries, late: int = 0) -> None:
    """Bots play for those whose time is up; a player who has not consented in time refuses.

    All have `late` milliseconds more than the log knows.
    """
    table = pending.table
    if table.proposal is not None:
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
        raise RequestError(Reason.NOTHING_TO_DECIDE, seat=seat)
    if not table.clocks[seat].off:
        raise RequestError(Reason.NO_DAYS_OFF)
    if table.occupants[seat].level:
        pending.write(Kind.BACK, seat)
    pending.write(Kind.REST, seat, keyed=True)


def pause(pending: PendingEntries, milliseconds: int) -> None:
    """Note that all clocks stood still for this long, since no server ran."""
    if pending.table.deadline is not None:
        pending.write(Kind.PAUSE, number=milliseconds)


def check_time(table: Table, seat: Seat) -> None:
    """Refuse a player whose time for the whole game is up: a bot plays on in their place."""
    if is_up(table, seat):
        raise RequestError(Reason.TIME_IS_UP)
