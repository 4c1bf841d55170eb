"""The page of a game that is over: places, points by source, the course of the game, sharing."""

import re
import threading
from collections.abc import Generator, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import pytest
from msgspec.structs import replace
from tests.server.games.positions import moments
from tests.support.almost_over import almost_over
from tests.support.web_pages import Page, look
from tests.support.web_server import TIMEOUT, Player, Running

from mauerwerk.core.game import Outcome, Seat, Setup
from mauerwerk.core.language import ENGLISH
from mauerwerk.core.record import Record
from mauerwerk.games import mauerbauer
from mauerwerk.games.burgbaumeister.values import CARDS, PLACES
from mauerwerk.games.mauerbauer.events import Task
from mauerwerk.games.mauerbauer.values import Ending
from mauerwerk.lab.analysis.results import AnalysedPosition
from mauerwerk.server.features.ending import end
from mauerwerk.server.features.ending.end import few_are_good, podium
from mauerwerk.server.features.replay.analyses import Analyses
from mauerwerk.server.games.burgbaumeister.ending import last_view
from mauerwerk.server.games.mauerbauer.ending import ended
from mauerwerk.server.tables.errors import TooManyError
from mauerwerk.server.ui.markup import html
from mauerwerk.server.ui.names import Place

OPTIONS = {"rounds": "1", "first": "0"}


def finished(
    player: Player, game: str = "mauer", options: Mapping[str, str] = MappingProxyType(OPTIONS)
) -> str:
    """The path of a table whose last move was just made."""
    found = almost_over(game, 3, options)
    chairs = [{"kind": "human"}] * 3
    order = {"game": game, "chairs": chairs, "mine": [0, 1, 2], "options": {**options}}
    made = player.post("/api/tables", **order, initial_moves=found.moves, bot_delay_ms=0)
    assert made.status_code == 201, made.text
    table = made.json()["table"]
    done = player.move(table, found.last, seat=0)
    assert done.status_code == 200, done.text
    return f"/t/{table}?seat=0"


# --- Towers ----------------------------------------------------------------------------------


def tops(ranks: tuple[int, ...]) -> dict[int, set[str]]:
    """Where the towers of each rank begin."""
    places = [Place(rank, Seat(seat), f"N{seat}", 5) for seat, rank in enumerate(ranks)]
    drawn = html(podium(places, "Places"))
    found: dict[int, set[str]] = {}
    for tower in re.findall(r'<g class="tower rank-\d">.*?</text></g>', drawn, re.DOTALL):
        # The body of a tower is the first block as high as the tower.
        rank = int(re.findall(r">(\d)</text>", tower)[-1])
        heights = [float(each) for each in re.findall(r'height="([\d.]+)"', tower)]
        found.setdefault(rank, set()).add(f"{max(heights)}")
    return found


@pytest.mark.parametrize("ranks", [(1, 2, 3), (1, 1, 3), (2, 1, 2, 4), (1, 1, 1, 1, 1, 1), (2, 1)])
def test_equal_places_have_towers_of_equal_height(ranks: tuple[int, ...]) -> None:
    """And a better place has a higher one."""
    found = tops(ranks)

    assert set(found) == set(ranks)
    assert all(len(each) == 1 for each in found.values())
    heights = [float(next(iter(found[rank]))) for rank in sorted(found)]
    assert heights == sorted(heights, reverse=True)
    assert len(set(heights)) == len(heights)


def test_names_can_be_read_however_many_towers_there_are() -> None:
    """On a phone the picture is two thirds as large: a name is never below twelve pixels there."""
    for seats in range(2, 7):
        names = ("you", "Bruno", "Clara", "Dario", "Emilia", "Friederike")[:seats]
        places = [Place(seat + 1, Seat(seat), name, 5) for seat, name in enumerate(names)]
        drawn = html(podium(places, "Places"))
        sizes = [float(each) for each in re.findall(r'font-size="([\d.]+)"', drawn)]
        assert min(sizes) >= 19, seats
        assert all(f">{name}<" in drawn for name in names[:5])


def test_the_lead_is_taken_for_good_once() -> None:
    """Where every turn is worth one point, that is the moment; a draw is no lead."""
    rows = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 1), (3, 2)]

    assert end.takes_lead(rows, Seat(0), low=False) == 2
    assert end.takes_lead(rows, Seat(1), low=False) is None
    assert end.takes_lead(rows, Seat(1), low=True) == 2
    assert end.takes_lead([(0, 0), (1, 1)], Seat(0), low=False) is None


def test_whether_few_points_are_good_follows_from_the_ranks() -> None:
    """Penalty points are best when there are few."""
    assert few_are_good(Outcome((2, 1, 3), (10, 4, 20), ""))
    assert not few_are_good(Outcome((2, 1, 3), (10, 40, 2), ""))
    assert not few_are_good(Outcome((1, 1), (3, 3), ""))


# --- What the games say ----------------------------------------------------------------------


@pytest.mark.rule("BB-9")
def test_what_nobody_turned_is_dealt_at_the_end() -> None:
    """Every number lies somewhere once; before the end, and without chance, nothing is dealt."""
    *_, before, last = moments("burgbaumeister", 2, {"variant": True}, seed=2)
    assert last_view(before.state, None, lambda _: 0).seen is None
    state: Any = last.state

    view = last_view(state, None, lambda number: number - 1)
    lying = {each.place: each.card for each in view.seen or ()}
    assert set(lying) == set(view.depot) <= set(PLACES)
    numbers = [card.number for card in lying.values() if card]
    numbers += [card.number for wall in view.walls for card in wall]
    assert len(set(numbers)) == len(numbers)
    assert set(numbers) <= set(CARDS)

    known = {each.place: each.card for each in last_view(state, None, None).seen or ()}
    turned = {place for place in view.depot if state.table.numbers[place]}
    assert set(known) == turned
    assert turned < set(lying), "some that nobody turned"
    assert all(lying[place] == card for place, card in known.items())


@pytest.mark.rule("MB-70")
def test_a_supply_that_is_not_empty_is_explained() -> None:
    """The last wall was built, and one came back: both are said."""
    begun = mauerbauer.start(Setup(2, mauerbauer.Options()))
    view = replace(
        mauerbauer.view(begun, Seat(0)),
        task=Task.NOTHING,
        points=(7, 5),
        counts=(1, 1),
        ending=Ending.WALLS,
    )
    over = replace(view, supply=replace(view.supply, walls=1))
    none = replace(view, supply=replace(view.supply, walls=0))

    assert ended(over, ("you", "Bo"), ENGLISH).reason == (
        "The last wall was built; 1 wall came back to the supply later in that turn."
    )
    assert ended(none, ("you", "Bo"), ENGLISH).reason == "The last wall is built."


@pytest.mark.rule("MB-73")
def test_what_decides_between_equal_points_is_said() -> None:
    """Players with the same points wonder who won; where cards decide nothing it is not said."""
    begun = mauerbauer.start(Setup(3, mauerbauer.Options()))
    view = replace(mauerbauer.view(begun, Seat(0)), task=Task.NOTHING, points=(7, 7, 5))
    names = ("you", "Bo", "Cem")

    equal, unequal = (
        ended(replace(view, counts=counts), names, ENGLISH) for counts in ((2, 2, 6), (3, 1, 6))
    )

    assert equal.reason == ""
    assert unequal.reason == "If points are equal, more cards in hand decide."


# --- Pages -----------------------------------------------------------------------------------


class Bot:
    """Thinks once it is let; the first seat's chance rises most with the sixth move."""

    def __init__(self) -> None:
        """Wait before the second thought."""
        self.go_on = threading.Event()

    def think(self, record: Record) -> Generator[AnalysedPosition, None, None]:
        """Even, then almost won."""
        for at in range(len(record.moves) + 1):
            if at:
                assert self.go_on.wait(TIMEOUT)
            own = 0.25 if at < 6 else 0.75
            yield AnalysedPosition(at, (own, 1 - own, 0.0))


@pytest.fixture
def bot(site: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bot]:
    """The bot of this house."""
    bot = Bot()
    analyses = Analyses(analyser=bot.think)
    services = site.app.state.host._services  # noqa: SLF001 - this bot is only for the test
    monkeypatch.setitem(services, Analyses, analyses)
    yield bot
    bot.go_on.set()
    while analyses.who_waits:
        threading.Event().wait(0.01)


def settled(player: Player, path: str, words: str) -> Page:
    """The page, once it says so."""
    for _ in range(20 * TIMEOUT):
        page = look(player, path)
        if words in page.text:
            return page
        threading.Event().wait(0.05)
    raise AssertionError(words)


def test_the_end_says_who_won_and_why(site: Running) -> None:
    """In words, with everybody's points by source in a table, and pictures that say the same."""
    ada = site.browser("Ada")
    page = look(ada, finished(ada))

    assert "You won with 0 penalty points." in page.text
    assert "The only round is played." in page.text
    assert re.search(r"Result Place Who Round 1 Points 1\. You 0 0", page.text)
    assert re.search(
        r'class="mauerwerk podium" role="img" aria-label="Places: 1\. You 0', page.html
    )
    assert re.search(r'aria-label="Your points: \d+ in the middle, 0 at the end\."', page.html)


def test_the_course_ends_with_the_last_turn(site: Running) -> None:
    """The scoring after it is no turn, neither in words nor below the line."""
    ada = site.browser("Ada")
    options = {"board": "wwwme/wwmme+a2-b1", "first": "0"}
    page = look(ada, finished(ada, "mauerbauer", options))
    took = re.search(r"It took (\d+) turns", page.text)

    assert took
    assert f"turn {took[1]}</text>" in page.html


def test_the_end_of_a_very_long_game_has_no_course(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To work it out would take long, and everybody else at the server would wait."""
    monkeypatch.setattr(end, "LONGEST", 3)
    ada = site.browser("Ada")
    page = look(ada, finished(ada))

    assert "You won with 0 penalty points." in page.text
    assert "Points turn by turn" not in page.text


@pytest.mark.slow
def test_the_chances_are_worked_out_when_somebody_asks(site: Running, bot: Bot) -> None:
    """Until then the points are drawn; then the chances, and the best moment is theirs."""
    ada = site.browser("Ada")
    path = finished(ada)
    page = look(ada, path)
    assert "Points turn by turn" in page.text
    assert page.send("/chances").answer.status_code == 200
    waiting = settled(ada, path, "A bot works out the chances to win")
    assert 'hx-trigger="every 2s"' in waiting.html
    bot.go_on.set()

    done = settled(ada, path, "Chances to win")
    assert 'aria-label="Your chances: 25\N{NO-BREAK SPACE}% at first' in done.html
    assert re.search(r"Your chances rose from 25\s% to 75\s%\.", done.text)
    assert "/replay?at=6&amp;seat=all" in done.main
    assert "Analyse this game" not in done.text


@pytest.mark.parametrize("busy", [False, True])
def test_a_page_with_the_script_gets_only_what_changes(
    site: Running, monkeypatch: pytest.MonkeyPatch, *, busy: bool
) -> None:
    """A whole page would be taken for a refusal."""

    def ask(record: Record, *, whose: str, client: str, times: float, public: bool) -> None:
        assert record.moves
        assert not public
        assert whose
        assert client
        assert times
        if busy:
            raise TooManyError("later")

    monkeypatch.setattr(site.app.state.host.service(Analyses), "ask", ask)
    ada = site.browser("Ada")
    form = look(ada, finished(ada)).form("/chances")
    script = {"hx-request": "true"}
    answer = ada.client.post(form.action, data=form.fields, headers=script)

    assert answer.status_code == (409 if busy else 200)
    assert "<html" not in answer.text
    assert "You won with 0 penalty points." in answer.text
    assert ("ask again in a few minutes" in answer.text) == busy


def test_a_game_that_goes_on_has_no_end_to_ask_for(site: Running) -> None:
    """Neither a picture of its places nor chances: they would tell of what is hidden."""
    ada = site.browser("Ada")
    chairs = [{"kind": "human"}] * 3
    made = ada.post(
        "/api/tables", game="mauer", chairs=chairs, mine=[0, 1, 2], bot_delay_ms=0
    ).json()

    assert look(ada, f"/t/{made['table']}/places.svg").answer.status_code == 409
    assert 'id="podium"' not in look(ada, f"/t/{made['table']}").html


def test_the_picture_of_the_places_is_a_file(site: Running) -> None:
    """An SVG that stands alone, with names for everybody."""
    ada = site.browser("Ada")
    path = finished(ada).partition("?")[0]
    said = ada.get(f"{path}/places.svg")

    assert said.headers["content-type"] == "image/svg+xml"
    assert said.text.startswith("<svg")
    assert "Die Mauer" in said.text
    assert ">You<" not in said.text
