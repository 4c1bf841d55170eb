"""A seat's replay shows what that seat saw by then, and nothing that it learnt later or never."""

import re
from functools import cache
from random import Random
from typing import Any

import pytest
from tests.server.features.replay.worlds import (
    Twins,
    a_game,
    by_chance,
    page_text,
    replay_from,
    twins,
)
from tests.support.amounts import amount
from tests.support.driven_table import start_table

from mauerwerk.core import options, record
from mauerwerk.core.game import NATURE, Seat
from mauerwerk.games import GAMES
from mauerwerk.server.features.replay.replay import replay_of

pytestmark = pytest.mark.slow

GAMES_TRIED, MOVES_TRIED = amount((2, 4), (2, 4), (3, 8))
"""How many games are looked through for a move that a seat cannot see, at how many moves each."""


@cache
def hidden(name: str, seat: Seat) -> list[tuple[int, Twins]]:
    """Pairs of games that differ in one move which the seat could not see, and where."""
    chance = Random(seat)
    found: list[tuple[int, Twins]] = []
    for seed in range(GAMES_TRIED):
        played = a_game(name, seed)
        gifts = [place for place, move in enumerate(played.moves) if move.word.startswith("*")]
        for place in [*gifts, *(chance.randrange(len(played.moves)) for _ in range(MOVES_TRIED))]:
            pair = twins(played, place, seat, chance)
            if pair is not None:
                found.append((place, pair))
    return found


@pytest.mark.parametrize(("name", "long"), [("mauer", 7), ("mauerbauer", 40)])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_worlds_that_look_alike_are_shown_alike(name: str, long: int, seat: int) -> None:
    """Two games that differ in what a seat could not see have the same pages as long as they do.

    Fists, gifts, drawn cards: the open view tells the games apart, so there is something to hide.
    """
    pairs = hidden(name, Seat(seat))
    assert max(len(pair.one.moves) - place for place, pair in pairs) > long
    chance = Random(seat)
    for place, pair in pairs:
        one, other = replay_of(pair.one), replay_of(pair.other)
        for at in {place, place + 1, one.last, chance.randrange(place + 1, one.last + 1)}:
            assert page_text(one, at, Seat(seat)) == page_text(other, at, Seat(seat)), at
        assert page_text(one, place, None) != page_text(other, place, None)


@pytest.mark.parametrize("name", ["mauer", "mauerbauer"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_table_that_goes_on_from_a_game_hides_what_that_hid(name: str, seat: int) -> None:
    """Scene, story and stream of a seat are the same, whatever was given that it could not see."""
    compared = 0
    for place, pair in hidden(name, Seat(seat)):
        states, setup = replay_of(pair.one).states, pair.one.setup
        # Where nature goes on, what it draws may differ, and be seen.
        asked = [at for at in range(place + 1, len(states)) if is_asked(name, states[at])]
        for at in asked[-1:]:
            one, other = (
                start_table(
                    name,
                    "h" * setup.seats,
                    options=options.to_words(setup.options),
                    moves=tuple(str(move) for move in each.moves[:at]),
                )
                for each in pair
            )
            assert one.seen_by(seat) == other.seen_by(seat)
            assert one.table.record() != other.table.record()
            compared += 1
    assert compared


def is_asked(name: str, state: Any) -> bool:  # noqa: ANN401 - any game's
    """Whether somebody has to decide."""
    return any(seat != NATURE for seat in GAMES[name].to_act(state))


@pytest.mark.parametrize("name", ["mauer", "burgbaumeister", "mauerbauer"])
def test_what_comes_later_is_not_in_the_page(name: str) -> None:
    """Where two games have a beginning in common, its positions are shown alike in both.

    But for a seat's own next choice, which it knew.
    """
    game, behind = GAMES[name], 40
    begun = a_game(name, 3, behind)
    one, other = (replay_of(by_chance(game, begun, Random(seed), 12)) for seed in (5, 6))
    assert one.moves != other.moves
    assert one.last == other.last
    for seat in range(one.seats):
        for at in range(0, behind + 1, amount(10, 4, 1)):
            pages = [
                re.sub(r'<p class="chosen">.*?</p>', "", page_text(each, at, Seat(seat)))
                for each in (one, other)
            ]
            assert pages[0] == pages[1], (seat, at)


def test_a_card_that_was_turned_back_leaves_nothing_behind() -> None:
    """Which card somebody left, and where, is on no later page of any seat (BB-9)."""
    text = "burgbaumeister/1 seats=2 first=0\n0:{} ~:{} 0:-\n1:a1 ~:3 1:+\n"
    one, other = (
        replay_of(record.read(text.format(*left), GAMES)) for left in (("e2", 42), ("c4", 17))
    )
    for seat in (Seat(0), Seat(1)):
        assert "42" in page_text(one, 2, seat)
        for at in range(3, one.last + 1):
            assert page_text(one, at, seat) == page_text(other, at, seat), at
            assert "e2" not in story(page_text(one, at, seat))
    assert page_text(one, 3, None) != page_text(other, 3, None)
    assert "42" in page_text(one, one.last, None)


def test_the_story_of_a_seat_tells_what_passes_where_it_happens() -> None:
    """A card that is turned up is told of in its own position, and in no other."""
    replay = replay_from("burgbaumeister-1/basic-2")
    told = [story(page_text(replay, at, Seat(0))) for at in range(replay.last + 1)]
    turned = [at for at in range(replay.last + 1) if "turned up" in told[at]]

    assert turned == [at for at in range(1, replay.last + 1) if replay.moves[at - 1].seat == NATURE]
    assert told[2].count("turned up") == 1
    assert "turned up c2: 9" in told[2]


def story(page: str) -> str:
    """The story of a page."""
    found = re.search(r'<article class="of-story.*?</article>', page, re.DOTALL)
    assert found is not None
    return found[0]
