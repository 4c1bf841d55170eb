"""Games between bots: repeatable, fair to secrets, summed up rightly."""

import random
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import Any

import pytest

from mauerwerk.bots import BOTS
from mauerwerk.bots.bot import Bot, Player
from mauerwerk.core import record
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, Setup, Sight
from mauerwerk.games import GAMES, mauer
from mauerwerk.lab.intervals import Estimate, mean_of, share_of
from mauerwerk.lab.match.match import play, simulate
from mauerwerk.lab.match.simulation import Tally

SETUP = Setup(4, mauer.Options(rounds=1, first="lot"))


class Witness:
    """A bot that keeps its sights and takes the legal actions in turn."""

    def __init__(self) -> None:
        """Nothing seen yet."""
        self.sights: list[Sight[Any, Any, Any]] = []

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """Remember, and act."""
        assert seconds == 1
        self.sights.append(sight)
        return sight.legal[len(self.sights) % len(sight.legal)]


def seated(bots: Sequence[Bot]) -> list[Player]:
    """Each with a second to think."""
    return [Player(bot, 1) for bot in bots]


def test_a_bot_sees_its_own_hand_and_no_other() -> None:
    """What reaches a bot is the view of its seat and what that seat was told (DM-2)."""
    bots = [Witness() for _ in range(4)]
    for _ in play(mauer, SETUP, seated(bots), random.Random(1).randrange):
        pass
    for seat, bot in enumerate(bots):
        for sight in bot.sights:
            assert sight.seat == sight.view.seat == seat
            assert [each for each, hand in enumerate(sight.view.hands) if hand is not None] == [
                seat
            ]


def test_a_bots_memory_is_all_it_was_told() -> None:
    """Every sight continues the one before."""
    bots = [Witness() for _ in range(4)]
    moves = list(play(mauer, SETUP, seated(bots), random.Random(1).randrange))
    assert moves[0][0].seat == NATURE
    for bot in bots:
        for before, after in zip(bot.sights, bot.sights[1:], strict=False):
            assert after.told[: len(before.told)] == before.told


def test_a_game_depends_on_its_seed_and_number_alone() -> None:
    """The third of five games is the third of three; another seed is another game."""
    five, three = (list(simulate(mauer, SETUP, ["uniform"] * 4, n, seed=7)) for n in (5, 3))
    assert five[:3] == three
    assert five[0].record != five[1].record
    assert list(simulate(mauer, SETUP, ["uniform"] * 4, 1, seed=8)) != five[:1]


def test_a_simulated_game_is_a_record() -> None:
    """It reads back, and leads to the outcome that was counted."""
    for played in simulate(mauer, SETUP, ["uniform"] * 4, 3, seed=1):
        assert record.read(record.write(mauer, played.record), GAMES) == played.record
        last = [step.state for _, step in record.replay(mauer, played.record)][-1]
        assert mauer.outcome(last) == played.outcome


@pytest.mark.rule("DM-27")
def test_a_game_that_need_not_end_is_refused() -> None:
    """Without the stall ruling nobody need ever build."""
    endless = Setup(3, mauer.Options(stall="off"))
    with pytest.raises(SetupError, match="need not end"):
        simulate(mauer, endless, ["uniform"] * 3, 1, seed=1)


def assert_equal(one: Estimate, other: Estimate) -> None:
    """The same mean and the same interval, as far as computers can tell."""
    ends = (one.low, one.mean, one.high)
    assert ends == pytest.approx((other.low, other.mean, other.high))


def test_the_summary_is_the_mean_of_the_games() -> None:
    """Checked against the standard library's statistics."""
    games = list(simulate(mauer, SETUP, ["uniform"] * 4, 20, seed=3))
    tally = Tally(["uniform"] * 4)
    for played in games:
        tally.add(played.outcome, played.turns, len(played.record.moves))
    summary = tally.summary()
    for seat, of in enumerate(summary.seats):
        points = [played.outcome.points[seat] for played in games]
        ranks = [played.outcome.ranks[seat] for played in games]
        won = [int(seat in played.outcome.winners) for played in games]
        wins = [each / len(played.outcome.winners) for each, played in zip(won, games, strict=True)]
        assert_equal(of.points, mean_of(points))
        assert_equal(of.rank, mean_of(ranks))
        assert of.wins.mean == pytest.approx(fmean(wins))
        assert_equal(of.wins, share_of(wins, games=20))
        assert of.points.high == pytest.approx(
            fmean(points) + 2.093 * stdev(points) / 20**0.5, 1e-3
        )
    assert sum(of.wins.mean for of in summary.seats) == pytest.approx(1)
    assert summary.turns == fmean(played.turns for played in games)
    assert sum(summary.reasons.values()) == summary.games == 20


def test_bots_play_every_game() -> None:
    """Bots that need no compiling play every game; search has separate tests."""
    for game in GAMES.values():
        setup = Setup(game.SEATS[0], game.OPTIONS())
        for name in sorted(set(BOTS) - {"search", "guided"}):
            [played] = simulate(game, setup, [name] * game.SEATS[0], 1, seed=2)
            assert len(played.outcome.ranks) == game.SEATS[0]
