"""Setting up a table: questions that a player understands, and the table in words."""

import re

import pytest
from tests.support.web_pages import Page, look, sent
from tests.support.web_server import Running

from mauerwerk.core.language import ENGLISH, language_of
from mauerwerk.games import GAMES
from mauerwerk.server.features.setup.questions import of_game, words_in
from mauerwerk.server.features.setup.seats import company
from mauerwerk.server.games.plain_board import plain_game
from mauerwerk.server.ui.page import Form


def asked(page: Page) -> list[str]:
    """The questions that are asked without unfolding anything."""
    return re.findall(r'<h2 id="q-[^"]+">([^<]+)</h2>', page.main)


FIRST = ("Who plays?", "Who begins?", "How long may a move take?")


@pytest.mark.parametrize(
    ("game", "questions"),
    [
        (
            "mauerbauer",
            [*FIRST, "Rated?", "Which board?"],
        ),
        (
            "burgbaumeister",
            [*FIRST, "Rated?", "Which rules?"],
        ),
        (
            "mauer",
            [
                "Who plays?",
                "Who is the first master builder?",
                "How long may a move take?",
                "Rated?",
                "How many rounds?",
            ],
        ),
    ],
)
def test_plain_questions_are_answered_already(
    site: Running, game: str, questions: list[str]
) -> None:
    """Nothing has to be decided, and no help text decides anything by its digits or clauses."""
    page = look(site.browser("Ada"), f"/new/{game}")

    assert asked(page) == questions
    groups = re.findall(r'role="radiogroup".*?</div>', page.main, re.DOTALL)
    assert all(group.count(" checked") == 1 for group in groups)
    assert not re.search(r"\b(MB|DM|BB)-\d+", page.text)
    assert 'type="text" name="option-' not in page.main
    assert page.send(f"/new/{game}").path.startswith("/t/")


def test_plain_options_are_summed_up_in_the_readers_language() -> None:
    """Of a game without questions of its own, as a person reads them, not as they are typed."""
    room = plain_game(GAMES["burgbaumeister"])
    asked = of_game(room, words_in(Form(), room), language_of("de"), expert=True)

    assert [each.brief for each in asked if each.name == "option-variant"] == ["Spielvariante nein"]


def test_the_summary_says_what_is_chosen(site: Running) -> None:
    """After each change the page is drawn anew, for a script only what changes."""
    ada = site.browser("Ada")
    page = look(ada, "/new/burgbaumeister")
    assert "You, a friend and a bot You begin. No time limit. About 15 min." in page.text
    changed = page.send(
        "/new/burgbaumeister",
        **{
            "seat-1": "bot",
            "option-variant": "yes",
            "option-first": "lot",
            "seconds_per_move": "60",
        },
    )
    assert changed.path.startswith("/t/")
    fields = {
        "seat-1": "bot",
        "option-variant": "yes",
        "option-first": "lot",
        "seconds_per_move": "60",
    }
    draft = sent(ada, "/new/burgbaumeister/draft", **fields)
    assert (
        "You and 2 bots Lots decide who begins. 1 minute per move. "
        "With ravens, wizards and cannons. About 15 min." in draft.text
    )
    assert draft.html.startswith("<!doctype html>")
    headers = {"content-type": "application/x-www-form-urlencoded", "hx-request": "true"}
    part = ada.client.post("/new/burgbaumeister/draft", data=fields, headers=headers)
    assert part.text.lstrip().startswith("<main")


def test_a_player_is_added_and_taken_away(site: Running) -> None:
    """The button names the next one; a full table has no button, and numbers have no gaps."""
    ada = site.browser("Ada")
    page = look(ada, "/new/mauerbauer")
    assert "A fourth player" in page.text
    four = sent(ada, "/new/mauerbauer/draft", add="3")
    assert "You, a friend and 2 bots" in four.text
    assert 'name="add"' not in four.html
    two = sent(ada, "/new/mauerbauer/draft", **{"seat-1": "nobody"})
    assert "You and a bot" in two.text
    assert "A third player" in two.text
    table = two.send("/new/mauerbauer")
    assert len(ada.table_view(table.path.removeprefix("/t/"))["seats"]) == 2


def test_who_rolls_is_asked_in_the_words_of_the_game(site: Running) -> None:
    """Die Mauer has no dice, and the cards of Burgbaumeister are not dealt."""
    asked = {
        game: re.search(r"Who (?:rolls|spreads)[^?]*", look(site.browser(), f"/new/{game}").text)
        for game in ("mauer", "burgbaumeister", "mauerbauer")
    }

    assert asked["mauer"] is None
    assert asked["burgbaumeister"]
    assert asked["burgbaumeister"][0] == "Who spreads the cards"
    assert asked["mauerbauer"]
    assert asked["mauerbauer"][0] == "Who rolls and deals"


@pytest.mark.parametrize(
    ("fields", "beside"),
    [
        ({"seat-1": "nobody", "seat-2": "nobody"}, "q-seats"),
        ({"option-rounds": "99"}, "of-option-rounds"),
        ({"dice": "scribe", "public": "1"}, "of-public"),
        ({"seat-0": "bot", "seat-1": "bot", "dice": "players"}, "of-dice"),
        ({"name": "\u202e"}, 'name="name"'),
    ],
)
def test_an_error_stands_under_its_question(
    site: Running, fields: dict[str, str], beside: str
) -> None:
    """It takes the focus, and what was chosen stays."""
    path = "/new/mauerbauer" if "dice" in fields else "/new/mauer"
    page = look(site.browser("Ada"), path).send(path, **fields)
    kept = page.form(path).fields

    assert page.answer.status_code == 422
    found = re.search(
        r'<p class="refusal" role="alert" id="refusal" tabindex="-1" autofocus', page.html
    )
    assert found is not None
    before = page.html[: found.start()]
    questions = re.findall(r'id="(q-seats|of-[^"]+)"|(name="name")', before)
    assert beside in questions[-1]
    assert {name: kept.get(name) for name in fields} == fields


@pytest.mark.parametrize(
    ("chosen", "listed"),
    [({}, False), ({"seat-1": "open"}, True), ({"seat-1": "open", "public": "0"}, False)],
)
def test_a_seat_for_anyone_is_found_on_the_home_page(
    site: Running,
    chosen: dict[str, str],
    listed: bool,  # noqa: FBT001 - a column of the table
) -> None:
    """Unless the player says otherwise."""
    ada = site.browser("Ada")
    table = look(ada, "/new/mauer").send("/new/mauer", **chosen)

    assert ada.table_view(table.path.removeprefix("/t/"))["public"] is listed


def test_what_a_link_names_is_not_lost(site: Running) -> None:
    """A board of one's own has no chip at first, and the pictures are not asked at all."""
    ada = site.browser("Ada")
    page = look(ada, "/new/mauerbauer?option-board=wwwme/wwmme%2Ba2-b1")
    assert "A choice of your own" in page.text
    table = page.send("/new/mauerbauer")
    assert ada.table_view(table.path[3:])["options"]["board"] == "wwwme/wwmme+a2-b1"
    page = look(ada, "/new/burgbaumeister?option-pictures=3r")
    assert page.form("/new/burgbaumeister").fields["option-pictures"] == "3r"
    refused = page.send("/new/burgbaumeister")
    assert re.search(r"<h1>.*1 card shows a king, not 0.*q-seats", refused.html, re.DOTALL)


def test_company_is_counted_in_words() -> None:
    """As people say it."""
    kinds = ("me", "link", "link", "bot")
    assert company(kinds, ENGLISH) == "You, 2 friends and a bot"
    assert company(("me", "bot", "bot"), language_of("de")) == "Du und 2 Bots"
    assert company(("bot", "open"), ENGLISH) == "anyone and a bot"
