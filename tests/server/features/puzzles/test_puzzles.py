"""Puzzles on the page: three a day, nothing hidden in them, the answer, and the game from there."""

import asyncio
from datetime import date, timedelta
from urllib.parse import quote

import msgspec
import pytest
from tests.support.hosts import folder as folder  # noqa: PLC0414 - a fixture
from tests.support.hosts import opened
from tests.support.web_pages import look, sent
from tests.support.web_server import Running

from mauerwerk.core import record
from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH
from mauerwerk.games import GAMES
from mauerwerk.lab.analysis import Analysis
from mauerwerk.lab.analysis.puzzles import Puzzle
from mauerwerk.lab.analysis.results import AnalysedPosition, Judged
from mauerwerk.server.features.puzzles import service, store
from mauerwerk.server.features.puzzles.question import answer_to, position_of, question_of
from mauerwerk.server.features.replay.analyses import GameAnalysed

TEXT = "mauer/1 seats=3 rounds=1 first=0 stall=24\n0:{} 1:4 2:- {}\n"
CHOICES = (Judged("4", 0.5, 900), Judged("T", 0.4, 900), Judged("-", 0.375, 900))


def behind_fists(hidden: str, then: str = "0:>") -> Puzzle:
    """Seat 1 chooses after seat 0 has closed its fist around something."""
    return Puzzle(TEXT.format(hidden, then), 1, Seat(1), "4", CHOICES)


def test_what_others_hold_is_not_in_the_question() -> None:
    """Seat 0 holds a tower or a gate in its fist: the question is the same to the last letter."""
    tower, gate = (question_of(behind_fists(each), ENGLISH) for each in "TC")

    assert tower == gate


def test_there_are_three_puzzles_a_day_and_one_of_each_game() -> None:
    """They change from day to day, and come again only when all of a game were there."""
    days = [service.for_day(service.FIRST + timedelta(days=each)) for each in range(10)]

    for day in days:
        assert len(day) == 3
        assert {each.record.partition("/")[0] for each in day} == set(GAMES)
    assert len({each for day in days for each in day}) == 30


@pytest.mark.slow
def test_every_shipped_puzzle_can_be_asked_and_answered() -> None:
    """Its record is a game by today's rules, and its choices can be played."""
    for puzzle in service.shipped():
        position = position_of(puzzle)
        for each in puzzle.choices:
            position.legal(each.word)
        values = [each.value for each in puzzle.choices]
        assert values == sorted(values, reverse=True)
        assert puzzle.gap > 0.03
        assert position.outcome is not None
        question_of(puzzle, ENGLISH)
        assert answer_to(puzzle, puzzle.choices[0].word, ENGLISH)["title"] == "The best move"


def test_the_answer_is_told_after_a_choice_only(site: Running) -> None:
    """The question names no chance and not what was played; the answer does."""
    reader = site.browser()
    puzzle = service.for_day(service.today())[0]
    path = f"/puzzles/{service.today()}/1"
    asked = look(reader, path)
    best, second = puzzle.choices[:2]

    assert asked.answer.status_code == 200
    assert "What would you play?" in asked.text
    assert " %" not in asked.text
    assert "In the game" not in asked.text

    answered = look(reader, f"{path}?word={quote(second.word)}")
    assert "Second best" in answered.text
    assert f"{round(100 * best.value)} %" in answered.text
    assert "In the game, " in answered.text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("{today}/4", 404),
        ("{today}/0", 404),
        ("{today}/x", 404),
        ("{tomorrow}/1", 404),
        ("1999-01-01/1", 404),
        ("20261118/1", 404),
        ("yesterday/1", 404),
        ("{tomorrow}", 404),
        ("{today}/1?word=nonsense", 422),
        ("{today}/1/preview?word=nonsense", 422),
    ],
)
def test_what_is_no_puzzle_is_refused(site: Running, path: str, status: int) -> None:
    """Those of days to come, too."""
    today = service.today()
    said = path.format(today=today, tomorrow=today + timedelta(days=1))

    assert look(site.browser(), f"/puzzles/{said}").answer.status_code == status


def test_the_day_lists_its_puzzles(site: Running) -> None:
    """Each leads to its page, and the home page leads to the day."""
    reader = site.browser()
    today = service.today()

    assert f'href="/puzzles/{today}"' in look(reader, "/").html
    page = look(reader, "/puzzles")
    for number in (1, 2, 3):
        assert f'href="/puzzles/{today}/{number}"' in page.html


def test_the_game_can_be_played_on_from_there(site: Running) -> None:
    """A table with bots, at the same seat, after the same moves."""
    reader = site.browser()
    puzzle = service.for_day(service.today())[0]
    page = sent(reader, f"/puzzles/{service.today()}/1/play")

    assert page.path.startswith("/t/")
    position = position_of(puzzle)
    assert page.answer.status_code == 200
    assert f'data-word="{puzzle.choices[0].word}"' in page.html or position.outcome


def test_a_public_game_that_was_analysed_gives_puzzles(folder: str) -> None:
    """From the next day on; the day that has begun keeps its own."""

    async def run() -> tuple[tuple[Puzzle, ...], tuple[Puzzle, ...]]:
        async with opened(folder) as host:
            puzzles = host.service(service.Puzzles)
            kept = record.read(behind_fists("T").record, GAMES)
            empty = [AnalysedPosition(at, (0.5, 0.5, 0.0)) for at in range(len(kept.moves) + 1)]
            at = msgspec.structs.replace(empty[1], seat=Seat(1), chosen="4", choices=CHOICES)
            positions = (empty[0], at, *empty[2:])
            analysed = Analysis("x", "search", positions, (), (), ())
            await puzzles.keep(GameAnalysed(kept, analysed))
            today = service.today()
            tomorrow: date = today + timedelta(days=1)
            before = await store.before(host.store, today)
            return before, await store.before(host.store, tomorrow)

    before, after = asyncio.run(run())
    assert before == ()
    assert [each.choices for each in after] == [CHOICES]
