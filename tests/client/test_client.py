"""The client library, against a server."""

import asyncio
import shutil
import subprocess
import sys
import threading
from collections.abc import Generator
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from tests.support.positions import draws
from tests.support.web_server import TIMEOUT, Running, serving

from mauerwerk.bots.bot import Player, Uniform
from mauerwerk.bots.greedy import Greedy
from mauerwerk.cli import main
from mauerwerk.client import ApiError, AsyncClient, Notice, SeatAtTable, TooLateError
from mauerwerk.client.seats import play_seat, seat_at
from mauerwerk.client.values import told_by
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Ephemeral, Observer, Seat, Sight
from mauerwerk.games import mauer
from mauerwerk.games.burgbaumeister.events import Shown, Turned
from mauerwerk.games.mauer.events import FistClosed
from mauerwerk.games.mauer.values import Piece, Plan
from mauerwerk.server.tables.log import Kind

EXAMPLE = Path(__file__).parents[2] / "examples" / "api_bot.mjs"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Running]:
    with serving(tmp_path_factory.mktemp("tables")) as running:
        yield running


@pytest.fixture
def seats(site: Running) -> list[SeatAtTable]:
    """Three seats of a new table of Die Mauer, each taken by its link."""
    opened = site.guest().open(options={"rounds": "1"})
    names = ("Ada", "Bo", "Cem")
    return [seat_at(link["link"], name) for link, name in zip(opened["seats"], names, strict=True)]


def test_views_and_choices_are_those_of_the_game(seats: list[SeatAtTable]) -> None:
    table_view = seats[0].look()

    assert isinstance(table_view.view, mauer.VIEW)
    assert table_view.legal[0] == mauer.parse("T")
    assert table_view.setup.options == mauer.Options(rounds=1)
    assert table_view.is_asked
    assert table_view.names == ("Ada", "Bo", "Cem")


def test_events_are_those_of_the_game(seats: list[SeatAtTable]) -> None:
    """What a seat was told is what an observer at that seat would remember."""
    ada, bo, _ = seats
    before = bo.look()
    ada.play(ada.look().legal[0], ada.look().number)

    told = next(bo.follow(before.number))

    assert told.events == (FistClosed(Seat(0), None),)
    assert (told.kind, told.seat) == (Kind.MOVE, 0)
    state = mauer.start(before.setup)
    watch = Observer(mauer, bo.seat)
    step = mauer.apply(state, ada.seat, mauer.parse("T"))
    watch.follow(step)
    assert bo.sight(bo.look()) == watch.sight(step.state)


def test_a_move_that_cannot_be_made_says_why(seats: list[SeatAtTable]) -> None:
    ada = seats[0]
    table_view = ada.look()
    with pytest.raises(ApiError) as illegal:
        ada.play("*C", table_view.number)
    assert (illegal.value.status, illegal.value.code) == (422, "illegal")
    assert illegal.value.clause.startswith("DM-")

    number = ada.play("T", table_view.number, idempotency_key="once")
    assert ada.play("T", table_view.number, idempotency_key="once") == number
    with pytest.raises(TooLateError):
        ada.play("1", table_view.number)


@pytest.mark.slow
def test_seats_chat_with_each_other(seats: list[SeatAtTable]) -> None:
    """A phrase is heard by its word and in English; what is no phrase is refused."""
    told = seats[0].say("well-built")
    assert (told.seat, told.name, told.say) == (0, "Ada", "Well built!")
    assert seats[1].chat() == (told,)
    assert seats[1].chat(told.number) == ()
    with pytest.raises(ApiError):
        seats[0].say("I hold a tower")
    with pytest.raises(ApiError):
        seats[0].rest()


def test_bots_play_their_seats_to_the_end(seats: list[SeatAtTable]) -> None:
    outcomes: list[object] = []

    def play(seat: SeatAtTable) -> None:
        seen = seat.look()
        bot = Uniform(mauer, seen.setup, draws())
        outcomes.append(play_seat(seat, Player(bot, 1.0)).outcome)

    threads = [threading.Thread(target=play, args=[seat]) for seat in seats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT)

    assert len(outcomes) == 3
    assert len(set(outcomes)) == 1
    assert seats[0].record().startswith("mauer/1 ")


def test_the_same_with_an_event_loop(site: Running) -> None:
    async def play() -> Notice:
        client = AsyncClient(site.address)
        await client.become("Ada")
        seat = await client.open("mauer", ["apprentice", "apprentice"], bot_delay_ms=60_000)
        seen = await seat.look()
        number = await seat.play(seen.legal[0], seen.number)
        assert (await seat.sight(await seat.look())).told
        return next(told for told in await seat.history() if told.number == number)

    told = asyncio.run(play())

    assert told.events == (FistClosed(Seat(0), Plan(Piece.TOWER)),)


STOPS_FOLLOWING = """
import asyncio
import sys
from mauerwerk.client import AsyncClient

async def play():
    client = AsyncClient(sys.argv[1])
    await client.become("Ada")
    seat = await client.open("mauer", ["apprentice", "apprentice"], bot_delay_ms=60_000)
    notices = seat.follow(0)
    assert (await anext(notices)).number == 1
    while True:
        await asyncio.wait_for(anext(notices), 0.5)

try:
    asyncio.run(play())
except TimeoutError:
    print("nothing more came")
"""


@pytest.mark.process
def test_a_program_that_no_longer_follows_ends(site: Running) -> None:
    """Nothing is left that waits for the next notice of a table where nobody moves."""
    ran = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-W", "error", "-c", STOPS_FOLLOWING, site.address],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )

    assert (ran.stdout, ran.stderr) == ("nothing more came\n", "")


def test_what_was_taken_back_is_not_remembered() -> None:
    closed = FistClosed(Seat(0), None)
    notices = [
        Notice(number=1, kind=Kind.START),
        Notice(number=2, kind=Kind.MOVE, events=(closed,)),
        Notice(number=3, kind=Kind.UNDO, back_to=2),
        Notice(number=4, kind=Kind.MOVE, events=(FistClosed(Seat(1), None),)),
    ]
    assert told_by(notices[:2]) == (closed,)
    assert told_by(notices) == (FistClosed(Seat(1), None),)


@pytest.mark.parametrize("link", ["nothing", "http://127.0.0.1/t/", "http://127.0.0.1/t/a/b"])
def test_what_is_no_link_gets_one_line(link: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SetupError, match="is not the link"):
        seat_at(link, "Robo")
    assert main(["sit", link, "--bot", "uniform"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.slow
def test_sit_plays_a_seat(site: Running, capsys: pytest.CaptureFixture[str]) -> None:
    """By a personal link; the server's bots have the other seats."""
    opened = site.guest().open("hbb", options={"rounds": "1"})

    assert main(["sit", opened["seats"][0]["link"], "--bot", "greedy", "--name", "Thrifty"]) == 0

    first, last = capsys.readouterr().out.splitlines()
    assert first == "Thrifty has seat 1 of mauer, 3 seats"
    assert last.startswith("Thrifty is number ")


@pytest.mark.parametrize("bot", ["net:nowhere", "table:nowhere", "guided:net=nowhere"])
@pytest.mark.parametrize("chairs", ["hbb", "obb"])
def test_a_bot_that_cannot_play_takes_no_seat(
    site: Running, capsys: pytest.CaptureFixture[str], bot: str, chairs: str
) -> None:
    """One line, and the link still works for a bot that can play."""
    guest = site.guest()
    opened = guest.open(chairs, mine=[])
    links = [f"{site.address}/t/{opened['table']}", *(each["link"] for each in opened["seats"])]
    before = guest.table_view(opened["table"])

    assert main(["sit", links[-1], "--bot", bot]) == 2

    said = capsys.readouterr()
    assert "nowhere" in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
    assert guest.table_view(opened["table"]) == before


@pytest.mark.process
def test_a_program_that_cannot_be_run_takes_no_seat(
    site: Running, capsys: pytest.CaptureFixture[str]
) -> None:
    guest = site.guest()
    opened = guest.open("hbb", mine=[])
    before = guest.table_view(opened["table"])

    assert main(["sit", opened["seats"][0]["link"], "--bot", "run:nowhere"]) == 2

    assert "nowhere cannot be run" in capsys.readouterr().err
    assert guest.table_view(opened["table"]) == before


@pytest.mark.parametrize("fault", [KeyboardInterrupt, SetupError("it cannot play on")])
def test_a_bot_that_is_stopped_leaves_its_seat_and_can_come_back(
    site: Running,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    fault: BaseException,
) -> None:
    """The link to the free seat has been used; the line on stderr has the one that works now."""
    guest = site.guest()
    opened = guest.open("hbb", bot_delay_ms=60_000, mine=[])
    monkeypatch.setattr("mauerwerk.client.seats.play_seat", Mock(side_effect=fault))

    assert main(["sit", opened["seats"][0]["link"], "--bot", "uniform"]) in {2, 130}

    first, second, *_ = capsys.readouterr().err.splitlines()
    assert first == "a bot of the server plays on in its place"
    assert guest.table_view(opened["table"])["seats"][0]["level"] == "journeyman"
    own = second.removeprefix("to come back: mauerwerk sit ").removesuffix(" --bot …")
    assert seat_at(own, "Robo").look().seats[0].level == ""


def test_a_bot_that_waits_for_the_others_can_come_back(
    site: Running, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the game has begun no bot of the server can take the place."""
    opened = site.guest().open("hhb", mine=[])
    monkeypatch.setattr("mauerwerk.client.seats.play_seat", Mock(side_effect=KeyboardInterrupt))

    assert main(["sit", opened["seats"][0]["link"], "--bot", "uniform"]) == 130

    line, *_ = capsys.readouterr().err.splitlines()
    assert seat_at(line.split()[5], "Robo").look().seats[0].name == "Robo"


@pytest.mark.thorough
@pytest.mark.process
def test_the_example_in_javascript_plays(site: Running) -> None:
    if (node := shutil.which("node")) is None:
        pytest.skip("there is no Node here")
    ran = subprocess.run(  # noqa: S603 - our own example
        [node, EXAMPLE, site.address], capture_output=True, text=True, timeout=TIMEOUT, check=False
    )
    assert ran.stderr == ""
    assert '"ranks"' in ran.stdout


@pytest.mark.slow
def test_a_bot_remembers_what_it_was_shown(
    site: Running, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that was turned is told once, and the story does not repeat it (BB-9)."""
    told: list[tuple[object, ...]] = []
    act = Greedy.act

    def watched(self: Greedy, sight: Sight[Any, Any, Any], seconds: float, /) -> Any:  # noqa: ANN401
        told.append(tuple(event for event in sight.told if isinstance(event, Ephemeral)))
        return act(self, sight, seconds)

    monkeypatch.setattr(Greedy, "act", watched)
    opened = site.guest().open("hb", game="burgbaumeister")

    assert main(["sit", opened["seats"][0]["link"], "--bot", "greedy"]) == 0

    assert "Robo is number " in capsys.readouterr().out
    assert len(told[-1]) > len(told) / 2
    assert all(before == after[: len(before)] for before, after in pairwise(told))


def test_a_seat_remembers_what_was_told_once_before_it_was_asked(site: Running) -> None:
    """Whoever listens remembers the first card that is turned (BB-9), also in a later stream."""
    opened = site.guest().open("hh", game="burgbaumeister")
    seats = [seat_at(each["link"], name) for each, name in zip(opened["seats"], "AB", strict=True)]
    before = seats[0].look()
    streams = [seat.follow(before.number) for seat in seats]

    seats[0].play(before.legal[0], before.number)

    for seat, stream in zip(seats, streams, strict=True):
        seen = seat.look()
        while next(stream).number < seen.number:
            pass
        told = seat.sight(seen).told
        assert [type(event) for event in told] == [Turned, Shown]
        next(seat.follow(before.number))
        assert seat.sight(seen).told == told


def test_results_and_ratings(site: Running) -> None:
    """A guest without finished games has none; bots are on every leaderboard."""

    async def asked() -> tuple[Any, Any]:
        client = AsyncClient(site.address)
        await client.become("Ada")
        return await client.results(), await client.ratings("mauer")

    results, ratings = asyncio.run(asked())
    assert (results["results"], results["total"], results["next"]) == ([], 0, "")
    assert {player["level"] for player in ratings["players"]} >= {"apprentice", "foreman"}
