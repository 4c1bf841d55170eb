"""A server that is killed under load keeps what it said."""

from pathlib import Path

import pytest
from tests.server.engine.torture import torture
from tests.support.amounts import amount

pytestmark = pytest.mark.process

KILLS = amount(2, 2, 25)


def test_a_move_that_was_told_is_on_disk(tmp_path: Path) -> None:
    """A server is killed again and again: nothing is lost or doubled, and every game ends."""
    result = torture(tmp_path, KILLS, seed=11)

    assert result.kills == KILLS
    assert result.receipts > KILLS
    assert result.notices > KILLS
