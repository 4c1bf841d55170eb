"""A server that is killed under load keeps what it said."""

from pathlib import Path

from tests.play.torture import torture

KILLS = 20


def test_a_move_that_was_told_is_on_disk(tmp_path: Path) -> None:
    """Killed twenty times: nothing lost, nothing twice, and every game comes to its end."""
    result = torture(tmp_path, KILLS, seed=11)

    assert result.kills == KILLS
    assert result.receipts > KILLS
    assert result.notices > KILLS
