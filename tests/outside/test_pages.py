"""Games without a board of their own, on a page that people would play on."""

import base64
import re
import time
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from tests.outside import goofspiel, liars
from tests.outside.goofspiel import GOOFSPIEL
from tests.outside.liars import LIARS
from tests.support.web_pages import look
from tests.support.web_server import LEVEL, TIMEOUT, Running, serving

from mauerwerk.core.game import NATURE, Seat, Setup
from mauerwerk.core.language import language_of
from mauerwerk.server.games.plain_board import PlainBoard
from mauerwerk.server.games.room import Parts

NAMES = ("you", "Bo", "Cem")


def parts_of(dice: int, *words: str) -> Parts:
    """What the first player sees of Liar's dice after these words."""
    state = LIARS.start(Setup(3, liars.Options(dice=dice)))
    for word in words:
        state = LIARS.apply(state, LIARS.to_act(state)[0], LIARS.parse(word)).state
    legal = LIARS.legal(state, Seat(0))
    return PlainBoard(LIARS).parts(LIARS.view(state, Seat(0)), legal, NAMES)


def picture_in(stage: str) -> str:
    """The drawing that is in an image."""
    found = re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', stage)
    assert found
    return base64.b64decode(found[1]).decode()


def test_a_games_own_picture_is_shown_with_what_the_viewer_knows() -> None:
    """The text is there too, for readers who hear the page."""
    parts = parts_of(2, "r2,3", "r4,4", "r5,5")
    drawn = picture_in(parts.stage)

    assert re.findall(r">([0-9?])<", drawn) == ["2", "3", "?", "?", "?", "?"]
    assert "Your dice: 2 3" in parts.stage
    assert ">You<" in drawn.replace("&gt; ", "")


def test_the_seats_show_hands_and_points() -> None:
    parts = parts_of(2, "r2,3", "r4,4", "r5,5")
    assert [line.note for line in parts.seats] == ["2 3", "2 dice", "2 dice"]
    assert [line.points for line in parts.seats] == ["", "", ""]

    state = GOOFSPIEL.start(Setup(3, goofspiel.Options(cards=3)))
    state = GOOFSPIEL.apply(state, NATURE, GOOFSPIEL.parse("p3")).state
    shown = PlainBoard(GOOFSPIEL).parts(GOOFSPIEL.view(state, Seat(0)), (), NAMES)
    assert [line.points for line in shown.seats] == ["0", "0", "0"]


def test_many_actions_lie_in_groups_below_the_board() -> None:
    """Few stand beside the question."""
    many = parts_of(5, "r1,1,1,1,1", "r2,2,2,2,2", "r3,3,3,3,3")
    headings = re.findall(r"<h3>(.*?)</h3>", many.tray)

    assert many.buttons == ()
    assert headings == ["1 die", *(f"{number} dice" for number in range(2, 16))]
    assert len(re.findall("data-word=", many.tray)) == 90
    assert many.act == "Do it"

    few = parts_of(1, "r1", "r2", "r3", "2x6", "3x3", "3x4")
    assert few.tray == ""
    assert [button.text for button in few.buttons] == ["Doubt it", "3 x 5", "3 x 6"]


class _Ids(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        self.ids += [value for name, value in attrs if name == "id" and value]


@pytest.fixture(scope="module")
def site(_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


def test_a_whole_game_is_played_on_the_page(site: Running) -> None:
    """A game without points: nobody is said to have any."""
    ada = site.browser("Ada")
    chairs = [{"kind": "human"}, {"kind": "bot", "level": LEVEL}]
    order = {"game": "liars", "chairs": chairs, "mine": [0], "options": {"dice": "1"}}
    table = ada.post("/api/tables", **order).json()["table"]
    page = look(ada, f"/t/{table}")
    end = time.monotonic() + TIMEOUT
    while True:
        ids = _Ids()
        ids.feed(page.html)
        assert len(set(ids.ids)) == len(ids.ids)
        if "Places: 1." in page.html:
            break
        assert time.monotonic() < end
        assert "Give me a hint" not in page.text, "nobody has any"
        if words := page.words():
            page.send(f"/t/{table}/move", word=words[0])
        else:
            time.sleep(0.05)  # the bot thinks
        page = look(ada, f"/t/{table}")

    assert re.search(r"(You|Bruno) won\.", page.text)
    assert "0 points" not in page.text
    assert re.search(r"Places: 1\. (You|Bruno), 2\. (You|Bruno)", page.html)


def test_the_generic_clauses_are_translated() -> None:
    """In all languages."""
    for code in ("de", "it"):
        assert language_of(code)("it is not this player's turn") != "it is not this player's turn"
