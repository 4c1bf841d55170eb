"""The replay over HTTP: positions, eyes, what is brought, what is refused, and playing on."""

import re
from concurrent.futures import ThreadPoolExecutor
from random import Random
from time import sleep
from typing import Any

import pytest
from tests.records.test_records import FAULTS
from tests.server.features.replay.worlds import by_chance, replay_from, text_of
from tests.support.web_pages import Page, look, sent
from tests.support.web_server import LEVEL, Player, Running, serving

from mauerwerk.core import options
from mauerwerk.core.game import Seat, Setup
from mauerwerk.core.language import language_of
from mauerwerk.core.record import Record
from mauerwerk.games import GAMES
from mauerwerk.server.features.replay import frame, link_codec
from mauerwerk.server.features.replay.frame import ReplayPosition
from mauerwerk.server.features.replay.link_codec import NamedRecord, decode, encode, from_text
from mauerwerk.server.features.replay.replay import People, Replay, replay_of
from mauerwerk.server.http.settings import Limits, Settings
from mauerwerk.server.ui.cache import Recent
from mauerwerk.server.ui.history import history_line

pytestmark = pytest.mark.slow

SHORT = {"rounds": "1", "stall": "1", "pieces": "T1", "first": "0"}


@pytest.fixture(scope="module")
def over(site: Running) -> tuple[Player, str]:
    """Ada, and the table of a game that she played for three seats to the end."""
    ada = site.browser("Ada")
    table = ada.open("hhh", mine=[0, 1, 2], options=SHORT)["table"]
    for seat in (0, 1, 2):
        assert ada.move(table, "-", seat=seat).status_code == 200
    return ada, table


def brought(player: Player, name: str, text: str = "") -> Page:
    """The page that a record leads to."""
    page = sent(player, "/replay", record=text or text_of(name))
    assert page.answer.status_code == 200, page.text
    return page


def part(page: Page, name: str) -> str:
    """A part of a page by its id, up to where the next one begins."""
    found = re.search(rf'id="{name}".*?(?=<section|<article|<nav|</main>)', page.html, re.DOTALL)
    assert found is not None, name
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found[0]))


# --- Games of this house ---------------------------------------------------------------------


def test_a_finished_game_can_be_looked_at_again(over: tuple[Player, str]) -> None:
    """From its own page; the table, the record and the rules are one link away."""
    ada, table = over
    end = look(ada, f"/t/{table}")
    assert f'href="/t/{table}/replay"' in end.main
    page = look(ada, f"/t/{table}/replay")

    assert page.answer.status_code == 200
    assert "Move 0 of 3" in page.text
    assert "Ada" in page.text
    assert f'href="/api/tables/{table}/record"' in page.main
    assert f'href="/t/{table}"' in page.main
    last = look(ada, f"/t/{table}/replay?at=3&seat=all")
    assert 'class="ranks"' in last.main
    assert "Play on" not in last.text


def test_a_running_game_is_not_shown_again(site: Running) -> None:
    """Neither to a stranger nor to who plays, by no path."""
    ada = site.browser("Ada")
    table = ada.open("hhh", mine=[0])["table"]
    for player in (ada, site.browser()):
        page = look(player, f"/t/{table}/replay?at=1&seat=all")
        assert page.answer.status_code == 409
        assert "This game is not over yet." in page.text
        for action in ("play", "analyse"):
            refused = sent(player, f"/t/{table}/replay/{action}", at="0", seat="0", level=LEVEL)
            assert refused.answer.status_code == 409
    assert look(ada, "/t/nowhere/replay").answer.status_code == 404


def test_a_link_names_a_position_and_whose_eyes(site: Running) -> None:
    """What is no position is the nearest one; what is no seat is the open view."""
    page = brought(site.browser(), "mauer-1/seats-4")
    path = page.path

    def at(query: str) -> tuple[str, str]:
        found = re.search(r'data-here="\?at=(\d+)&amp;seat=(\w+)"', look(ada, path + query).html)
        assert found is not None
        return found[1], found[2]

    ada = site.browser()
    assert at("") == ("1", "all")
    assert at("?at=57&seat=2") == ("57", "2")
    assert at("?at=9999&seat=all") == ("190", "all")
    assert at("?at=-3&seat=4") == ("1", "all")
    assert at("?at=x&seat=%3Cb%3E") == ("1", "all")
    assert at("?at=0&seat=3") == ("0", "3")
    assert at("?at=0&seat=3&to=turn") == ("6", "3")


def test_every_position_leads_to_its_neighbours(site: Running) -> None:
    """By moves and by turns, up to both ends, where there is nothing further."""
    ada = site.browser()
    path = brought(ada, "burgbaumeister-1/basic-2").path

    def ways(at: int) -> dict[str, str]:
        page = look(ada, f"{path}?at={at}&seat=all")
        found = re.findall(r'id="way-([a-z-]+)" href="\?at=(\d+)&amp;seat=all([^"]*)"', page.html)
        return {name: place + more.replace("&amp;", "&") for name, place, more in found}

    assert ways(0) == {"after": "1", "turn-after": "0&to=turn", "last": "135"}
    assert ways(5) == {
        "first": "0",
        "turn-before": "3",
        "before": "4",
        "after": "6",
        "turn-after": "5&to=turn",
        "last": "135",
    }
    assert ways(135) == {"first": "0", "turn-before": "132", "before": "134"}


def test_a_sentence_leads_to_its_position_and_to_the_rules(site: Running) -> None:
    """In the story of a replay; the clause stands beside it."""
    page = brought(site.browser(), "mauerbauer-1/2-default-walls")
    told = look(site.browser(), f"{page.path}?at=200&seat=0").html
    lines = re.findall(r'<li id="told-(\d+)".*?href="\?at=(\d+)&amp;seat=0"', told)

    assert len(lines) > 20
    assert all(number == at for number, at in lines)
    assert re.search(r'href="/rules/mauerbauer#MB-\d+">MB-\d+<', told)


def test_a_table_leads_from_its_story_to_the_rules(over: tuple[Player, str]) -> None:
    """Here: why the round ended."""
    ada, table = over
    page = look(ada, f"/t/{table}")
    found = re.search(r'<article class="panel story[^"]*".*?</article>', page.html, re.DOTALL)

    assert found is not None
    assert re.search(r'<a class="why" href="/rules/mauer#DM-27"', found[0])
    assert "#DM-27" in look(ada, "/rules/mauer").html


# --- Viewpoint ------------------------------------------------------------------------------------


def test_all_open_shows_every_hand_and_a_seat_its_own(site: Running) -> None:
    """Cards are told apart by their titles."""
    ada = site.browser()
    path = brought(ada, "mauerbauer-1/3-default-towers").path
    all_open = look(ada, f"{path}?at=40&seat=all")
    own = look(ada, f"{path}?at=40&seat=1")
    row = re.search(r'id="hand-of-1".*?</ul>', all_open.html, re.DOTALL)

    assert row is not None
    assert all_open.html.count('id="hand-of-') == 3
    assert 'id="hands"' not in own.html
    titles = re.findall(r"<h3>(.*?)</h3>", own.html)
    assert titles
    assert titles == re.findall(r"<span>([^<]+)</span>", row[0])


def test_fists_are_open_to_nobody_else(site: Running) -> None:
    """What is in a closed fist is in the open view and in its own seat's."""
    text = "mauer/1 seats=3 first=0\n0:T"
    ada = site.browser()
    path = brought(ada, "", text).path
    pages = {
        viewpoint: look(ada, f"{path}?at=1&seat={viewpoint}").main
        for viewpoint in ("all", "0", "1", "2")
    }
    held = {
        viewpoint: 'href="#piece-T"' in re.findall(r'id="fist-0".*?</svg>', page, re.DOTALL)[0]
        for viewpoint, page in pages.items()
    }

    assert held == {"all": True, "0": True, "1": False, "2": False}
    assert "Seat 1 chose: plan the tower." in part(look(ada, f"{path}?at=1&seat=all"), "here")
    assert "Seat 1 chose." in part(look(ada, f"{path}?at=1&seat=1"), "here")


@pytest.mark.parametrize(
    "name", ["mauer-1/seats-3", "burgbaumeister-1/basic-2", "mauerbauer-1/2-default-walls"]
)
def test_a_replay_waits_for_nobody(name: str) -> None:
    """It says who is to move; only the seat that looks is asked its question."""
    replay = replay_from(name)
    people = People(("Ada", "Bo", "Cem")[: replay.seats])
    seen: set[str] = set()
    for at in range(0, replay.last + 1, 5):
        for viewpoint in (None, *(Seat(seat) for seat in range(replay.seats))):
            for code in ("en", "de", "it"):
                language = language_of(code)
                names = people.called(replay.seats, viewpoint, language)
                seen.add(ReplayPosition(replay, at, viewpoint, names, language).prompt())
    forbidden = re.compile("Waiting for|Warten auf|Wir warten|attesa|aspetta", re.IGNORECASE)

    assert not [each for each in seen if forbidden.search(each)]
    assert seen & {"Ada to move", "Bo to move", "Ada, Bo and Cem to choose"}


def test_my_finished_games_come_before_a_record(site: Running, over: tuple[Player, str]) -> None:
    """With the day, the others and my place; each leads to its replay."""
    ada, table = over
    page = look(ada, "/replay")

    line = re.search(rf'<a class="run" href="/t/{table}/replay".*?</a>', page.main, re.DOTALL)
    assert line is not None
    assert re.search(r"place \d of \d", line[0])
    assert page.main.index(line[0]) < page.main.index("<textarea")
    assert f"/t/{table}/replay" not in look(site.browser(), "/replay").main


def test_what_was_chosen_is_said_to_who_knew_it(site: Running) -> None:
    """Everybody's choice in the open view; a seat's own, though others answer first."""
    ada = site.browser()
    path = brought(ada, "", "mauer/1 seats=3 first=0\n0:T 1:4 2:-").path
    replay = {
        viewpoint: part(look(ada, f"{path}?at=0&seat={viewpoint}"), "here")
        for viewpoint in ("all", "2")
    }

    assert "Seat 1 chose: plan the tower" in replay["all"]
    assert "Seat 3 chose" in replay["all"]
    assert "You chose: " in replay["2"]
    assert "Seat 1 chose" not in replay["2"]


def test_memory_stays_with_who_has_it_while_play_goes_on(site: Running) -> None:
    """Of a game of Burgbaumeister that is not over no seat's view is offered (BB-9)."""
    ada = site.browser()
    begun = "burgbaumeister/1 seats=2 first=0\n0:c2 ~:9 0:+\n"
    page = look(ada, brought(ada, "", begun).path + "?at=2&seat=1")

    assert 'data-here="?at=2&amp;seat=all"' in page.html
    assert "&amp;seat=0" not in page.main
    assert "The record ends before the game does." in page.text
    over = brought(ada, "burgbaumeister-1/basic-2")
    assert "&amp;seat=0" in over.main


# --- Bringing a record -----------------------------------------------------------------------


def test_a_record_is_brought_and_taken_away_again(site: Running) -> None:
    """Its link is good for anybody; the file is the one that was brought, with its names."""
    text = text_of("mauer-1/seats-3") + "# names Ada, Bo <b>, Cem\n"
    page = brought(site.browser(), "", text)
    stranger = look(site.browser(), f"{page.path}?at=5&seat=0")

    assert "Bo &lt;b&gt;" in stranger.html
    copy = site.browser().client.get(f"{page.path}/record")
    assert copy.text == text
    assert copy.headers["content-type"].startswith("text/plain")
    assert f'href="{page.path}/record" download="mauer-game.txt"' in page.main


def test_a_link_survives_a_restart(tmp_path: Any, site: Running) -> None:  # noqa: ANN401 - a path
    """Nothing is kept: any server that plays by the same rules shows it."""
    path = brought(site.browser(), "mauer-1/seats-3").path
    with serving(tmp_path) as elsewhere:
        page = look(elsewhere.browser(), f"{path}?at=20&seat=all")

        assert page.answer.status_code == 200
        assert "Move 20 of 79" in page.text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Line 1 of the record: a record begins with a line like mauer/1 seats=3."),
        ("chess/1 seats=2", "Line 1 of the record: 'chess/1' is no game here"),
        (
            "mauer/1 seats=3 first=0\n0:T 1:T 2:T 0:<",
            "Line 2 of the record: seat 1 may not play '<' here: the first piece starts the wall",
        ),
        ("mauer/1 seats=3 first=0\n0:T\n0:hello", "Line 3 of the record: 'hello' is not a move:"),
        ("mauer/1 seats=3 first=0\n= 0:1", "Line 2 of the record: the result stands here"),
    ],
)
def test_a_fault_is_one_clear_line(site: Running, text: str, why: str) -> None:
    """With its line, above the form, in which the text still stands."""
    page = sent(site.browser(), "/replay", record=text)

    assert page.answer.status_code == 422
    assert page.html.count('role="alert"') == 1
    assert why in page.text
    assert text.rsplit("\n", maxsplit=1)[-1].replace("<", "&lt;") in page.html


def test_a_fault_is_told_in_the_readers_language(site: Running) -> None:
    """As far as the rules know a word for it."""
    ada = site.browser("Ada")
    sent(ada, "/preferences", language="de")
    head = "mauer/1 seats=3 first=0\n0:T\n"
    page = sent(ada, "/replay", record=f"{head}0:hello")
    assert "Zeile 3 der Aufzeichnung: 'hello' ist kein Zug" in page.text
    page = sent(ada, "/replay", record=f"{head}0:T")
    assert "Zeile 3 der Aufzeichnung: Platz 1 darf 'T' hier nicht spielen" in page.text
    page = sent(ada, "/replay", record=f"{head}~:@1")
    assert "Zeile 3 der Aufzeichnung: der Zufall darf" in page.text
    page = sent(ada, "/replay", record="mauer/1 seats=3 stall=0")
    assert "Option stall kann 1 bis 1000 oder off sein, nicht 0." in page.text


@pytest.mark.parametrize("code", ["de", "it"])
def test_no_fault_is_told_in_english(site: Running, code: str) -> None:
    """Neither where a record is none at all, nor where its head asks for what there is not."""
    ada = site.browser("Ada")
    sent(ada, "/preferences", language=code)
    pages = [(sent(ada, "/replay", record=text), fault) for text, *_, fault in FAULTS]

    assert [page.answer.status_code for page, _ in pages] == [422] * len(FAULTS)
    assert [fault for page, fault in pages if fault in page.text] == []


def test_too_much_is_refused(site: Running) -> None:
    """More than a request may bring, and more moves than are shown."""
    ada = site.browser()
    assert sent(ada, "/replay", record="x" * 70_000).answer.status_code == 413
    rest = " ".join(f"{turn % 2}:a1 ~:9 {turn % 2}:-" for turn in range(1_001))
    text = f"burgbaumeister/1 seats=2 first=0 stall=no\n{rest}"
    page = sent(ada, "/replay", record=text)
    assert page.answer.status_code == 422
    assert "This record is too long to be shown here." in page.text


def test_what_is_no_link_leads_nowhere(site: Running) -> None:
    """Cut off, or made up."""
    code = encode(from_text(text_of("mauer-1/seats-3")))
    for path in (f"/replay/{code[:-2]}", "/replay/nonsense", f"/replay/{'A' * 7000}"):
        assert look(site.browser(), path).answer.status_code == 404, path


def test_nobody_may_have_records_played_through_without_end(
    tmp_path: Any,  # noqa: ANN401 - a path
) -> None:
    """What is at hand may be looked at as often as one likes."""
    with serving(tmp_path, Settings(limits=Limits())) as site:
        ada = site.browser()
        path = brought(ada, "mauer-1/seats-3").path
        often = [
            sent(ada, "/replay", record=f"mauer/1 seats=3 first={turn % 3}").answer.status_code
            for turn in range(45)
        ]
        assert often[-1] == 429
        assert look(ada, f"{path}?at=3").answer.status_code == 200


def test_records_are_played_through_one_after_the_other(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are brought at once, whoever plays meanwhile has the server's time too."""
    at_once: list[int] = []
    loading: list[str] = []

    def slowly(code: str) -> NamedRecord:
        loading.append(code)
        at_once.append(len(loading))
        sleep(0.02)
        loading.remove(code)
        return decode(code)

    monkeypatch.setattr(link_codec, "decode", slowly)
    begun = from_text("mauer/1 seats=3").record
    named = [encode(NamedRecord(begun, (f"Ada{each}", "Bo", "Cleo"))) for each in range(6)]
    browsers = [site.browser() for _ in named]
    with ThreadPoolExecutor(len(named)) as people:
        pages = people.map(look, browsers, [f"/replay/{code}" for code in named])

    assert [page.answer.status_code for page in pages] == [200] * len(named)
    assert at_once == [1] * len(named)


def test_of_a_long_game_only_what_is_near_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a position of a game without end opens as quickly as any other."""
    mauer = GAMES["mauer"]
    endless = options.from_words(mauer.OPTIONS, {"stall": "off", "rounds": "5"})
    begun = Record("mauer", mauer.RULES, Setup(3, endless))
    replay = replay_of(by_chance(mauer, begun, Random(1), 600))
    told: list[int] = []

    def counted(*given: Any, number: int, **more: Any) -> Any:  # noqa: ANN401 - as history_line
        told.append(number)
        return history_line(*given, number=number, **more)

    monkeypatch.setattr(frame, "history_line", counted)
    for viewpoint in (None, Seat(0)):
        told.clear()
        at = replay.last // 2
        shown = frame.frame(replay, at, viewpoint, People(), language_of("en"))
        assert shown.history
        assert {abs(number - at) <= frame.NEAR for number in told} == {True}


def test_what_was_not_looked_at_lately_is_put_away() -> None:
    """By how many positions there are, of all games together."""
    replay = replay_from("mauer-1/seats-3")
    cache = Recent[Replay](3 * len(replay.states), lambda each: len(each.states))
    for name in "abcd":
        cache.put(name, replay)
        assert cache.get("a") is replay

    assert [name for name in "abcd" if cache.get(name)] == ["a", "c", "d"]
    assert len(cache) == 3


# --- Playing on ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["mauer-1/seats-4", "mauerbauer-1/2-default-walls"])
def test_one_can_play_on_from_a_position(site: Running, name: str) -> None:
    """At the seat one chooses, against bots, with the table as it lay there."""
    ada = site.browser("Ada")
    page = brought(ada, name)
    here = look(ada, f"{page.path}?at=60&seat=1")
    table = here.send("/play", seat="1", level=LEVEL)

    assert table.path.startswith("/t/")
    table_view = ada.table_view(table.path.removeprefix("/t/"))
    assert table_view["seat"] == 1
    assert [place["level"] or place["name"] for place in table_view["seats"]].count("Ada") == 1
    assert (
        sum(place["level"] == LEVEL for place in table_view["seats"])
        == len(table_view["seats"]) - 1
    )
    told = look(ada, f"/api/tables/{table.path.removeprefix('/t/')}/history").answer.json()
    assert sum(each["kind"] == "move" for each in told["notices"]) >= 60


def test_one_can_play_on_after_a_choice(site: Running) -> None:
    """The move stands at the new table; one that is not allowed makes no table."""
    ada = site.browser("Ada")
    path = brought(ada, "mauer-1/seats-3").path
    moves = from_text(text_of("mauer-1/seats-3")).record.moves
    at = next(place for place, move in enumerate(moves) if place > 5 and move.seat >= 0)
    fields = {"at": str(at), "seat": str(moves[at].seat), "level": LEVEL}

    table = sent(ada, f"{path}/play", **fields, word=moves[at].word)
    told = look(ada, f"/api{table.path.replace('/t/', '/tables/')}/history").answer.json()
    played = [each for each in told["notices"] if each["kind"] == "move"]
    assert len(played) > at
    assert sent(ada, f"{path}/play", **fields, word="nonsense").answer.status_code == 422


@pytest.mark.parametrize(
    "wish",
    [
        {"at": "79"},
        {"at": "80"},
        {"at": "x"},
        {"seat": "3"},
        {"seat": ""},
        {"level": "nobody"},
    ],
)
def test_one_cannot_play_on_from_nowhere(site: Running, wish: dict[str, str]) -> None:
    """After the end, at no seat, against nobody."""
    ada = site.browser("Ada")
    path = brought(ada, "mauer-1/seats-3").path
    fields = {"at": "5", "seat": "0", "level": LEVEL, **wish}

    assert sent(ada, f"{path}/play", **fields).answer.status_code == 422
