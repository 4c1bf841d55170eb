"""The reasons of hints: each belongs to its choice, and speaks for it."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from tests.support.amounts import amount
from tests.support.positions import draws, setup_of, sights

from mauerwerk.bots.bot import Uniform
from mauerwerk.bots.evaluation import Choice
from mauerwerk.bots.greedy import Greedy
from mauerwerk.core.game import AnyGame, Setup, Sight
from mauerwerk.core.language import ENGLISH
from mauerwerk.games import burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister.cards import last
from mauerwerk.games.burgbaumeister.values import Add
from mauerwerk.games.mauer.legality import sites
from mauerwerk.games.mauer.values import PENALTY, Piece, Plan
from mauerwerk.games.mauer.values import Build as Add_at
from mauerwerk.games.mauerbauer.board import Line, board_of
from mauerwerk.games.mauerbauer.cities import enclosed
from mauerwerk.games.mauerbauer.naming import title_of
from mauerwerk.games.mauerbauer.values import Build, Play

AGAINST = (
    r"brings nothing|next player|none of your|nothing comes|\b0 (points?|sites?|cards?)"
    r"|No more cards|You cannot|you are given|costs a point"
)
"""What no hint says."""

SETUPS: list[tuple[AnyGame, Setup[Any]]] = [
    (mauer, setup_of(mauer, 4)),
    (burgbaumeister, setup_of(burgbaumeister, 3)),
    (burgbaumeister, setup_of(burgbaumeister, 4, variant="yes", memory_aid="yes")),
    (mauerbauer, setup_of(mauerbauer, 3)),
    (mauerbauer, setup_of(mauerbauer, 2, board="small", early="yes")),
]

Considered = tuple[Sight[Any, Any, Any], Choice, str]


def considered(game: AnyGame, setup: Setup[Any], number: int) -> Iterator[Considered]:
    """Every choice in so many positions of games by chance, with its reason in English."""
    blind = Uniform(game, setup, draws())
    bot = Greedy(game, setup, draws())
    for sight, _ in islice(sights(game, setup, blind, seed=3), number):
        for choice in bot.consider(sight).choices:
            yield sight, choice, choice.reason.said(ENGLISH)


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_no_reason_speaks_against_its_choice(game: AnyGame, setup: Setup[Any]) -> None:
    """Nor says that there is none."""
    wrong = {
        reason
        for _, _, reason in considered(game, setup, amount(60, 150, 3000))
        if re.search(AGAINST, reason)
    }
    assert wrong == set()


def test_at_die_mauer_it_counts_what_is_saved_and_left() -> None:
    """The penalty points of the piece in the fist, and the sites that the new wall has."""
    seen: set[str] = set()
    for sight, choice, reason in considered(*SETUPS[0], amount(200, 400, 3000)):
        found = re.search(r"\d+", reason)
        number = int(found[0]) if found else None
        match choice.action:
            case Plan(piece=Piece() as piece):
                fits = bool(sites(sight.view.wall, piece))
                assert fits == ("no site" not in reason)
                assert not fits or number == PENALTY[piece]
                seen.add("plan")
            case Add_at(end=end):
                piece = sight.view.piece
                walls = {
                    "left": (piece, *sight.view.wall),
                    "right": (*sight.view.wall, piece),
                }
                left = {each: len(sites(wall, Piece.TOWER)) for each, wall in walls.items()}
                mine = left.pop(end.name.lower())
                [other] = left.values()
                assert ("Both ends" in reason) == (mine == other)
                assert number in {None, mine}
                assert ("the others" in reason) == (mine < other)
                seen.add("build")
            case _:
                pass
    assert seen == {"plan", "build"}


@pytest.mark.parametrize(("game", "setup"), SETUPS[1:3])
def test_at_burgbaumeister_it_counts_points_and_the_gap(game: AnyGame, setup: Setup[Any]) -> None:
    """A gap is mentioned where it is small; what a card scores is what it adds."""
    scored = 0
    for sight, choice, reason in considered(game, setup, amount(200, 500, 4000)):
        wall = sight.view.walls[sight.seat]
        end = last(tuple(card.number for card in wall))
        if gap := re.search(r"only (\d+) above", reason):
            card = int(re.findall(r"^\d+", reason)[0])
            assert card - end == int(gap[1]) <= 5
        if points := re.match(r"(\d+) scores (\d+) point", reason):
            scored += 1
            assert sight.view.turned.card.number == int(points[1])
            assert int(points[2]) == choice.at_once > 0
    assert scored


def closed_by(view: Any, line: Line) -> bool:  # noqa: ANN401 - the game's own
    """Whether a wall here closes a city."""
    board = board_of(view.board)
    walls = {*view.walls, line}
    return any(enclosed(board, walls, field) for field in board.sides[line])


def test_at_mauerbauer_it_says_what_a_wall_closes() -> None:
    """A city now, one by the next wall, or nothing; a card that gains is in one's hand."""
    kinds: set[str] = set()
    for sight, choice, reason in considered(*SETUPS[3], amount(60, 120, 2000)):
        hand = [title_of(card) for card in sight.view.hands[sight.seat]]
        if card := re.search(r"your card “(.+)”", reason):
            assert card[1] in hand
        match choice.action:
            case Build(line=line):
                assert closed_by(sight.view, line) == reason.startswith("It closes a city")
                kinds.add(reason.partition(",")[0].partition(" in which")[0])
            case Play(card=card_):
                scores = sight.view.worth[sight.view.hands[sight.seat].index(card_)]
                assert (f" {scores} point" in reason) == bool(scores)
            case _:
                pass
    assert "It closes nothing yet" in kinds
    assert "It closes a city" in kinds


@pytest.mark.parametrize(
    ("wall", "said"), [("9", "is your ninth card"), ("3", "completes your wall")]
)
def test_at_burgbaumeister_it_says_that_a_card_is_the_last(wall: str, said: str) -> None:
    """The ninth where nine are asked for."""
    setup = setup_of(burgbaumeister, 2, wall=wall)
    greedy, bot = Greedy(burgbaumeister, setup, draws()), Greedy(burgbaumeister, setup, draws())
    reasons = [
        choice.reason.said(ENGLISH)
        for seed in range(4)
        for sight, _ in sights(burgbaumeister, setup, greedy, seed=seed)
        for choice in bot.consider(sight).choices
        if len(sight.view.walls[sight.seat]) == int(wall) - 1 and choice.action == Add()
    ]

    assert reasons
    assert all(said in reason for reason in reasons)


def test_at_mauerbauer_it_guesses_the_worth_of_printed_cards_only() -> None:
    """What a card will score later is known by experience, and with house rules there is none."""
    setup = setup_of(mauerbauer, 3, board="small", points="city-1:13,city-towers:5")
    reasons = {reason for *_, reason in considered(mauerbauer, setup, amount(150, 300, 2000))}
    guesses = {reason for reason in reasons if "is worth only about" in reason}
    changed = re.compile("“(Exactly 1 field|Towers of the city)”")

    assert guesses
    assert any(changed.search(reason) for reason in reasons if reason.startswith("You draw"))
    assert not any(changed.search(reason) for reason in guesses)
