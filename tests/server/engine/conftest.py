"""Bots at tables, for the tests of them."""

import multiprocessing
from collections.abc import Iterator

import pytest
from tests.support.errands import LONG

from mauerwerk.server.engine import thinking as thoughts
from mauerwerk.server.engine import workers as bots
from mauerwerk.server.engine.thinking import Turn, choose_simply
from mauerwerk.server.engine.workers import BotWorkers

pytest.register_assert_rewrite(
    "tests.server.engine.worlds"
)  # so that a failure shows the difference


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is late unless a test wants it to be."""
    monkeypatch.setattr(bots, "GRACE", LONG)


@pytest.fixture
def bot_workers() -> Iterator[BotWorkers]:
    """Two bots can think at once; no process is left afterwards."""
    before = {*multiprocessing.active_children()}
    workers = BotWorkers(2)
    yield workers
    workers.close()
    assert {*multiprocessing.active_children()} <= before


@pytest.fixture
def played_simply(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The bots that had to play in the place of another, as they do so."""
    names: list[str] = []
    play = choose_simply

    def noted(name: str, turn: Turn) -> str:
        names.append(name)
        return play(name, turn)

    monkeypatch.setattr(thoughts, "choose_simply", noted)
    return names
