"""Rooms that the fourth game can do without: each is used as soon as a package brings it."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.asking import run
from tests.fourth_game.game import BREACH
from tests.fourth_game.packages import install
from tests.fourth_game.values import Hold
from tests.support.positions import draws, seen_after
from tests.support.web_pages import look, sent
from tests.support.web_server import LEVEL, Running, serving

from mauerwerk.bots.greedy import Greedy
from mauerwerk.bots.hints import hints
from mauerwerk.bots.levels import LEVELS, levels_of
from mauerwerk.bots.rooms import has_room, remark
from mauerwerk.core.game import Setup
from mauerwerk.kernels import has_kernel
from mauerwerk.lab.study.rooms import columns_of, sections
from mauerwerk.server.games import web_game
from mauerwerk.server.games.plain_board import PlainBoard

SETUP = Setup(3, BREACH.OPTIONS())
BOTS = "[mauerwerk.bots]\nbreach = tests.fourth_game.greedy\n"
WEB = "[mauerwerk.server.games]\nbreach = tests.fourth_game.web:WEB_GAME\n"


@pytest.fixture
def _bots(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(monkeypatch, tmp_path, "breach_bots", BOTS)


@pytest.fixture(scope="module")
def site(_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that was started with a board for the game."""
    with pytest.MonkeyPatch.context() as patch:
        install(patch, tmp_path_factory.mktemp("package"), "breach_web", WEB)
        with serving(tmp_path_factory.mktemp("data")) as running:
            yield running


@pytest.mark.usefixtures("_bots")
def test_rules_of_thumb_make_levels() -> None:
    """With a bot room there is nothing to remark on, and all levels differ."""
    sight = seen_after(BREACH, BREACH.start(SETUP), "~:w2", 0)

    assert remark(BREACH) == ""
    assert levels_of(BREACH) == LEVELS
    assert Greedy(BREACH, SETUP, draws()).act(sight, 1.0) == Hold(3)
    first, *_ = hints(BREACH, SETUP, sight, draws(), 0.0)
    assert (first.action, first.reason) == (Hold(3), "It fills the breach.")


@pytest.mark.usefixtures("_bots")
def test_commands_use_rules_of_thumb(capsys: pytest.CaptureFixture[str]) -> None:
    """A greedy bot beats others, and no line says that it lacks anything."""
    said = run(capsys, "simulate breach --seats 3 --bots greedy,uniform,uniform --games 1 --seed 1")

    assert "greedy" in said
    assert capsys.readouterr().err == ""


def test_what_is_no_room_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One line says which package, and why."""
    bots = "[mauerwerk.bots]\nbreach = tests.fourth_game.values\n"
    web = "[mauerwerk.server.games]\nbreach = tests.fourth_game.web\n"
    # Other tests of this module may have put a good room on the path.
    path = [each for each in sys.path if not list(Path(each).glob("breach_*.dist-info"))]
    monkeypatch.setattr(sys, "path", path)
    install(monkeypatch, tmp_path, "spoilt", bots + web)

    assert not has_room(BREACH)
    assert isinstance(web_game("breach").board, PlainBoard)
    assert re.search(r"mauerwerk\.bots of spoilt 2\.0 .*SHARPNESS, consider", caplog.text)
    assert re.search(r"mauerwerk\.server\.games of spoilt 2\.0 .* no WebGame", caplog.text)


def test_a_study_counts_what_a_room_adds(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The columns of the room come after those that all games have, and its sections are shown."""
    assert "unfilled" not in columns_of(BREACH, SETUP)
    entries = "[mauerwerk.studies]\nbreach = tests.fourth_game.study:ROOM\n"
    install(monkeypatch, tmp_path, "breach_study", entries)

    assert columns_of(BREACH, SETUP)[-1] == "unfilled"
    assert "breaches" in {each.name for each in sections("breach", SETUP)}


@pytest.mark.parametrize(
    ("module", "fault"),
    [
        ("no_such_kernel", "No module named"),
        ("greedy", "this is no kernel, it lacks SETUP, STATE, REASONS"),
    ],
)
def test_what_is_no_kernel_is_left_out(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    module: str,
    fault: str,
) -> None:
    """One line says what is missing, and the game is played by its rules."""
    entries = f"[mauerwerk.kernels]\nbreach = tests.fourth_game.{module}\n"
    install(monkeypatch, tmp_path, "breach_kernel", entries)

    assert not has_kernel("breach")
    assert fault in caplog.text


def test_its_own_board_is_drawn(site: Running) -> None:
    """At the table and in a replay."""
    ada = site.browser("Ada")
    chairs = [{"kind": "human"}, *[{"kind": "bot", "level": LEVEL}] * 2]
    made = ada.post("/api/tables", game="breach", chairs=chairs, mine=[0]).json()
    page = look(ada, f"/t/{made['table']}")

    assert re.search(r'<section class="stage" id="stage">#_+#</section>', page.main)
    assert "breach-board" in page.html
    assert page.words() == [str(stones) for stones in range(7)]
    replay = look(ada, "/replay").send("/replay", record="breach/1 seats=3 rounds=1\n~:w2 0:1\n")
    assert re.search(r'id="stage">#_*#</section>', replay.main)


def test_its_box_is_on_the_home_page(site: Running) -> None:
    """With a line about the game, and a link to the rules."""
    page = look(site.browser("Ada"), "/")

    assert "Fill the gap." in page.text
    assert "age 7+" in page.text
    assert 'href="/rules/breach"' in page.html
    assert "/learn/breach" not in page.html


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_rulebook_is_shown_in_the_language_that_there_is(site: Running, language: str) -> None:
    """In English, where there is no text in the reader's language; a clause can be looked up."""
    ada = site.browser("Ada")
    sent(ada, "/preferences", language=language)
    page = look(ada, "/rules/breach")

    assert page.answer.status_code == 200
    assert "in secret" in page.text
    assert 'id="BR-2"' in page.html
