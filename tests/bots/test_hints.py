"""Hints: the best choices, what they promise, and why."""

from itertools import islice
from typing import Any

import pytest
from tests.support.amounts import amount
from tests.support.castle_table import start_castle
from tests.support.positions import (
    always_search,
    draws,
    masons,
    never_search,
    seen_after,
    setup_of,
    sights,
)

from mauerwerk.bots import hints as module
from mauerwerk.bots.bot import Uniform
from mauerwerk.bots.evaluation import Estimate, Evaluation, chance_to_win
from mauerwerk.bots.hints import Hint, hints
from mauerwerk.core.game import AnyGame, Seat, Setup
from mauerwerk.core.language import TITLES, language_of
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.games.mauerbauer import values as mv
from mauerwerk.games.mauerbauer.board import Field, board_of
from mauerwerk.games.mauerbauer.cities import close

SETUPS: list[tuple[AnyGame, Setup[Any]]] = [
    (mauer, setup_of(mauer, 4)),
    (burgbaumeister, setup_of(burgbaumeister, 2)),
    (burgbaumeister, setup_of(burgbaumeister, 4, variant="yes", memory_aid="yes")),
    (mauerbauer, setup_of(mauerbauer, 3)),
]


@pytest.fixture(autouse=True)
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """By rules of thumb, so that a test needs no time; one below brings a search."""
    monkeypatch.setattr(module, "can_search", never_search)


def hinted(game: AnyGame, state: Any, words: str = "", **options: str) -> tuple[Hint, ...]:  # noqa: ANN401
    """Hints for seat 0 after these moves."""
    setup = setup_of(game, 2 if game is not mauer else 3, **options)
    return hints(game, setup, seen_after(game, state, words, 0), draws(), 0.1)


@pytest.mark.parametrize(("game", "setup"), SETUPS)
def test_hints_are_a_few_legal_choices_the_best_first(game: AnyGame, setup: Setup[Any]) -> None:
    """With chances between 0 and 1, and a sentence each that no other hint says."""
    blind = Uniform(game, setup, draws())
    for sight, _ in islice(sights(game, setup, blind, seed=6), 0, 200, 9):
        found = hints(game, setup, sight, draws(), 0.1, most=3)
        assert 1 <= len(found) <= 3
        chances = [hint.value or 0.0 for hint in found]
        assert all(hint.action in sight.legal for hint in found)
        assert all(0 <= chance <= 1 for chance in chances)
        assert chances == sorted(chances, reverse=True)
        assert all(hint.reason[0].isupper() or hint.reason[0] in "“0123456789" for hint in found)
        assert all(hint.reason.endswith(".") for hint in found)
        assert len({hint.reason for hint in found}) == len(found)


def test_a_hint_says_what_it_scores() -> None:
    """The card, its points and the gap it leaves."""
    best, other = hinted(burgbaumeister, start_castle("3 11 | 5").state, "0:a1 ~:12")
    assert burgbaumeister.write(best.action) == "+"
    assert best.reason == "12 scores 1 point, and is only 1 above your last card."
    assert other.reason == "It keeps your wall open for lower cards."
    assert (best.value or 0) > (other.value or 1)


@pytest.mark.rule("BB-9")
def test_a_hint_remembers_nothing() -> None:
    """A hint does not reveal cards that were turned back, which players must remember (BB-9)."""
    seen = "0:a1 ~:45 0:- 1:b1 ~:2 1:-"
    [hint] = hinted(burgbaumeister, start_castle().state, seen)
    assert hint.reason == "45 of the 45 cards it could be would fit your wall."


@pytest.mark.rule("BB-9")
def test_with_the_memory_aid_a_hint_says_where_to_look() -> None:
    """The depot shows it to everybody (BB-9)."""
    seen = "0:a1 ~:45 0:- 1:b1 ~:2 1:-"
    state = start_castle(memory_aid="yes").state
    best, *_ = hinted(burgbaumeister, state, seen, memory_aid="yes")
    assert burgbaumeister.write(best.action) == "b1"
    assert best.reason == "2 lies here and fits, only 1 above your last card."


def test_a_hint_says_what_it_closes() -> None:
    """The city, about how much it scores, and with which card (MB-31, MB-50)."""
    around = board_of("default").around[Field("3e")]
    table = masons(" ".join(around[:2]), "city-1 city-1 land-red", "cities cities land-blue")
    best, *_ = hinted(mauerbauer, mv.Building(table, hasty=False))
    assert mauerbauer.write(best.action) == around[2]
    assert best.reason == (
        "It closes a city in which your cards score about 9 points; the best is “Exactly 1 field”."
    )


def test_a_hint_says_what_a_card_scores() -> None:
    """The card's own points (MB-44)."""
    around = board_of("default").around[Field("3e")]
    table, _ = close(masons(" ".join(around), "city-1 city-1", "cities"), (Field("3e"),))
    best, *_ = hinted(mauerbauer, mv.Scoring(table, Field("3e"), (Seat(0), Seat(1)), ()))
    assert best.reason == "“Exactly 1 field” scores 6 points now."


def test_a_hint_says_what_it_risks() -> None:
    """Whether somebody guesses it (DM-13, DM-14)."""
    state = mauer.start(setup_of(mauer, 3))
    reasons = {hint.reason for hint in hinted(mauer, state)}
    assert any(reason.startswith("If nobody guesses it, it rids you of") for reason in reasons)


@pytest.mark.parametrize("code", TITLES)
def test_hints_speak_every_language(code: str) -> None:
    """Other words in each, for every kind of reason that a game gives."""
    for game, setup in SETUPS:
        blind = Uniform(game, setup, draws())
        for sight, _ in islice(sights(game, setup, blind, seed=9), 0, 300, amount(21, 7, 7)):
            english = hints(game, setup, sight, draws(), 0.1)
            spoken = hints(game, setup, sight, draws(), 0.1, language=language_of(code))
            assert [hint.action for hint in english] == [hint.action for hint in spoken]
            same = [a.reason == b.reason for a, b in zip(english, spoken, strict=True)]
            assert all(same) if code == "en" else not any(same)


def test_nobody_is_hinted_at_who_has_nothing_to_decide() -> None:
    """No choices, no hints."""
    setup = setup_of(mauer, 3)
    sight = seen_after(mauer, mauer.start(setup), "0:T", 0)
    assert sight.legal == ()
    assert hints(mauer, setup, sight, draws(), 0.1) == ()


def test_where_there_is_a_search_it_says_the_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its values, for what it has tried often enough, and the reasons as ever."""

    def searched(*_: object) -> list[Estimate]:
        tried = [("6", 0.9, 1000), ("C", 0.4, 900), ("T", 1.0, 1)]
        return [Estimate(mauer.parse(word), value, visits) for word, value, visits in tried]

    monkeypatch.setattr(module, "can_search", always_search)
    monkeypatch.setattr(module, "_searched", searched)
    found = hinted(mauer, mauer.start(setup_of(mauer, 3)))
    assert [(mauer.write(hint.action), hint.value) for hint in found] == [("6", 0.9), ("C", 0.4)]


def test_even_points_are_an_even_chance() -> None:
    """For as many as play; a lead raises it, a gap lowers it."""
    even = Evaluation((), lead=0, swing=10)
    assert chance_to_win(even, 0, seats=4) == pytest.approx(0.25)
    assert chance_to_win(even, 5, 2) > chance_to_win(even, 0, 2) == 0.5
    assert 0 < chance_to_win(even, -1e9, 2) < 1e-9
    assert 1 - 1e-9 < chance_to_win(even, 1e9, 2) < 1


def test_all_games_are_hinted_at() -> None:
    """A game that is added needs its rules of thumb too."""
    assert {game.NAME for game, _ in SETUPS} == set(GAMES)
