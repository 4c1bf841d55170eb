"""Tables at which people roll and deal themselves, by plain forms."""

from typing import Any

import pytest
from tests.support.web_pages import look, sent
from tests.support.web_server import LEVEL, Player, Running

from mauerwerk.games.mauerbauer import values
from mauerwerk.games.mauerbauer.guild import Card

pytestmark = pytest.mark.slow


def table_of(player: Player, game: str, people: int = 2, **more: Any) -> str:  # noqa: ANN401
    """The id of a new table at which this player has the first seats, a bot the last."""
    chairs = [*[{"kind": "human"}] * people, {"kind": "bot", "level": LEVEL}]
    order = {"game": game, "chairs": chairs, "bot_delay_ms": 0, "mine": [*range(people)], **more}
    made = player.post("/api/tables", **order)
    assert made.status_code == 201, made.text
    table: str = made.json()["table"]
    return table


def test_the_form_for_a_table_offers_real_dice(site: Running) -> None:
    """Chosen already, where the link says so; and the table is set up so."""
    ada = site.browser("Ada")
    assert look(ada, "/new/mauerbauer").form("/new/mauerbauer").fields["dice"] == "server"
    page = look(ada, "/new/mauerbauer?dice=players")
    assert page.form("/new/mauerbauer").fields["dice"] == "players"
    fields = {"seat-1": "here", "seat-2": "nobody", "option-first": "lot"}
    page = page.send("/new/mauerbauer", **fields)
    assert 'id="entering"' in page.html
    assert sorted(page.words()) == ["@0", "@1"]


def test_a_turn_with_real_dice_by_plain_forms(site: Running) -> None:
    """A wall, the dice, and what they show is asked for."""
    ada = site.browser("Ada")
    table = table_of(ada, "mauerbauer", options={"first": "0", "board": "small"}, dice="players")
    path = f"/t/{table}"
    page = look(ada, f"{path}?seat=0&opened=0")
    page = page.send("/move", word=page.words()[0])
    form = page.form("/chance")
    assert {"part-0", "part-1", "part-2"} <= form.fields.keys()
    assert 'http-equiv="refresh"' not in page.html

    page = page.send("/chance", **{"part-0": "B", "part-1": "g", "part-2": "?"})

    assert "a black tower, a green house and a free choice" in page.text
    table_view = ada.get(f"/api/tables/{table}", seat=0).json()
    assert table_view["view"]["roll"]["tower"] == "B"


def test_dice_that_nobody_could_roll_are_refused_in_words(site: Running) -> None:
    """The form stays, with what is wrong."""
    ada = site.browser("Ada")
    table = table_of(ada, "mauerbauer", options={"first": "0", "board": "small"}, dice="players")
    page = look(ada, f"/t/{table}?seat=0&opened=0")
    page = page.send("/move", word=page.words()[0])
    for parts in ({"part-0": "X", "part-1": "g", "part-2": "g"}, {"part-0": "", "part-1": ""}):
        refused = page.send("/chance", **{"part-2": "", **parts})
        assert refused.answer.status_code == 422
        assert 'role="alert"' in refused.html
        assert 'id="entering"' in refused.html


def test_cards_are_entered_one_list_each(site: Running) -> None:
    """By who set up the table; the other sees who is waited for, and no card."""
    ada, bob = site.browser("Ada"), site.browser("Bob")
    made = ada.post(
        "/api/tables",
        game="mauerbauer",
        chairs=[{"kind": "human"}, {"kind": "open"}],
        mine=[0],
        options={"first": "0"},
        dice="scribe",
    )
    path = f"/t/{made.json()['table']}"
    sent(bob, f"{path}/sit", seat="1")
    page = look(ada, path)
    assert page.html.count('<select name="word-') == 6
    assert "You see the cards that you enter." in page.text
    other = look(bob, path)
    assert "Waiting for what Ada will enter." in other.text
    assert 'id="entering"' not in other.html

    thrice = {f"word-{place}": "+city-1" for place in range(3)}
    refused = page.send("/chance", **thrice)
    assert refused.answer.status_code == 422
    assert look(ada, path).html.count('<select name="word-') == 6

    kinds = ("city-1", "city-1", "land-red", "cities", "city-7", "land-water")
    page = page.send("/chance", **{f"word-{place}": f"+{card}" for place, card in enumerate(kinds)})

    assert page.answer.status_code == 200
    assert "Which cards does Bob draw?" in page.text
    assert "Exactly 1 field" in page.main
    assert sent(
        bob, f"{path}/chance", scribe="1", version="9", move="+city-1"
    ).answer.status_code in {
        403,
        409,
    }


def cards(*kinds: str) -> dict[str, str]:
    """The fields of a form with a list for each card."""
    return {f"word-{place}": f"+{kind}" for place, kind in enumerate(kinds)}


def test_cards_that_are_sent_twice_are_entered_once(site: Running) -> None:
    """As when somebody clicks twice, or loads the answer again."""
    ada = site.browser("Ada")
    table = table_of(ada, "mauerbauer", people=1, options={"first": "0"}, dice="scribe")
    page = look(ada, f"/t/{table}")
    hand = cards("city-1", "city-2", "land-red")
    answers = [page.send("/chance", **hand) for _ in range(2)]

    assert [each.answer.status_code for each in answers] == [200, 200]
    assert answers[1].html.count('<select name="word-') == 3


def test_cards_of_which_there_was_no_other_left_are_in_the_form_too(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The house deals them by itself, once it is certain which they are."""
    mixed = (Card("city-1"), Card("city-2"), Card("land-red"))
    deck = (*mixed, Card("land-blue"), *[Card("cities")] * 8)

    def deck_of(_options: values.Options) -> tuple[Card, ...]:
        return deck

    monkeypatch.setattr(values, "deck_of", deck_of)
    ada = site.browser("Ada")
    table = table_of(ada, "mauerbauer", people=1, options={"first": "0"}, dice="scribe")
    page = look(ada, f"/t/{table}")
    page = page.send("/chance", **cards("city-1", "city-2", "land-red", *["cities"] * 3))
    hand = cards("cities", "land-blue", *["cities"] * 4)
    answers = [page.send("/chance", **hand) for _ in range(2)]

    assert [each.answer.status_code for each in answers] == [200, 200]
    assert 'id="entering"' not in answers[1].html


def test_a_known_card_is_not_asked_for_and_no_list_tells_which_are(site: Running) -> None:
    """The number is typed: a list of what is left would be a memory (BB-9)."""
    ada = site.browser("Ada")
    table = table_of(ada, "burgbaumeister", options={"first": "0"}, dice="scribe")
    page = look(ada, f"/t/{table}")
    page = page.send("/move", word="a1")
    assert '<input type="number"' in page.html
    assert page.send("/chance", word="99").answer.status_code == 422
    page = page.send("/chance", word="23")
    assert "23" in page.text


def test_one_device_enters_without_a_look_at_anybodys_cards(site: Running) -> None:
    """Whoever holds the device rolls; then it is handed on."""
    ada = site.browser("Ada")
    table = table_of(ada, "mauer", options={"rounds": "1", "first": "lot"}, dice="players")
    page = look(ada, f"/t/{table}")
    assert "hidden while all look" in page.text
    assert 'class="slot' not in page.html
    page = page.send("/chance", word="@1")
    assert 'id="curtain"' in page.html
