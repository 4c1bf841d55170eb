"""Pages that visitors share: the same for all of whom nothing is known, and for nobody else."""

from collections.abc import Generator

import pytest
from tests.support.web_server import UNLIMITED, Running, serving

from mauerwerk.core.svg import node, shared
from mauerwerk.server.ui.cache import SECONDS, SharedPages
from mauerwerk.server.ui.markup import html, sign

SHARED = ("/", "/leaderboard", "/rules/mauer", "/workshop", "/real/mauerbauer")


@pytest.fixture(name="site", scope="module")
def _site(tmp_path_factory: pytest.TempPathFactory) -> Generator[Running]:
    with serving(tmp_path_factory.mktemp("data"), UNLIMITED) as site:
        yield site


@pytest.mark.parametrize("path", SHARED)
def test_nobody_gets_the_page_of_a_guest(site: Running, path: str) -> None:
    """A guest's name stands on their own page alone, whoever asked first."""
    ada = site.client()
    ada.post("/api/guests", json={"name": "Ada Lovelace"}).raise_for_status()

    before, own, after = site.client().get(path), ada.get(path), site.client().get(path)

    assert "Ada Lovelace" in own.text
    assert before.text == after.text
    assert "Ada Lovelace" not in before.text


@pytest.mark.parametrize("path", SHARED)
def test_each_reads_their_language_and_theme(site: Running, path: str) -> None:
    """What a page depends on tells it apart: the language, and preferences in a cookie."""
    german, italian = (site.client(accept_language=code) for code in ("de", "it"))
    dark = site.client(accept_language="de", cookie="mauerwerk-preferences=de.dark")

    for _ in range(2):
        assert '<html lang="de">' in german.get(path).text
        assert '<html lang="it">' in italian.get(path).text
        assert '<html lang="de" data-theme="dark">' in dark.get(path).text


def test_a_proxy_can_keep_it_apart(site: Running) -> None:
    """With gzip and without, the page is the same, and says what it varies by."""
    packed = site.client(accept_encoding="gzip").get("/rules/mauer")
    plain = site.client(accept_encoding="identity").get("/rules/mauer")

    assert packed.text == plain.text
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert "accept-encoding" in packed.headers["vary"].lower()
    assert "cookie" in plain.headers["vary"]
    elsewhere = site.client(accept_encoding="gzip", sec_fetch_site="cross-site")
    assert "content-encoding" not in elsewhere.get("/rules/mauer").headers


def test_a_new_table_is_on_the_home_page_at_once(site: Running) -> None:
    """What is kept does not outlive what it shows."""
    ada, visitor = site.client(origin=site.address), site.client()
    ada.post("/api/guests", json={"name": "Ada"}).raise_for_status()
    before = visitor.get("/").text
    order = {"game": "mauer", "chairs": [{"kind": "open"}] * 3, "mine": [0], "public": True}
    table = ada.post("/api/tables", json=order).raise_for_status().json()["table"]

    assert table not in before
    assert table in visitor.get("/").text


def test_pages_are_kept_for_a_moment() -> None:
    """After that, or when something has happened, they are made again."""
    now = 0.0
    pages = SharedPages(lambda: now)
    kept = pages.put("key", b"a page")
    now = SECONDS * 0.9
    assert pages.get("key") is kept
    assert pages.get("another") is None
    now = SECONDS
    assert pages.get("key") is None
    pages.put("key", b"a page")
    pages.clear()
    assert pages.get("key") is None


def test_old_pages_take_up_no_memory() -> None:
    """Nobody is shown them, and visitors can ask for any number of addresses."""
    now = 0.0
    pages = SharedPages(lambda: now)
    for number in range(9):
        pages.put(number, b"a page")
    now = SECONDS
    pages.put("key", b"a page")

    assert len(pages) == 1


def test_a_drawing_that_is_shared_stays_as_it_is() -> None:
    """Words after a sign stand there alone, and nobody can change the sign for others."""
    alone = html(sign("i-clock"))
    with_words = html(node("p", sign("i-clock"), "12 < 13"))

    assert with_words == f"<p>{alone}12 &lt; 13</p>"
    assert html(sign("i-clock")) == alone
    with pytest.raises(TypeError):
        sign("i-clock").set("class", "other")
    changed = sign("i-clock").copied()
    changed.set("class", "other")
    assert html(sign("i-clock")) == alone != html(changed)


def test_html_is_escaped_wherever_people_write() -> None:
    """In words, in attributes and behind elements, also of what is shared."""
    drawn = node("p", node("b", "<&>"), '"<i>"', title='"><script>', alt="")
    escaped = '<p title="&quot;&gt;&lt;script&gt;" alt=""><b>&lt;&amp;&gt;</b>"&lt;i&gt;"</p>'
    assert html(drawn) == html(shared(drawn)) == escaped
    assert html(node("input", value="x"), node("style", "a > b")) == (
        '<input value="x"><style>a > b</style>'
    )
