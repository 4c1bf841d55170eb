"""The example bot plays."""

import io
import runpy
import threading
from email.message import Message
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from tests.support.web_server import TIMEOUT, Running

from mauerwerk.games import GAMES

pytestmark = pytest.mark.slow

BOT = Path(__file__).parents[3] / "examples" / "api_bot.py"


@pytest.fixture(scope="module")
def bot() -> dict[str, Any]:
    """What the example defines."""
    return runpy.run_path(str(BOT))


@pytest.mark.parametrize("game", GAMES)
def test_the_example_plays_against_bots(site: Running, bot: dict[str, Any], game: str) -> None:
    """The example finishes any game."""
    table_view = bot["play"](*bot["take_seat"](site.address, game))

    assert table_view["status"] == "over"
    assert len(table_view["outcome"]["ranks"]) == 3


def test_the_example_waits_when_it_was_too_fast(
    bot: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as the server says."""
    waits = Message()
    waits["Retry-After"] = "2"
    answers: list[Any] = [HTTPError("", 429, "", waits, None), io.BytesIO(b'{"number": 7}')]
    slept: list[float] = []

    def opened(_: object) -> Any:  # noqa: ANN401 - an answer of urllib
        answer = answers.pop(0)
        if isinstance(answer, HTTPError):
            raise answer
        return answer

    monkeypatch.setitem(bot["ask"].__globals__, "urlopen", opened)
    monkeypatch.setattr("time.sleep", slept.append)

    assert bot["ask"]("http://127.0.0.1") == {"number": 7}
    assert slept == [2.0]


def test_examples_play_each_other(site: Running, bot: dict[str, Any]) -> None:
    """Each comes by a personal link and follows its own stream."""
    opened = site.guest().open(options={"rounds": "1"})
    last: list[dict[str, Any]] = []

    def come(link: str) -> None:
        last.append(bot["play"](*bot["take_seat"](link)))

    threads = [threading.Thread(target=come, args=(link["link"],)) for link in opened["seats"]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT)

    assert [table_view["status"] for table_view in last] == ["over"] * 3
    assert {table_view["seat"] for table_view in last} == {0, 1, 2}
