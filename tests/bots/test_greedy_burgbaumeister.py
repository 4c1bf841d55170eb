"""The greedy bot at Burgbaumeister: it weighs a gain against the gap that it leaves."""

import pytest
from tests.support.castle_table import CastleTable, start_castle
from tests.support.positions import draws, seen_after

from mauerwerk.bots.burgbaumeister.greedy import Prospects
from mauerwerk.bots.greedy import Greedy
from mauerwerk.core.beliefs import ABSENT, PERFECT, Memory
from mauerwerk.core.game import Setup
from mauerwerk.core.language import ENGLISH
from mauerwerk.games import burgbaumeister


def answer(castle: CastleTable, words: str = "", seed: int = 1, memory: Memory = PERFECT) -> str:
    """What the bot does at seat 0 after these moves, as a word."""
    setup = Setup(len(castle.on_table.walls), castle.on_table.options)
    sight = seen_after(burgbaumeister, castle.state, words, 0)
    return burgbaumeister.write(Greedy(burgbaumeister, setup, draws(seed), memory).act(sight, 1.0))


def test_it_takes_the_next_card() -> None:
    """12 on 11 costs nothing."""
    assert answer(start_castle("3 11 | 5", known="a1=12"), "0:a1 ~:12") == "+"


def test_it_leaves_a_card_that_closes_the_wall() -> None:
    """45 as first card would leave room for one more (BB-8)."""
    assert answer(start_castle(), "0:a1 ~:45") == "-"


def test_it_takes_a_high_card_when_it_is_the_ninth() -> None:
    """The race is won with it (BB-10)."""
    assert answer(start_castle("2 3 4 5 6 7 8 9 | 10"), "0:a1 ~:46") == "+"


def test_it_turns_the_card_it_knows_to_fit() -> None:
    """Seen before, one above its last (BB-9)."""
    assert answer(start_castle(), "0:a1 ~:45 0:- 1:b1 ~:2 1:-") == "b1"


def test_without_memory_it_does_not_find_it() -> None:
    """For a player who forgets everything, all places are equally good."""
    seen = "0:a1 ~:45 0:- 1:b1 ~:2 1:-"
    turned = {answer(start_castle(), seen, seed, ABSENT) for seed in range(12)}
    assert len(turned) > 4


def test_with_the_memory_aid_nobody_forgets() -> None:
    """What the depot shows needs no memory (BB-9)."""
    seen = "0:a1 ~:45 0:- 1:b1 ~:2 1:-"
    assert answer(start_castle(memory_aid="yes"), seen, memory=ABSENT) == "b1"


def test_it_does_not_turn_what_it_knows_to_be_too_low() -> None:
    """A card that nobody knows may fit, one below its last does not."""
    seen = "0:a1 ~:9 0:- 1:b1 ~:4 1:-"
    turned = {answer(start_castle("10 | 12"), seen, seed) for seed in range(12)}
    assert not {"a1", "b1"} & turned


@pytest.mark.rule("BB-24")
def test_it_fires_at_the_king() -> None:
    """The dearest card that no tower protects (BB-21, BB-25)."""
    castle = start_castle("3 | 2 4 44", known="a1=13", variant="yes")
    assert answer(castle, "0:a1 ~:13 0:+") == "x44"


@pytest.mark.rule("BB-20")
def test_it_does_not_end_a_game_that_it_would_lose() -> None:
    """In the variant nine cards end the game, but points win it (BB-20, BB-28)."""
    ahead, behind = "2 4 6 8 9 12 14 15 | 3", "2 4 6 8 9 12 14 15 | 5 7 11 22 27 31 33 40 "
    assert answer(start_castle(ahead, variant="yes"), "0:a1 ~:16") == "+"
    assert answer(start_castle(behind, variant="yes"), "0:a1 ~:16") == "-"


@pytest.mark.rule("BB-26")
def test_the_wizard_inserts_a_card_worth_its_spell() -> None:
    """The queen below one's last card is worth it (BB-21, BB-26)."""
    castle = start_castle("17 35 | 3", spell=0, variant="yes")
    assert answer(castle, "0:a1 ~:33") == "^"


def reasons(castle: CastleTable, words: str = "") -> dict[str, str]:
    """Why the bot at seat 0 would do each thing after these moves."""
    setup = Setup(len(castle.on_table.walls), castle.on_table.options)
    sight = seen_after(burgbaumeister, castle.state, words, 0)
    thoughts = Greedy(burgbaumeister, setup, draws()).consider(sight).choices
    return {burgbaumeister.write(each.action): each.reason.said(ENGLISH) for each in thoughts}


@pytest.mark.rule("BB-26")
def test_with_a_wizard_every_card_fits() -> None:
    """So the reasons say; who leaves a lower card keeps the spell for another."""
    castle = start_castle("17 46 | 3", spell=0, variant="yes")
    plain = start_castle("17 46 | 3", variant="yes")

    assert reasons(castle)["a1"] == "42 of the 42 cards it could be would fit your wall."
    assert reasons(plain)["a1"] == "You learn what lies here."
    assert reasons(castle, "0:a1 ~:4")["-"] == "It keeps your wizard for another card."
    assert reasons(plain, "0:a1 ~:4") == {"-": "It is too low for your wall."}


def test_prospects_fall_with_the_gap() -> None:
    """The higher the last card, the less there is to come; and a known card is better than none."""
    numbers = range(2, 47)
    gains = dict.fromkeys(numbers, 1.0)
    blind = Prospects(gains, numbers, cards=9, discount=0.98, full=5)
    knowing = Prospects(gains, [n for n in numbers if n != 2], cards=9, discount=0.98, full=5)
    to_come = [blind.now(end) for end in (1, 10, 20, 30, 40, 46)]
    assert to_come == sorted(to_come, reverse=True)
    assert to_come[-1] == 0
    assert knowing.now(1) > blind.now(1)
