"""The documentation as a site: it is built without a warning, is whole, and needs no other host."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from docs.site import build

from mauerwerk.core.language import TITLES
from mauerwerk.games import GAMES

pytestmark = [pytest.mark.thorough, pytest.mark.process, pytest.mark.foreign]

LOADED = re.compile(r"<(?:script|img|iframe)[^>]*\ssrc=\"?https?:|<link[^>]*\shref=\"?https?:")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site; it was built with `--strict`."""
    return build.build(tmp_path_factory.mktemp("site"))


def read(site: Path, page: str) -> str:
    return (site / page).read_text(encoding="utf-8")


def test_it_has_what_it_promises(site: Path) -> None:
    """Pages, rules in three languages, studies, notebooks with results, reference, search."""
    assert "Three board games about building walls" in read(site, "index.html")
    for game in GAMES:
        assert "<svg" in read(site, f"notebooks/{game}.html")
        for code in TITLES:
            assert 'class="clause"' in read(site, f"rules/{game}-{code}.html")
    assert 'src="seat-advantage.svg"' in read(site, "docs/studies/seats.html")
    assert 'id="mauerwerk.core.game.Setup"' in read(site, "reference/core.html")
    assert "rulebook" in read(site, "search.json")


def test_it_loads_nothing_from_other_hosts(site: Path) -> None:
    assert [page for page in site.rglob("*.html") if LOADED.search(page.read_text("utf-8"))] == []
    assert "url(http" not in read(site, "site.css")


def test_a_broken_link_ends_the_build(site: Path) -> None:
    """Even one that only a page of the site has."""
    page = site.parent / "pages" / "docs" / "look.md"
    page.write_text(page.read_text("utf-8") + "\n[gone](gone.md)\n", encoding="utf-8")

    with pytest.raises(subprocess.CalledProcessError):
        build.render(site.parent)


def test_the_first_page_leads_to_the_pocket_edition(site: Path, tmp_path: Path) -> None:
    """Once it is put there; in the pages alone, the link leads to a page about it."""
    copied = tmp_path / "site"
    copied.mkdir()
    shutil.copyfile(site / "index.html", copied / "index.html")
    (tmp_path / "pocket").mkdir()
    (tmp_path / "pocket" / "index.html").write_text("the games")

    build.add_pocket(copied, tmp_path / "pocket")

    assert (copied / "play" / "index.html").read_text() == "the games"
    assert re.search(rf'href="play/"[^>]*>{build.PLAY}<', read(copied, "index.html"))
    assert re.search(rf"play-without-a-server[^>]*>{build.PLAY}<", read(site, "index.html"))
