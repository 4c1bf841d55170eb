"""What can be heard of a move: the games say it, and nobody hears what they may not know."""

from tests.support.driven_table import start_table

from mauerwerk.core.game import Seat
from mauerwerk.server.features.table.moments import sounds_after, sounds_part
from mauerwerk.server.games.viewpoint import Viewpoint
from mauerwerk.server.tables.table import Table


def heard(table: Table, viewpoint: Viewpoint, after: int) -> tuple[str, ...]:
    """The sounds alone."""
    return tuple(sound for _, sound in sounds_after(table, viewpoint, after))


def test_a_wall_is_set_down_and_the_dice_are_rolled() -> None:
    """In the order in which it happens; what a page has shown is not heard again."""
    driven = start_table("mauerbauer", "hh", options={"board": "small", "first": "0"})
    ada = Viewpoint(Seat(0), (Seat(0),))
    before = driven.number(0)
    driven.move(0, driven.legal(0)[0])

    assert heard(driven.table, ada, before) == ("piece", "dice")
    assert sounds_after(driven.table, ada, driven.number(0)) == []
    assert sounds_part(driven.table, ada, driven.number(0)) == ""
    said = f'data-sounds="{before + 1}:piece {before + 2}:dice"'
    assert said in sounds_part(driven.table, ada, before)


def test_cards_that_are_dealt_sound_once() -> None:
    """Not a dozen times."""
    driven = start_table("mauerbauer", "hh", options={"board": "small", "first": "0"})
    ada = Viewpoint(Seat(0), (Seat(0),))

    assert heard(driven.table, ada, 0) == ("card",)


def test_a_closed_fist_is_silent() -> None:
    """Nothing is set down yet."""
    driven = start_table()
    before = driven.number(1)
    driven.play("0:T")

    assert sounds_after(driven.table, Viewpoint(Seat(1), (Seat(1),)), before) == []
