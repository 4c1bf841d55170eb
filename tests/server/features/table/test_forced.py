"""Which moves play themselves: those that decide nothing, as everybody can see."""

from tests.support.driven_table import DrivenTable, start_table

from mauerwerk.core.game import Seat
from mauerwerk.server.features.table.view_model import LOOK, PAUSE, ForcedMove, forced_move
from mauerwerk.server.tables.undo import Way


def forced(driven: DrivenTable, seat: int = 0) -> ForcedMove | None:
    """The move that plays itself on the page of a seat."""
    return forced_move(driven.table, driven.table_view(seat))


def test_the_only_site_is_built_on() -> None:
    """The first piece starts the wall, whatever its builder thinks (DM-8)."""
    driven = start_table()
    driven.play("0:T 1:4 2:6")
    (seat,) = driven.table.deciding

    assert forced(driven, seat) == ForcedMove(">", PAUSE)
    assert forced(driven, (seat + 1) % 3) is None


def test_a_choice_in_secret_is_never_forced() -> None:
    """Nobody may learn from a pause that a hand holds nothing else (DM-5, DM-18)."""
    driven = start_table()
    seats = [Seat(0), Seat(1), Seat(2)]
    for _ in range(300):
        for seat in seats:
            move = forced(driven, seat)
            assert move is None or driven.table.deciding == (seat,)
            assert move is None or move.word in {"<", ">"}
        if not driven.table.deciding:
            return
        driven.move(seat := driven.table.deciding[0], driven.legal(seat)[-1])


def test_a_card_that_does_not_fit_is_looked_at_longer() -> None:
    """It is told once what was turned up (BB-8)."""
    driven = start_table("burgbaumeister", "hh", options={"first": "0"})
    places = iter(driven.legal(0))
    while (move := forced(driven, seat := driven.table.deciding[0])) is None:
        legal = driven.legal(seat)
        driven.move(seat, legal[0] if len(legal) < 5 else next(places))

    assert move == ForcedMove("-", LOOK)


def test_nothing_plays_itself_while_somebody_asks_to_take_back() -> None:
    """The others answer first."""
    driven = start_table("mauerbauer", "hh", options={"board": "small", "first": "0"})
    while forced(driven, seat := driven.table.deciding[0]) is None:
        driven.move(seat, driven.legal(seat)[0])
    driven.take_back(1 - seat if driven.table_view(1 - seat).undo is Way.ASK else seat)

    assert driven.table.proposal is not None
    assert forced(driven, seat) is None


def test_two_equal_houses_need_no_order() -> None:
    """Two red houses go on two fields, whichever comes first (MB-25)."""
    moves = tuple(
        f"~:+{card}" for card in ("city-1", "city-2", "city-3") for _ in range(2)
    ) + tuple(f"~:+land-{card}" for card in ("red", "blue", "east") for _ in range(2))
    played = (*moves, "0:f3-h3", "~:*Grr", "0:Gf3", "0:Wh3")
    driven = start_table("mauerbauer", "hh", options={"first": "0"}, moves=played)

    assert len(driven.legal(Seat(0))) == 2
    assert forced(driven) == ForcedMove("r2g", PAUSE)
    driven.play("0:r2g")
    assert forced(driven) == ForcedMove("r3g", PAUSE)
    driven = start_table(
        "mauerbauer",
        "hh",
        options={"first": "0"},
        moves=(*moves, "0:f3-h3", "~:*Grb", "0:Gf3", "0:Wh3"),
    )
    assert forced(driven) is None
