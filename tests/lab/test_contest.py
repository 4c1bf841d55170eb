"""Contests: every bot sits everywhere, the seed decides, time is kept."""

from collections import Counter
from contextlib import closing
from functools import partial
from typing import Any, cast

import pytest

from mauerwerk.bots import BOTS, spec
from mauerwerk.core import record
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Setup, Sight
from mauerwerk.games import GAMES, mauer
from mauerwerk.lab.match.contest import (
    Contest,
    Fixture,
    Result,
    contest,
    lineup_of,
    play_fixture,
    rotations,
    seating,
)
from mauerwerk.lab.match.times import Times, joined, measured, thinking
from mauerwerk.lab.workers import map_unordered, processes

SETUP = Setup(4, mauer.Options(rounds=1, first="lot"))
LINEUP = lineup_of(["uniform", "uniform:2s", "uniform", "uniform:3s"])


@pytest.fixture
def small() -> Contest:
    """Die Mauer, four seats, one round per game."""
    return contest("mauer", SETUP, seed=1)


def untimed(result: Result) -> tuple[Any, ...]:
    """A result without what depends on the clock."""
    return result.fixture, result.bots, result.ranks, result.points, result.turns, result.moves


# --- Seats -----------------------------------------------------------------------------------


def test_in_a_rotation_every_bot_sits_everywhere() -> None:
    """As often as it is in the line-up."""
    for number in range(5):
        sat = Counter(
            (seat, bot)
            for fixture in rotations(LINEUP, range(number, number + 1))
            for seat, bot in enumerate(seating(7, fixture))
        )
        for seat in range(4):
            assert sat[seat, "uniform"] == 2
            assert sat[seat, "uniform:2s"] == sat[seat, "uniform:3s"] == 1


def test_who_comes_after_whom_changes_between_rotations() -> None:
    """Nobody is always asked after the same bot."""
    lineup = ("a", "b", "c", "d")
    after: Counter[str] = Counter()
    for number in range(60):
        order = seating(7, Fixture(lineup, number, 0))
        after[order[(order.index("a") + 1) % 4]] += 1

    assert set(after) == {"b", "c", "d"}
    assert min(after.values()) > 10


def test_a_rotation_shares_its_luck(small: Contest) -> None:
    """Nature begins each game of a rotation alike: here, with the same lot."""
    for number in range(4):
        texts = [
            play_fixture(small, fixture, with_record=True).record_text
            for fixture in rotations(LINEUP, range(number, number + 1))
        ]
        assert len({(text or "").splitlines()[2] for text in texts}) == 1


# --- Games -----------------------------------------------------------------------------------


def test_the_seed_and_the_fixture_decide_a_game(small: Contest) -> None:
    """Another seed, rotation or turn is another game."""
    fixture = Fixture(LINEUP, 2, 1)
    again = [untimed(play_fixture(small, fixture).result) for _ in range(2)]
    other = play_fixture(contest("mauer", SETUP, seed=2), fixture).result

    assert again[0] == again[1]
    assert untimed(other)[2:] != again[0][2:]
    assert untimed(play_fixture(small, Fixture(LINEUP, 2, 2)).result)[2:] != again[0][2:]


@pytest.mark.process
def test_the_number_of_processes_changes_nothing(small: Contest) -> None:
    """Two at once finish in another order, and play the same games."""
    fixtures = list(rotations(LINEUP, range(2)))
    played: list[set[tuple[Any, ...]]] = []
    for number in (1, 2):
        with processes(number) as workers:
            games = map_unordered(partial(play_fixture, small), fixtures, workers)
            played.append({untimed(each.result) for each in games})
    alone, together = played

    assert alone == together
    assert len(alone) == 8


@pytest.mark.process
def test_who_has_enough_need_not_wait(small: Contest) -> None:
    """Games that are not finished are given up."""
    endless = rotations(LINEUP, range(10**9))
    with (
        processes(2) as workers,
        closing(map_unordered(partial(play_fixture, small), endless, workers)) as games,
    ):
        assert next(games).result.fixture.lineup == LINEUP


def test_a_record_says_who_sat_where(small: Contest) -> None:
    """In a remark before the head; the rest is a record like any other."""
    finished = play_fixture(small, Fixture(LINEUP, 0, 0), with_record=True)
    text = finished.record_text or ""
    sat = ", ".join(f"seat {seat} {bot}" for seat, bot in enumerate(finished.result.bots, 1))

    assert text.splitlines()[0] == f"# {sat}"
    assert len(record.read(text, GAMES).moves) == finished.result.moves


def test_a_contest_keeps_the_options(small: Contest) -> None:
    """As words, from which the setup comes back."""
    assert small.setup == SETUP
    assert small.options["rounds"] == "1"


@pytest.mark.rule("DM-27")
def test_no_contest_in_a_game_that_need_not_end() -> None:
    """Without the stall ruling nobody need ever build."""
    with pytest.raises(SetupError, match="need not end"):
        contest("mauer", Setup(3, mauer.Options(stall="off")), seed=1)


# --- Time ------------------------------------------------------------------------------------


class Clock:
    """A clock that stands still unless somebody sleeps, however busy the machine is."""

    now = 0.0

    def sleep(self, seconds: float) -> None:
        """Let this much time go by."""
        self.now += seconds


CLOCK = Clock()


@pytest.fixture
def _own_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decisions are timed by the clock above."""
    monkeypatch.setattr("mauerwerk.lab.match.match.perf_counter", lambda: CLOCK.now)


def introduce(monkeypatch: pytest.MonkeyPatch, name: str, maker: Any) -> None:  # noqa: ANN401
    """Let somebody play whom nobody knows yet."""
    monkeypatch.setitem(cast("dict[str, Any]", BOTS), name, maker)
    monkeypatch.setattr(spec, "NAMES", (*spec.NAMES, name))


class Dreamer:
    """Sleeps over its first decision, then takes what comes first."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        """Awake."""
        del game, setup, draw
        self.slept = False

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """Sleep past the deadline, once."""
        if not self.slept:
            CLOCK.sleep(seconds + 0.06)
        self.slept = True
        return sight.legal[0]


@pytest.mark.usefixtures("_own_clock")
def test_a_late_answer_is_counted(small: Contest, monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts for the bot that was late, and for no other."""
    introduce(monkeypatch, "dreamer", Dreamer)
    lineup = lineup_of(["dreamer:1ms", "uniform", "uniform", "uniform"])
    result = play_fixture(small, Fixture(lineup, 0, 0)).result
    late = {bot: times.late for bot, times in zip(result.bots, result.times, strict=True)}
    seat = result.bots.index("dreamer:1ms")

    assert late == {"dreamer:1ms": 1, "uniform": 0}
    assert result.times[seat].longest > 0.06


class Sleeper:
    """Needs long to wake up, and then takes what comes first at once."""

    awake = False

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        """Asleep, like all of them, until one has woken up."""
        del game, setup, draw

    def warm(self) -> None:
        """Wake up."""
        CLOCK.sleep(0.06)
        Sleeper.awake = True

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """Act, if need be after waking up."""
        del seconds
        if not self.awake:
            self.warm()
        return sight.legal[0]


@pytest.mark.usefixtures("_own_clock")
def test_getting_ready_is_not_thinking(small: Contest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that must be compiled is compiled before the game begins."""
    monkeypatch.setattr(Sleeper, "awake", False)
    introduce(monkeypatch, "sleeper", Sleeper)
    lineup = lineup_of(["sleeper:1ms", "uniform", "uniform", "uniform"])
    result = play_fixture(small, Fixture(lineup, 0, 0)).result

    assert sum(times.late for times in result.times) == 0


def test_the_figures_of_times_are_those_of_the_decisions() -> None:
    """To within three in a hundred, also when times of many games are joined."""
    lengths = [millisecond / 1000 for millisecond in range(1, 1001)]
    halves = joined([measured(lengths[::2], 0.8), measured(lengths[1::2], 0.8)])
    of = thinking(halves)

    assert of.decisions == 1000
    assert of.median == pytest.approx(0.5, rel=0.03)
    assert of.percentile_99 == pytest.approx(0.99, rel=0.03)
    assert of.longest == 1.0
    assert of.late == 150
    assert halves == measured(lengths, 0.8)


def test_who_was_never_asked_has_no_times() -> None:
    """All figures are nought."""
    assert thinking(Times()).median == thinking(Times()).longest == 0
