"""What a learner of Die Mauer is shown that remembers who built, and who gave (DM-2, DM-19)."""

from mauerwerk.core.game import Seat, Setup
from mauerwerk.games import mauer
from mauerwerk.kernels.play.single import SingleGame

THREE = Setup(3, mauer.Options())
GIFT = "0:- 1:- 2:1 1:*C"
"""Seat 1 gives the master builder, seat 0, a gate; seat 2 does not see which piece it is."""
_TURNS = ((0, 1, 2, "T"), (1, 2, 0, "C"), (2, 0, 1, "2"))


def play(moves: str) -> SingleGame:
    """A game of three."""
    game = SingleGame(mauer, THREE, remember=True)
    for move in moves.split():
        seat, _, word = move.partition(":")
        assert game.apply(Seat(int(seat)), game.values.index(mauer.parse(word))), move
    return game


def part(game: SingleGame, viewer: int, name: str, step: int, width: int = 7) -> list[int]:
    """What a part says of the seat this many steps further on."""
    numbers: list[int] = game.features[viewer][game.kernel.OBSERVATION.layout(THREE)[name]].tolist()
    return numbers[step * width : (step + 1) * width]


def test_until_a_gift_all_hands_are_known() -> None:
    """All began with the same pieces, and all saw what was built (DM-1, DM-2)."""
    game = play("0:1 1:2 2:3 0:>")

    for viewer, step in ((0, 0), (1, 2), (2, 1)):
        held = [1, 1, 0, 1, 1, 1, 1]
        assert part(game, viewer, "least", step) == part(game, viewer, "most", step) == held


def test_a_gift_may_be_anything_to_those_who_do_not_see_it() -> None:
    """Giver and receiver know it; to the third player any piece may have changed hands."""
    game = play(GIFT)

    assert part(game, 0, "least", 0) == part(game, 1, "least", 2) == [1, 2, 1, 1, 1, 1, 1]
    assert part(game, 2, "least", 1) == [1] * 7
    assert part(game, 2, "most", 1) == [2] * 7
    assert part(game, 2, "least", 2) == [0] * 7
    assert part(game, 2, "secret", 2, 6)[1] == 1
    for viewer in (0, 1):
        assert not any(part(game, viewer, "secret", 0, 36))


def test_what_is_shown_settles_a_gift() -> None:
    """Seat 1 shows its tower, then builds it; it cannot have been the gift (DM-5)."""
    game = play(f"{GIFT} 1:T 0:C 2:3")

    assert part(game, 2, "least", 2) == [1, 0, 0, 0, 0, 0, 0]
    assert part(game, 2, "most", 1) == [1, 2, 2, 2, 2, 2, 2]


def test_gifts_can_become_too_many_to_follow() -> None:
    """Then only what is built is known, until the round is over; all are confused alike."""
    gifts = " ".join(f"{a}:- {b}:- {c}:1 {b}:*{kind}" for a, b, c, kind in _TURNS)
    game = play(gifts)

    for viewer in range(3):
        assert part(game, viewer, "confused", 0, 1) == [1]
        assert part(game, viewer, "least", 1) == [0] * 7
    assert part(game, 0, "least", 0) == part(game, 0, "most", 0)


def test_fists_are_remembered() -> None:
    """The last ones, and how often each was shown in this round (DM-5)."""
    game = play("0:1 1:2 2:- 0:> 1:3 0:- 2:3 2:>")

    assert part(game, 0, "latest", 2, 8) == [0, 0, 0, 0, 1, 0, 0, 0]
    assert part(game, 0, "shown", 2, 8) == [0, 0, 0, 0, 1, 0, 0, 1]
