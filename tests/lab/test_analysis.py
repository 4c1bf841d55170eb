"""What an analysis says of a game: chances that lead to the result, mistakes found, fair to all."""

import multiprocessing
from contextlib import closing
from random import Random
from statistics import fmean
from typing import Any, Final

import msgspec
import pytest
from tests.support.amounts import amount

from mauerwerk.bots import spec
from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.options import from_words
from mauerwerk.core.record import Move, Record
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.lab.analysis import Analysis, analyse, fingerprint, gather
from mauerwerk.lab.analysis.positions import in_time, tasks
from mauerwerk.lab.match.match import play_out

pytestmark = pytest.mark.kernels

FEW: Final = 48
"""Enough simulations for what is beyond doubt."""

BUILDERS: Final = """burgbaumeister/1 seats=2 variant=no first=0
0:b2 ~:5 0:+   1:d1 ~:20 1:-  0:e2 ~:19 0:+  1:c2 ~:15 1:+  0:d1 ~:20 0:+  1:b3 ~:16 1:+
0:c1 ~:37 0:-  1:a2 ~:45 1:-  0:b1 ~:13 0:-  1:d5 ~:14 1:-  0:c4 ~:41 0:-  1:f5 ~:17 1:+
0:g4 ~:10 0:-  1:f2 ~:26 1:+  0:d2 ~:33 0:-  1:d2 ~:33 1:+  0:c5 ~:4 0:-   1:c1 ~:37 1:+
0:h3 ~:21 0:+  1:c4 ~:41 1:+  0:d4 ~:38 0:-  1:a4 ~:25 1:-  0:a4 ~:25 0:+  1:i2 ~:32 1:-
0:i2 ~:32 0:+  1:i1 ~:30 1:-  0:d4 ~:38 0:+  1:b5 ~:42 1:+  0:i4 ~:44 0:+
1:a2 ~:45 1:-       # seat 1 needs one more card, holds it in hand, and leaves it
0:a2 ~:45 0:+
= 0:9 1:8 nine
"""


def setup_of(game: AnyGame, seats: int, **options: str) -> Setup[Any]:
    """A table with these options."""
    return Setup(seats, from_words(game.OPTIONS, options))


def played(game: AnyGame, setup: Setup[Any], bots: str, seed: int = 1) -> Record:
    """A game between bots, one word per seat."""
    players = [
        spec.sit(word, game, setup, Random(seed + seat).randrange)
        for seat, word in enumerate(bots.split())
    ]
    return play_out(game, setup, players, Random(seed).randrange).record


def analysed(kept: Record, simulations: int = FEW, jobs: int = 1, seed: int = 0) -> Analysis:
    """All of it."""
    return gather(kept, analyse(kept, simulations=simulations, jobs=jobs, seed=seed))


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        (mauer, 3, {"rounds": "1", "stall": "3", "first": "lot"}),
        (burgbaumeister, 3, {"variant": "yes", "first": "lot"}),
        pytest.param(mauerbauer, 2, {"board": "wme/wme"}, marks=pytest.mark.thorough),
    ],
)
def test_it_says_something_of_every_position(
    game: AnyGame, seats: int, options: dict[str, str]
) -> None:
    """Chances add up, every choice that was one is weighed, and the end is the result."""
    kept = played(game, setup_of(game, seats, **options), " ".join(["greedy"] * seats))
    whole = analysed(kept, amount(4, 4, FEW))

    assert whole.by == "search"
    assert [position.at for position in whole.positions] == list(range(len(kept.moves) + 1))
    assert all(sum(each.chances) == pytest.approx(1) for each in whole.positions)
    *_, (_, last) = record.replay(game, kept)
    outcome = game.outcome(last.state)
    assert outcome is not None
    share = 1 / len(outcome.winners)
    result = tuple(share if seat in outcome.winners else 0 for seat in range(seats))
    assert whole.positions[-1].chances == result
    for position, task in zip(whole.positions, tasks(game, kept), strict=True):
        words = [each.word for each in position.choices]
        assert bool(words) == task.weigh
        if words:
            assert position.chosen in words
            values = [each.value for each in position.choices]
            assert values == sorted(values, reverse=True)
            assert 0 <= values[-1] <= values[0] <= 1
            assert 0 <= position.cost <= values[0]
    assert msgspec.json.decode(msgspec.json.encode(whole), type=Analysis) == whole


@pytest.mark.process
def test_seed_and_record_decide_what_is_found() -> None:
    """However many processes look, and whichever of them looks where."""
    kept = played(mauer, setup_of(mauer, 4, rounds="1", stall="2"), "greedy greedy greedy greedy")
    once = analysed(kept, jobs=1, seed=5)

    assert analysed(kept, jobs=2, seed=5) == once
    assert analysed(kept, jobs=1, seed=6) != once


@pytest.mark.process
def test_who_stops_leaves_nobody_behind() -> None:
    """Processes end when the iterator is closed, in the middle of whatever they do."""
    before = {*multiprocessing.active_children()}
    kept = record.read(BUILDERS, GAMES)
    with closing(analyse(kept, seconds=600, jobs=2)) as positions:
        assert next(positions).at < 4

    assert {*multiprocessing.active_children()} <= before


def test_chances_go_to_who_plays_better() -> None:
    """Against a random bot: equal at first, certain at the end."""
    kept = played(burgbaumeister, setup_of(burgbaumeister, 2), "uniform greedy")
    curve = [position.chances[1] for position in analysed(kept).positions]
    quarter = len(curve) // 4

    assert curve[0] == pytest.approx(0.5, abs=0.2)
    assert fmean(curve[:quarter]) < fmean(curve[-quarter:])
    assert fmean(curve[-quarter:]) > 0.8
    assert curve[-1] == 1


def test_a_blunder_is_found() -> None:
    """A player who leaves the last card that they need has thrown the game away."""
    whole = analysed(record.read(BUILDERS, GAMES), 200)
    at = 89
    left = whole.positions[at]

    assert (left.seat, left.chosen, left.choices[0].word) == (1, "-", "+")
    assert left.choices[0].value == 1
    assert left.cost > 0.5
    (mistake,) = [moment for moment in whole.moments if moment.at == at]
    assert (mistake.kind, mistake.seat, mistake.better) == ("mistake", 1, "+")
    assert mistake.swing == -left.cost
    assert whole.lost[1] >= left.cost
    assert whole.ahead_from == at + 1


def test_choices_are_judged_by_what_the_seat_knew() -> None:
    """Cards that others hold change the chances, and not what a seat is told of its choices."""
    words = "~:@0 " + " ".join(f"~:+{card}" for card in OWN)
    kept, twin = (
        record.read(f"mauerbauer/1 seats=2 board=wme/wme\n{words} {others}0:a2-b1\n", GAMES)
        for others in (
            "".join(f"~:+{card} " for card in cards) for cards in (THEIRS, OTHERS_OF_THEIRS)
        )
    )
    one, two = analysed(kept, 200), analysed(twin, 200)
    at = len(kept.moves) - 1

    assert one.positions[at].seat == 0
    assert one.positions[at].choices == two.positions[at].choices
    assert one.positions[at].chances != two.positions[at].chances


OWN: Final = ("city-1", "city-2", "city-3", "land-red", "land-blue", "cities")
THEIRS: Final = ("city-red", "city-1", "city-2", "city-3", "city-white", "city-black")
OTHERS_OF_THEIRS: Final = (
    "land-walls",
    "land-towers",
    "land-water",
    "city-7",
    "land-west",
    "cities",
)


def test_nothing_is_decided_before_all_have_chosen() -> None:
    """While fists close, the chances are those before the first of them (DM-5)."""
    kept = record.read("mauer/1 seats=3 rounds=1 first=0\n0:T 1:4 2:-", GAMES)
    before, *closing_fists, opened = [each.chances for each in analysed(kept).positions]

    assert closing_fists == [before, before]
    assert opened != before


def test_a_record_may_stop_anywhere() -> None:
    """Also before the first move; then there is no result."""
    nothing = record.read("mauer/1 seats=3 rounds=1 first=0\n", GAMES)
    whole = analysed(nothing)

    assert [position.at for position in whole.positions] == [0]
    assert whole.positions[0].choices == ()
    assert whole.ahead_from is None
    assert whole.moments == ()


@pytest.mark.process
def test_without_a_kernel_rules_of_thumb_do_it() -> None:
    """A game that need not end is weighed by points, and the analysis says so."""
    kept = record.read("mauer/1 seats=3 rounds=1 first=0 stall=off\n0:T 1:4 2:- 0:>\n", GAMES)
    whole = analysed(kept, jobs=2)

    assert whole.by == "greedy"
    assert all(sum(each.chances) == pytest.approx(1) for each in whole.positions)
    assert [len(each.choices) > 1 for each in whole.positions] == [True, True, True, False, False]
    assert {each.visits for position in whole.positions for each in position.choices} == {0}


@pytest.mark.parametrize("slowness", [1.0, 1.5])
def test_it_keeps_to_its_time(slowness: float) -> None:
    """Also where everything takes longer than it should: who comes later gets less."""
    hands = [0.0]
    plan = tasks(burgbaumeister, record.read(BUILDERS, GAMES))
    for job in in_time(plan, 20.0, 2, clock=lambda: sum(hands)):
        task = plan[job.at]
        spent = job.efforts.chances.seconds * (task.anchor == task.at)
        spent += job.efforts.choices.seconds * task.weigh
        hands.append(slowness * spent / 2)

    assert 19 < sum(hands) < 21


def test_records_are_told_apart_by_a_fingerprint() -> None:
    """The same game has the same one, remarks or not; one move more has another."""
    kept = record.read(BUILDERS, GAMES)
    shorter = msgspec.structs.replace(kept, moves=kept.moves[:-1])

    assert fingerprint(record.read(record.write(burgbaumeister, kept), GAMES)) == fingerprint(kept)
    assert fingerprint(shorter) != fingerprint(kept)
    with pytest.raises(ValueError, match="not all positions"):
        gather(kept, [])


def test_moves_are_words() -> None:
    """A word that was chosen is one of the record's, so that pages can show it."""
    kept = record.read(BUILDERS, GAMES)
    for found in analyse(kept, simulations=1):
        if found.seat is not None:
            assert kept.moves[found.at] == Move(found.seat, found.chosen)
