"""Die Mauer, who sees what in every phase: DM-2, DM-5, DM-19."""

import pytest
from tests.games.mauer.conftest import FULL, StartMauer, letters, pieces
from tests.support.game_table import SPECTATOR, AnyTable, StartTable

from mauerwerk.core.game import NATURE, AnyGame
from mauerwerk.games import mauer
from mauerwerk.games.mauer.events import (
    Built,
    Chosen,
    Closed,
    FistClosed,
    FistsOpened,
    Given,
    NobodyBuilds,
    StonePassed,
    Task,
    Thinking,
)
from mauerwerk.games.mauer.values import Piece, Plan

VIEWERS = (SPECTATOR, 0, 1, 2)


@pytest.fixture
def game() -> AnyGame:
    return mauer


# --- Hands -----------------------------------------------------------------------------------

# Words that lead into a phase, what the table then waits for, and from whom.
PHASES = [
    pytest.param("", Task.PLAN, (0, 1, 2), id="planning"),
    pytest.param("1:6 0:T", Task.PLAN, (2,), id="two fists closed"),
    pytest.param("0:- 1:6 2:6", Task.CHOOSE, (0,), id="choosing"),
    pytest.param("0:- 1:6 2:6 0:!1", Task.BUILD, (0,), id="building a choice"),
    pytest.param("0:6 1:6 2:6", Task.BUILD, (1,), id="building"),
    pytest.param("0:6 1:6 2:6 1:<", Task.BUILD, (2,), id="the next builds"),
    pytest.param("0:- 1:6 2:-", Task.GIVE, (2,), id="giving"),
]


@pytest.mark.rule("DM-2")
@pytest.mark.parametrize(("words", "task", "waiting"), PHASES)
def test_a_hand_is_seen_by_its_owner_alone(
    mauer_table: StartMauer, words: str, task: Task, waiting: tuple[int, ...]
) -> None:
    """In every phase of a round the others see how many pieces, and not which (DM-2)."""
    table = mauer_table(wall="4", hands="T16 C266 346", idle=3, scores=((1, 2, 3),))
    table.play(words)

    for who in VIEWERS:
        view = table.view(who)
        held = tuple(
            hand if who == seat else None for seat, hand in enumerate(table.on_table.hands)
        )
        assert view.hands == held
        assert view.counts == tuple(len(hand) for hand in table.hands.split())
        assert (view.seat, view.task, view.waiting, view.master) == (who, task, waiting, 0)
        assert (letters(view.wall), view.scores, view.rounds) == (table.wall, ((1, 2, 3),), 4)
        assert (view.turns, view.idle) == (0, table.on_table.idle)


@pytest.mark.rule("DM-2", "DM-3")
@pytest.mark.parametrize("who", VIEWERS)
def test_before_the_lot_there_is_nothing_to_see(start_table: StartTable, who: int | None) -> None:
    """No hands are dealt and nobody has the stone while nature is asked (DM-3)."""
    view = start_table(3, first="lot", rounds="2").view(who)

    assert (view.seat, view.task, view.waiting, view.master) == (who, Task.LOT, (NATURE,), None)
    assert (view.wall, view.counts, view.hands) == ((), (0, 0, 0), ((), (), ()))
    assert (view.rounds, view.scores, view.fists) == (2, (), (Thinking(),) * 3)


@pytest.mark.rule("DM-2")
@pytest.mark.parametrize("who", VIEWERS)
def test_when_all_is_over_everybody_sees_all_hands(
    mauer_table: StartMauer, who: int | None
) -> None:
    """The last round's hands stay open on the table (DM-2)."""
    table = mauer_table(hands="1 T4 C66", rounds="1")
    table.play("0:1 1:T 2:C 0:>")

    view = table.view(who)

    assert [letters(hand) for hand in view.hands if hand is not None] == ["", "T4", "C66"]
    assert (view.task, view.waiting, letters(view.wall)) == (Task.NOTHING, (), "1")
    assert view.scores == ((0, 19, 22),)


@pytest.mark.rule("DM-2")
def test_after_a_round_hands_are_secret_again(mauer_table: StartMauer) -> None:
    """Showing is for the end of a round; the next one begins in secret (DM-2)."""
    table = mauer_table(hands="1 T4 C66")
    table.play("0:1 1:T 2:C 0:>")

    assert table.view(0).hands == (pieces(FULL), None, None)
    assert table.view(SPECTATOR).hands == (None, None, None)


# --- Fists -----------------------------------------------------------------------------------


@pytest.mark.rule("DM-5")
def test_a_closed_fist_is_seen_but_not_what_it_holds(table: AnyTable) -> None:
    """Others see who has closed a fist; only the owner knows its plan (DM-5)."""
    table.play("1:T 2:-")

    seen = {who: table.view(who).fists for who in VIEWERS}

    assert seen[SPECTATOR] == seen[0] == (Thinking(), Closed(), Closed())
    assert seen[1] == (Thinking(), Plan(Piece.TOWER), Closed())
    assert seen[2] == (Thinking(), Closed(), Plan(None))


@pytest.mark.rule("DM-5")
@pytest.mark.parametrize(
    "words", ["0:T 1:4 2:6", "0:T 1:T 2:T", "0:- 1:4 2:4", "0:- 1:4 2:-", "0:- 1:4 2:4 0:!1"]
)
def test_open_fists_are_seen_by_all_until_the_turn_is_over(table: AnyTable, words: str) -> None:
    """While somebody builds, chooses or gives, all plans lie open (DM-5)."""
    table.play(words)

    plans = tuple(mauer.parse(word[2:]) for word in words.split()[:3])
    assert {table.view(who).fists for who in VIEWERS} == {plans}


@pytest.mark.rule("DM-5")
def test_after_the_turn_all_fists_are_open_and_empty(table: AnyTable) -> None:
    """Nothing of the last plans lies on the table when the next are made (DM-5)."""
    table.play("0:T 1:4 2:6 0:>")

    assert {table.view(who).fists for who in VIEWERS} == {(Thinking(),) * 3}


@pytest.mark.rule("DM-5")
def test_closing_a_fist_is_told_without_the_plan(table: AnyTable) -> None:
    """All notice it; the plan is told to its owner alone (DM-5)."""
    told = table.play("1:T")

    plans = [told.only(FistClosed, who).plan for who in VIEWERS]
    assert plans == [None, None, Plan(Piece.TOWER), None]
    assert {told.only(FistClosed, who).seat for who in VIEWERS} == {1}


@pytest.mark.rule("DM-5")
def test_the_last_plan_is_told_to_all_with_the_others(table: AnyTable) -> None:
    """Opened together, in the order of seats (DM-5)."""
    table.play("2:- 1:T")
    told = table.play("0:4")

    assert {told.only(FistsOpened, who) for who in VIEWERS} == {
        FistsOpened(table.state.table.master, (Plan(Piece.WALL_4), Plan(Piece.TOWER), Plan(None)))
    }


@pytest.mark.rule("DM-2")
@pytest.mark.parametrize(
    ("phase", "words"),
    [(Task.BUILD, "0:4 1:6 2:6"), (Task.BUILD, "0:- 1:6 2:6 0:!4"), (Task.CHOOSE, "0:- 1:6 2:6")],
)
def test_what_is_being_built_is_seen_by_all(table: AnyTable, phase: Task, words: str) -> None:
    """The piece is open once it was shown or named (DM-2)."""
    table.play(words)

    piece = Piece.WALL_4 if phase is Task.BUILD else None
    assert {(table.view(who).task, table.view(who).piece) for who in VIEWERS} == {(phase, piece)}


# --- Gifts -----------------------------------------------------------------------------------


@pytest.mark.rule("DM-19")
def test_the_gift_is_a_secret_of_two(table: AnyTable) -> None:
    """Only giver and receiver learn what was given; that it was, everybody does (DM-19)."""
    told = table.play("0:- 2:- 1:T  2:*C")

    gifts = [told.only(Given, who) for who in VIEWERS]
    assert [gift.piece for gift in gifts] == [None, Piece.GATE, None, Piece.GATE]
    assert {(gift.giver, gift.receiver) for gift in gifts} == {(2, 0)}


@pytest.mark.rule("DM-2", "DM-19")
def test_two_gifts_look_alike_to_everybody_else(start_table: StartTable) -> None:
    """Whatever was given, the others are told and see the same (DM-2, DM-19)."""
    worlds = [start_table(4) for _ in FULL]
    told = [
        world.play(f"0:- 1:4 2:- 3:6 2:*{gift}") for world, gift in zip(worlds, FULL, strict=True)
    ]

    for who in (SPECTATOR, 1, 3):
        assert len({world.view(who) for world in worlds}) == 1
        assert len({each[who] for each in told}) == 1
    for who in (0, 2):
        assert len({world.view(who) for world in worlds}) == len(FULL)
        assert len({each[who] for each in told}) == len(FULL)


@pytest.mark.rule("DM-5")
def test_two_plans_look_alike_to_everybody_else(start_table: StartTable) -> None:
    """Whatever a fist holds, the others are told and see the same (DM-5)."""
    worlds = {word: start_table() for word in f"{FULL}-"}
    told = {word: world.play(f"1:{word}") for word, world in worlds.items()}

    for who in (SPECTATOR, 0, 2):
        assert len({world.view(who) for world in worlds.values()}) == 1
        assert len({each[who] for each in told.values()}) == 1


@pytest.mark.rule("DM-2")
def test_how_many_pieces_each_holds_is_public_after_a_gift(table: AnyTable) -> None:
    """One fewer here, one more there (DM-2)."""
    table.play("0:- 2:- 1:T 2:*C")

    assert {table.view(who).counts for who in VIEWERS} == {(8, 7, 6)}


# --- What is no secret -----------------------------------------------------------------------


@pytest.mark.rule("DM-2", "DM-5", "DM-18")
def test_everything_else_is_told_to_all_alike(table: AnyTable) -> None:
    """What is chosen, built, or not built is public, and so is the stone (DM-2)."""
    told = table.play("0:- 1:T 2:T 0:!4 0:> 0:6 1:C 2:3 1:< 0:- 1:- 2:-")

    for kind in (FistsOpened, Chosen, Built, NobodyBuilds, StonePassed):
        assert told.of(kind)
        assert len({told.of(kind, who) for who in VIEWERS}) == 1
