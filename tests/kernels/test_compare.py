"""The comparison itself: what differs is found, and told as a record that leads there."""

import random
from collections.abc import Sequence
from typing import Any, Final, cast

import pytest

from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Outcome, Seat, Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels import compare as fuzz
from mauerwerk.kernels.compare import DifferenceError, compare

SHORT: Final = Setup(3, mauer.Options(rounds=1))


def spoiled(**members: object) -> AnyGame:
    """Die Mauer, but for these members."""

    class Spoiled:
        """The game that is not quite the same."""

        def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever it is
            return members.get(name, getattr(mauer, name))

    return cast("AnyGame", Spoiled())


def no_empty_fist(state: mauer.State, seat: Seat) -> Sequence[mauer.Action]:
    """A rule forgotten: nobody may close an empty fist."""
    return [action for action in mauer.legal(state, seat) if mauer.write(action) != "-"]


def nobody_wins(state: mauer.State) -> Outcome | None:
    """Another: the most points are the best."""
    outcome = mauer.outcome(state)
    return outcome and Outcome(outcome.ranks[::-1], outcome.points, outcome.reason)


def compare_often(game: AnyGame) -> None:
    """Twenty short games: enough for one in which not everybody is equal."""
    draw = random.Random(1).randrange
    for _ in range(20):
        compare(game, SHORT, draw)


@pytest.mark.parametrize(
    ("game", "what"),
    [
        (
            spoiled(legal=no_empty_fist),
            "legal: [[0, 0], [0, 1], [0, 2], [0, 3], [0, 4], [0, 5], [0, 6], [1, 0],",
        ),
        (spoiled(outcome=nobody_wins), "outcome: Outcome"),
    ],
    ids=["a rule too many", "another winner"],
)
def test_a_difference_is_a_record_that_leads_there(game: AnyGame, what: str) -> None:
    """The first line says what differs, the rest can be replayed."""
    with pytest.raises(DifferenceError) as difference:
        compare_often(game)

    said, _, paper = str(difference.value).partition("\n")
    assert said.startswith(what)
    assert record.read(paper.partition("\n=")[0], GAMES).setup == SHORT


def test_fuzz_counts_what_is_equal(capsys: pytest.CaptureFixture[str]) -> None:
    """It stops where it is told to."""
    assert fuzz.main(["mauer", "--decisions", "500", "--seed", "1"]) == 0

    assert "no difference" in capsys.readouterr().out


def test_fuzz_stops_at_a_difference(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With exit code 1, the seed and the record."""
    monkeypatch.setattr(fuzz, "GAMES", {"mauer": spoiled(legal=no_empty_fist)})

    assert fuzz.main(["mauer", "--seed", "1"]) == 1

    out = capsys.readouterr().out
    assert "mauer differs, seed 1/mauer/0\n" in out
    assert "mauer/1 seats=" in out
