"""Bots at tables and calls of people, for the tests of them."""

import multiprocessing
from collections.abc import Iterator

import pytest
from tests.support.calling import Clock, Postbox
from tests.support.errands import LONG

from mauerwerk.play.host import bots
from mauerwerk.play.host.bots import BotWorkers
from mauerwerk.play.host.thinking import Turn, choose_simply

pytest.register_assert_rewrite("tests.play.host.worlds")  # so that a failure shows the difference


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is late unless a test wants it to be."""
    monkeypatch.setattr(bots, "GRACE", LONG)


@pytest.fixture
def bot_workers() -> Iterator[BotWorkers]:
    """Two bots can think at once; no process is left afterwards."""
    before = multiprocessing.active_children()
    workers = BotWorkers(2)
    yield workers
    workers.close()
    assert multiprocessing.active_children() == before


@pytest.fixture
def played_simply(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bots that had to play in the place of another, as they do so."""
    names: list[str] = []
    play = choose_simply

    def noted(name: str, turn: Turn) -> str:
        names.append(name)
        return play(name, turn)

    monkeypatch.setattr(bots, "choose_simply", noted)
    return names


@pytest.fixture
def clock() -> Clock:
    """A clock that the test moves."""
    return Clock()


@pytest.fixture
def postbox() -> Postbox:
    """What takes calls."""
    return Postbox()
