"""Clients that switch between two servers, which are killed, are told one story."""

import pytest
from tests.server.engine.switching import switch
from tests.support.amounts import amount

pytestmark = [pytest.mark.process, pytest.mark.postgres]

MOVES = amount(20, 20, 400)
KILLS = amount(1, 1, 8)


def test_nobody_can_tell_that_there_are_two_servers(postgresql_url: str) -> None:
    """Reads are up to date, nothing is refused or told twice, and what was acknowledged is done."""
    result = switch(postgresql_url, MOVES, KILLS, seed=21)

    assert result.violations == []
    assert result.moves >= MOVES
    assert result.notices > MOVES // 2
