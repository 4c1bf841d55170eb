"""Mauerbauer at a shared device: the gate stays open within a turn, and shuts after a scoring."""

from itertools import pairwise

from tests.server.games.positions import moments

from mauerwerk.server.games.mauerbauer.board import private


def test_all_have_looked_when_a_city_was_scored() -> None:
    """Within a turn nothing but the scoring of a city shuts the gate."""
    found = 0
    views = [
        step.game.view(step.state, None)
        for step in moments("mauerbauer", 3, {"board": "small"}, 6)
        if step.game.to_act(step.state)
    ]
    for before, after in pairwise(views):
        if before.turns == after.turns:
            scored = before.city is not None and after.city is None
            begins = before.city is None and after.city is not None
            found += scored
            assert (private(before) != private(after)) == (scored or begins)

    assert found
