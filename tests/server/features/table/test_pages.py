"""The page of a table: everything by plain forms, in words."""

import random
import re
from html import unescape
from typing import Any

import pytest
from tests.support.amounts import amount
from tests.support.driven_table import start_table
from tests.support.web_pages import asked, look, sent, table_of
from tests.support.web_server import Running

from mauerwerk.bots.hints import Hint
from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH
from mauerwerk.games import mauer
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.table.view_model import goal_at
from mauerwerk.server.games import web_game
from mauerwerk.server.tables.errors import TooManyError, WarmingUpError

MOST = 2_000


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("mauer", {"rounds": "1", "pieces": "12"}),
        pytest.param("burgbaumeister", {"variant": "yes"}, marks=pytest.mark.thorough),
        pytest.param(
            "mauerbauer", {"board": amount("wwm/wme", "wwm/wme", "small")}, marks=pytest.mark.slow
        ),
    ],
)
def test_a_whole_game_by_plain_forms(site: Running, game: str, options: dict[str, str]) -> None:
    """Three people at one device; each choice is a button, and the end has a result."""
    chance = random.Random(4)
    ada = site.browser("Ada")
    path = table_of(ada, game, people=3, options=options)
    page = look(ada, path)
    for _ in range(MOST):
        curtain = re.search(r'id="i-am" href="([^"]+)"', page.main)
        if curtain:
            page = look(ada, unescape(curtain[1]))
        elif page.words():
            # Passing all the time makes a game very long by bad luck.
            words = [word for word in page.words() if word != "-"] or page.words()
            page = page.send("/move", word=chance.choice(words))
            assert page.answer.status_code == 200
        elif 'class="ranks"' in page.main:
            break
        else:
            page = look(ada, path)
    assert 'class="ranks"' in page.main
    record = look(ada, f"/api{path.replace('/t/', '/tables/')}/record").html
    assert record.startswith(f"{game}/")
    again = page.send("/rematch")
    assert again.path != path
    assert look(ada, path).send("/rematch").path == again.path
    assert look(site.browser(), path).html.count(again.path.partition("?")[0]) == 1


def test_every_legal_choice_is_a_button_and_a_target(site: Running) -> None:
    """The form and the drawing offer what the rules allow, no more and no less."""
    ada = site.browser("Ada")
    for game in ("mauer", "burgbaumeister", "mauerbauer"):
        path = table_of(ada, game, options={"first": "0"})
        page = look(ada, path)
        legal = [choice["move"] for choice in ada.table_view(path.removeprefix("/t/"))["legal"]]
        assert sorted(page.words()) == sorted(legal)
        assert sorted(re.findall(r'data-word="([^"]+)"', page.main)) == sorted(legal)


def test_an_illegal_move_says_why_and_where_that_stands(site: Running) -> None:
    """The clause is a link into the rules; nothing has changed."""
    ada = site.browser("Ada")
    page = look(ada, table_of(ada, "mauer"))
    refused = page.send("/move", word="<")

    assert refused.answer.status_code == 422
    assert re.search(r'role="alert".*?href="/rules/mauer#DM-\d+"', refused.main, re.DOTALL)
    assert "Look it up in the rules: DM-" in refused.text
    assert refused.words() == page.words()


def test_nonsense_and_old_news_are_refused_in_words(site: Running) -> None:
    """Also in German."""
    ada = site.browser("Ada")
    sent(ada, "/preferences", language="de")
    page = look(ada, table_of(ada, "mauer", people=3) + "?seat=0&opened=0")

    assert "ist kein Zug" in page.send("/move", word="nonsense").text
    late = page.send("/move", word="T", version="1")
    assert late.answer.status_code == 409
    assert "zu spät" in late.text


def test_sending_a_form_twice_moves_once(site: Running) -> None:
    """As when somebody clicks twice, or loads the answer again."""
    ada = site.browser("Ada")
    path = table_of(ada, "mauer", people=3)
    page = look(ada, f"{path}?seat=0&opened=0")
    for _ in range(2):
        page.send("/move", word="T")

    told = ada.get(f"/api/tables/{path.removeprefix('/t/')}/history", seat=0).json()["notices"]
    assert [each["kind"] for each in told if each["seat"] == 0].count("move") == 1


def test_a_hint_has_reasons_and_is_a_button(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the reader's language; who asks when nobody has time sees the table, and why."""
    asked_in: list[str] = []

    async def hints(*given: Any) -> tuple[Hint, ...]:  # noqa: ANN401 - as the house takes them
        asked_in.append(given[-1])
        return (Hint(mauer.parse("4"), 0.375, "Es ist gut."),)

    async def too_many(*_given: Any) -> tuple[Hint, ...]:  # noqa: ANN401 - likewise
        raise TooManyError("ask again")

    ada = site.browser("Ada")
    sent(ada, "/preferences", language="de")
    page = look(ada, table_of(ada, "mauer", people=3) + "?seat=0&opened=0")
    monkeypatch.setattr(Host, "hints", hints)
    hinted = page.send("/hints")
    assert asked_in == ["de"]
    assert "Es ist gut. Gewinnchance: 38 %" in hinted.text
    assert hinted.words()[0] == "4"
    monkeypatch.setattr(Host, "hints", too_many)
    busy = page.send("/hints")
    assert busy.answer.status_code == 429
    assert busy.words() == page.words()


def test_a_move_is_chosen_in_a_first_game(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, however often the form is sent; where nothing is known, nothing is played."""

    async def nothing(*_given: Any) -> tuple[Hint, ...]:  # noqa: ANN401 - as the house takes them
        return ()

    async def hints(*_given: Any) -> tuple[Hint, ...]:  # noqa: ANN401 - likewise
        return (Hint(mauer.parse("4"), 0.375, "It is good."),)

    ada = site.browser("Ada")
    path = table_of(ada, "mauer", people=3)
    page = look(ada, f"{path}?seat=0&opened=0")
    monkeypatch.setattr(Host, "hints", nothing)
    refused = page.send("/choose")
    assert refused.answer.status_code == 422
    assert refused.words() == page.words()
    monkeypatch.setattr(Host, "hints", hints)
    for _ in range(2):
        page.send("/choose")
    told = ada.get(f"/api/tables/{path.removeprefix('/t/')}/history", seat=0).json()["notices"]
    moves = [each for each in told if each["seat"] == 0 and each["kind"] == "move"]
    assert len(moves) == 1


def test_nothing_is_chosen_where_hints_are_not_allowed(site: Running) -> None:
    """Nor for those who know the games, who see no goal either."""
    ada = site.browser("Ada")
    fair = look(ada, table_of(ada, "burgbaumeister", hints=False, options={"first": "0"}))
    path = table_of(ada, "burgbaumeister", options={"first": "0"})
    new, known = look(ada, path), sent(ada, "/preferences", knows="1", back=path)

    shown = [
        [f'class="{each}"' in page.main for each in ("goal", "chooses")]
        for page in (fair, new, known)
    ]
    assert shown == [[True, False], [True, True], [False, False]]


@pytest.mark.parametrize(
    ("wall", "goal"),
    [
        ("9", "be the first with a wall of nine cards whose numbers rise."),
        ("3", "be the first with a complete wall whose numbers rise."),
    ],
)
def test_the_goal_is_that_of_the_table(wall: str, goal: str) -> None:
    """With house rules a wall can have another number of cards (BB-10)."""
    table = start_table("burgbaumeister", "hh", options={"first": "0", "wall": wall}).table

    assert goal_at(table, Seat(0), web_game("burgbaumeister").box, ENGLISH) == goal


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The server is still warming up; ask for a hint again in a minute."),
        ("de", "Der Server wärmt sich noch auf; frag in einer Minute noch einmal nach einem Tipp."),
        ("it", "Il server si sta ancora scaldando; chiedi di nuovo un suggerimento tra un minuto."),
    ],
)
def test_a_hint_that_is_being_compiled_says_so(
    site: Running, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    """The table stays, with the button that asks again; a program is told when to."""

    async def warms_up(*_given: Any) -> tuple[Hint, ...]:  # noqa: ANN401 - as above
        raise WarmingUpError

    ada = site.browser("Ada")
    sent(ada, "/preferences", language=language)
    path = table_of(ada, "mauer", people=3)
    page = look(ada, path + "?seat=0&opened=0")
    monkeypatch.setattr(Host, "hints", warms_up)
    shown = page.send("/hints")
    answer = ada.get(f"/api/tables/{path.removeprefix('/t/')}/hints", seat=0)

    assert said in shown.text
    shown.form("/hints")  # raises if one could not ask again
    assert shown.words() == page.words()
    assert (answer.status_code, answer.json()["error"]) == (503, "warming")
    assert answer.headers["retry-after"] == "60"


def test_a_choice_that_nobody_has_seen_goes_back(site: Running) -> None:
    """As long as the others still choose."""
    ada, bo = site.browser("Ada"), site.browser("Bo")
    opened = ada.open("hhh", mine=[0])
    table = opened["table"]
    for seat in (1, 2):
        look(bo, opened["seats"][seat]["link"].removeprefix(site.address))
        sent(bo, f"/t/{table}/claim", seat=str(seat), name="Bo")
    chosen = look(ada, f"/t/{table}").send("/move", word="T")
    assert not asked(chosen)
    assert asked(chosen.send("/undo"))


def test_taking_back_what_was_rolled_is_asked_about(site: Running) -> None:
    """Nobody else has to agree, but the dice were seen; keeping the move is the usual answer."""
    ada = site.browser("Ada")
    path = table_of(ada, "mauerbauer", people=1, bot_delay_ms=60_000, options={"first": "0"})
    page = look(ada, path)
    built = page.send("/move", word=page.words()[0])
    asks = built.send("/undo")

    assert "Take back your move: build from" in asks.text
    assert "You have seen how it turned out." in asks.text
    assert look(ada, path).words() == built.words()
    assert asks.send("/undo").words() == page.words()


def test_a_bot_plays_on_until_one_is_back(site: Running) -> None:
    """Handed over, taken back, left for good."""
    ada = site.browser("Ada")
    path = table_of(ada, "mauerbauer", people=2, bot_delay_ms=60_000, options={"first": "0"})
    page = look(ada, f"{path}?seat=0&opened=0")
    away = page.send("/away")
    assert "Play again myself" in away.text
    assert "handed over to a bot" in away.text
    assert "came back" in away.send("/back").text
    left = look(ada, f"{path}?seat=0&opened=0").send("/stand")
    assert left.path == path
    assert "You left. A bot plays in your place." in left.text
    assert "Return to my seat" not in left.send("/sit").text
    assert asked(look(ada, f"{path}?seat=0&opened=0"))
    look(ada, f"{path}?seat=0&opened=0").send("/stand")
    other = look(ada, path)
    assert not asked(other), "the seat that is left waits for the bot"
    seats = ada.table_view(path.removeprefix("/t/"))["seats"]
    assert [seat["level"] for seat in seats] == ["journeyman", "", "apprentice"]
    assert seats[1]["name"] == "Ada"


def test_asking_twice(site: Running) -> None:
    """Only where it cannot be taken back, only if so wished; then the same form does it."""
    ada = site.browser("Ada")
    sent(ada, "/preferences", twice="1")
    path = table_of(ada, "burgbaumeister", options={"first": "0"})
    page = look(ada, path)
    before = ada.table_view(path.removeprefix("/t/"))["number"]
    sure = page.send("/move", word=page.words()[0])
    assert "Are you sure?" in sure.text
    assert ada.table_view(path.removeprefix("/t/"))["number"] == before
    done = sure.send("/move")
    assert "Are you sure?" not in done.text
    assert ada.table_view(path.removeprefix("/t/"))["number"] > before
    planning = look(ada, table_of(ada, "mauer", people=3) + "?seat=0&opened=0")
    assert "Are you sure?" not in planning.send("/move", word="T").text
