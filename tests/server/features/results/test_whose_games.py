"""A reader's own games are known by who they are, not by what they are called."""

from tests.support.web_pages import look, sent
from tests.support.web_server import Running


def test_namesakes_are_told_apart(site: Running) -> None:
    """At a table of two players called Ada, the turn is that of the one who sits there."""
    first, second = site.browser("Ada"), site.browser("Ada")
    table: str = first.open("ho", game="burgbaumeister", mine=[0])["table"]
    assert second.post(f"/api/tables/{table}/sit").status_code == 200
    to_act = [bool(player.table_view(table)["legal"]) for player in (first, second)]

    assert sorted(to_act) == [False, True]
    assert ["Your turn" in look(player, "/").text for player in (first, second)] == to_act


def test_a_new_name_keeps_the_mark(site: Running) -> None:
    """The turn remains the reader's, under whatever name they go on."""
    ada = site.browser("Ada")
    ada.open("hhh", game="mauer", mine=[0, 1, 2])
    assert "Your turn" in look(ada, "/").text

    sent(ada, "/settings", name="Countess Lovelace", back="/")

    assert "Your turn" in look(ada, "/").text
