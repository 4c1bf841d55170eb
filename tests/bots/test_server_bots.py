"""Bots of other people as opponents at a server."""

from typing import Any

import pytest

from mauerwerk.bots import levels, server_bots, spec
from mauerwerk.bots.levels import LEVELS, known_levels, level_of, levels_of
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.games import mauer, mauerbauer


@pytest.fixture(autouse=True)
def _nothing_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the program of these tests plays Die Mauer only."""

    def check(words: list[str], game: AnyGame, setup: Setup[Any]) -> None:
        del setup
        if game.NAME != "mauer":
            raise SetupError(f"the bot {words[0]} cannot play: it is for Die Mauer")

    monkeypatch.setattr(levels, "_OFFERED", {})
    monkeypatch.setattr(levels, "_ADVISERS", {})
    monkeypatch.setattr(spec, "check", check)


def test_a_bot_is_offered_in_the_games_that_it_plays() -> None:
    server_bots.offer("my_bots:Thrifty:50ms")
    server_bots.offer("second=run:./a-bot")

    assert list(levels_of(mauer)) == [*LEVELS, "thrifty", "second"]
    assert list(levels_of(mauerbauer)) == list(LEVELS)
    thrifty = level_of("thrifty")
    assert (thrifty.title, thrifty.seconds) == ("Thrifty", 0.05)
    assert level_of("second").word == "run:./a-bot"


@pytest.mark.parametrize("word", ["master=my_bots:Bold", "thrifty=my_bots:Bold", "other:Thrifty"])
def test_two_bots_cannot_have_one_name(word: str) -> None:
    """The one that was offered first keeps it."""
    server_bots.offer("my_bots:Thrifty")

    with pytest.raises(SetupError, match="is the name of another bot"):
        server_bots.offer(word)
    assert level_of("thrifty").word == "my_bots:Thrifty"


def test_nobody_reads_how_a_bot_is_run() -> None:
    """The command may have a path or a key in it."""
    server_bots.offer("second=run:./a-bot --key hush-4711")

    second = level_of("second")
    assert "hush-4711" in second.word
    assert "a-bot" not in second.title + second.character


def test_a_bot_that_is_no_longer_offered_plays_by_rules_of_thumb() -> None:
    """A table of yesterday goes on."""
    gone = level_of("thrifty")

    assert (gone.title, gone.looks_ahead, gone.word) == ("thrifty", False, "")
    assert "thrifty" not in known_levels()


@pytest.mark.parametrize("word", ["master=my_bots:Thrifty", "nobody", "x=nobody", "run:./A.B"])
def test_what_cannot_be_offered_gets_one_line(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def check(*_: object) -> None:
        raise SetupError("it cannot play")

    monkeypatch.setattr(spec, "check", check)
    with pytest.raises(SetupError) as fault:
        server_bots.offer(word)
    assert "\n" not in str(fault.value)


def test_a_bot_that_is_offered_may_advise() -> None:
    """In the games that it plays."""
    server_bots.offer("my_bots:Thrifty")
    server_bots.advise("thrifty")

    assert levels.adviser_in("mauer") == level_of("thrifty")
    assert levels.adviser_in("mauerbauer") is None


@pytest.mark.parametrize("name", ["master", "nobody"])
def test_only_a_bot_that_is_offered_advises(name: str) -> None:
    with pytest.raises(SetupError, match="cannot give hints: first offer it"):
        server_bots.advise(name)
