"""What is kept of a log: without moves once the record has them, and without somebody's name.

A thinned log says who sat where at the end, that the game began, and what came after it. The moves
between are those of the record (`filled`). So a thinned table is read like any other, and only what
led nowhere is gone: moves that were taken back, questions, keys of requests.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.core.record import Move
from mauerwerk.server.tables import folding, table
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.log import ANONYMOUS, GONE, Entry, Kind

SEATING: Final = frozenset(
    {Kind.SIT, Kind.STAND, Kind.BOT, Kind.AWAY, Kind.BACK, Kind.FORFEIT, Kind.RENAME}
)
AFTERWARDS: Final = (Kind.END, Kind.REMATCH)


# --- Thinning --------------------------------------------------------------------------------


def thinned(charter: Charter, log: Sequence[Entry], moves: int, at: int) -> tuple[Entry, ...]:
    """The log of a finished game, less this many moves of its record; it ends at that time.

    Raises OtherRulesError where this program cannot read the log.
    """
    seating = (each for each in log if each.kind in SEATING)
    renumbered = (msgspec.structs.replace(each, seq=seq) for seq, each in enumerate(seating))
    new = partial(Entry, 0, at)  # numbered at the end
    kept: list[Entry] = []
    away: list[Entry] = []
    for number, occupant in enumerate(folding.fold(charter, renumbered).occupants):
        seat = Seat(number)
        # A seat's link is valid as long as the seat has changed hands as often as then.
        kept += [new(Kind.STAND, seat)] * (occupant.tenure - occupant.taken)
        if occupant.guest:
            kept.append(new(Kind.SIT, seat, occupant.name, guest=occupant.guest))
            if occupant.level:
                away.append(new(Kind.AWAY, seat, occupant.level))
        elif occupant.level:
            kept.append(new(Kind.BOT, seat, occupant.level))
            if occupant.forfeited:
                away.append(new(Kind.FORFEIT, seat))
    kept.append(new(Kind.START))
    after = len(kept) + moves
    last = {each.kind: each for each in log}
    away += [new(kind, word=last[kind].word) for kind in AFTERWARDS if kind in last]
    return (
        *(msgspec.structs.replace(each, seq=seq) for seq, each in enumerate(kept)),
        *(msgspec.structs.replace(each, seq=seq) for seq, each in enumerate(away, start=after)),
    )


def filled(log: Sequence[Entry], moves: Sequence[tuple[Move, bool]]) -> tuple[Entry, ...]:
    """A thinned log with the moves of its record; of each is known whether people entered it."""
    began = next(place for place, entry in enumerate(log) if entry.kind is Kind.START)
    start = log[began]
    between = (
        Entry(
            start.seq + number,
            start.at,
            Kind.MOVE,
            move.seat,
            move.word,
            guest=GONE if by_hand and move.seat == NATURE else "",
        )
        for number, (move, by_hand) in enumerate(moves, start=1)
    )
    return (*log[: began + 1], *between, *log[began + 1 :])


# --- Forgetting ------------------------------------------------------------------------------


def forgotten(log: Sequence[Entry], guest: str) -> tuple[Entry, ...]:
    """The entries of a log that name a guest, without the name."""
    seats: set[Seat | None] = set()
    changed: list[Entry] = []
    for entry in log:
        match entry.kind:
            case Kind.SIT if entry.guest == guest:
                seats.add(entry.seat)
                changed.append(msgspec.structs.replace(entry, guest=GONE, word=ANONYMOUS, key=""))
            case Kind.RENAME if entry.seat in seats:
                changed.append(msgspec.structs.replace(entry, word=ANONYMOUS))
            case Kind.SIT | Kind.STAND | Kind.BOT:
                seats.discard(entry.seat)
            case _ if entry.guest == guest:
                changed.append(msgspec.structs.replace(entry, guest=GONE, key=""))
            case _:
                pass
    return tuple(changed)


def without_name(card: table.Card, seats: Sequence[int]) -> table.Card:
    """A card on which the players at these seats have no name."""
    names = tuple(ANONYMOUS if seat in seats else name for seat, name in enumerate(card.names))
    return msgspec.structs.replace(card, names=names)


def without_opener(charter: Charter, guest: str) -> Charter:
    """A charter that does not say that this guest set up the table."""
    if charter.opener != guest:
        return charter
    return msgspec.structs.replace(charter, opener="")
