"""The page of a table through whose eyes: gates at one device, traces, names."""

import re

import pytest
from tests.support.web_pages import Page, asked, look, sent, table_of
from tests.support.web_server import Player, Running

from mauerwerk.core.game import Seat


def all_planned(player: Player, path: str, words: str) -> Page:
    """The page after the first three seats have chosen in order, each behind its gate."""
    pages = [
        look(player, f"{path}?seat={seat}&opened={seat}").send("/move", word=word)
        for seat, word in enumerate(words)
    ]
    return pages[-1]


def test_a_curtain_hides_what_the_last_one_holds(site: Running) -> None:
    """Two who share a device: the page between them is the same whatever was chosen."""
    curtains: list[str] = []
    for word in ("T", "4"):
        ada = site.browser("Ada")
        path = table_of(ada, "mauer", people=3)
        page = look(ada, f"{path}?seat=0&opened=0").send("/move", word=word)
        assert "curtain" in page.main
        assert "data-word" not in page.html
        curtains.append(page.main.replace(path, ""))
        assert f'href="{path}?seat=1&amp;opened=1"' in page.main
        assert asked(look(ada, f"{path}?seat=1&opened=1"))

    assert curtains[0] == curtains[1]


def test_a_gate_shuts_again_after_the_choice(site: Running) -> None:
    """The link that opened it shows nothing of the seat once the seat has chosen, nor later."""
    ada = site.browser("Ada")
    path = table_of(ada, "mauer", people=3)
    page = all_planned(ada, path, "T44")
    assert 'class="lid"' in page.main
    page = page.send("/move", word=">")
    for seat in range(3):
        for opened in ("", f"&opened={seat}"):
            again = look(ada, f"{path}?seat={seat}{opened}").main
            assert f"Pass the device to Ada{f' {seat + 1}' if seat else ''}" in again
            assert "slot" not in again


def test_where_to_build_is_asked_in_front_of_all(site: Running) -> None:
    """After the last fist there is no gate: the page shows no hand, and the builder chooses."""
    ada = site.browser("Ada")
    path = table_of(ada, "mauer", people=3)
    page = all_planned(ada, path, "T44")

    assert "Ada is starting the wall with the tower." in page.text
    assert page.words() == [">"]
    assert "only you" not in page.text
    assert 'class="slot' not in page.main


def test_a_gift_is_chosen_behind_the_gate(site: Running) -> None:
    """One's own pieces are shown to nobody else, so this is no choice in front of all (DM-19)."""
    ada = site.browser("Ada")
    path = table_of(ada, "mauer", people=3)
    page = all_planned(ada, path, "-4-")

    assert "Pass the device to Ada 3" in page.text
    assert "slot" not in page.main


def test_a_gate_shuts_when_nobody_builds(site: Running) -> None:
    """All have seen the open fists, and so the last one to choose must ask for the device again."""
    ada = site.browser("Ada")
    path = table_of(ada, "mauer", people=3)
    page = all_planned(ada, path, "---")

    assert "Pass the device to Ada 3" in page.text
    assert "slot" not in page.main


def test_all_look_also_after_somebody_has_changed_their_mind(
    site: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only they were told of the change, and the page counts what everybody was told."""
    ada = site.browser("Ada")
    path = table_of(ada, "mauer", people=3)
    table = path.removeprefix("/t/")
    for word in ("0:T", "0:-", "1:-", "2:-", "1:-", "2:-"):
        ada.move(table, word[2:], seat=int(word[0]))
    form = look(ada, f"{path}?seat=0&opened=4").form("/move")
    script = {"hx-request": "true"}
    answer = ada.client.post(form.action, data={**form.fields, "word": "-"}, headers=script)

    assert answer.text.count('<template class="moment"') == 2

    # When all have gone on, nobody is waited for any longer.
    gone_on: list[int] = []

    async def go_on(table: str, seat: Seat, number: int) -> None:
        del table, seat
        gone_on.append(number)

    monkeypatch.setattr(site.app.state.host, "go_on", go_on)
    found = re.search(r'data-moment="(\d+)"', answer.text)
    assert found
    ada.client.post(f"{path}/seen", data={"seat": "0", "number": found[1]})
    assert gone_on == [ada.table_view(table, seat=0)["number"]]


def test_without_secrets_the_page_follows_who_is_asked(site: Running) -> None:
    """Burgbaumeister needs no curtain."""
    ada = site.browser("Ada")
    path = table_of(ada, "burgbaumeister", people=3, options={"first": "0"})
    page = look(ada, path)
    for _ in range(4):
        assert asked(page)
        assert "curtain" not in page.main
        page = page.send("/move", word=page.words()[-1])


@pytest.mark.parametrize("who", ["spectator", "rival"])
def test_others_see_no_trace_of_a_choice(site: Running, who: str) -> None:
    """Two tables that differ in a closed fist alone look the same to everybody else."""
    seen: list[str] = []
    for word in ("T", "4"):
        ada, bo = site.browser("Ada"), site.browser("Bo")
        opened = ada.open("hhh", mine=[0, 2])
        table, link = opened["table"], opened["seats"][1]["link"]
        look(bo, link.removeprefix(site.address))
        sent(bo, f"/t/{table}/claim", seat="1", name="Bo")
        look(ada, f"/t/{table}?seat=0&opened=0").send("/move", word=word)
        page = look(bo if who == "rival" else site.browser(), f"/t/{table}")
        seen.append(re.sub(r"[0-9a-f]{64}|data-now=\"\d+\"", "", page.html.replace(table, "")))

    assert seen[0] == seen[1]


def test_what_was_turned_back_is_not_told_again(site: Running) -> None:
    """Not by the page of the one who turned it, nor by a spectator's (BB-9)."""
    ada = site.browser("Ada")
    path = table_of(ada, "burgbaumeister", people=3, options={"first": "0"})
    table = path.removeprefix("/t/")
    shown = look(ada, path).send("/move", word="a1")
    number = ada.table_view(table, seat=0)["view"]["turned"]
    assert 'id="turned"' in shown.main or "You turned up" in shown.text
    assert number is not None
    left = shown.send("/move", word="-") if "-" in shown.words() else shown
    for page in (left, look(ada, path), look(site.browser(), path)):
        assert "turned up" not in page.text


def test_a_seat_is_played_by_its_owner_alone(site: Running) -> None:
    """A spectator's form is refused, and so is one for a rival's seat."""
    ada, eve = site.browser("Ada"), site.browser("Eve")
    path = table_of(ada, "mauer")
    assert sent(eve, f"{path}/move", seat="0", word="T", version="9").answer.status_code == 403
    assert sent(eve, f"{path}/stand", seat="0").answer.status_code == 403
    anybody = site.browser()
    assert sent(anybody, f"{path}/move", word="T").answer.status_code == 401
    assert (
        "Only the players at this table can do that."
        in sent(anybody, f"{path}/move", word="T").text
    )
    assert sent(ada, f"{path}/move", seat="1", word="T").answer.status_code == 403


HOSTILE = ("<b>\"&'", "you", "{name}", "</title><script>alert(1)</script>"[:32], "ﷺ" * 32)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_only_a_name(site: Running, name: str) -> None:
    """Escaped wherever it stands; and nobody can pass for the reader."""
    eve, ada = site.browser(name), site.browser("Ada")
    opened = eve.open("ohb", mine=[1], public=True)
    path = f"/t/{opened['table']}"
    assert "&lt;" not in name
    page = look(ada, path).send("/sit")
    for shown in (page, look(ada, "/"), look(eve, path), look(site.browser(), path)):
        assert "<script>" not in shown.html
        assert not re.search(r"<b>(?:&#34;|\")", shown.html)
    if name == "you":
        assert "“you” sat down" in page.text.replace("You sat", "")
