"""The host's own pages come from files, in the reader's language, and every page links to them."""

from pathlib import Path

import pytest
from tests.support.web_server import serving

from mauerwerk.server.features.host_pages.feature import HostPages, Pages
from mauerwerk.server.http.settings import Limits, Settings, SettingsError


def test_pages_from_files(tmp_path: Path) -> None:
    """In each language for which there is a file; nothing in them is taken for HTML."""
    (tmp_path / "privacy.md").write_text(
        "# Privacy\n\nWe keep *little*. <script>x</script>\n"
        '![a "<wall>"](https://else.example/x.png) [bad](javascript:alert)\n'
    )
    (tmp_path / "privacy.de.md").write_text("# Datenschutz\n", encoding="utf-8")
    (tmp_path / "contact.md").write_text("Write to [us](mailto:host@walls.example).\n")
    pages = Pages(contact=str(tmp_path / "contact.md"), privacy=str(tmp_path / "privacy.md"))
    settings = Settings(limits=Limits(requests=0), sections=(pages,))
    with serving(tmp_path / "data", settings) as site:
        nobody = site.browser()
        page = nobody.get("/privacy").text
        assert "<h1>Privacy</h1>" in page
        assert "<em>little</em>" in page
        assert "<script>x" not in page
        assert "a &#34;&lt;wall&gt;&#34;" in page
        assert "else.example" not in page  # which may not be loaded
        assert 'href="javascript' not in page
        assert 'href="mailto:host@walls.example"' in nobody.get("/contact").text
        assert nobody.get("/terms").status_code == 404
        home = nobody.get("/").text
        foot = home.partition('<footer class="hostlinks">')[2]
        assert foot.index('href="/contact">Contact<') < foot.index('href="/privacy">Privacy<')
        assert "/terms" not in foot
        german = site.client(accept_language="de").get("/privacy").text
        assert "<h1>Datenschutz</h1>" in german
        assert '<main id="main" class="sheetpage hosttext" lang="de">' in german
        assert ">Datenschutz</a>" in german
        assert "<h1>Privacy</h1>" in site.client(accept_language="it").get("/privacy").text


def test_without_files_there_is_nothing(tmp_path: Path) -> None:
    """No page, and no link."""
    with serving(tmp_path, Settings(limits=Limits(requests=0))) as site:
        assert site.browser().get("/privacy").status_code == 404
        assert "hostlinks" not in site.browser().get("/").text


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    """The server does not start without it."""
    with pytest.raises(SettingsError, match=r"\[pages\] terms: .*none.md: No such file"):
        HostPages(Pages(terms=str(tmp_path / "none.md")))
    (tmp_path / "long.md").write_text("x" * 200_001)
    with pytest.raises(SettingsError, match="longer than 200,000 bytes"):
        HostPages(Pages(terms=str(tmp_path / "long.md")))
    with pytest.raises(SettingsError, match="longer than 200,000 bytes"):
        HostPages(Pages(terms="/dev/zero"))  # which never ends
    with pytest.raises(SettingsError, match="Is a directory"):
        HostPages(Pages(terms=str(tmp_path)))
    (tmp_path / "latin.md").write_bytes("Grüße".encode("latin-1"))
    with pytest.raises(SettingsError, match="it is not a text"):
        HostPages(Pages(terms=str(tmp_path / "latin.md")))


def test_a_file_may_be_from_windows(tmp_path: Path) -> None:
    """Editors there put a mark before the first character, which is none of the text."""
    (tmp_path / "terms.md").write_text("# Terms\r\n", encoding="utf-8-sig")

    _, text = HostPages(Pages(terms=str(tmp_path / "terms.md"))).text("terms", "en")

    assert "<h1>Terms</h1>" in text
