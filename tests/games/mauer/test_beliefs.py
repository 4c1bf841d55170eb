"""What a seat can work out in Die Mauer, in games that can be followed by hand."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest

from mauerwerk.core.game import Observer, Seat, Setup
from mauerwerk.games import mauer
from mauerwerk.games.mauer.beliefs import (
    Belief,
    Hands,
    World,
    after,
    at_least,
    begin,
    exactly,
    possible,
    sample,
)
from mauerwerk.games.mauer.events import Event
from mauerwerk.games.mauer.values import (
    Choosing,
    Drawing,
    Ending,
    Hand,
    Options,
    Piece,
    Planning,
    State,
    Table,
)

SPECTATOR = None
ONE_ROUND = Options(rounds=1)
HALF = Fraction(1, 2)
GIFT = "0:- 1:- 2:T 1:*C"
"""From the start: seat 1 gives seat 0 a gate, and seat 2 shows the tower."""


# --- A table to tell of ----------------------------------------------------------------------


def hands(words: str) -> Hands:
    """Hands from notation, `TC4 1 66`."""
    return tuple(tuple(Piece(letter) for letter in word) for word in words.split())


def spelled(belief: Belief) -> dict[str, Fraction]:
    """Every world in notation, with its chance."""
    total = sum(world.weight for world in belief.worlds)
    return {
        " ".join(map(letters, world.hands)): Fraction(world.weight, total)
        for world in belief.worlds
    }


def letters(hand: Hand) -> str:
    return "".join(piece.value for piece in hand)


def viewers(seats: int) -> tuple[Seat | None, ...]:
    return (SPECTATOR, *map(Seat, range(seats)))


class Game(NamedTuple):
    """A game so far, and a belief from which all its viewers began."""

    state: State
    belief: Belief
    told: Mapping[Seat | None, tuple[Event, ...]]

    def believed_by(self, viewer: int | None) -> Belief:
        """What this viewer has worked out."""
        return after(self.belief, self.told[SPECTATOR if viewer is None else Seat(viewer)])


class Begun(NamedTuple):
    """Where a game is taken up, with hands that everybody knows."""

    state: State
    belief: Belief


def late(held: Hands, wall: str = "T", options: Options = ONE_ROUND) -> Begun:
    """Late in a round; seat 0 is the master builder."""
    (built,) = hands(wall)
    table = Table(options, Seat(0), built, held, idle=0, turns=30, scores=())
    return Begun(Planning(table, (None,) * len(held)), Belief(built, (World(held, 1),)))


def play(words: str, begun: Begun | None = None) -> Game:
    """Play these words, by three from the start unless the game is taken up elsewhere."""
    state, belief = begun or Begun(mauer.start(Setup(3, ONE_ROUND)), begin(3))
    watches = [Observer(mauer, viewer) for viewer in viewers(3)]
    for word in words.split():
        seat, _, action = word.partition(":")
        step = mauer.apply(state, Seat(int(seat)), mauer.parse(action))
        state = step.state
        for watch in watches:
            watch.follow(step)
    return Game(state, belief, {watch.seat: watch.told for watch in watches})


def true_hands(state: State) -> Hands:
    assert not isinstance(state, Drawing)
    return state.table.hands


# --- By hand ---------------------------------------------------------------------------------


@pytest.mark.rule("DM-2")
@pytest.mark.parametrize("viewer", viewers(3))
def test_without_gifts_everybody_knows_every_hand(viewer: Seat | None) -> None:
    """What was built is public, so before any gift there is one world (DM-2)."""
    game = play("0:T 1:4 2:6 0:>  0:4 1:4 2:4 2:< 0:>")

    assert spelled(game.believed_by(viewer)) == {"C1236 TC12346 TC1236": 1}


@pytest.mark.rule("DM-19")
def test_the_two_of_a_gift_know_it() -> None:
    """Giver and receiver learn which piece it was (DM-19)."""
    game = play(GIFT)

    assert spelled(game.believed_by(0)) == {"TCC12346 T12346 TC12346": 1}
    assert game.believed_by(0) == game.believed_by(1)


@pytest.mark.rule("DM-2", "DM-19")
@pytest.mark.parametrize("viewer", [SPECTATOR, 2])
def test_to_all_others_a_gift_may_be_any_piece(viewer: int | None) -> None:
    """They know that a gift was made, and that the giver could give any of seven (DM-19)."""
    belief = play(GIFT).believed_by(viewer)

    assert len(belief.worlds) == 7
    assert true_hands(play(GIFT).state) in possible(belief)
    assert {at_least(belief, Seat(0), piece, 2) for piece in Piece} == {Fraction(1, 7)}
    assert {exactly(belief, Seat(1), piece, 0) for piece in Piece} == {Fraction(1, 7)}


@pytest.mark.rule("DM-5", "DM-19")
def test_a_shown_piece_rules_worlds_out() -> None:
    """The receiver shows what only the gift can have brought (DM-5)."""
    begun = late(hands("1 C6 T4"))
    given = play("0:- 1:- 2:T 1:*6", begun)
    shown = play("0:- 1:- 2:T 1:*6  0:6 1:- 2:-", begun)

    assert spelled(given.believed_by(2)) == {"16 C T4": HALF, "C1 6 T4": HALF}
    assert spelled(shown.believed_by(2)) == {"16 C T4": 1}


@pytest.mark.rule("DM-5", "DM-19")
def test_who_has_less_to_choose_from_shows_it_more_often() -> None:
    """A 1 is one of two plans from a hand of two 1s, one of three from 1 and 6 (DM-5)."""
    game = play("0:- 1:- 2:T 1:*1  0:1 1:- 2:-", late(hands("1 16 T4")))

    assert spelled(game.believed_by(2)) == {
        "11 6 T4": Fraction(3, 5),
        "16 1 T4": Fraction(2, 5),
    }


ALONE = "0:- 1:- 2:1 1:*{}  0:- 1:- 2:-  0:- 1:- 2:-  0:- 1:4 2:1"
"""A gift from seat 1 to seat 0, whose empty fist is the only one when the stone is his again."""


@pytest.mark.rule("DM-18", "DM-19")
def test_a_master_builder_with_nothing_to_build_was_not_given_a_wall() -> None:
    """Nobody builds: the gift was the gate, for between towers a 4 or a 6 would fit (DM-18)."""
    game = play(ALONE.format("C"), late(hands("TC C46 16")))

    assert spelled(game.believed_by(2)) == {"TCC 46 16": 1}


@pytest.mark.rule("DM-18", "DM-19")
def test_a_master_builder_who_may_choose_was_given_a_wall() -> None:
    """He is asked what he builds: so much is known before he answers (DM-18)."""
    game = play(ALONE.format("6"), late(hands("TC C46 16")))

    assert isinstance(game.state, Choosing)
    assert spelled(game.believed_by(2)) == {"TC6 C4 16": 1}


@pytest.mark.rule("DM-26")
def test_that_a_round_goes_on_tells_nobody_where_the_last_wall_is() -> None:
    """The only piece that fits is in a hand, but nobody can tell in which (DM-26)."""
    game = play("0:- 1:- 2:T 1:*4", late(hands("TC TC4 TC")))

    third = Fraction(1, 3)
    assert spelled(game.believed_by(2)) == {
        "TTC C4 TC": third,
        "TCC T4 TC": third,
        "TC4 TC TC": third,
    }


OUT = "0:- 1:- 2:4 1:*T  0:T 1:4 2:1 1:>"
"""A gift, and then the giver builds the last piece of a hand like `T4`."""


@pytest.mark.rule("DM-2", "DM-25")
def test_a_new_round_begins_with_full_sets() -> None:
    """Old gifts do not matter any more (DM-25)."""
    game = play(OUT, late(hands("1 T4 14"), options=Options(rounds=2)))

    assert game.believed_by(2) == begin(3)


@pytest.mark.rule("DM-2", "DM-23")
def test_when_the_game_is_over_nothing_is_hidden() -> None:
    """All hands are shown, and everybody knows why it ended (DM-2)."""
    game = play(OUT, late(hands("1 T4 14")))

    assert possible(game.believed_by(SPECTATOR)) == (true_hands(game.state),)
    assert game.believed_by(SPECTATOR).ending is Ending.OUT


@pytest.mark.rule("DM-19")
def test_chances_of_a_kind_are_sums_over_worlds() -> None:
    """From two 6s and a T, a player who gives evenly gives each kind as often (DM-19)."""
    belief = play("0:- 1:- 2:4 1:*6", late(hands("T6 T66 4"))).believed_by(2)

    assert [exactly(belief, Seat(1), Piece.WALL_6, n) for n in (0, 1, 2)] == [0, HALF, HALF]
    assert [at_least(belief, Seat(0), Piece.WALL_6, n) for n in (1, 2, 3)] == [1, HALF, 0]
    assert at_least(belief, Seat(2), Piece.TOWER) == 0


def test_events_that_contradict_each_other_are_refused() -> None:
    """Nobody can show a tower that was built before."""
    told = play("0:T 1:4 2:6 0:>").told[SPECTATOR]

    with pytest.raises(ValueError, match="no hands agree"):
        after(begin(3), told + told)


# --- Samples ---------------------------------------------------------------------------------


@pytest.mark.rule("DM-5", "DM-19")
def test_samples_come_by_weight() -> None:
    """Hands by their weights 3 and 2, the closed fist evenly from each hand (DM-5)."""
    game = play("0:- 1:- 2:T 1:*1  0:1 1:- 2:- 2:*T  0:1", late(hands("1 16 T4")))
    belief, view = game.believed_by(2), mauer.view(game.state, Seat(2))
    draw = Random(1).randrange

    drawn = Counter(fist_of_seat_0(sample(belief, view, ONE_ROUND, draw)) for _ in range(3000))

    expected = {"11 shows 1": 900, "11 shows -": 900} | dict.fromkeys(
        ("16 shows 1", "16 shows 6", "16 shows -"), 400
    )
    assert drawn.keys() == expected.keys()
    # Chi-square with 4 degrees of freedom exceeds 13.3 in one of a hundred runs; this is one run.
    assert sum((drawn[fist] - n) ** 2 / n for fist, n in expected.items()) < 13.3


def fist_of_seat_0(state: State) -> str:
    """The hand and the closed fist, `16 shows 6`."""
    assert isinstance(state, Planning)
    assert state.fists[0] is not None
    return f"{letters(state.table.hands[0])} shows {mauer.write(state.fists[0])}"


@pytest.mark.rule("DM-15", "DM-17", "DM-18", "DM-19")
@pytest.mark.parametrize("viewer", viewers(3))
@pytest.mark.parametrize(
    "words",
    [
        pytest.param("0:4 1:4 2:4", id="two rivals are about to build"),
        pytest.param("0:4 1:4 2:4 1:>", id="the second rival is about to build"),
        pytest.param("0:T 1:T 2:T", id="the master builder builds instead of two rivals"),
        pytest.param("0:- 1:4 2:4", id="the master builder chooses"),
        pytest.param("0:- 1:4 2:4 0:!4", id="the master builder builds what he chose"),
        pytest.param("0:- 1:- 2:4", id="a rival is about to give"),
    ],
)
def test_where_nothing_is_hidden_a_sample_is_the_truth(words: str, viewer: Seat | None) -> None:
    """The builders to come, and everything else that a view leaves out, follow from it (DM-17)."""
    game = play(words)
    view = mauer.view(game.state, viewer)

    assert sample(game.believed_by(viewer), view, ONE_ROUND, Random(1).randrange) == game.state


def test_a_sample_of_another_moment_is_refused() -> None:
    """A belief that lags behind the view would make up a table that is not there."""
    belief = play(GIFT).believed_by(2)
    view = mauer.view(play(f"{GIFT}  0:4 1:6 2:3 1:>").state, Seat(2))

    with pytest.raises(ValueError, match="not of one game at one moment"):
        sample(belief, view, ONE_ROUND, Random(1).randrange)


def test_a_sample_needs_the_options_of_the_table() -> None:
    """How many rounds are played can be seen, so other options than the table's are noticed."""
    game = play(GIFT)

    with pytest.raises(ValueError, match="not of one game at one moment"):
        sample(game.believed_by(2), mauer.view(game.state, Seat(2)), Options(), Random(1).randrange)
