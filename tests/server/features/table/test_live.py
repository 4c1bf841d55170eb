"""The live table: each change comes as the whole picture, once, for the eyes that look."""

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import httpx
import pytest
from tests.support.almost_over import almost_over
from tests.support.web_pages import look, sent
from tests.support.web_server import Player, Running

from mauerwerk.server.games import WEB_GAMES


class Event(NamedTuple):
    """Something that a stream sent."""

    kind: str
    id: int | None
    data: str


class Screen:
    """A page that stays open."""

    def __init__(self, stream: httpx.Response) -> None:
        """From the beginning of its stream."""
        self._lines: Iterator[str] = stream.iter_lines()

    def event(self) -> Event:
        """The next event."""
        kind, number, data = "", None, list[str]()
        for line in self._lines:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            match name:
                case "event":
                    kind = value
                case "id":
                    number = int(value)
                case "data":
                    data.append(value)
                case "" if kind:
                    return Event(kind, number, "\n".join(data))
                case _:
                    pass
        return Event("end", None, "")

    def next(self, kind: str) -> Event:
        """The next event of this kind, or the end."""
        while (event := self.event()).kind not in {kind, "end"}:
            pass
        return event


@contextmanager
def opened(player: Player, path: str, **headers: str) -> Generator[Screen, None, None]:
    """The page of a table, with the stream that its script opens."""
    address = re.search(r'sse-connect="([^"]+)"', look(player, path).html)
    assert address is not None
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with player.client.stream("GET", address[1].replace("&amp;", "&"), headers=named) as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"] == "text/event-stream"
        yield Screen(stream)


def number_in(html: str) -> int:
    """The number of the picture."""
    found = re.search(r'data-number="(\d+)"', html)
    assert found is not None
    return int(found[1])


class Two(NamedTuple):
    """Ada and Bo at a table of Die Mauer; Ada also has the third seat."""

    ada: Player
    bo: Player
    path: str


@pytest.fixture
def two(site: Running) -> Two:
    """A new table."""
    return two_at(site)


def two_at(site: Running) -> Two:
    """A new table."""
    ada, bo = site.browser("Ada"), site.browser("Bo")
    made = ada.open("hhh", mine=[0, 2])
    look(bo, made["seats"][1]["link"].removeprefix(site.address))
    sent(bo, f"/t/{made['table']}/claim", seat="1", name="Bo")
    return Two(ada, bo, f"/t/{made['table']}")


def test_a_move_reaches_the_others_as_a_picture_and_in_words(two: Two) -> None:
    """With the viewer's own number, in the viewer's language."""
    sent(two.bo, "/preferences", language="de")
    before = number_in(look(two.bo, two.path).html)
    with opened(two.bo, two.path) as screen:
        look(two.ada, f"{two.path}?seat=0&opened=0").send("/move", word="T")
        picture = screen.next("table")
        said = screen.next("say")

    assert picture.id == number_in(picture.data) == before + 1
    assert "<title>Du bist dran" in picture.data
    assert "Ada" in said.data
    assert "<" not in said.data


def test_who_comes_back_gets_the_picture_they_missed(two: Two) -> None:
    """At once, whether the browser says where it left off or the page does; else nothing."""
    with opened(two.bo, two.path) as screen:
        look(two.ada, f"{two.path}?seat=0&opened=0").send("/move", word="T")
        last = screen.next("table").id
    look(two.ada, f"{two.path}?seat=2&opened=0").send("/move", word="4")

    with opened(two.bo, two.path, last_event_id=str(last)) as screen:
        missed = screen.event()
    assert missed.kind == "table"
    assert last is not None
    assert missed.id is not None
    assert missed.id == last + 1
    with opened(two.bo, two.path) as screen:
        two.bo.move(two.path.removeprefix("/t/"), "-")
        first = screen.event()
    assert first.id is not None
    assert first.id > missed.id


def test_a_picture_has_no_more_than_its_viewer_may_see(site: Running) -> None:
    """Two tables that differ in a closed fist alone send the same to a rival and a spectator."""
    told: dict[str, list[tuple[str, str]]] = {"rival": [], "spectator": []}
    for word in ("T", "4"):
        two = two_at(site)
        for who, player in (("rival", two.bo), ("spectator", site.browser())):
            with opened(player, two.path) as screen:
                look(two.ada, f"{two.path}?seat=0&opened=0").send("/move", word=word)
                picture, said = screen.next("table"), screen.next("say")
                bare = picture.data.replace(two.path.removeprefix("/t/"), "")
                told[who].append((re.sub(r"[0-9a-f]{64}", "", bare), said.data))
            number = two.ada.table_view(two.path.removeprefix("/t/"), seat=0)["number"]
            sent(two.ada, f"{two.path}/undo", seat="0", version=str(number))

    assert told["rival"][0] == told["rival"][1]
    assert told["spectator"][0] == told["spectator"][1]


def test_a_shared_device_is_told_nothing_behind_the_curtain(two: Two) -> None:
    """When the next one at the device is asked, the open page shows the gate and says whose."""
    with opened(two.ada, f"{two.path}?seat=0&opened=0") as screen:
        look(two.ada, f"{two.path}?seat=0&opened=0").send("/move", word="T")
        picture, said = screen.next("table"), screen.event()

    assert said.data == "Pass the device to Ada 2. Nobody else should look now."
    assert 'id="curtain"' in picture.data
    assert "data-word" not in picture.data
    assert 'class="fist' not in picture.data


def test_a_stream_ends_when_the_seat_is_given_up(two: Two) -> None:
    """Whoever left is told nothing more."""
    with opened(two.bo, two.path) as screen:
        sent(two.bo, f"{two.path}/stand", seat="1")
        assert screen.next("nothing").kind == "end"


def test_the_scripts_form_is_answered_with_the_picture(two: Two) -> None:
    """No redirect, no whole page; and what is refused comes as a picture too."""
    two.ada.client.headers["hx-request"] = "true"
    fields = {"seat": "0", "word": "T", "version": str(number_in(look(two.ada, two.path).html))}
    refused = two.ada.client.post(f"{two.path}/move", data={**fields, "word": "<"})
    done = two.ada.client.post(f"{two.path}/move", data=fields)

    assert done.status_code == 200
    assert done.text.startswith("<title>")
    assert "<html" not in done.text
    assert refused.status_code == 422
    assert "<main" in refused.text


def test_a_turned_card_is_seen_while_it_lies_there(site: Running) -> None:
    """Then neither the picture nor the words know it any more (BB-9)."""
    ada = site.browser("Ada")
    order = {"game": "burgbaumeister", "chairs": [{"kind": "human"}] * 3, "mine": [0, 1, 2]}
    table = ada.post("/api/tables", **order, options={"first": "0"}, bot_delay_ms=0).json()["table"]
    with opened(site.browser(), f"/t/{table}") as screen:
        page = look(ada, f"/t/{table}").send("/move", word="a1")
        shown = screen.next("table").data
        said = after = screen.next("say").data
        for _ in range(3):
            page = page.send("/move", word=page.words()[-1])
            after = screen.next("table").data
            if "turned up" not in after:
                break

    turned = re.search(r"turned up a1: ([^.]+)", said)
    assert turned is not None
    assert turned[1] in shown
    assert turned[0] not in after


def test_the_end_of_a_game_is_left_to_the_page_to_say(site: Running) -> None:
    """Its answer to the last move may have said it already, which no empty sentence replaces."""
    ada, options = site.browser("Ada"), {"rounds": "1", "first": "0"}
    found = almost_over("mauer", 3, options)
    order = {"game": "mauer", "chairs": [{"kind": "human"}] * 3, "mine": [0, 1, 2]}
    made = ada.post(
        "/api/tables", **order, options=options, initial_moves=found.moves, bot_delay_ms=0
    ).json()
    with opened(site.browser(), f"/t/{made['table']}") as screen:
        ada.move(made["table"], found.last, seat=0)
        ada.post(f"/api/tables/{made['table']}/rematch")
        told = [screen.event()]
        while told[-1].kind not in {"say", "end"}:
            told.append(screen.event())

    *tables, said = told
    assert {each.kind for each in tables} == {"table"}, "the end, and the next table"
    assert "The game is over" in tables[0].data, "which says it itself"
    assert said.data == "There is a rematch."


def test_many_spectators_share_one_drawing(two: Two, site: Running) -> None:
    """Viewpoint that see the same get the same bytes."""
    watchers = [site.browser() for _ in range(3)]
    pictures: list[Event] = []
    for watcher in watchers:
        with opened(watcher, two.path, last_event_id="0") as screen:
            pictures.append(screen.event())

    assert len(set(pictures)) == 1
    assert pictures[0].kind == "table"


def picture_of(player: Player, path: str, **headers: str) -> str:
    """What the stream of a new page shows first."""
    with opened(player, path, last_event_id="0", **headers) as screen:
        return screen.event().data


def test_each_is_offered_the_seat_of_their_own_link(site: Running) -> None:
    """Two without a seat do not get each other's buttons; a known guest's name is filled in."""
    made = site.browser("Ada").open("hhh", mine=[0])
    newcomer, known = site.browser(), site.browser("Cy")
    for player, seat in ((newcomer, 1), (known, 2)):
        look(player, made["seats"][seat]["link"].removeprefix(site.address))
    first, second = (picture_of(each, f"/t/{made['table']}") for each in (newcomer, known))

    claims = re.compile(r'/claim"><input type="hidden" name="seat" value="(\d)"')
    assert (claims.findall(first), claims.findall(second)) == (["1"], ["2"])
    assert ('value="Cy"' in first, 'value="Cy"' in second) == (False, True)


def test_links_lead_where_the_page_was_found(site: Running) -> None:
    """Also when the same person has found it elsewhere a moment ago."""
    ada = site.browser("Ada")
    path = f"/t/{ada.open('hhh', mine=[0])['table']}"

    assert f'value="{site.address}{path}/s/1/' in picture_of(ada, path)
    assert f'value="http://localhost{path}/s/1/' in picture_of(ada, path, host="localhost")


def test_a_drawing_knows_who_is_here(two: Two, site: Running) -> None:
    """Whoever has come since it was drawn for others is not called away."""
    before = picture_of(site.browser(), two.path).count("not here")
    with opened(two.bo, two.path):
        after = picture_of(site.browser(), two.path).count("not here")

    assert 0 < after < before


def test_a_board_is_drawn_once_for_a_page_and_a_stream(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer to a move and the stream of the same page share one picture."""
    board, drawn = WEB_GAMES["mauer"].board, list[int]()
    parts = board.parts

    def counted(view: Any, *rest: Any) -> Any:  # noqa: ANN401 - as the board has them
        drawn.append(view.seat)
        return parts(view, *rest)

    two = two_at(site)
    monkeypatch.setattr(board, "parts", counted)
    page = look(two.bo, two.path)
    with opened(two.bo, two.path) as screen:
        drawn.clear()
        version = str(number_in(page.html))
        done = two.bo.client.post(
            f"{two.path}/move",
            data={"seat": "1", "word": "T", "version": version},
            headers={"hx-request": "true"},
        )
        assert done.status_code == 200
        picture = screen.next("table").data
        again = look(two.bo, two.path)

    assert picture.splitlines() == [line for line in done.text.splitlines() if line.strip()]
    assert number_in(again.html) == int(version) + 1
    assert drawn == [1]
