"""Clocks on pages and over the API: at each seat, by the server's clock, in plain words."""

import re

from tests.support.web_pages import look
from tests.support.web_server import Running

TOTAL = {"total": 600, "increment": 10}


def test_a_total_is_shown_at_each_seat(site: Running) -> None:
    """That of the seats that must act counts down; the others' stand still."""
    ada = site.browser("Ada")
    options = {"board": "wwwme/wwmme+a2-b1"}
    table = ada.open("ho", game="mauerbauer", mine=[0], options=options, clock=TOTAL)["table"]
    assert site.browser("Bob").post(f"/api/tables/{table}/sit", seat=1).status_code == 200
    page = look(ada, f"/t/{table}")
    clocks = re.findall(r'<time class="clock( runs)?" data-(due|left)="(\d+)"', page.html)
    assert sorted(each[:2] for each in clocks) == [("", "left"), (" runs", "due")]
    assert re.search(r'data-now="\d{13}"', page.html)
    seen = ada.table_view(table)
    assert seen["clock"]["increment"] == 10
    asked = [place["asked"] for place in seen["seats"]].index(True)
    assert seen["times"][asked]["until"] == seen["deadline"]
    still = {"type": "seattime", "left": 600_000, "until": None, "off": 0}
    assert seen["times"][1 - asked] == still


def test_where_seats_are_on_the_board_the_prompt_has_the_clocks(site: Running) -> None:
    """In Die Mauer, everybody who chooses has a clock that runs."""
    ada = site.browser("Ada")
    table = ada.open("hob", mine=[0], clock=TOTAL)["table"]
    bob = site.browser("Bob")
    assert bob.post(f"/api/tables/{table}/sit", seat=1).status_code == 200
    page = look(ada, f"/t/{table}")
    times = re.search(r'<ul class="seatclocks".*?</ul>', page.html, re.DOTALL)
    assert times
    assert times[0].count("data-due") == 2


def test_a_day_off_is_taken_with_a_button(site: Running) -> None:
    """Players are told, and there is one less."""
    ada = site.browser("Ada")
    clock = {"days_off": 2}
    table = ada.open("hbb", mine=[0], seconds_per_move=86_400, clock=clock)["table"]
    page = look(ada, f"/t/{table}")
    assert "Take a day off (2 left)" in page.text
    after = page.send("/rest")
    assert "Take a day off (1 left)" in after.text
    assert "You took a day off." in after.text
    assert ada.post(f"/api/tables/{table}/rest").status_code == 200
    assert ada.post(f"/api/tables/{table}/rest").status_code == 422


def test_clocks_are_set_up_in_plain_words(site: Running) -> None:
    """The summary says them; days off and nights are asked about where a move may take a day."""
    ada = site.browser("Ada")
    fields = {"seat-1": "bot", "seconds_per_move": "t600"}
    draft = ada.client.post("/new/mauerbauer/draft", data=fields)
    assert "10 min each + 10 s a move." in draft.text
    assert 'name="days_off"' not in draft.text
    lost = ada.client.post("/new/mauerbauer/draft", data={**fields, "forfeits": "1"})
    assert "last place if time runs out" in lost.text.lower()
    slow = {
        "seat-1": "bot",
        "seconds_per_move": "86400",
        "days_off": "7",
        "night": "0",
        "zone": "-60",
    }
    draft = ada.client.post("/new/mauerbauer/draft", data=slow)
    assert "7 days off · nights do not count" in draft.text
    made = ada.client.post("/new/mauerbauer", data=slow, follow_redirects=True)
    clock = ada.table_view(made.url.path.split("/")[-1])["clock"]
    assert (clock["days_off"], clock["night"]) == (7, 22 * 60)


def test_clocks_that_contradict_each_other_are_refused(site: Running) -> None:
    """With one word for programs."""
    ada = site.guest("Ada")
    chairs = [{"kind": "human"}, {"kind": "bot", "level": "apprentice"}]
    refused = ada.post(
        "/api/tables", game="mauerbauer", chairs=chairs, seconds_per_move=60, clock=TOTAL
    )
    assert (refused.status_code, refused.json()["error"]) == (422, "setup")
