"""What the entries of a log mean for the clocks of a table."""

import msgspec

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.server.tables import clocks
from mauerwerk.server.tables.clocks import Clocks
from mauerwerk.server.tables.entries import Entry
from mauerwerk.server.tables.logged import with_entry
from mauerwerk.server.tables.table import Play, Proposal, Table


def after_coming_or_going(table: Table, entry: Entry) -> Clocks:
    """The clocks after somebody came or went: a seat's own runs only while a person must act."""
    seat = entry.seat
    if seat is None or seat not in table.waiting or not table.clocks:
        return table.clocks
    at = table.proposal.at if table.proposal else entry.at
    if table.occupants[seat].person:
        return clocks.stopped(table.clocks, seat, at)
    return clocks.restarted(table.clocks, seat, at)


def after_question(table: Table, question: Proposal, at: int) -> Clocks:
    """The clocks after a question whether a move may be taken back, for which they stood still."""
    return clocks.shifted(table.clocks, at - question.at)


def after_move(table: Table, entry: Entry) -> tuple[Clocks, int]:
    """The clocks after a decision of a person, and what they gained with it."""
    seat, still = entry.seat, table.clocks
    if seat is None or seat == NATURE or not table.occupants[seat].person:
        return still, 0
    if table.proposal is not None:  # a move drops it
        still = after_question(table, table.proposal, entry.at)
    given = len(table.plays) < table.charter.given
    timed = table.charter.clock.total and not given
    gained = 1_000 * table.charter.clock.increment if timed else 0
    return clocks.stopped(still, seat, entry.at, gained), gained


def after_undo(table: Table, undone: tuple[Play, ...], at: int) -> Clocks:
    """The clocks after these plays were taken back, of which all in them are asked again.

    Nothing of the time for the whole game comes back, neither what was spent nor what was gained.
    What others began to think about is gone, and so is their time for it.
    """
    still = clocks.asked(table.clocks, at)
    for play in undone:
        if play.seat != NATURE:
            still = clocks.restarted(still, play.seat, at, play.gained)
    return still


def after_second_thoughts(table: Table, seat: Seat, gained: int, at: int) -> Clocks:
    """The clocks after a seat has taken back a choice that nobody has seen: the others think on."""
    return clocks.restarted(table.clocks, seat, at, gained)


def rested(table: Table, entry: Entry) -> Table:
    """The table after a day off of one seat, or a while in which no server ran for anybody."""
    if entry.seat is not None:
        return with_entry(table, entry, clocks=clocks.rested(table.clocks, entry.seat))
    pause, proposal = entry.number or 0, table.proposal
    if proposal is not None:
        proposal = msgspec.structs.replace(proposal, at=proposal.at + pause)
    return with_entry(
        table,
        entry,
        asked_at=table.asked_at + pause,
        clocks=clocks.shifted(table.clocks, pause),
        proposal=proposal,
    )


def is_up(table: Table, seat: Seat) -> bool:
    """Whether a player has used up the time for the whole game."""
    return bool(table.clocks) and clocks.flags_down(table.charter.clock, table.clocks, seat)
