"""Taking back a move: freely until others have decided or learned something, then if all agree.

It leads back to the last decision: a move to which there was no other is taken back with the
decision before it.

The rules say what reveals something (`Game.reveals`). A choice that nobody has seen yet can always
be taken back by its owner. Bots agree to everything, and so do the other seats of the player who
asks. An owner for whom a bot plays is asked like everybody else, or a roll could be repeated until
it pleases while an opponent is away. One who has left cannot be asked: as long as they may come
back, only what is free can be taken back. What is told once (`Ephemeral`) cannot be taken back even
if all agree: it would be told again, or untold.
"""

from enum import StrEnum
from typing import Any

from mauerwerk.core.game import NATURE, Ephemeral, Seat
from mauerwerk.server.tables.folding import is_hidden, is_up, replayed
from mauerwerk.server.tables.table import Play, Proposal, Status, Table, Viewer, is_choice


class Way(StrEnum):
    """How a seat can take back its last move."""

    FREE = "free"
    ASK = "ask"
    NO = "no"


def way(table: Table, viewer: Viewer) -> Way:
    """How this seat can take back its last move now."""
    if viewer is None or table.status is not Status.RUNNING or is_up(table, viewer):
        return Way.NO
    play = last_move(table, viewer)
    if play is None or is_final(table, play):
        return Way.NO
    if is_free(table, play):
        return Way.FREE
    if _may_return(table, viewer):
        return Way.NO
    if not asks(table, viewer):
        return Way.FREE
    # Bots wait for the answer, so a seat may not ask again and again.
    return Way.NO if table.proposal or table.refused == play.seq else Way.ASK


def last_move(table: Table, seat: Seat) -> Play | None:
    """The last decision of this seat that stands, made here, or entered here for nature."""
    here = table.plays[table.charter.given :]
    guest = table.occupants[seat].guest
    return next(
        (
            play
            for play in reversed(here)
            if (play.seat == seat or (play.by and play.by == guest)) and not is_forced(table, play)
        ),
        None,
    )


def is_forced(table: Table, play: Play) -> bool:
    """Whether the seat had nothing to decide, and everybody has seen it."""
    here = play.stage
    together = [each for each in table.plays[here : here + 2] if each.stage == here]
    if play.seat == NATURE or is_hidden(table, play) or len(together) > 1:
        return False
    return not is_choice(table.game, table.before(here), play.seat)


def is_free(table: Table, play: Play) -> bool:
    """Whether nobody has decided anything since, nor learned anything through it."""
    if is_hidden(table, play):
        return True
    return since(table, play) == (False, ())


def since(table: Table, play: Play) -> tuple[bool, tuple[Seat, ...]]:
    """Whether anything was revealed from this move on, and which other seats have moved since."""
    later = table.plays[play.stage :]
    revealed = any(table.game.reveals(event) for each in later for event in each.step.events)
    others = dict.fromkeys(each.seat for each in later if each.seat not in {play.seat, NATURE})
    return revealed, tuple(others)


def is_final(table: Table, play: Play) -> bool:
    """Whether something that is told once depends on this move.

    Either it was told since, or the move hid it again: it would come back to light.
    """
    told_before = play.stage > 0 and _tells_once(table.plays[play.stage - 1])
    hidden = told_before and any(map(table.game.reveals, play.step.events)) and not play.by
    # What people entered lies open on their own table, whatever is told here.
    drawn = (each for each in table.plays[play.stage :] if not each.by)
    return hidden or any(map(_tells_once, drawn))


def _tells_once(play: Play) -> bool:
    return any(isinstance(event, Ephemeral) for event in play.step.events)


def asks(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """The seats that this seat has to ask: all that belong to another guest."""
    own = table.occupants[seat].guest
    return tuple(
        Seat(other)
        for other, occupant in enumerate(table.occupants)
        if occupant.guest and occupant.guest != own
    )


def _may_return(table: Table, seat: Seat) -> bool:
    """Whether somebody else has left and had time to come back at the last entry of the log."""
    own, now = table.occupants[seat].guest, table.log[-1].entry.at
    return any(
        occupant.former != own and occupant.is_kept(occupant.former, now)
        for occupant in table.occupants
    )


def waits_for(table: Table, proposal: Proposal) -> tuple[Seat, ...]:
    """The seats that have not answered yet whether a move may be taken back."""
    return tuple(seat for seat in asks(table, proposal.seat) if seat not in proposal.agreed)


def without_choice(table: Table, seat: Seat) -> Any:  # noqa: ANN401 - the game's own state
    """The position if this seat had not chosen yet; the others' choices stay."""
    others = [play for play in table.plays[table.stage :] if play.seat != seat]
    return replayed(table, table.plays[: table.stage], others).state
