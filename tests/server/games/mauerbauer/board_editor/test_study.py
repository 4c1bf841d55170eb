"""The quick study: games by chance on a board, beside the usual one, in a process of its own."""

import asyncio
import multiprocessing
import re
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from tests.support.errands import LONG, hang, started
from tests.support.web_pages import look
from tests.support.web_server import TIMEOUT, Running

from mauerwerk.core.errors import SetupError
from mauerwerk.core.language import ENGLISH, TITLES, language_of
from mauerwerk.server.games.mauerbauer.board_editor import study
from mauerwerk.server.games.mauerbauer.board_editor.study import (
    MOST_KEPT,
    MOST_WAITING,
    Trial,
    Trials,
    comparison,
    run_trial,
)
from mauerwerk.server.tables.errors import TooManyError

pytestmark = [pytest.mark.kernels, pytest.mark.process]

STRIP = "wwwme/wwmme+a2-b1"


def test_a_trial_says_how_games_go() -> None:
    """How long, for how many points, who wins, how they end; the same each time."""
    found = run_trial(STRIP, games=400)

    assert found == run_trial(STRIP, games=400)
    assert found.games == 400
    assert 5 < found.turns.mean < 25
    assert found.winner.mean > found.last.mean
    assert sum(share.mean for share in found.wins) == pytest.approx(1)
    assert sum(share for _, share in found.endings) == pytest.approx(1)
    assert dict(found.endings)["no-line"] > 0.5


def test_a_board_without_room_in_a_kernel_is_refused() -> None:
    """By the kernel itself."""
    with pytest.raises(SetupError):
        run_trial("/".join(["w" * 24] * 24), games=1)


@pytest.mark.parametrize("code", TITLES)
def test_boards_are_compared_in_every_language(code: str) -> None:
    """Figures with their intervals; a comma where it is due."""
    own, usual = run_trial(STRIP, games=400), run_trial("default", games=400)
    rows = comparison(own, usual, language_of(code))

    mark = "." if code == "en" else ","
    assert re.fullmatch(rf"\d+\{mark}\d+", rows[0].own.mean)
    assert re.fullmatch(rf"0\{mark}\d+", rows[0].own.reach)
    assert re.fullmatch(rf"\d+\{mark}\d\s?%", rows[3].usual.mean)
    assert re.fullmatch(rf"\d\{mark}\d", rows[3].usual.reach)
    if code != "en":
        english = {row.name for row in comparison(own, usual, ENGLISH)}
        assert not english & {row.name for row in rows}


def test_the_page_waits_and_then_shows_the_study(site: Running) -> None:
    """In a process of its own; without a script the page asks again by itself."""
    ada = site.browser()
    address = f"/workshop/study?board={STRIP.replace('+', '%2B')}"
    until = time.monotonic() + 5 * TIMEOUT  # where nothing is compiled yet, that comes first
    page = look(ada, address)
    while "data-wait" in page.html and time.monotonic() < until:
        assert page.answer.headers["refresh"] == "2"
        page = look(ada, address)

    assert "Turns until the end" in page.text
    assert "refresh" not in page.answer.headers
    assert "10,000 random games with 3 players" in page.text
    part = look(ada, address, hx_request="true").html
    assert "<html" not in part
    assert 'id="trial"' in part


# --- Those who wait --------------------------------------------------------------------------


def found(words: Sequence[str]) -> list[Trial]:
    return [run_trial(STRIP, games=1) for _ in words]


def test_few_wait_one_is_played_and_the_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever comes when too many wait is told so; what is under way is not begun again."""
    played: list[list[str]] = []
    go_on = asyncio.Event()

    async def play(words: Sequence[str], games: int) -> list[Trial]:
        del games
        played.append(list(words))
        await go_on.wait()
        return found(words)

    async def ask() -> None:
        trials = Trials()
        for number in range(MOST_WAITING):
            assert await trials.beside_usual(f"board-{number}", 0) is None
        assert await trials.beside_usual("board-0", 0) is None
        with pytest.raises(TooManyError):
            await trials.beside_usual("one-more", 0)
        assert played == [["board-0", "default"]]
        go_on.set()
        assert await trials.beside_usual(f"board-{MOST_WAITING - 1}", 10) is not None
        assert len(played) == MOST_WAITING
        assert await trials.beside_usual("board-0", 0) is not None
        assert len(played) == MOST_WAITING

    monkeypatch.setattr(study, "_in_process", play)
    asyncio.run(ask())


def test_only_so_many_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest are forgotten, but never the usual board."""
    one = run_trial(STRIP, games=1)
    played: list[str] = []

    async def play(words: Sequence[str], games: int) -> list[Trial]:
        del games
        played.extend(words)
        return [one for _ in words]

    async def ask() -> None:
        trials = Trials()
        for number in range(MOST_KEPT + 5):
            await trials.beside_usual(f"board-{number}", 10)
        await trials.beside_usual(f"board-{MOST_KEPT}", 10)
        await trials.beside_usual("board-0", 10)

    monkeypatch.setattr(study, "_in_process", play)
    asyncio.run(ask())
    assert played.count("default") == 1
    assert played.count("board-0") == 2
    assert played.count(f"board-{MOST_KEPT}") == 1


def test_a_trial_that_fails_can_be_asked_for_again() -> None:
    """A word that is no board ends its process without a result."""

    async def ask() -> None:
        trials = Trials(games=1)
        for _ in range(2):
            with pytest.raises(study.TrialFailedError):
                await trials.beside_usual("castle", 60)

    asyncio.run(ask())


def test_a_trial_that_takes_too_long_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is given up, and whoever waits for it is told so."""

    async def play(words: Sequence[str], games: int) -> list[Trial]:
        del words, games
        await asyncio.sleep(60)
        return []

    async def ask() -> None:
        with pytest.raises(study.TrialFailedError, match="took too long"):
            await Trials().beside_usual(STRIP, 10)

    monkeypatch.setattr(study, "_in_process", play)
    monkeypatch.setattr(study, "SECONDS", 0.01)
    asyncio.run(ask())


@pytest.mark.process
def test_a_trial_that_is_given_up_leaves_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither one that takes too long, nor one that ends with the server."""
    before = {*multiprocessing.active_children()}
    monkeypatch.setattr(study, "_run_trials", partial(hang, str(tmp_path)))

    async def ask() -> None:
        monkeypatch.setattr(study, "SECONDS", 0.05)
        with pytest.raises(study.TrialFailedError, match="took too long"):
            await Trials().beside_usual(STRIP, LONG)
        assert {*multiprocessing.active_children()} <= before
        monkeypatch.setattr(study, "SECONDS", LONG)
        assert await Trials().beside_usual(STRIP, 0) is None
        await started(tmp_path)
        assert {*multiprocessing.active_children()} != before

    asyncio.run(ask())
    assert {*multiprocessing.active_children()} <= before
