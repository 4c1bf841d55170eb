"""The page for the people who run a server: signing in, what it shows, what can be done."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import httpx
import msgspec
import pytest
from tests.support.web_pages import look, sent
from tests.support.web_server import Player, Running, serving

from mauerwerk.server.engine.blocklist import Blocked
from mauerwerk.server.features.lessons.lesson import course
from mauerwerk.server.features.moderation import store as moderation
from mauerwerk.server.features.puzzles import service as puzzles
from mauerwerk.server.features.replay.pages import samples
from mauerwerk.server.games.mauerbauer.board_editor.draft import read
from mauerwerk.server.games.mauerbauer.board_editor.pages import address_of
from mauerwerk.server.http.settings import Admin, Backups, Limits, Settings

TOKEN = "correct horse battery staple"  # noqa: S105 - for tests
SETTINGS = Settings(limits=Limits(requests=0), admins=(Admin(TOKEN),))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that can be managed over the network."""
    with serving(tmp_path_factory.mktemp("data"), SETTINGS) as site:
        yield site


@pytest.fixture(scope="module")
def host(site: Running) -> Player:
    """A browser that is signed in."""
    browser = site.browser()
    signed = browser.client.post("/admin/sign-in", data={"token": TOKEN})
    assert signed.status_code == 303
    return browser


def do(host: Player, **fields: str) -> httpx.Response:
    """Confirm something on the page."""
    return host.client.post("/admin/do", data={"back": "/admin", **fields}, follow_redirects=True)


def guest_id(site: Running, browser: Player) -> str:
    """The id of the guest in a browser."""
    guest = site.app.state.host.keys.guest_of(browser.client.cookies["mauerwerk"])
    assert guest is not None
    return guest.id


def test_nobody_sees_it_without_the_token(site: Running) -> None:
    """There is a form, nothing else; a wrong token is refused, and nothing can be done."""
    browser = site.browser("Eve")
    assert 'type="password"' in browser.get("/admin").text
    wrong = browser.client.post("/admin/sign-in", data={"token": "wrong"})
    assert (wrong.status_code, "set-cookie" in wrong.headers) == (401, False)
    assert "This token is wrong" in wrong.text
    figures = browser.get("/admin/figures")
    assert (figures.status_code, figures.headers["hx-refresh"]) == (401, "true")
    refused = do(browser, do="close")
    assert refused.status_code == 401
    assert "You are not signed in any more. Nothing was done." in refused.text
    assert 'type="password"' in refused.text


CLOSED = "This server takes no new tables at the moment."


@pytest.fixture
def closed(host: Player) -> Iterator[None]:
    """The server takes no new tables meanwhile."""
    do(host, do="close")
    yield
    do(host, do="reopen")


@pytest.mark.usefixtures("closed")
def test_a_closed_server_says_so_beforehand_and_beside_the_form(site: Running) -> None:
    """Once on each page that leads to a table; what was filled in is still there."""
    ada = site.browser("Ada")
    for path in ("/", "/new/mauer", "/learn/mauer", "/learn/mauer/1"):
        assert look(ada, path).text.count(CLOSED) == (path != "/learn/mauer/1"), path
    last = len(course("mauer").stops)
    assert CLOSED in look(ada, f"/learn/mauer/{last}").text
    refused = sent(ada, "/new/mauer", **{"name": "Countess", "seat-0": "me", "seat-1": "bot"})
    assert refused.answer.status_code == 403
    assert refused.text.count(CLOSED) == 1
    assert 'value="Countess"' in refused.main
    for path, shown in (("/play", "/"), ("/learn/mauer/play", "/learn/mauer")):
        page = sent(ada, path, game="mauer")
        assert (page.path, page.text.count(CLOSED)) == (shown, 1)


def trials() -> list[tuple[str, str]]:
    """A replay, the answer to a puzzle and a board, and where their buttons lead."""
    day = puzzles.today()
    answer = urlencode({"word": puzzles.for_day(day)[0].choices[0].word})
    return [
        (f"{samples()[0][1]}?at=9&seat=0", "/play"),
        (f"/puzzles/{day}/1?{answer}", "/play"),
        (address_of(read("default")), "/workshop/play"),
    ]


@pytest.mark.usefixtures("closed")
def test_a_closed_server_says_so_where_a_game_can_be_tried(site: Running) -> None:
    """Once on each page, and who presses the button all the same is there again."""
    for path, action in trials():
        page = look(site.browser("Ada"), path)
        assert page.text.count(CLOSED) == 1
        again = page.send(action)
        assert (again.answer.status_code, again.path) == (200, path)


def test_an_open_server_does_not_say_that_it_is_closed(site: Running) -> None:
    """Nowhere."""
    for path in ("/", "/new/mauer", "/learn/mauer", *(path for path, _ in trials())):
        assert CLOSED not in look(site.browser("Ada"), path).text


def test_one_table_waits_and_several_do(tmp_path: Path) -> None:
    """The verb is in the singular or the plural, as a language has it."""
    with serving(tmp_path, SETTINGS) as site:
        host, ada = site.browser(), site.browser("Ada")
        host.client.post("/admin/sign-in", data={"token": TOKEN})
        for said in ("0 laufen, 1 wartet", "0 laufen, 2 warten"):
            ada.open("hhh", mine=[0])
            assert said in look(host, "/admin", accept_language="de").text


def test_the_cookie_is_for_this_site_alone_and_short(site: Running) -> None:
    """No script reads it, no foreign page sends it, and it ends within an hour."""
    signed = site.browser().client.post("/admin/sign-in", data={"token": TOKEN})
    cookie = signed.headers["set-cookie"]
    assert "HttpOnly; SameSite=Strict" in cookie
    assert "Max-Age=3600" in cookie
    assert TOKEN not in cookie


def test_a_forged_or_old_session_is_none(site: Running) -> None:
    """The time is signed, too."""
    for value in ("9999999999.x", "9999999999.x.x", "1.x", ".", "..", "x"):
        client = site.client(cookie=f"mauerwerk-host={value}")
        assert 'type="password"' in client.get("/admin").text


def test_a_cookie_is_not_valid_after_signing_out(site: Running, host: Player) -> None:
    """Nor is one from earlier in the same session; another browser of the host stays signed in."""
    browser = site.browser()
    browser.client.post("/admin/sign-in", data={"token": TOKEN})
    early = browser.client.cookies["mauerwerk-host"]
    browser.get("/admin")
    late = browser.client.cookies["mauerwerk-host"]
    assert browser.client.post("/admin/sign-out", data={"x": "1"}).status_code == 303
    for value in (early, late):
        again = site.client(cookie=f"mauerwerk-host={value}", origin=site.address)
        assert 'type="password"' in again.get("/admin").text
        assert again.post("/admin/do", data={"do": "close"}).status_code == 401
        assert again.post("/admin/sign-out", data={"x": "1"}).status_code == 303
    assert 'type="password"' not in host.get("/admin").text
    assert "signed out" in host.get("/admin").text


def test_a_foreign_page_can_do_nothing(site: Running, host: Player) -> None:
    """Even with the cookie: a request from another origin, or from none, is refused."""
    cookie = f"mauerwerk-host={host.client.cookies['mauerwerk-host']}"
    for origin in ({"origin": "https://evil.example"}, {}):
        client = site.client(cookie=cookie, **origin)
        sent = client.post("/admin/do", data={"do": "close"})
        assert sent.status_code == 403


def test_a_game_is_ended_after_a_question(site: Running, host: Player) -> None:
    """The question stands in the row, names the effect, and offers to keep it."""
    ada = site.guest("Ada <i>")
    table = ada.open(mine=[0, 1, 2])["table"]
    page = host.get("/admin", which="running").text
    assert "Ada &lt;i&gt;" in page
    assert f"ask=end&amp;what={table}" in page
    asked = host.get("/admin", ask="end", what=table).text
    assert "Keep it" in asked
    assert "It counts as unfinished" in asked
    assert do(host, do="end", table=table).status_code == 200
    assert ada.get(f"/api/tables/{table}", seat="none").json()["ended"] == "host"
    assert "ended a game" in host.get("/admin").text
    do(host, do="delete", table=table)
    refused = do(host, do="delete", table=table)
    assert (refused.status_code, "there is no table" in refused.text) == (422, True)


def test_reports_are_dealt_with(site: Running, host: Player) -> None:
    """The first sentence says that one waits; renaming, blocking or leaving it resolves it."""
    ada, bob = site.browser("Ada"), site.browser("Bad Name")
    table = ada.open("ooo", mine=[0])["table"]
    bob.post(f"/api/tables/{table}/sit", seat=1)
    path = f"/api/tables/{table}/reports"
    for about in ("name", "behaviour"):
        assert ada.post(path, seat=1, about=about, text="really").status_code == 200
    page = host.get("/admin").text
    assert "2 reports wait for you." in page
    reports = re.findall(
        r'name="do" value="resolve"><input type="hidden" name="report" value="([^"]+)"', page
    )
    guest = guest_id(site, bob)
    do(host, do="rename", guest=guest, name="Mason", report=reports[0])
    assert "Mason" in bob.get("/").text
    asked = host.get("/admin", ask="block-reported", what=reports[1]).text
    assert f'name="report" value="{reports[1]}"' in asked
    do(host, do="block", kind="guest", what=guest, days="7", reason="no", report=reports[1])
    assert bob.get("/").status_code == 403
    page = host.get("/admin").text
    assert "All is well." in page
    assert "blocked until" in page
    do(host, do="unblock", kind="guest", what=guest)
    assert bob.get("/").status_code == 200


def test_networks_doors_and_the_secret(site: Running, host: Player) -> None:
    """A host who blocks their own network can undo it; a new secret signs out."""
    do(host, do="block", kind="network", what="127.0.0.1", days="1", reason="")
    assert site.browser().get("/").status_code == 403
    assert "127.0.0.1/32" in host.get("/admin").text
    do(host, do="unblock", kind="network", what="127.0.0.1/32")
    assert site.browser().get("/").status_code == 200
    do(host, do="close")
    assert "Closed for new tables" in host.get("/admin").text
    do(host, do="reopen")
    assert "not-a-network" in do(host, do="block", kind="network", what="not-a-network").text
    assert do(host, do="fly").status_code == 422


def test_a_refused_form_keeps_what_was_typed(host: Player) -> None:
    """It is still open, with the reason in it; also where somebody comes back to its address."""
    asked = look(host, "/admin?which=silent&ask=block-network")
    typed = {"what": "not a network", "days": "30", "reason": "too many <tables>"}
    refused = asked.send("#ask", **typed)
    form = refused.form("#ask")
    assert refused.answer.status_code == 422
    assert form.fields == {**asked.form("#ask").fields, **typed}
    assert form.action == asked.form("#ask").action
    (ask,) = re.findall(r'id="ask".*?</form>', refused.html, re.DOTALL)
    assert ask.count('role="alert"') == refused.html.count('role="alert"') == 1
    again = look(host, refused.path)
    assert again.path == "/admin?which=silent&find=&ask=block-network&what="
    assert again.form("#ask").fields == asked.form("#ask").fields

    asked = look(host, "/admin?ask=block-name")
    assert "Network" not in str(re.findall(r'id="ask".*?</form>', asked.html, re.DOTALL))
    gone = do(host, do="end", table="nowhere").text
    assert gone.count('role="alert"') == 1, "there is no such row"


def test_no_page_shows_an_address_or_a_hand(site: Running, host: Player) -> None:
    """Only networks that the host named stand there."""
    site.write(
        lambda it: moderation.block(it, Blocked.NETWORK, "192.0.2.0/24", "", it.now + 60_000)
    )
    page = host.get("/admin").text
    assert "192.0.2.0/24" in page
    assert "127.0.0.1" not in page.replace(site.address, "").split('id="entries"')[0]


def test_it_lists_all_limits_as_they_are(host: Player) -> None:
    """By the names that the file of settings has."""
    page = host.get("/admin").text
    for name in Limits.__struct_fields__:
        assert f"<code>{name}</code>" in page


@pytest.mark.parametrize("language", ["de", "it"])
def test_it_speaks_three_languages(host: Player, language: str) -> None:
    """No English sentence is left over."""
    page = host.client.get("/admin", headers={"accept-language": language}).text
    for words in ("Guests", "Reported", "Queues and limits", "Up for", "Sign out"):
        assert words not in page
    assert re.search(r"\d\.\d{3}\b", page)
    assert not re.search(r"\d,\d{3}\b|\d\.\d k?B", page)


def test_it_makes_backups_and_says_how_old_the_last_is(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Where the settings name a folder; one that cannot be written to is said so."""
    folder = tmp_path_factory.mktemp("backups") / "of walls"
    settings = msgspec.structs.replace(SETTINGS, backups=Backups(str(folder)))
    with serving(tmp_path_factory.mktemp("data"), settings) as site:
        host = site.browser()
        host.client.post("/admin/sign-in", data={"token": TOKEN})
        assert "There is no backup yet." in host.get("/admin").text
        failed = do(host, do="back-up")
        assert (failed.status_code, "the backup was not made" in failed.text) == (422, True)
        folder.mkdir()
        made = do(host, do="back-up")
        assert "not older than a day" in made.text
        assert "made a backup" in made.text
        assert "All is well." in made.text
    assert len(list(folder.glob("*.db"))) == 1
