"""A feature of another package, found by its entry point alone, has all that our own have."""

import json
import zipfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.fourth_game.packages import install
from tests.support.web_pages import look, sent
from tests.support.web_server import UNLIMITED, Running, serving

from mauerwerk.server.database.backup import restore
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.database.schema import METADATA
from mauerwerk.server.features.registry import know_tables

ENTRY = "[mauerwerk.server.features]\nguestbook = tests.guestbook.feature:FEATURE\n"


@contextmanager
def known() -> Generator[None, None, None]:
    """Afterwards the database has nothing of it any more."""
    try:
        yield
    finally:
        if "guestbook_lines" in METADATA.tables:
            METADATA.remove(METADATA.tables["guestbook_lines"])


def test_nothing_of_it_is_there_without_the_package(tmp_path: Path) -> None:
    """A server without it has no such page, panel or operation."""
    with serving(tmp_path) as running:
        assert running.browser().client.get("/guestbook").status_code == 404
        assert "Guestbook" not in look(running.browser(), "/").html


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A server with the package installed, and two lines in its settings.

    Each test has its own, since others are about a server without the package.
    """
    install(monkeypatch, tmp_path, "guestbook", ENTRY)
    from tests.guestbook.feature import Guestbook  # noqa: PLC0415 - as the entry point does

    settings = replace(UNLIMITED, sections=(Guestbook(lines=2),))
    with known(), serving(tmp_path / "data", settings) as running:
        yield running


def test_it_has_a_page_a_panel_and_an_operation(site: Running) -> None:
    """What is written on its page is on the home page, and programs can read it."""
    ada = site.browser()
    assert "Guestbook" not in look(ada, "/").html
    for line in ("first", "second", "third"):
        sent(ada, "/guestbook", line=line, name="Ada")

    assert "<li>third</li><li>second</li></ul>" in look(ada, "/guestbook").html
    # Visitors of whom nothing is known share pages, and see it a second later.
    assert "<li>third</li><li>second</li></ul>" in look(ada, "/").html
    assert ada.client.get("/api/guestbook").json() == {"lines": ["third", "second"]}
    assert "/api/guestbook" in ada.client.get("/api/openapi.json").json()["paths"]


def test_what_it_stores_about_people_is_theirs(site: Running) -> None:
    """It is in the file that a guest downloads, and goes when they delete everything."""
    bob = site.browser()
    sent(bob, "/guestbook", line="mine alone", name="Bob")
    file = zipfile.ZipFile(BytesIO(bob.client.get("/data/all.zip").content))
    data = json.loads(file.read(next(name for name in file.namelist() if name.endswith(".json"))))
    assert data["guestbook"] == [{"line": "mine alone"}]

    sent(bob, "/data/forget", sure="1", name="Bob")
    assert "mine alone" not in look(site.browser(), "/guestbook").html


def test_a_backup_has_its_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They come back with the package; without it, nothing is lost in silence."""
    first, second = tmp_path / "first", tmp_path / "second"
    with monkeypatch.context() as patch, known():
        install(patch, tmp_path, "guestbook", ENTRY)
        with serving(first) as running:
            sent(running.browser(), "/guestbook", line="kept", name="Ada")
        METADATA.remove(METADATA.tables["guestbook_lines"])
        know_tables()
        restore(first, second, as_it_was=True)
        with serving(second) as running:
            assert "<li>kept</li>" in look(running.browser(), "/guestbook").html

    with pytest.raises(StorageError, match="knows the table guestbook_lines"):
        restore(second, tmp_path / "third", as_it_was=True)
