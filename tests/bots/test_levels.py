"""Levels: who they are, how they err, and that the better ones win."""

from collections.abc import Callable
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NoReturn, TypeAlias

import msgspec
import pytest
from tests.support.amounts import amount
from tests.support.castle_table import start_castle
from tests.support.positions import draws, never_search, seen_after, setup_of, sights

from mauerwerk import bots
from mauerwerk.bots import levels, spec
from mauerwerk.bots.bot import Bot, Player, Uniform
from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.levels import LEVELS, Ahead, Fallible, mistakes_in, sit
from mauerwerk.bots.mistakes import Mistakes
from mauerwerk.bots.rooms import ROOMS, BotRoom
from mauerwerk.core.beliefs import PERFECT
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Chance, Setup, Sight
from mauerwerk.core.language import language_of
from mauerwerk.games import GAMES, burgbaumeister, mauer, mauerbauer
from mauerwerk.games.burgbaumeister.beliefs import kept
from mauerwerk.lab.match.match import chance, play

Made: TypeAlias = Callable[[Chance], Bot]
"""A bot for a game and a setup, less its chance."""

APPRENTICE, JOURNEYMAN, FOREMAN, MASTER = LEVELS.values()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.NAME)
def test_four_levels_rise_to_the_master(game: AnyGame) -> None:
    """Each thinks no shorter, remembers better and errs less than the one below."""
    assert list(LEVELS) == ["apprentice", "journeyman", "foreman", "master"]
    for lower, higher in zip(LEVELS.values(), list(LEVELS.values())[1:], strict=False):
        assert lower.seconds <= higher.seconds
        assert kept(lower.memory, 10, 10) < kept(higher.memory, 10, 10)
        worse, better = mistakes_in(game, lower), mistakes_in(game, higher)
        assert worse.overlooks >= better.overlooks
        assert worse.hasty >= better.hasty
        assert worse.careless >= better.careless
    assert MASTER.memory == PERFECT
    assert [level.looks_ahead for level in LEVELS.values()] == [False, False, True, True]


def test_every_level_has_a_title_and_one_sentence() -> None:
    """For people who choose whom to play against."""
    for level in LEVELS.values():
        assert level.title.istitle()
        assert level.character.endswith(".")
        assert level.character.count(".") == 1
    assert len({level.character for level in LEVELS.values()}) == len(LEVELS)


def test_an_apprentice_takes_the_card_that_lies_there() -> None:
    """25 as first card is a point now and trouble later; a journeyman leaves it (BB-8)."""
    castle = start_castle()
    sight = seen_after(burgbaumeister, castle.state, "0:a1 ~:25", 0)
    setup = setup_of(burgbaumeister, 2)

    def added(level: levels.Level) -> int:
        bots = (Fallible(level, burgbaumeister, setup, draws(seed)) for seed in range(40))
        return sum(burgbaumeister.write(bot.act(sight, 1.0)) == "+" for bot in bots)

    assert added(APPRENTICE) > added(JOURNEYMAN) + 5


def test_an_apprentice_forgets_what_a_master_knows() -> None:
    """2 was turned long ago; only who remembers turns it (BB-9)."""
    places = ("b1", "c1", "d1", "e1", "f1", "g1")
    others = " ".join(
        f"{turn % 2}:{place} ~:{turn + 39} {turn % 2}:-"
        for turn, place in enumerate(places, start=1)
    )
    sight = seen_after(
        burgbaumeister, start_castle().state, f"0:a1 ~:2 0:- {others} 1:a2 ~:46 1:-", 0
    )
    setup = setup_of(burgbaumeister, 2)

    def found(level: levels.Level) -> int:
        bots = (Greedy(burgbaumeister, setup, draws(seed), level.memory) for seed in range(30))
        return sum(burgbaumeister.write(bot.act(sight, 1.0)) == "a1" for bot in bots)

    assert found(MASTER) == 30
    assert found(APPRENTICE) < 25


def test_nobody_overlooks_one_of_two() -> None:
    """No level overlooks one of two choices: all add a card that fits exactly (BB-6)."""
    castle = start_castle("2 3 4 5 6 7 8 9 | 10")
    sight = seen_after(burgbaumeister, castle.state, "0:a1 ~:12", 0)
    setup = setup_of(burgbaumeister, 2)
    for seed in range(20):
        bot = Fallible(JOURNEYMAN, burgbaumeister, setup, draws(seed))
        assert burgbaumeister.write(bot.act(sight, 1.0)) == "+"


def share(game: AnyGame, setup: Setup[Any], better: Made, worse: Made, games: int) -> float:
    """How much one wins against one, or against several, seats changing."""
    won = 0.0
    for number in range(games):
        seat = number % setup.seats
        players = [
            Player((better if each == seat else worse)(chance(7, number, str(each))), 1.0)
            for each in range(setup.seats)
        ]
        *_, (_, last) = play(game, setup, players, chance(7, number, "nature"))
        outcome = game.outcome(last.state)
        assert outcome is not None
        won += (seat in outcome.winners) / len(outcome.winners)
    return won / games


@pytest.mark.slow
@pytest.mark.parametrize("game", [burgbaumeister, mauerbauer], ids=lambda game: game.NAME)
def test_a_journeyman_beats_an_apprentice_who_beats_chance(game: AnyGame) -> None:
    """In most of a dozen games at two seats, or more."""
    setup, games = setup_of(game, 2), amount(12, 12, 24)

    def of(level: levels.Level) -> Made:
        return partial(Fallible, level, game, setup)

    assert share(game, setup, of(JOURNEYMAN), of(APPRENTICE), games) > 0.6
    assert share(game, setup, of(APPRENTICE), partial(Uniform, game, setup), games) > 0.6


@pytest.mark.slow
def test_greedy_beats_chance_at_die_mauer() -> None:
    """One level against three random players wins more than a quarter of 16 games."""
    setup = setup_of(mauer, 4, rounds="2")
    greedy, blind = partial(Greedy, mauer, setup), partial(Uniform, mauer, setup)
    assert share(mauer, setup, greedy, blind, 16) > 0.35


# --- Who looks ahead -------------------------------------------------------------------------


class First:
    """Takes the first legal action, and counts how often it was asked."""

    def __init__(self) -> None:
        """Not yet asked."""
        self.asked = 0

    def act(self, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        """The first."""
        assert seconds == 1.0
        self.asked += 1
        return sight.legal[0]

    def warm(self) -> None:
        """There is nothing to compile."""


def test_a_foreman_searches_for_half_of_its_moves() -> None:
    """Half are played without a search; a master searches every one."""
    setup = setup_of(mauer, 3)
    sight = seen_after(mauer, mauer.start(setup), "", 0)
    for level, few, many in ((FOREMAN, 120, 180), (MASTER, 0, 0)):
        search, first_choice = First(), First()
        bot = Ahead(level.mistakes, search, first_choice, draws())
        for _ in range(300):
            bot.act(sight, 1.0)
        assert search.asked + first_choice.asked == 300
        assert few <= first_choice.asked <= many


def test_a_room_says_which_mistakes_levels_make_in_its_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A level that it leaves out makes the usual ones, as in a game whose room says nothing."""
    mistakes = {"foreman": Mistakes(unthinking=100)}
    monkeypatch.setattr(ROOMS["mauer"], "MISTAKES", mistakes, raising=False)
    monkeypatch.delattr(ROOMS["mauerbauer"], "MISTAKES", raising=False)

    assert mistakes_in(mauer, FOREMAN) == Mistakes(unthinking=100)
    assert mistakes_in(mauer, MASTER) == MASTER.mistakes
    assert mistakes_in(mauerbauer, FOREMAN) == FOREMAN.mistakes


@pytest.mark.kernels
def test_a_foreman_that_never_thinks_never_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the room says reaches the seat."""
    setup = setup_of(mauer, 3)
    sight = seen_after(mauer, mauer.start(setup), "", 0)
    monkeypatch.setattr(
        ROOMS["mauer"], "MISTAKES", {"foreman": Mistakes(unthinking=100)}, raising=False
    )
    bot = sit(FOREMAN, mauer, setup, draws())
    assert isinstance(bot, Ahead)
    monkeypatch.setattr(bot._search, "act", lambda *_: pytest.fail("it searched"))  # noqa: SLF001

    assert all(bot.act(sight, 1.0) in sight.legal for _ in range(20))


@pytest.mark.parametrize("room", ROOMS.values(), ids=list(ROOMS))
def test_mistakes_of_a_room_name_levels(room: BotRoom) -> None:
    """Any other word would never be read; percentages are at most 100."""
    told: dict[str, Mistakes] = getattr(room, "MISTAKES", {})
    assert set(told) <= set(LEVELS)
    for each in told.values():
        assert msgspec.convert(msgspec.to_builtins(each), Mistakes) == each


@pytest.mark.kernels
def test_a_foreman_has_one_memory() -> None:
    """What the search has forgotten the first choice does not know either, and is got ready."""
    bot = sit(FOREMAN, burgbaumeister, setup_of(burgbaumeister, 2), draws())
    assert isinstance(bot, Ahead)
    bot.warm()

    assert bot._search._tracker is bot._first_choice._greedy._tracker  # type: ignore[attr-defined]  # noqa: SLF001


def test_a_level_that_cannot_think_as_it_should_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever its title stands; levels that go by rules of thumb anyway have nothing to say."""
    assert levels.title_of(MASTER, burgbaumeister) == "Master"
    monkeypatch.setattr(bots, "can_run", lambda *_: False)

    titles = [levels.title_of(level, burgbaumeister) for level in LEVELS.values()]
    german = levels.title_of(MASTER, burgbaumeister, language_of("de"))

    assert titles[:2] == ["Apprentice", "Journeyman"]
    assert titles[3] == "Master (rules of thumb: kernels are not installed)"
    assert german == "Meister (Faustregeln: Kernel sind nicht installiert)"
    assert spec.label("master:1s", burgbaumeister, setup_of(burgbaumeister, 2)).endswith(
        "(rules of thumb: kernels are not installed)"
    )


def test_kernels_that_cannot_be_loaded_end_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """If what is installed does not go together, the level plays by rules of thumb and says so."""

    def broken(*_: object, **__: object) -> NoReturn:
        raise ImportError("Numba needs NumPy 2.9\nor less")

    setup = setup_of(burgbaumeister, 2)
    unusable: set[str] = set()
    monkeypatch.setattr(bots, "_UNUSABLE", unusable)
    monkeypatch.setattr(bots, "can_run", lambda *_: True)
    monkeypatch.setattr("mauerwerk.bots.search.Search", broken)
    with pytest.raises(SetupError, match=r"^the bot search cannot be used here: .* 2.9 or less$"):
        bots.BOTS["search"](burgbaumeister, setup, draws())

    assert isinstance(sit(MASTER, burgbaumeister, setup, draws()), Fallible)
    assert levels.title_of(MASTER, burgbaumeister).endswith(
        "(rules of thumb: kernels do not work here)"
    )


def test_without_kernels_all_levels_go_by_rules_of_thumb(monkeypatch: pytest.MonkeyPatch) -> None:
    """The upper ones too, with their memory, and nobody refuses to play."""
    monkeypatch.setattr(levels, "can_search", never_search)
    setup = setup_of(burgbaumeister, 2)
    for level in LEVELS.values():
        bot = sit(level, burgbaumeister, setup, Random(1).randrange)
        assert isinstance(bot, Fallible)
        for sight, action in islice(sights(burgbaumeister, setup, bot, seed=1), 10):
            assert action in sight.legal
