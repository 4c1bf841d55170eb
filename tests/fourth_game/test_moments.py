"""The moments of the fourth game: they come with the next picture, and only to pages that wait."""

import re
from collections.abc import Iterator

import pytest
from tests.fourth_game.packages import install
from tests.fourth_game.test_rooms import WEB
from tests.server.features.table.test_live import opened
from tests.support.web_pages import look
from tests.support.web_server import LEVEL, Running, serving


@pytest.fixture(scope="module")
def site(_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server on which open hands are a moment."""
    with pytest.MonkeyPatch.context() as patch:
        install(patch, tmp_path_factory.mktemp("package"), "breach_web", WEB)
        with serving(tmp_path_factory.mktemp("data")) as running:
            yield running


class Table:
    """A table of The Breach."""

    def __init__(self, site: Running, people: int = 3) -> None:
        """Ada has this many seats; bots have the others."""
        self.ada = site.browser("Ada")
        chairs = [{"kind": "human"}] * people + [{"kind": "bot", "level": LEVEL}] * (3 - people)
        order = {"game": "breach", "chairs": chairs, "mine": [*range(people)], "bot_delay_ms": 0}
        self.path = f"/t/{self.ada.post('/api/tables', **order).json()['table']}"

    def version(self, seat: int = 0) -> int:
        """The number of Ada's picture."""
        number: int = self.ada.table_view(self.path.removeprefix("/t/"), seat=seat)["number"]
        return number

    def close(self, seat: int, stones: int) -> str:
        """Ada closes a hand on her page: what is morphed into it."""
        fields = {"seat": str(seat), "version": str(self.version(seat)), "word": str(stones)}
        answer = self.ada.client.post(
            f"{self.path}/move", data=fields, headers={"hx-request": "true"}
        )
        assert answer.status_code == 200
        return answer.text


def moments(html: str) -> list[str]:
    """The moments in a part of a page."""
    return re.findall(r'<template class="moment".*?</template>', html, re.DOTALL)


def test_a_moment_comes_with_the_picture_that_follows_it(site: Running) -> None:
    """Not before it happened, and not to a page that is loaded afterwards."""
    table = Table(site)
    assert moments(table.close(0, 1)) == []
    assert moments(table.close(1, 3)) == []
    answer = table.close(2, 1)
    (moment,) = moments(answer)

    assert 'data-kind="reveal" data-rest="4000" data-motion="1000"' in moment
    assert answer.index("<main") < answer.index(moment)
    assert "1, 3, 1" in moment
    assert moments(look(table.ada, f"{table.path}?seat=0").html) == []


def test_people_at_one_device_see_a_moment_that_is_for_all(site: Running) -> None:
    """Nobody is `you` in it, since all look at the same page."""
    table = Table(site)
    for seat in (0, 1):
        table.close(seat, 1)
    (moment,) = moments(table.close(2, 5))

    assert "data-shared" in moment
    assert not re.search(r"\byou\b", moment, re.IGNORECASE)


def test_a_page_that_connects_again_plays_what_it_missed(site: Running) -> None:
    """And a page that has seen it does not."""
    table = Table(site)
    before = table.version()
    for seat in range(3):
        table.close(seat, seat)

    for after, played in ((before, 1), (table.version() - 1, 0)):
        with opened(table.ada, f"{table.path}?seat=0", last_event_id=str(after)) as screen:
            assert len(moments(screen.next("table").data)) == played


def test_a_moment_is_announced_once(site: Running) -> None:
    """The sentences of the story about it are not said as well."""
    table = Table(site, people=1)
    with opened(table.ada, table.path) as screen:
        table.close(0, 2)
        while not (found := moments(screen.next("table").data)):
            pass
        said = screen.next("say").data

    assert re.search(r'data-says="[^"]*breach: ', found[0])
    assert "breach: " not in said
    assert "A breach of width" in said
