"""The bot that searches: legal, in time, honest, and better than chance."""

from typing import Any

import pytest
from tests.support.amounts import amount
from tests.support.positions import draws, gifts, seen_after, setup_of, sights

from mauerwerk.bots import spec
from mauerwerk.bots.bot import Player, Uniform
from mauerwerk.bots.search import Search
from mauerwerk.core.beliefs import ABSENT
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame
from mauerwerk.games import burgbaumeister, mauer, mauerbauer
from mauerwerk.lab.match.match import play_out

pytestmark = pytest.mark.kernels


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        (mauer, 3, {"rounds": "1", "stall": "2"}),
        (mauer, 6, {"rounds": "1", "first": "lot"}),
        (burgbaumeister, 2, {"variant": "yes", "memory_aid": "yes"}),
        (burgbaumeister, 4, {}),
        (mauerbauer, 2, {"board": "wme/wme", "early": "yes"}),
        (mauerbauer, 4, {"board": "wwmmee/wwmmee"}),
    ],
)
def test_it_plays_to_the_end(game: AnyGame, seats: int, options: dict[str, str]) -> None:
    """Every answer is legal, at any seat and with any options."""
    setup = setup_of(game, seats, **options)
    bot = Search(game, setup, draws(), simulations=amount(3, 3, 8))

    answers = [action in sight.legal for sight, action in sights(game, setup, bot, seed=3)]

    assert len(answers) > 5
    assert all(answers)


def test_it_beats_chance() -> None:
    """The search wins four games of Burgbaumeister out of four against a random bot."""
    setup = setup_of(burgbaumeister, 2)
    for number in range(4):
        own = number % 2
        players: list[Player] = [Player(Uniform(burgbaumeister, setup, draws(number)), 1.0)] * 2
        searching = Search(burgbaumeister, setup, draws(number), simulations=100)
        players[own] = Player(searching, 1.0)
        assert play_out(burgbaumeister, setup, players, draws(number)).outcome.winners == (own,)


FOUR = setup_of(mauer, 4, first="0")
GIVING = "0:- 1:- 2:4 3:4"


def test_values_are_of_all_legal_actions_in_order() -> None:
    """Chances from 0 to 1; equal choices have equal ones."""
    sight = seen_after(mauer, mauer.start(FOUR), GIVING, 1)
    values = Search(mauer, FOUR, draws(), simulations=300).values(sight, 1.0)

    assert [each.action for each in values] == list(sight.legal)
    assert all(0 <= each.value <= 1 for each in values)
    assert sum(each.visits for each in values) == 300


def test_chances_are_of_all_seats() -> None:
    """Also for a seat that is not asked; one win is shared."""
    sight = seen_after(mauer, mauer.start(FOUR), GIVING, 3)
    chances = Search(mauer, FOUR, draws(), simulations=300).chances(sight, 1.0)

    assert not sight.legal
    assert len(chances) == 4
    assert sum(chances) == pytest.approx(1)


def test_the_same_luck_gives_the_same_answers() -> None:
    """With a number of simulations instead of a clock."""
    sight = seen_after(mauer, mauer.start(FOUR), "", 0)
    one, other = (Search(mauer, FOUR, draws(7), simulations=50).act(sight, 1.0) for _ in range(2))

    assert one == other


def test_fists_vary() -> None:
    """A player who always planned the same would be guessed (DM-13, DM-14)."""
    sight = seen_after(mauer, mauer.start(FOUR), "", 0)
    bot = Search(mauer, FOUR, draws(), simulations=200)

    assert len({bot.act(sight, 1.0) for _ in range(20)}) > 1


def test_which_of_equal_cards_it_turns_varies() -> None:
    """At the beginning all cards are alike (BB-3)."""
    setup = setup_of(burgbaumeister, 2, first="0")
    sight = seen_after(burgbaumeister, burgbaumeister.start(setup), "", 0)
    bot = Search(burgbaumeister, setup, draws())

    assert len({bot.act(sight, 60.0) for _ in range(10)}) > 5


def test_memory_decides_what_it_knows() -> None:
    """A bot that remembers the 3 turns it again; otherwise all cards are alike to it (BB-9)."""
    setup = setup_of(burgbaumeister, 2, first="0")
    words = "0:a1 ~:3 0:- 1:b1 ~:46 1:-"
    sight = seen_after(burgbaumeister, burgbaumeister.start(setup), words, 0)
    keen = Search(burgbaumeister, setup, draws(), simulations=2_000)
    blank = Search(burgbaumeister, setup, draws(), ABSENT, simulations=50)

    assert burgbaumeister.write(keen.act(sight, 1.0)) == "a1"
    assert len({each.value for each in blank.values(sight, 1.0)}) == 1


# --- Where no kernel plays -------------------------------------------------------------------


def test_without_a_kernel_it_plays_greedily() -> None:
    """A game that need not end has none (DM-27)."""
    setup = setup_of(mauer, 3, stall="off", first="0")
    bot = Search(mauer, setup, draws())
    bot.warm()
    sight = seen_after(mauer, mauer.start(setup), "0:T", 1)

    assert bot.act(sight, 0.1) in sight.legal
    assert [each.action for each in bot.values(sight, 0.1)] == list(sight.legal)
    with pytest.raises(SetupError, match="no kernel plays"):
        bot.chances(sight, 0.1)


# --- Without time to believe -----------------------------------------------------------------


def test_without_time_it_answers_all_the_same() -> None:
    """Also after gifts that it has not seen, and by pieces dealt anew (DM-19)."""
    state, watch = gifts(FOUR, 6)
    sight = watch.sight(state)

    assert Search(mauer, FOUR, draws(), simulations=20).act(sight, -1.0) in sight.legal


def test_without_time_it_still_knows_the_chances() -> None:
    """While the master builder has just named a piece (DM-18)."""
    named = seen_after(mauer, mauer.start(FOUR), "0:- 1:4 2:4 3:4 0:!T", 2)

    assert sum(Search(mauer, FOUR, draws(), simulations=20).chances(named, -1.0)) > 0.99


def test_a_word_gives_it_threads() -> None:
    """As many as it says, or one. A bot that does not search has no use for them."""
    assert [spec.read(word).threads for word in ("search", "search:0.2s:threads=2")] == [1, 2]
    assert spec.read("guided:threads=3:50ms").threads == spec.read("master:threads=3").threads == 3
    for word, why in (
        ("search:threads=0", "a bot can have 1 to 256 threads, not '0'"),
        ("search:threads=many", "not 'many'"),
        ("search:threads=1:threads=2", "one number of threads"),
        ("greedy:threads=2", "the bot greedy does not search"),
    ):
        with pytest.raises(SetupError, match=why):
            spec.read(word)


def test_a_word_gives_it_simulations() -> None:
    """Its threads share them; a bot that has a number of them watches no clock."""
    assert spec.read("search").simulations is None
    assert spec.read("guided:simulations=800").simulations == 800
    for word, why in (
        ("search:simulations=0", "a bot can have 1 to 10000000 simulations, not '0'"),
        ("search:simulations=2:0.2s", "a time to think or simulations, not both"),
        ("master:simulations=2", "the bot master takes no number of simulations"),
    ):
        with pytest.raises(SetupError, match=why):
            spec.read(word)


def test_the_shares_of_its_actions_say_what_it_would_do() -> None:
    """They are in the order of the legal actions, and add up to 1."""
    sight = seen_after(mauer, mauer.start(FOUR), GIVING, 1)
    bot = spec.sit("search:simulations=40:threads=2", mauer, FOUR, draws()).bot
    assert isinstance(bot, Search)

    shares = bot.shares(sight, 1.0)

    assert len(shares) == len(sight.legal)
    assert sum(shares) == pytest.approx(1)
    assert all(share >= 0 for share in shares)


@pytest.mark.parametrize("word", ["search:10ms:threads=2", "master:threads=2"])
def test_it_thinks_in_as_many_threads_as_it_is_given(
    word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And in no more."""
    trees: list[int] = []

    def run(simulate: Any, decided: Any, until: float, number: int) -> None:  # noqa: ANN401
        del decided, until
        trees.append(number)
        for tree in range(number):
            simulate(tree, 1, 8)

    monkeypatch.setattr("mauerwerk.kernels.search.search.run_until", run)
    player = spec.sit(word, mauer, FOUR, draws())
    sight = seen_after(mauer, mauer.start(FOUR), GIVING, 1)

    assert player.bot.act(sight, 0.01) in sight.legal
    assert trees == [2]
