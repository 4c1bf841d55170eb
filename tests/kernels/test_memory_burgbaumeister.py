"""What a learner of Burgbaumeister is shown that forgets nothing (BB-9)."""

from mauerwerk.core.game import Setup
from mauerwerk.games import burgbaumeister as bb
from mauerwerk.kernels.play.single import SingleGame

TWO = Setup(2, bb.Options(first=0))
CARDS = 45


def play(moves: str) -> SingleGame:
    """A game with two players; nature shows the numbers that these words say."""
    game = SingleGame(bb, TWO, remember=True)
    for word in moves.split():
        (seat,) = game.to_act
        assert game.apply(seat, game.values.index(bb.parse(word))), word
    return game


def remembered(game: SingleGame, seat: int, name: str) -> dict[int, int]:
    """What is not zero in a part, by its place."""
    part = game.features[seat][game.kernel.OBSERVATION.layout(TWO)[name]].tolist()
    return {place: number for place, number in enumerate(part) if number}


def test_a_card_that_was_left_is_known_to_both() -> None:
    """Where it lies, and how long ago it was face up (BB-8, BB-9)."""
    game = play("b1 20 - a1 30 -")

    for seat in range(2):
        assert [*remembered(game, seat, "cards")] == [30 - 2, CARDS + 20 - 2]
        assert remembered(game, seat, "since") == {0: 2, 1: 3}
        assert [*remembered(game, seat, "left")] == [0, 1]
        assert len(remembered(game, seat, "unseen")) == CARDS - 2


def test_a_known_card_fits_one_wall_and_not_the_other() -> None:
    """One's own is what counts; what lies between would no longer fit (BB-7)."""
    game = play("b1 20 - a1 30 - c1 25 + d1 8 -")

    assert remembered(game, 0, "fits") == {0: 1}
    assert remembered(game, 1, "fits") == {0: 1, 1: 1, 3: 1}
    assert remembered(game, 0, "skips") == {0: 4}  # 26 to 29
    assert remembered(game, 1, "skips") == {0: 27, 1: 18, 3: 6}  # without the 25
    assert remembered(game, 0, "left") == {3: 1}


def test_the_last_card_needs_not_be_turned() -> None:
    """All numbers but one have been seen, so all know what lies there."""
    words = [f"{column}{row} {{}} -" for row in range(1, 6) for column in "abcdefghi"]
    lowest = ["b1 2 +", "a1 46 -", "a1 46 +"]
    others = [word.format(number) for word, number in zip(words[2:-1], range(3, 46), strict=False)]
    turned = others[:42]

    game = play(" ".join([*lowest, *turned]))

    assert [*remembered(game, 0, "unseen")] == [45 - 2]
    assert remembered(game, 0, "cards")[44 * CARDS + 45 - 2] == 1
    assert 44 not in remembered(game, 0, "since")
