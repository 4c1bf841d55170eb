"""Opening a table, joining it, and playing again with the same people."""

import re

import pytest
from tests.support.web_pages import look, sent
from tests.support.web_server import Player, Running


def test_friends_are_invited_in_two_clicks(site: Running) -> None:
    """The form as it comes is enough; then there is a link, and a picture of it."""
    ada, bo = site.browser("Ada"), site.browser()
    page = look(ada, "/new/mauerbauer").send("/new/mauerbauer")
    link = re.search(r'value="(http[^"]+/s/1/[^"]+)"', page.html)
    assert link is not None
    picture = look(ada, f"{page.path}/seats/1")
    code = f'src="/api{page.path.replace("/t/", "/tables/")}/seats/1/qr"'
    assert code in picture.html
    assert code in page.html
    welcome = look(bo, link[1].removeprefix(site.address))
    assert "Ada invites you to Mauerbauer" in welcome.text
    joined = welcome.send("/claim", name="Bo")
    assert 'class="tablepage playing mb"' in joined.main
    assert "Bo sat down." in look(ada, page.path).text


def test_somebody_new_sits_at_the_table_they_set_up(site: Running) -> None:
    """However they typed their name: it is tidied up, and they are one guest."""
    ada = site.browser()
    page = look(ada, "/new/mauer").send("/new/mauer", name=" Ada ")
    table_view = ada.table_view(page.path.removeprefix("/t/"))

    assert table_view["seat"] == 0
    assert table_view["names"][0] == ada.get("/api/guests/me").json()["name"] == "Ada"


def test_everybody_at_one_device_has_a_name(site: Running) -> None:
    """Whoever shares it is called as they wish."""
    ada = site.browser("Ada")
    seats = {"seat-0": "me", "seat-1": "here", "seat-2": "here", "seat-3": "nobody"}
    names = {"name-1": "Bo", "name-2": "  "}
    page = look(ada, "/new/mauer").send("/new/mauer", **seats, **names)
    table_view = ada.table_view(page.path.removeprefix("/t/"), seat=0)

    assert table_view["names"] == ["Ada", "Bo", "Ada 2"]


def test_a_table_that_cannot_be_is_explained_in_the_readers_language(site: Running) -> None:
    """What only few options can have wrong is told in English."""
    ada = site.browser("Ada")
    sent(ada, "/preferences", language="de")
    form = look(ada, "/new/mauer")
    lonely = form.send("/new/mauer", **{f"seat-{seat}": "nobody" for seat in range(6)})
    public = form.send("/new/mauer", dice="scribe", public="1")
    typed = form.send("/new/mauer", **{"option-rounds": "99"})
    rare = form.send("/new/mauer", **{"option-pieces": "X"})

    assert "Die Mauer braucht mindestens 3 Personen: Nimm noch jemanden dazu." in lonely.text
    assert "Ein Tisch mit echten Würfeln oder vorgegebenem Anfang steht nicht" in public.text
    assert "Option rounds kann 1 bis 10 sein, nicht 99." in typed.text
    assert "So lässt sich kein Tisch eröffnen." in rare.text
    assert "(option pieces can be" in rare.text


def test_options_are_set_and_wrong_ones_explained(site: Running) -> None:
    """The form comes back as it was filled in."""
    ada = site.browser("Ada")
    form = look(ada, "/new/mauer")
    wrong = form.send("/new/mauer", **{"option-rounds": "99", "seat-3": "bot", "level-3": "master"})
    assert wrong.answer.status_code == 422
    assert "Option rounds can be" in wrong.text
    assert wrong.form("/new/mauer").fields["option-rounds"] == "99"
    assert wrong.form("/new/mauer").fields["level-3"] == "master"
    lonely = form.send("/new/mauer", **{f"seat-{seat}": "nobody" for seat in range(6)})
    assert lonely.answer.status_code == 422
    assert "Die Mauer needs at least 3 players: add one." in lonely.text
    right = wrong.send("/new/mauer", **{"option-rounds": "2"}, seconds_per_move="60", public="1")
    table_view = ada.table_view(right.path.removeprefix("/t/"))
    assert (
        table_view["options"]["rounds"],
        table_view["seconds_per_move"],
        table_view["public"],
    ) == (
        "2",
        60,
        True,
    )


def test_an_open_table_is_found_and_joined(site: Running) -> None:
    """From the first page, with a name, at one go; who comes too late is told so."""
    ada, bo, cem = site.browser("Ada"), site.browser(), site.browser("Cem")
    path = f"/t/{ada.open('hob', mine=[0], public=True)['table']}"
    assert path in look(bo, "/").html
    late = look(cem, path)
    page = look(bo, path).send("/sit", name="Bo")
    assert 'class="tablepage playing dm"' in page.main
    assert bo.table_view(path.removeprefix("/t/"))["seat"] == 1
    refused = late.send("/sit")
    assert refused.answer.status_code == 422
    assert "That cannot be done right now." in refused.text
    assert path in look(site.browser(), "/").html


def played_by(ada: Player, site: Running) -> tuple[str, list[str]]:
    """A table of Ada's at which the game is over, and the links to its seats, as paths."""
    options = {"rounds": "1", "stall": "1", "pieces": "T1"}
    table = ada.open("hhh", mine=[0, 1, 2], options=options, dice="scribe")["table"]
    for seat in (0, 1, 2):
        assert ada.move(table, "-", seat=seat).status_code == 200
    links = [ada.get(f"/api/tables/{table}/seats/{seat}/link").json()["link"] for seat in range(3)]
    return table, [link.removeprefix(site.address) for link in links]


@pytest.mark.parametrize("name", ["", "Eve"])
def test_another_device_plays_again_too(site: Running, name: str) -> None:
    """For the seats that it plays by their links, as their owner, whoever it is elsewhere."""
    ada, phone, late = site.browser("Ada"), site.browser(name), site.browser(name)
    table, links = played_by(ada, site)
    for seat in (1, 2):
        look(phone, links[seat])
    look(late, links[0])
    again = look(phone, f"/t/{table}").send("/rematch").path.removeprefix("/t/")
    joined = look(late, f"/t/{table}")
    assert "To the rematch" in joined.text
    assert joined.send("/rematch").path == f"/t/{again}"

    assert ada.table_view(again, seat=0)["names"] == ["Ada", "Ada 2", "Ada 3"]
    assert [phone.table_view(again, seat=seat)["seat"] for seat in (1, 2)] == [1, 2]
    assert late.table_view(again)["seat"] == 0
    assert phone.get(f"/api/tables/{again}", seat=0).status_code == 403


def test_a_seat_that_has_changed_hands_is_not_taken_along(site: Running) -> None:
    """At the table of the rematch it is somebody else's by then."""
    ada, phone = site.browser("Ada"), site.browser()
    table, links = played_by(ada, site)
    look(phone, links[1])
    again = ada.post(f"/api/tables/{table}/rematch").json()["table"]
    assert ada.post(f"/api/tables/{again}/stand", seat=1).status_code == 200
    look(phone, f"/t/{table}").send("/rematch")

    assert phone.table_view(again)["seat"] is None


def test_a_device_of_somebody_else_plays_again_as_the_owner(site: Running) -> None:
    """Who enters all chance sits at the table, also where a stranger's device asks for it."""
    ada, phone = site.browser("Ada"), site.browser("Eve")
    table, links = played_by(ada, site)
    look(phone, links[1])

    assert phone.post(f"/api/tables/{table}/rematch").status_code == 200


def test_no_clock_is_shown_where_there_is_none(site: Running) -> None:
    """A question about taking back has a deadline, also at a table without a clock."""
    ada, ben = site.browser("Ada"), site.browser("Ben")
    opened = ada.open("hoh", mine=[0, 2])
    table = opened["table"]
    ben.post(f"/api/tables/{table}/sit", seat=1)
    for player, seat, word in ((ada, 0, "T"), (ben, 1, "4"), (ada, 2, "4")):
        assert player.move(table, word, seat=seat).status_code == 200
    number = ben.table_view(table)["number"]
    assert ben.post(f"/api/tables/{table}/undo", version=number).status_code == 200
    page = look(ada, f"/t/{table}").answer.text

    assert "0 seconds" not in page
