"""Pages: they speak three languages, load nothing foreign, weigh little, obey settings."""

import gzip
import re
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import httpx
import pytest
from tests.support.web_pages import Page, every_page, look, sent
from tests.support.web_server import LEVEL, Player, Running

from mauerwerk.core.language import TITLES, read
from mauerwerk.server.games import WEB_GAMES
from mauerwerk.server.http.security import POLICY
from mauerwerk.server.http.static import JOINED, files, files_in
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.ui.history import AROUND
from mauerwerk.server.ui.preferences import best_of

LANGUAGES = tuple(TITLES)


@pytest.fixture(scope="module")
def tables(site: Running) -> tuple[Player, dict[str, str]]:
    """Ada, and tables of hers: waiting, running (each game), over, and a seat's link."""
    ada = site.browser("Ada")
    waiting = ada.open("hoh", mine=[0], public=True)["table"]
    paths = {"waiting": f"/t/{waiting}", "link": f"/t/{waiting}/seats/2"}
    bots = [{"kind": "bot", "level": LEVEL}] * 2
    for game in ("mauer", "burgbaumeister", "mauerbauer"):
        order: dict[str, Any] = {"game": game, "chairs": [{"kind": "human"}, *bots], "mine": [0]}
        order["options"] = {"first": "0"}  # she is asked at once
        table = ada.post("/api/tables", **order, bot_delay_ms=0).json()["table"]
        paths[game] = f"/t/{table}"
    over = ada.open("hhh", mine=[0, 1, 2], options={"rounds": "1", "stall": "1", "pieces": "T1"})
    for seat in (0, 1, 2):
        assert ada.move(over["table"], "-", seat=seat).status_code == 200
    assert ada.table_view(over["table"], seat=0)["status"] == "over"
    paths["over"] = f"/t/{over['table']}"
    return ada, paths


@pytest.fixture(params=LANGUAGES)
def pages(
    request: pytest.FixtureRequest, tables: tuple[Player, dict[str, str]]
) -> Iterator[tuple[str, list[Page]]]:
    """Every page in one language, as Ada sees it."""
    ada, paths = tables
    sent(ada, "/preferences", language=request.param)
    yield request.param, list(every_page(ada, paths))
    sent(ada, "/preferences", language="en")


def untranslated(language: str) -> list[str]:
    """What the pages say in English, and not in this language."""
    if language == "en":
        return []
    file = resources.files("mauerwerk").joinpath("locales", f"{language}-web.po")
    said = read(file.read_text(encoding="utf-8"))
    return [
        english
        for (_, english), words in said.items()
        if len(english) > 3 and "{" not in english and english not in words
    ]


def test_every_page_is_in_the_language_of_its_reader(pages: tuple[str, list[Page]]) -> None:
    """And in no other."""
    language, shown = pages
    foreign = untranslated(language)
    for page in shown:
        assert f'<html lang="{language}"' in page.html, page.path
        said = page.text + " ".join(
            re.findall(r'(?:aria-label|alt|placeholder)="([^"]*)"', page.html)
        )
        found = [each for each in foreign if each in said]  # expressions take long
        mixed = [each for each in found if re.search(rf"(?<!\w){re.escape(each)}(?!\w)", said)]
        assert mixed == [], page.path


def test_pages_bring_nothing_that_the_policy_forbids(pages: tuple[str, list[Page]]) -> None:
    """No script or style in the page, no handlers, no address of another host."""
    for page in pages[1]:
        assert page.answer.headers["content-security-policy"] == POLICY
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", page.html)
        for address in re.findall(r'(?:src|href|action|hx-post|sse-connect)="([^"]*)"', page.html):
            assert address.startswith(("/", "#", "mailto:?")), address  # nobody's address
            assert not address.startswith("//")


def test_ids_are_unique_and_what_they_name_is_there(pages: tuple[str, list[Page]]) -> None:
    """A drawing finds its symbols, a label its field."""
    for page in pages[1]:
        ids = re.findall(r'\sid="([^"]+)"', page.html)
        assert len(ids) == len(set(ids)), [each for each in ids if ids.count(each) > 1]
        used = set(re.findall(r'<use href="#([^"]+)"', page.html))
        assert used <= set(ids), page.path


def weights(client: httpx.Client, path: str) -> dict[str, int]:
    """What a page, its styles, scripts and font weigh, compressed; not what comes later."""
    answer = client.get(path, headers={"accept-encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    found = {path: len(gzip.compress(answer.content, 5))}
    loads = re.sub(r"<(template|noscript)\b.*?</\1>", "", answer.text, flags=re.DOTALL)
    for part in re.findall(r'(?:src|href)="(/static/[^"]+)"', loads):
        loaded = client.get(part, headers={"accept-encoding": "gzip"})
        assert loaded.status_code == 200
        assert "immutable" in loaded.headers["cache-control"]
        found[part] = int(loaded.headers["content-length"])
    return found


def test_the_first_page_is_light(site: Running) -> None:
    """Under 65 kB with all styles and scripts and the font, compressed; our own script under 4."""
    found = weights(site.browser().client, "/")

    assert [path for path in found if ".woff2" in path]
    assert len(files()["page.js"].packed) < 4_000
    assert sum(found.values()) < 65_000, found


@pytest.mark.parametrize(
    ("language", "said"), [("en", "with friends"), ("de", "mit Freunden"), ("it", "con gli amici")]
)
def test_the_first_page_says_what_it_is(site: Running, language: str, said: str) -> None:
    """To search engines too, once, in the language of the page."""
    page = look(site.browser(), "/", **{"accept-language": language})
    (told,) = re.findall('<meta name="description" content="([^"]+)">', page.html)

    assert said in told


@pytest.mark.parametrize("game", WEB_GAMES)
def test_a_table_is_light(tables: tuple[Player, dict[str, str]], game: str) -> None:
    """At most ten requests and 80 kB with icons and font, compressed."""
    ada, paths = tables
    found = weights(ada.client, paths[game])

    assert len(found) + 1 <= 10, found
    assert sum(found.values()) < 80_000, found


def test_what_is_joined_is_what_its_parts_are() -> None:
    """Each part is a file of its own; the sheet of a game leaves out the other games."""
    for path, parts in JOINED.items():
        pieces = [files()[part].plain for part in parts]
        assert all(piece.strip() in files()[path].plain for piece in pieces), path
    for game, others in ((each, set(WEB_GAMES) - {each}) for each in WEB_GAMES):
        sheet = files()[f"{game}/table.css"].plain.decode().replace(" ", "")
        styles = {each: dict(files_in(room(each), ("css",)))["board.css"] for each in WEB_GAMES}
        assert longest_line(styles[game]) in sheet
        assert not any(longest_line(styles[other]) in sheet for other in others)


def room(game: str) -> Traversable:
    """The folder of a game's pages."""
    folder = WEB_GAMES[game].files
    assert folder is not None
    return folder


def longest_line(content: bytes) -> str:
    """A line that no other file has, without its spaces."""
    return max(content.decode().splitlines(), key=len).replace(" ", "")


def test_what_browsers_do_not_read_is_not_sent() -> None:
    """Comments and indentation stay here; no text of a script spans lines, so none is harmed."""
    for path, file in files().items():
        said = file.plain.decode() if path.endswith((".css", ".js")) else ""
        if path.endswith(".css"):
            assert not re.search(r"/\*|^ ", said, re.MULTILINE), path
        elif not path.startswith("vendor"):
            assert not re.search(r"^\s*//", said, re.MULTILINE), path
            assert all(line.count("`") % 2 == 0 for line in said.splitlines()), path


def test_a_file_is_what_its_address_says(site: Running) -> None:
    """With an old address, or none, it is not kept; what is no file is not found."""
    client = site.client()

    assert "no-cache" in client.get("/static/page.css").headers["cache-control"]
    assert "no-cache" in client.get("/static/page.css?v=old").headers["cache-control"]
    assert client.get("/static/../security.py").status_code == 404
    assert client.get("/static/%2e%2e/security.py").status_code == 404
    assert client.post("/static/page.css").status_code == 405


@pytest.mark.parametrize(
    ("accepted", "code"),
    [
        ("de-CH, en;q=0.8", "de"),
        ("fr, it;q=0.7, en;q=0.3", "it"),
        ("fr", "en"),
        ("", "en"),
        ("de;q=0, en", "en"),
        ("de;q=bad", "de"),
        ("en;q=0.5, de;q=0.9", "de"),
    ],
)
def test_the_browser_says_which_language(site: Running, accepted: str, code: str) -> None:
    """The first that there is, by what it likes best."""
    assert best_of(accepted) == code
    assert f'lang="{code}"' in look(site.browser(), "/", accept_language=accepted).html


def test_wishes_are_kept(site: Running) -> None:
    """Each is changed alone, and the page one was on comes back."""
    ada = site.browser()

    assert sent(ada, "/preferences", theme="dark", back="/new/mauer").path == "/new/mauer"
    page = sent(ada, "/preferences", language="it")
    assert 'lang="it" data-theme="dark"' in page.html
    page = sent(ada, "/preferences", theme="", sounds="1")
    assert "data-theme" not in page.html
    assert 'lang="it"' in page.html
    assert "data-sounds" in page.html


@pytest.mark.parametrize(
    "back", ["//evil.example", "https://evil.example", "/\\evil.example", "x", "/a\nb", "/ö"]
)
def test_nobody_is_sent_elsewhere(site: Running, back: str) -> None:
    """Only a path of this server is a way back."""
    answer = site.browser().client.post("/preferences", data={"theme": "dark", "back": back})

    assert answer.headers["location"] == "/"


def test_a_cookie_that_makes_no_sense_does_no_harm(site: Running) -> None:
    """It counts as none."""
    client = site.client(cookie="mauerwerk-preferences=xx.<b>.7.8.9")

    assert '<html lang="en">' in client.get("/").text


@pytest.mark.parametrize("game", ["mauer", "burgbaumeister", "mauerbauer"])
def test_one_click_and_somebody_new_plays(site: Running, game: str) -> None:
    """A name is given, bots sit there, the game has begun; the first page knows of it."""
    newcomer = site.browser()
    page = sent(newcomer, "/play", game=game)

    assert page.path.startswith("/t/")
    table_view = newcomer.table_view(page.path.removeprefix("/t/"))
    assert table_view["status"] == "running"
    assert table_view["seat"] == 0
    assert all(place["level"] for place in table_view["seats"][1:])
    assert page.path in look(newcomer, "/").html


def test_a_name_can_be_changed(site: Running) -> None:
    """From then on; whoever it is stays the same."""
    ada = site.browser("Ada")
    before = ada.get("/api/guests/me").json()["guest"]
    page = look(ada, "/settings").send("/settings?back=/", name="  Ada   L. ")

    assert 'value="Ada L."' in page.html
    assert ada.get("/api/guests/me").json() == {"guest": before, "name": "Ada L."}


def test_a_refused_name_leaves_the_settings_as_they_were(site: Running) -> None:
    """Why is said beside the field, which keeps what was typed; so does the way back."""
    ada = site.browser("Ada")
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    form = "/settings?back=/t/abc%3Fseat%3D1"
    page = look(ada, form).send(form, name=family)

    assert page.answer.status_code == 422
    assert page.text.count("combined emoji are not possible") == 1
    assert f'value="{family}"' in page.main
    assert 'href="/t/abc?seat=1"' in page.main
    assert ada.get("/api/guests/me").json()["name"] == "Ada"
    assert page.send(form, name="Countess").path.startswith("/settings?saved=1")


def test_what_is_not_there_says_so(site: Running) -> None:
    """In the reader's language, with a way on."""
    page = look(site.browser(), "/nowhere", accept_language="de")

    assert page.answer.status_code == 404
    assert "Seite nicht gefunden." in page.text
    assert "Zur Startseite" in page.text
    for path in ("/t/nothing", "/t/nothing/replay"):
        page = look(site.browser(), path)
        assert page.answer.status_code == 404
        assert "There is no table here." in page.text
        assert "Go to the home page" in page.text
    assert look(site.browser(), "/new/chess").answer.status_code == 404
    assert sent(site.browser(), "/play", game="chess").answer.status_code == 404


def test_a_foreign_page_changes_nothing(site: Running) -> None:
    """Nor does a form that does not say where it comes from."""
    for headers in (
        {"origin": "http://evil.example", "sec-fetch-site": "cross-site"},
        {"content-type": "application/x-www-form-urlencoded"},
    ):
        answer = site.client().post("/play", data={"game": "mauer"}, headers=headers)
        assert answer.status_code == 403
    assert site.browser().client.post("/play", json={"game": "mauer"}).status_code == 415
    assert site.browser().client.put("/play").status_code == 405


def test_a_page_that_answered_a_form_is_left_for_a_page(site: Running) -> None:
    """Another theme or language, the way back from the settings: the form is there again."""
    eve = site.browser("Eve")
    wrong = sent(eve, "/me/recover", code="wrong")
    assert "This code is not valid." in wrong.text
    assert wrong.path in wrong.form("/preferences").fields["back"]
    german = wrong.send("/preferences", language="de")
    assert (german.answer.status_code, german.path) == (200, "/me/recover")
    assert "Wiederherstellungscode" in german.text
    sent(eve, "/preferences", language="en")
    for path, above in (
        ("/play", "/"),
        ("/new/mauer/draft", "/new/mauer"),
        ("/me/passkey/remove", "/me"),
        ("/me/link", "/me"),
    ):
        page = look(eve, path)
        assert (page.answer.status_code, page.path) == (200, above)


def test_every_kind_of_entry_has_words() -> None:
    """All but moves, whose events are told, and ends, whose words depend on more."""
    assert set(AROUND) == set(Kind) - {Kind.MOVE, Kind.END, Kind.FORFEIT}
