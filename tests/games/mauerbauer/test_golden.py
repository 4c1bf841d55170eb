"""Golden records of Mauerbauer: what they cover. That they replay, `tests/records` tells."""

from pathlib import Path

from mauerwerk.core import record
from mauerwerk.core.game import AnyGame
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.events import Event, Joined, Reshuffled, RolledEarly, Swapped
from mauerwerk.games.mauerbauer.values import Ending

GOLDEN = sorted(Path(__file__).parents[2].glob("records/golden/mauerbauer-*/*.txt"))
GAMES: dict[str, AnyGame] = {mauerbauer.NAME: mauerbauer}


def read(path: Path) -> tuple[str, record.Record]:
    """A record as text, and as it reads."""
    text = path.read_text(encoding="utf-8")
    return text, record.read(text, GAMES)


def events(kept: record.Record) -> list[Event]:
    """All that happened in a game."""
    return [event for _, step in record.replay(mauerbauer, kept) for event in step.events]


def test_the_records_show_all_there_is() -> None:
    """Each way to end, each number of seats, each board, and what is rare."""
    texts = [path.read_text(encoding="utf-8") for path in GOLDEN]
    happened = {type(event) for path in GOLDEN for event in events(read(path)[1])}

    assert {text.split()[-1] for text in texts} == set(Ending)
    assert {text.split()[1] for text in texts} == {"seats=2", "seats=3", "seats=4"}
    assert len({text.split()[3] for text in texts}) == 4
    assert {Joined, Reshuffled, RolledEarly, Swapped} <= happened
