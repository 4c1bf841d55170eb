"""What every bot promises: legal answers in time, from its sight and its chance alone."""

from copy import deepcopy
from itertools import islice
from time import process_time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount
from tests.support.positions import draws, setup_of, sights
from tests.support.setups.burgbaumeister import setups as burgbaumeister_setups
from tests.support.setups.mauer import setups as mauer_setups
from tests.support.setups.mauerbauer import setups as mauerbauer_setups

from mauerwerk import bots
from mauerwerk.bots import BOTS, spec
from mauerwerk.bots.bot import Bot
from mauerwerk.bots.levels import LEVELS, Fallible
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.games import GAMES

QUICK = [*(name for name in BOTS if name not in {"search", "guided"}), *LEVELS]
"""Bots that answer at once. Levels that search are asked for their first thought here."""

SETUPS: dict[str, st.SearchStrategy[Setup[Any]]] = {
    "mauer": mauer_setups(),
    "burgbaumeister": burgbaumeister_setups(),
    "mauerbauer": mauerbauer_setups(),
}

SMALL = [
    ("mauer", setup_of(GAMES["mauer"], 4, rounds="1")),
    ("burgbaumeister", setup_of(GAMES["burgbaumeister"], 2)),
    ("burgbaumeister", setup_of(GAMES["burgbaumeister"], 3, variant="yes")),
    ("mauerbauer", setup_of(GAMES["mauerbauer"], 2, board="small")),
]


def made(name: str, game: AnyGame, setup: Setup[Any], seed: int = 1) -> Bot:
    """A bot that answers at once."""
    if name in LEVELS:
        return Fallible(LEVELS[name], game, setup, draws(seed))
    return BOTS[name](game, setup, draws(seed))


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize("game", GAMES)
@settings(
    max_examples=amount(1, 2, 20), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(data=st.data(), seed=st.integers(min_value=0, max_value=1000))
def test_every_answer_is_legal(name: str, game: str, data: st.DataObject, seed: int) -> None:
    """At any seat, with any options, to the end of the game."""
    rules = GAMES[game]
    setup = data.draw(SETUPS[game])
    bot = made(name, rules, setup, seed)
    for sight, action in islice(sights(rules, setup, bot, seed), 400):
        assert action in sight.legal


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize(("game", "setup"), SMALL)
def test_a_bot_answers_from_its_sight_and_its_chance_alone(
    name: str, game: str, setup: Setup[Any]
) -> None:
    """A twin that is shown copies and has the same chance does the same."""
    rules = GAMES[game]
    bot, twin = made(name, rules, setup), made(name, rules, setup)
    for sight, action in islice(sights(rules, setup, bot, seed=3), amount(10, 40, 40)):
        assert twin.act(deepcopy(sight), 1.0) == action


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize(("game", "setup"), SMALL)
def test_a_bot_can_be_asked_in_the_middle(name: str, game: str, setup: Setup[Any]) -> None:
    """A bot that sits down late is told everything that happened and plays on."""
    rules = GAMES[game]
    played = list(islice(sights(rules, setup, made("uniform", rules, setup), seed=4), 30))
    for sight, _ in played[::5]:
        assert made(name, rules, setup).act(sight, 1.0) in sight.legal


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize(("game", "setup"), SMALL)
def test_rules_of_thumb_take_no_time(name: str, game: str, setup: Setup[Any]) -> None:
    """Thirty decisions in a second of computing; they take about a millisecond each."""
    rules = GAMES[game]
    began = process_time()
    assert len(list(islice(sights(rules, setup, made(name, rules, setup), seed=5), 30))) == 30
    assert process_time() - began < 1


# --- Words -----------------------------------------------------------------------------------


def test_a_word_names_a_bot_and_its_time() -> None:
    """Seconds or milliseconds after a colon; otherwise a second, or what the level says."""
    assert spec.read("greedy:0.2s") == spec.Spec("greedy:0.2s", "greedy", 0.2)
    assert spec.read("uniform:50ms").seconds == pytest.approx(0.05)
    assert spec.read("search").seconds == spec.SECONDS
    for name, level in LEVELS.items():
        assert spec.read(name).seconds == level.seconds
    assert spec.read("master:3s").seconds == 3


@pytest.mark.parametrize("word", ["clever", "", ":1s", "Greedy", "greedy,uniform"])
def test_an_unknown_bot_is_refused_with_the_names_there_are(word: str) -> None:
    """One line that lists them all."""
    with pytest.raises(SetupError, match="there is uniform, greedy, search, guided, apprentice"):
        spec.read(word)


@pytest.mark.parametrize(
    "time", ["", "0s", "-1s", "1", "s", "1e3s", "nans", "601s", "0.2 s", "1m", "0.0001ms1s", "٣s"]
)
def test_a_time_that_is_none_is_refused(time: str) -> None:
    """One line that says what a time looks like."""
    with pytest.raises(SetupError, match=r"a time like 0\.2s or 50ms, at most 600s") as fault:
        spec.read(f"greedy:{time}")
    assert "\n" not in str(fault.value)


def test_whoever_is_named_sits_down() -> None:
    """With the time that was given."""
    game = GAMES["mauer"]
    setup = setup_of(game, 3)
    for word in ("uniform", "greedy:0.3s", "apprentice", "journeyman:1s"):
        player = spec.sit(word, game, setup, draws())
        assert player.seconds == spec.read(word).seconds
        sight, _ = next(sights(game, setup, player.bot, seed=1))
        assert player.bot.act(sight, player.seconds) in sight.legal


def test_without_kernels_search_says_what_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The extra, in one line."""
    monkeypatch.setattr(bots, "can_search", lambda: False)
    with pytest.raises(SetupError, match=r"pip install 'mauerwerk\[kernels\]'"):
        BOTS["search"](GAMES["mauer"], setup_of(GAMES["mauer"], 3), draws())
