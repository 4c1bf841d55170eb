"""Three tables in words, as they were drawn when somebody last looked at them.

    python -m tests.server.games.test_snapshots

writes them anew; look at what changed before it is committed.
"""

from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tests.server.games.positions import DrawnPosition, outline, played

from mauerwerk.core.language import language_of

HERE = Path(__file__).parent / "snapshots"

TABLES: dict[str, tuple[str, int, dict[str, Any], int, str, str]] = {
    "mauer-build": ("mauer", 4, {}, 1, "build", "en"),
    "mauer-plan": ("mauer", 3, {}, 2, "plan", "de"),
    "burgbaumeister-decide": ("burgbaumeister", 3, {"variant": True}, 3, "decide", "en"),
    "burgbaumeister-turn": ("burgbaumeister", 2, {"depot": "chaotic"}, 4, "turn", "it"),
    "mauerbauer-build": ("mauerbauer", 3, {"board": "small"}, 5, "build", "en"),
    "mauerbauer-score": ("mauerbauer", 2, {"board": "small"}, 6, "score", "de"),
}
"""Game, seats, options, seed, what the first player is asked, and in which language."""


def table(name: str) -> tuple[DrawnPosition, str]:
    game, seats, options, seed, task, code = TABLES[name]
    steps = islice(played(game, seats, options, seed), 60, None)
    asked = (own for _, own, *_ in steps if own.legal and own.view.task == task)
    return next(asked), code


@pytest.mark.parametrize("name", sorted(TABLES))
def test_the_table_is_drawn_as_before(name: str) -> None:
    """Ids, words, labels and texts of a table in the middle of a game."""
    position, code = table(name)

    assert outline(position.parts(language_of(code))) == (HERE / f"{name}.txt").read_text("utf-8")


if __name__ == "__main__":
    for each in TABLES:
        found, language = table(each)
        HERE.joinpath(f"{each}.txt").write_text(
            outline(found.parts(language_of(language))), encoding="utf-8"
        )
