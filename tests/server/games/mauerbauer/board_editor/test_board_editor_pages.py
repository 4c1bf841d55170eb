"""The workshop's pages: a board is its address, and can be drawn on, kept, played and shared."""

import random
import re
import threading
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount
from tests.support.web_pages import Page, look, sent
from tests.support.web_server import Player, Running

from mauerwerk.bots.bot import Player as Seated
from mauerwerk.bots.greedy import Greedy
from mauerwerk.core.game import Setup
from mauerwerk.core.language import ENGLISH, TITLES
from mauerwerk.games import mauerbauer
from mauerwerk.games.mauerbauer.board import Field, board_of, word_of
from mauerwerk.games.mauerbauer.values import Options
from mauerwerk.lab.match.match import play
from mauerwerk.server.games.mauerbauer.board_editor.draft import (
    SAMPLES,
    Draft,
    Mirror,
    blank,
    lattice,
    painted,
    read,
)
from mauerwerk.server.games.mauerbauer.board_editor.findings import findings
from mauerwerk.server.http.limits import Limiter

pytestmark = pytest.mark.slow

DRAWN = painted(blank(3, 7), lattice(3, 7).fields[:12], "m", "across")


@pytest.fixture(scope="module")
def ada(site: Running) -> Player:
    """Somebody with a browser."""
    return site.browser("Ada")


def board_editor(player: Player, **query: str) -> Page:
    return look(player, f"/workshop?{urlencode(query)}")


def board_in(page: Page) -> str:
    """The board of the address that the page is at."""
    return parse_qs(urlsplit(page.path).query)["board"][0]


# --- A board is its address ------------------------------------------------------------------


def test_the_workshop_begins_with_the_usual_board(ada: Player) -> None:
    """Which can be played, and leaves nothing to be remarked."""
    page = board_editor(ada)

    assert page.answer.status_code == 200
    assert "This board can be played" in page.text
    assert "Every guild card can score here" in page.text
    assert len(re.findall(r'id="field-\w+"', page.html)) == 45


@settings(
    max_examples=amount(4, 8, 15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    strokes=st.lists(
        st.tuples(
            st.lists(st.sampled_from(lattice(4, 6).fields), min_size=1, max_size=6),
            st.sampled_from("wme."),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_what_is_drawn_comes_back_from_the_address(
    ada: Player, strokes: list[tuple[list[str], str]]
) -> None:
    """Stroke by stroke, by plain requests; the page then holds what was drawn."""
    draft = blank(4, 6)
    page = board_editor(ada, board=draft.word)
    for fields, brush in strokes:
        page = board_editor(ada, board=draft.word, brush=brush, paint=",".join(fields))
        draft = painted(draft, [field for field in lattice(4, 6).fields if field in fields], brush)
        assert board_in(page) == draft.word

    assert read(board_in(page)) == draft
    assert page.form("/workshop").fields["board"] == draft.word


def test_an_address_that_was_typed_needs_no_escapes(ada: Player) -> None:
    """A plus that reads as a space is meant as a plus."""
    page = look(ada, "/workshop?board=wwwme/wwmme+a2-b1")

    assert page.answer.status_code == 200
    assert page.form("/workshop").fields["board"] == "wwwme/wwmme+a2-b1"


def test_the_script_gets_the_part_that_changes(ada: Player) -> None:
    """With the address that the browser is to show, and without the rest of the page."""
    query = urlencode({"board": "...", "brush": "e", "paint": "1c"})
    part = look(ada, f"/workshop?{query}", hx_request="true").html

    assert part.count("<html") == 0
    assert 'data-address="/workshop?board=.e.%2Bb1-d1%2Cb1-c2%2Cc2-d1&amp;brush=e"' in part


@pytest.mark.parametrize("language", TITLES)
@pytest.mark.parametrize(
    "board", ["castle", "wwq", "w" * 25, "/".join(["w"] * 25), "\u202eevil<script>", "x" * 5000]
)
def test_a_bad_address_gets_one_clear_line(site: Running, language: str, board: str) -> None:
    """In the reader's language, and the usual board to go on with."""
    reader = site.browser()
    page = look(reader, f"/workshop?board={quote(board)}", accept_language=language)
    (line,) = re.findall(r'<p class="refusal"[^>]*>([^<]*)</p>', page.html)

    assert page.answer.status_code == 422
    assert 10 < len(line) < 200
    assert "<script>" not in page.main
    assert 'id="field-1b"' in page.html


def test_nonsense_besides_the_board_does_no_harm(ada: Player) -> None:
    """An unknown brush, fields that are none, sizes that are none."""
    page = board_editor(
        ada,
        board="www/www",
        brush="gold",
        mirror="deep",
        paint="9z,,x",
        lines="nowhere",
        rows="many",
        columns="-3",
        move="away",
        shore="high",
    )

    assert page.answer.status_code == 200
    assert board_in(page) == "www/www"


def test_a_grid_has_its_limits(ada: Player) -> None:
    """24 by 24 and no more."""
    page = board_editor(ada, board="www", rows="99", columns="99")

    assert read(board_in(page)).size == (24, 24)
    assert page.answer.status_code == 200
    assert len(page.answer.content) < 1_000_000


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ({"board": "www"}, 3),
        ({"board": "www", "rows": "24", "columns": "24"}, 576),
        ({"board": "www", "text": "/".join(["w" * 24] * 24)}, 576),
        ({"board": "/".join(["w" * 24] * 24), "text": "www"}, 576),
    ],
)
def test_the_larger_of_two_boards_is_paid_for(
    ada: Player, monkeypatch: pytest.MonkeyPatch, query: dict[str, str], fields: int
) -> None:
    """Whether it is the one that was there or the one that is drawn then."""
    paid: list[int] = []

    def pay(_: Limiter, client: str, fields: int) -> None:
        assert client
        paid.append(fields)

    monkeypatch.setattr(Limiter, "drawing", pay)
    look(ada, f"/workshop?{urlencode(query)}", hx_request="true")

    assert paid == [fields]


def test_nobody_waits_for_somebody_elses_stroke(
    ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread that answers everybody does not draw."""
    threads: dict[str, int] = {}

    def pay(*_: object) -> None:
        threads["answers"] = threading.get_ident()

    def draw(draft: Draft, fields: list[Field], letter: str, mirror: Mirror) -> Draft:
        threads["draws"] = threading.get_ident()
        return painted(draft, fields, letter, mirror)

    monkeypatch.setattr(Limiter, "drawing", pay)
    monkeypatch.setattr("mauerwerk.server.games.mauerbauer.board_editor.draft.painted", draw)
    board_editor(ada, board="www", brush="m", paint="1b")

    assert threads["draws"] != threads["answers"]


def test_what_is_pasted_is_opened(ada: Player) -> None:
    """A word, or the text of a file; what is neither changes nothing, in one line."""
    file = 'fields = """\nwwmee\n..m..\n"""\ncoast = ["a2-b1"]'
    nothing = board_editor(ada, board="www/www", text="a castle, please")

    assert board_in(board_editor(ada, board="www", text="wme+a2-b1")) == "wme+a2-b1"
    assert board_in(board_editor(ada, board="www", text=file)) == "wwmee/..m..+a2-b1"
    assert nothing.answer.status_code == 422
    assert "“a castle, please” is no board." in nothing.text
    assert nothing.form("/workshop").fields["board"] == "www/www"


def test_coast_is_drawn_and_mended(ada: Player) -> None:
    """All around, not at all, by the line, and back where it can be."""
    assert board_in(board_editor(ada, board="www", shore="all")).count("-") == 5
    assert board_in(board_editor(ada, board="www+a2-b1", shore="none")) == "www"
    assert board_in(board_editor(ada, board="www", brush="coast", lines="a2-b1")) == "www+a2-b1"
    assert board_in(board_editor(ada, board="www", brush="coast", paint="1c")) == "www+b1-d1"
    faulty = board_editor(ada, board="www+a2-b1,b1-c2")
    assert "Take the false coast away" in faulty.text
    assert board_in(board_editor(ada, board="www+a2-b1,b1-c2", shore="mend")) == "www+a2-b1"


def test_a_board_that_is_none_cannot_be_played(ada: Player) -> None:
    """The page offers nothing of the kind, and the server refuses."""
    page = board_editor(ada, board="w..w")

    assert "Not a board yet" in page.text
    assert not any(form.action == "/workshop/play" for form in page.forms)
    assert "/new/mauerbauer" not in page.html
    assert 'class="wrong"' in page.html
    for path in ("/workshop/board.toml", "/workshop/study"):
        assert look(ada, f"{path}?board=castle").answer.status_code == 422
    assert look(ada, "/workshop/study?board=w..w").answer.status_code == 422
    assert sent(ada, "/workshop/play", board="w..w").answer.status_code == 422
    assert sent(ada, "/workshop/play", board="").answer.status_code == 422


# --- What can be done with it ----------------------------------------------------------------


def test_a_board_is_saved_as_a_file(ada: Player) -> None:
    """Commands read the same board from it."""
    page = board_editor(ada, board=DRAWN.word)
    (link,) = re.findall(r'id="download" href="([^"]+)"', page.html)
    file = ada.client.get(link.replace("&amp;", "&"))

    assert file.headers["content-disposition"] == 'attachment; filename="board.toml"'
    assert board_of(word_of(file.text)).regions == DRAWN.board.regions


def test_one_click_plays_it(ada: Player) -> None:
    """A table with bots on this very board; a board of the game goes by its name."""
    table = board_editor(ada, board=DRAWN.word).send("/workshop/play")
    table_view = ada.table_view(table.path.removeprefix("/t/"))
    usual = board_editor(ada).send("/workshop/play")

    assert table_view["options"]["board"] == DRAWN.name
    assert table_view["view"]["board"] == DRAWN.name
    assert ada.table_view(usual.path.removeprefix("/t/"))["options"]["board"] == "default"


def test_friends_are_invited_to_it(ada: Player) -> None:
    """The link to the form names the board."""
    page = board_editor(ada, board=DRAWN.word)
    link = re.findall(r'id="invite" href="([^"]+)"', page.html)[0]
    assert isinstance(link, str)

    assert parse_qs(urlsplit(link).query)["option-board"] == [DRAWN.name]


@pytest.mark.parametrize(
    "word", [DRAWN.name, *(sample.word for sample in SAMPLES if read(sample.word).board.fields)]
)
def test_a_drawn_board_is_played_to_the_end(word: str) -> None:
    """By bots with rules of thumb, on boards of the gallery and on one that was drawn."""
    setup = Setup(2, Options(board=read(word).name, first=0))
    draw = random.Random(1).randrange
    bots = [Seated(Greedy(mauerbauer, setup, draw), seconds=1) for _ in range(2)]
    *_, (_, last) = play(mauerbauer, setup, bots, draw)
    outcome = mauerbauer.outcome(last.state)

    assert outcome is not None
    assert max(outcome.points) > 0


def test_the_gallery_leaves_nothing_to_be_remarked() -> None:
    """But for the sea, which waits for land."""
    said = [len(findings(read(sample.word), ENGLISH)) for sample in SAMPLES]

    assert said == [0] * (len(SAMPLES) - 1) + [1]
    assert len({read(sample.word) for sample in SAMPLES}) == len(SAMPLES)
