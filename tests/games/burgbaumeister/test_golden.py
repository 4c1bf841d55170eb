"""Golden records of Burgbaumeister: what they cover. That they replay, `tests/records` tells."""

from pathlib import Path

from mauerwerk.games import burgbaumeister as bb
from mauerwerk.games.burgbaumeister.values import Ending

GOLDEN = sorted(Path(__file__).parents[2].glob("records/golden/burgbaumeister-*/*.txt"))


def test_the_records_show_all_there_is() -> None:
    """Each way to end that 45 cards allow, each number of seats, each kind of move."""
    texts = [path.read_text(encoding="utf-8") for path in GOLDEN]
    reasons = {text.split()[-1] for text in texts}
    words = {word.partition(":")[2][:1] for text in texts for word in text.split()}

    assert reasons == set(Ending) - {Ending.EMPTY}
    assert {f"seats={seats}" for seats in bb.SEATS} <= {text.split()[1] for text in texts}
    assert {"a", "4", "+", "-", "^", "x", "@", "L"} <= words
