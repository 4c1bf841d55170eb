"""A server below a path of another site: every path that it answers with has the prefix."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.web_server import Player, Running, serving

from mauerwerk.server.app import App
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.engine.host import Host
from mauerwerk.server.http.settings import Admin, Limits, Settings, SettingsError

TOKEN = "correct horse battery staple"  # noqa: S105 - for tests
SITE = "https://example.org/walls"
SETTINGS = Settings(address=SITE, limits=Limits(requests=0), admins=(Admin(TOKEN),))
PATHS = re.compile(r'\s([a-z-]+)="(/[^"]*)"')
"""Attributes that begin with a slash."""

BROWSER = {"host": "example.org", "origin": "https://example.org", "sec_fetch_site": "same-origin"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose proxy passes on whole paths, or without the prefix."""
    with serving(tmp_path_factory.mktemp("data"), SETTINGS) as site:
        yield site


@pytest.fixture(scope="module")
def ada(site: Running) -> Player:
    """A guest with a cookie, which is not sent back by itself over http."""
    client = site.client(**BROWSER)
    made = client.post("/walls/api/guests", json={"name": "Ada"})
    cookie = made.headers["set-cookie"]
    assert cookie.startswith("__Secure-mauerwerk=")
    assert "; Path=/walls;" in cookie
    signed = client.post("/walls/admin/sign-in", data={"token": TOKEN}).headers["set-cookie"]
    client.headers["cookie"] = "; ".join(each.partition(";")[0] for each in (cookie, signed))
    return Player(client)


def strays(text: str) -> list[tuple[str, str]]:
    """Paths without the prefix; a form's `value` says where to go back, inside the server."""
    return [
        (name, path)
        for name, path in PATHS.findall(text)
        if name not in {"value", "d"} and not (path == "/walls" or path.startswith("/walls/"))
    ]


@pytest.fixture(scope="module")
def tables(ada: Player) -> dict[str, str]:
    """A table that runs, one that waits, and the private link of a seat."""
    chairs = [{"kind": "human"}] * 3
    game = {"game": "mauer", "chairs": chairs}
    running = ada.client.post("/walls/api/tables", json={**game, "mine": [0, 1, 2]})
    waiting = ada.client.post("/walls/api/tables", json={**game, "mine": [0]})
    assert running.headers["location"] == f"/walls/api/tables/{running.json()['table']}"
    assert waiting.json()["link"].startswith(f"{SITE}/t/")
    link = waiting.json()["seats"][1]["link"]
    assert link.startswith(f"{SITE}/t/")
    return {
        "running": f"/t/{running.json()['table']}",
        "waiting": f"/t/{waiting.json()['table']}",
        "link": link.removeprefix(SITE),
    }


PAGES = (
    "/",
    "/rules",
    "/rules/mauer",
    "/learn/mauer",
    "/replay",
    "/real",
    "/new/mauer",
    "/admin",
    "/me",
)


@pytest.mark.parametrize("path", [*PAGES, "/nowhere", "running", "waiting"])
def test_every_link_has_the_prefix(ada: Player, tables: dict[str, str], path: str) -> None:
    """On every kind of page, also those that say what is wrong."""
    page = ada.client.get(f"/walls{tables.get(path, path)}")

    assert page.status_code in {200, 404}
    assert 'href="/walls/' in page.text
    assert strays(page.text) == []


def test_pages_lead_on_inside(ada: Player, tables: dict[str, str]) -> None:
    """Whatever a page links to is found; so with scripts and styles."""
    for start in ("/walls/", f"/walls{tables['running']}"):
        text = ada.client.get(start).text
        for _, path in {each for each in PATHS.findall(text) if each[0] in {"href", "src"}}:
            found = ada.client.get(path.replace("&amp;", "&").partition("#")[0])
            assert found.status_code in {200, 303}, path


def test_the_live_part_has_the_prefix(ada: Player, tables: dict[str, str]) -> None:
    """What is morphed into a page later is like the page."""
    part = ada.client.get(f"/walls{tables['running']}", headers={"hx-request": "true"}).text
    assert 'href="/walls/t/' in part
    assert strays(part) == []
    with ada.client.stream("GET", f"/walls{tables['running']}/live?seat=0&after=0") as stream:
        told = next(chunk for chunk in stream.iter_text() if "data:" in chunk)
    assert strays(told) == []


def test_redirections_have_it_once(ada: Player, tables: dict[str, str]) -> None:
    """A form says where to go back as the server or as the browser knows it."""
    for back in ("/rules", "/walls/rules"):
        sent = ada.client.post("/walls/preferences", data={"theme": "dark", "back": back})
        assert sent.headers["location"] == "/walls/rules"
        assert "; Path=/walls;" in sent.headers["set-cookie"]
    opened = ada.client.get(f"/walls{tables['link']}")
    assert opened.headers["location"] == f"/walls{tables['waiting']}"


def test_a_proxy_may_take_the_prefix_away(ada: Player) -> None:
    """Then the answers are the same."""
    for path in ("/", "/rules/mauer", "/api/games"):
        assert ada.client.get(path).text == ada.client.get(f"/walls{path}").text
    assert ada.client.get("/walls").status_code == 200
    assert ada.client.get("/wallsandmore").status_code == 404


def test_the_document_names_the_server(ada: Player) -> None:
    """Programs that read it find the prefix there."""
    document = ada.client.get("/walls/api/openapi.json").json()
    assert document["servers"] == [{"url": SITE}]


def test_a_path_that_is_a_page_is_refused(tmp_path: Path) -> None:
    """It could not be told from the page."""
    with pytest.raises(SettingsError, match="/api"):
        App(Host(store_at(tmp_path)), Settings(address="https://example.org/api"))


def test_passkeys_are_for_the_public_name(ada: Player) -> None:
    """Whatever the path and the proxy: browsers know the server by the name in its address."""
    asked = ada.client.post("/walls/me/passkey/options", data={"from": "page"})
    assert asked.json()["rp"]["id"] == "example.org"
    assert "; Path=/walls;" in asked.headers["set-cookie"]
    link = ada.client.post("/walls/me/link", data={"from": "page"}).text
    assert f'value="{SITE}/me/join/' in link
    assert strays(link) == []
