"""The page of a table: everything by plain forms, in words, and through nobody else's eyes."""

import random
import re
from html import unescape
from typing import Any

import pytest
from tests.support.amounts import amount
from tests.support.web_pages import Page, look, sent
from tests.support.web_server import LEVEL, Player, Running

from mauerwerk.bots.hints import Hint
from mauerwerk.core.game import Seat
from mauerwerk.games import mauer
from mauerwerk.play.host.host import Host
from mauerwerk.play.tables.errors import TooManyError

MOST = 2_000


def table_of(player: Player, game: str, people: int = 1, **more: Any) -> str:  # noqa: ANN401
    """The path of a new table with bots, at which this player has the first seats."""
    bots = [{"kind": "bot", "level": LEVEL}] * (3 - people)
    order = {"game": game, "chairs": [*[{"kind": "human"}] * people, *bots], "tempo": 0, **more}
    made = player.post("/api/tables", **{"mine": [*range(people)], **order})
    assert made.status_code == 201, made.text
    return f"/t/{made.json()['table']}"


def asked(page: Page) -> bool:
    """Whether the page asks whoever looks at it."""
    return "data-asked" in page.main


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
        legal = [choice["word"] for choice in ada.table_view(path.removeprefix("/t/"))["legal"]]
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
    sent(ada, "/wishes", language="de")
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

    told = ada.get(f"/api/tables/{path.removeprefix('/t/')}/story", seat=0).json()["notices"]
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
    sent(ada, "/wishes", language="de")
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


def test_a_bot_plays_on_until_one_is_back(site: Running) -> None:
    """Handed over, taken back, left for good."""
    ada = site.browser("Ada")
    path = table_of(ada, "mauerbauer", people=2, tempo=60_000, options={"first": "0"})
    page = look(ada, f"{path}?seat=0&opened=0")
    away = page.send("/away")
    assert "Play again myself" in away.text
    assert "handed over to a bot" in away.text
    assert "came back" in away.send("/back").text
    left = look(ada, f"{path}?seat=0&opened=0").send("/stand")
    assert left.path == path
    assert "You left. A bot plays in your place." in left.text
    assert "Take it back" not in left.send("/sit").text
    look(ada, f"{path}?seat=0&opened=0").send("/stand")
    assert "data-asked" not in look(ada, path).main or "?seat=1" in look(ada, path).main


def test_asking_twice(site: Running) -> None:
    """Only where it cannot be taken back, only if so wished; then the same form does it."""
    ada = site.browser("Ada")
    sent(ada, "/wishes", twice="1")
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


# --- Whose eyes ------------------------------------------------------------------------------


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

    monkeypatch.setattr(site.app.site.host, "go_on", go_on)
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
        seen.append(re.sub(r"[0-9a-f]{64}", "", page.html.replace(table, "")))

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


# --- Setting up ------------------------------------------------------------------------------


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
    assert 'class="tablepage mb"' in joined.main
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
    """Whole, where pressing is enough to do it wrong; what only typing does is told in English."""
    ada = site.browser("Ada")
    sent(ada, "/wishes", language="de")
    form = look(ada, "/new/mauer")
    lonely = form.send("/new/mauer", **{f"seat-{seat}": "nobody" for seat in range(6)})
    public = form.send("/new/mauer", chance="all", public="1")
    typed = form.send("/new/mauer", **{"option-rounds": "99"})

    assert "Die Mauer braucht mindestens 3 Personen: Nimm noch jemanden dazu." in lonely.text
    assert "Ein Tisch mit echten Würfeln oder vorgegebenem Anfang steht nicht" in public.text
    assert "So lässt sich kein Tisch eröffnen." in typed.text
    assert "(option rounds can be" in typed.text


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
    right = wrong.send("/new/mauer", **{"option-rounds": "2"}, pace="60", public="1")
    table_view = ada.table_view(right.path.removeprefix("/t/"))
    assert (table_view["options"]["rounds"], table_view["pace"], table_view["public"]) == (
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
    assert 'class="tablepage dm"' in page.main
    assert bo.table_view(path.removeprefix("/t/"))["seat"] == 1
    refused = late.send("/sit")
    assert refused.answer.status_code == 422
    assert "That cannot be done right now." in refused.text
    assert path in look(site.browser(), "/").html


# --- Playing again ---------------------------------------------------------------------------


def played_by(ada: Player, site: Running) -> tuple[str, list[str]]:
    """A table of Ada's at which the game is over, and the links to its seats, as paths."""
    options = {"rounds": "1", "stall": "1", "pieces": "T1"}
    table = ada.open("hhh", mine=[0, 1, 2], options=options, chance="all")["table"]
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
