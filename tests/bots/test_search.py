"""The bot that searches: legal, in time, honest, and better than chance."""

from collections.abc import Iterator
from math import inf
from statistics import fmean
from types import SimpleNamespace
from typing import Any

import pytest
from tests.bots.positions import draws, seen_after, setup_of, sights

from mauerwerk.bots.bot import Player
from mauerwerk.bots.search import Search
from mauerwerk.bots.search_beliefs import MOST_WORLDS, MauerbauerMind, MauerMind
from mauerwerk.bots.uniform import Uniform
from mauerwerk.core.game import AnyGame, Seat, SetupError
from mauerwerk.core.sight import Sight, Watch
from mauerwerk.games import burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister.beliefs import ABSENT
from mauerwerk.games.mauer import beliefs as of_mauer
from mauerwerk.games.mauer.rules import sites
from mauerwerk.games.mauer.values import Piece
from mauerwerk.games.mauerbauer import beliefs as of_mauerbauer
from mauerwerk.lab.match import play_out


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
    """Every answer is legal, whoever sits there and whatever was agreed on."""
    setup = setup_of(game, seats, **options)
    bot = Search(game, setup, draws(), simulations=8)

    answers = [action in sight.legal for sight, action in sights(game, setup, bot, seed=3)]

    assert len(answers) > 5
    assert all(answers)


def test_it_beats_chance() -> None:
    """Four games of Burgbaumeister against a bot that chooses blindly, all won."""
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
    """Who always planned the same would be guessed (DM-13, DM-14)."""
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
    """Who remembers the 3 turns it up again; who does not takes all cards for alike (BB-9)."""
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


def test_a_game_of_somebody_else_is_refused() -> None:
    """In one line, as the greedy bot does."""
    nim: Any = SimpleNamespace(NAME="nim")
    with pytest.raises(SetupError, match="does not know the game nim"):
        Search(nim, FOUR, draws())


# --- Beliefs that are bounded ----------------------------------------------------------------


def gifts(turns: int) -> tuple[Any, Watch]:
    """Seats 0 and 1 give each other pieces, dear and cheap by turns, and seat 2 looks on."""
    state: Any = mauer.start(FOUR)
    watch = Watch(mauer, Seat(2))
    for _ in range(turns):
        master = state.table.master
        rival = 1 - master if master < 2 else 0
        for seat in range(4):
            word = "-" if seat in (master, rival) else "1"
            step = mauer.apply(state, Seat(seat), mauer.parse(word))
            watch.follow(step)
            state = step.state
        step = mauer.apply(state, Seat(rival), mauer.legal(state, Seat(rival))[-1])
        watch.follow(step)
        state = step.state
    return state, watch


def test_many_gifts_leave_a_belief_of_bounded_size() -> None:
    """Twelve unseen gifts could be billions of worlds (DM-19)."""
    state, watch = gifts(12)
    sight = watch.sight(state)
    mind = MauerMind(draws())
    belief = mind.belief(sight, inf)

    assert 1 < len(belief.worlds) <= MOST_WORLDS
    for _ in range(20):
        world = of_mauer.sample(belief, sight.view, FOUR.options, draws())
        assert mauer.view(world, Seat(2)) == sight.view


def test_without_time_pieces_are_dealt_anew() -> None:
    """By what the table shows alone; and the bot answers."""
    state, watch = gifts(6)
    sight = watch.sight(state)
    belief = MauerMind(draws()).belief(sight, -inf)

    for world in belief.worlds:
        assert world.hands[2] == sight.view.hands[2]
        assert tuple(map(len, world.hands)) == sight.view.counts
    assert Search(mauer, FOUR, draws(), simulations=20).act(sight, -1.0) in sight.legal


def test_who_names_a_piece_or_must_is_dealt_one_that_fits() -> None:
    """The master builder with an empty fist, seen by somebody who only looks on (DM-18)."""
    naming = seen_after(mauer, mauer.start(FOUR), "0:- 1:4 2:4 3:4", 2)
    named = seen_after(mauer, mauer.start(FOUR), "0:- 1:4 2:4 3:4 0:!T", 2)

    for world in MauerMind(draws()).belief(named, -inf).worlds:
        assert Piece.TOWER in world.hands[0]
    for world in MauerMind(draws()).belief(naming, -inf).worlds:
        assert any(sites(naming.view.wall, piece) for piece in world.hands[0])
    assert sum(Search(mauer, FOUR, draws(), simulations=20).chances(named, -1.0)) > 0.99


def test_a_thinned_belief_is_as_likely_as_a_whole_one() -> None:
    """On average: what is left stands for what was left out, and nothing counts twice."""
    state, watch = gifts(6)
    sight = watch.sight(state)
    exact = of_mauer.believe(sight)
    minds = [MauerMind(draws(seed)).belief(sight, inf) for seed in range(30)]

    assert len(exact.worlds) > MOST_WORLDS
    for seat, piece in ((1, Piece.WALL_1), (0, Piece.TOWER)):
        thinned = [holds(belief, seat, piece) for belief in minds]
        assert fmean(thinned) == pytest.approx(holds(exact, seat, piece), abs=0.02)


def holds(belief: of_mauer.Belief, seat: int, piece: Piece) -> float:
    """How likely somebody holds a piece."""
    total = sum(world.weight for world in belief.worlds)
    return sum(world.weight for world in belief.worlds if piece in world.hands[seat]) / total


def every(
    game: AnyGame, seats: int, seed: int, **options: str
) -> Iterator[tuple[Sight[Any, Any, Any], Any]]:
    """What every seat sees in a game by chance, and the setup."""
    setup = setup_of(game, seats, **options)
    for sight, _ in sights(game, setup, Uniform(game, setup, draws(seed)), seed):
        yield sight, setup.options


@pytest.mark.parametrize("seed", range(3))
def test_dealt_hands_agree_with_the_table(seed: int) -> None:
    """In every position of a game, also while several build the same piece (DM-17)."""
    for sight, options in every(mauer, 5, seed, rounds="2"):
        belief = MauerMind(draws()).belief(sight, -inf)
        world = of_mauer.sample(belief, sight.view, options, draws())
        assert mauer.view(world, sight.seat) == sight.view


@pytest.mark.parametrize("seed", range(2))
def test_dealt_cards_agree_with_the_table(seed: int) -> None:
    """In every position of a game, also while cards lie before their players (MB-43)."""
    for sight, options in every(mauerbauer, 3, seed, board="wme/wme"):
        belief = MauerbauerMind().belief(sight, -inf)
        world = of_mauerbauer.sample(belief, sight.view, options, draws())
        assert mauerbauer.view(world, sight.seat) == sight.view


def test_minds_follow_as_beliefs_do() -> None:
    """As long as nothing has to be left out, a mind that was told bit by bit is exact."""
    minds = [MauerMind(draws()) for _ in range(4)]
    for sight, _ in every(mauer, 4, 5, rounds="2"):
        if sight.told:
            exact = of_mauer.believe(sight)
            if len(exact.worlds) < MOST_WORLDS:
                assert minds[sight.seat].belief(sight, inf) == exact
