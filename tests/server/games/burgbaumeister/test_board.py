"""The board of Burgbaumeister: cards that are face down leave no trace."""

from itertools import islice

import pytest
from msgspec.structs import replace
from tests.server.games.positions import NAMES, DrawnPosition, moments, played, whole
from tests.support.amounts import amount

from mauerwerk.core.game import Seat, Setup
from mauerwerk.core.language import ENGLISH
from mauerwerk.games import burgbaumeister
from mauerwerk.server.games.burgbaumeister import board


@pytest.mark.rule("BB-9")
def test_a_card_that_was_left_leaves_no_trace() -> None:
    """After a card is turned and left, depot and walls are drawn as if nobody had touched it."""
    state = burgbaumeister.start(Setup(2, burgbaumeister.Options()))
    for word in ("e3", "17", "-", "a1", "30", "-"):
        mover = burgbaumeister.to_act(state)[0]
        state = burgbaumeister.apply(state, mover, burgbaumeister.parse(word)).state
    played_on = burgbaumeister.view(state, Seat(0))
    fresh = burgbaumeister.view(burgbaumeister.start(Setup(2, burgbaumeister.Options())), Seat(0))
    legal = burgbaumeister.legal(state, Seat(0))

    told, new = (board.parts(view, legal, NAMES, ENGLISH, ()) for view in (played_on, fresh))
    assert whole(told) == whole(new)


def test_the_turned_card_is_the_figure_of_the_question() -> None:
    """While a card lies face up it is drawn beside the question, and at no other time."""
    steps = list(moments("burgbaumeister", 2, {"variant": True}, 3))
    met: set[bool] = set()
    for step in steps[:: amount(7, 5, 1)]:
        own = step.seen()[0]
        lies = own.view.turned is not None and own.view.turned.card is not None

        assert bool(own.parts().figure) is lies
        met.add(lies)
    assert met == {True, False}


def test_the_memory_aid_shows_numbers_only_where_the_table_chose_it() -> None:
    """With it the numbers stand on the backs, without it none does."""
    own = next(islice(played("burgbaumeister", 2, {"memory_aid": True}, 3), 30, None))[1]
    view = own.view
    with_aid = own.parts().stage
    bare = DrawnPosition(own.game, replace(view, seen=None), (), ()).parts().stage

    assert with_aid.count('class="num aid"') == len(view.seen) > 0
    assert bare.count('class="num aid"') == 0
