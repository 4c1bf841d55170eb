"""Die Mauer, who must act, what is legal, and which clause forbids the rest."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import NATURE, Seat
from mauerwerk.games.mauer import values
from mauerwerk.games.mauer.values import Action, End, Piece, State, Table

EMPTY: Final = values.Plan(None)
# Every action there is, made once: a game asks for the same few again and again.
_PLANS: Final = {piece: values.Plan(piece) for piece in values.FULL_SET}
_CHOICES: Final = {piece: values.Choose(piece) for piece in values.FULL_SET}
_GIFTS: Final = {piece: values.Give(piece) for piece in values.FULL_SET}
_BUILDS: Final = {end: values.Build(end) for end in End}


def is_wall(piece: Piece) -> bool:
    """Wall pieces may stand next to anything, tower and gate only next to walls (DM-9)."""
    return piece is not Piece.TOWER and piece is not Piece.GATE


def sites(wall: tuple[Piece, ...], piece: Piece) -> tuple[End, ...]:
    """The ends at which this piece may be built now (DM-8 to DM-10)."""
    if not wall:
        return (End.RIGHT,)
    if is_wall(piece):
        return (End.LEFT, End.RIGHT)
    left, right = is_wall(wall[0]), is_wall(wall[-1])
    if left and right:
        return (End.LEFT, End.RIGHT)
    return (End.LEFT,) if left else (End.RIGHT,) if right else ()


def room_for(wall: tuple[Piece, ...], piece: Piece, builders: int) -> bool:
    """Whether this number of builders can build the piece in one turn (DM-10, DM-11)."""
    return is_wall(piece) or builders <= len(sites(wall, piece))


def to_act(state: State, /) -> tuple[Seat, ...]:
    """Plan together (DM-5); build one after the other (DM-17)."""
    match state:
        case values.Drawing():
            return (NATURE,)
        case values.Planning(fists=fists):
            return tuple(Seat(seat) for seat, fist in enumerate(fists) if fist is None)
        case values.Choosing(table=table):
            return (table.master,)
        case values.Building(builders=builders):
            return builders[:1]
        case values.Giving(giver=giver):
            return (giver,)
        case values.Over():
            return ()


def legal(state: State, seat: Seat, /) -> tuple[Action, ...]:
    """All that this seat may do: pieces in canonical order, the empty fist last."""
    if seat not in to_act(state):
        return ()
    match state:
        case values.Drawing(seats=seats):
            return tuple(values.Appoint(Seat(each)) for each in range(seats))
        case values.Planning(table=table):
            return (*(_PLANS[piece] for piece in dict.fromkeys(table.hands[seat])), EMPTY)
        case values.Choosing(table=table):
            return tuple(_CHOICES[piece] for piece in buildable(table, seat))
        case values.Building(table=table, piece=piece):
            return tuple(_BUILDS[end] for end in sites(table.wall, piece))
        case values.Giving(table=table):
            return tuple(_GIFTS[piece] for piece in dict.fromkeys(table.hands[seat]))
        case values.Over():
            return ()


def buildable(table: Table, seat: Seat) -> tuple[Piece, ...]:
    """The kinds in this hand that fit the wall somewhere."""
    return tuple(piece for piece in dict.fromkeys(table.hands[seat]) if sites(table.wall, piece))


def odds(state: State, /) -> Mapping[Action, int]:
    """Every seat is as likely to begin (DM-3). Nature does nothing else in this game."""
    return dict.fromkeys(legal(state, NATURE), 1)


def why_not(state: State, seat: Seat, action: Action, /) -> str:
    """The clause that forbids the move; empty when nothing does."""
    if action in legal(state, seat):
        return ""
    asked = seat in to_act(state)
    match state, action:
        case values.Drawing(), _:
            return "DM-3"
        case values.Planning(), _:
            return "DM-5"
        case values.Choosing(table=table), values.Choose(piece=piece) if (
            asked and piece in table.hands[seat]
        ):
            return "DM-9"
        case values.Choosing(), _:
            return "DM-18"
        case values.Building(table=table), values.Build() if asked:
            return "DM-9" if table.wall else "DM-8"
        case values.Building(), _:
            return "DM-17"
        case values.Giving(), _:
            return "DM-19"
        case values.Over(), _:
            return "DM-28"
