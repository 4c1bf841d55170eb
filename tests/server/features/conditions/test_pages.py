"""Preparing a move on the page and over the API; others see nothing of it."""

from typing import Any

from tests.support.web_pages import look, sent
from tests.support.web_server import Player, Running

from mauerwerk.server.tables.charter import SLOW


def castle(site: Running, **more: Any) -> tuple[Player, Player, str]:  # noqa: ANN401 - any term
    """Burgbaumeister over days: Ada has turned up a card, and Ben waits."""
    ada, ben = site.browser("Ada"), site.browser("Ben")
    table = ada.open(
        "ho",
        game="burgbaumeister",
        options={"first": "0"},
        mine=[0],
        **{"seconds_per_move": SLOW, "hints": False, **more},
    )["table"]
    sent(ben, f"/t/{table}/sit")
    assert ada.move(table, "a1").status_code == 200
    return ada, ben, table


def test_a_move_is_prepared_and_withdrawn(site: Running) -> None:
    """First what they may do, then what to play; nobody else sees any of it."""
    ada, ben, table = castle(site)
    eve = site.browser("Eve")
    others = [ada.get(f"/api/tables/{table}").content, eve.get(f"/api/tables/{table}").content]
    assert f"/t/{table}/conditions?seat=1" in look(ben, f"/t/{table}").html
    page = look(ben, f"/t/{table}/conditions?seat=1")
    lines = ben.get(f"/api/tables/{table}/conditions").json()["lines"]
    assert "What may they do?" in page.text
    line = lines[0]["line"]
    page = look(ben, f"/t/{table}/conditions?seat=1&line={line.replace('+', '%2B')}")
    (form,) = [each for each in page.forms if "line" in each.fields]
    page = sent(ben, form.action, **{**form.fields, "word": "c3"})
    assert "Prepared" in page.text
    assert "→ Turn up the card in row 3, column 3" in page.text or "c3" in page.html
    (kept,) = ben.get(f"/api/tables/{table}/conditions").json()["prepared"]
    assert (kept["line"], kept["move"], kept["due"]) == (line, "c3", None)

    assert ada.get(f"/api/tables/{table}/conditions").json()["prepared"] == []
    assert "Withdraw" not in look(ada, f"/t/{table}/conditions").text
    assert eve.get(f"/api/tables/{table}/conditions").status_code == 403
    assert sent(eve, f"/t/{table}/conditions", drop=kept["id"]).answer.status_code == 403
    assert others == [
        ada.get(f"/api/tables/{table}").content,
        eve.get(f"/api/tables/{table}").content,
    ]
    ada.post(f"/api/tables/{table}/conditions/drop", id=kept["id"])
    assert ben.get(f"/api/tables/{table}/conditions").json()["prepared"], "it is not Ada's"
    assert "Withdraw" not in sent(ben, f"/t/{table}/conditions", seat="1", drop=kept["id"]).text
    refused = ben.post(f"/api/tables/{table}/conditions", line=line, move="a1")
    assert refused.status_code == 422


def test_not_where_people_stay_at_the_table(site: Running) -> None:
    """With minutes for a move there is nothing to prepare."""
    _, ben, table = castle(site, seconds_per_move=120)
    assert "conditions" not in look(ben, f"/t/{table}").html
    assert look(ben, f"/t/{table}/conditions?seat=1").answer.status_code == 404
