"""Links and anchors of the pages, and what becomes of them on the site, without building it."""

from pathlib import Path

import pytest
from docs.site.contents import contents, in_toml, named
from docs.site.doctests import fenced
from docs.site.links import Link, anchors, broken, links, relinked
from docs.site.notebooks import notebook
from docs.site.pages import ROOT, Copier, written

PAGES = sorted({*written(), *(ROOT / "docs").rglob("*.md")})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    """To a file of the project and, where it names one, to a heading of that page."""
    assert list(broken(page)) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    """A file that is missing, and a heading that is; what is code is no link."""
    page = tmp_path / "page.md"
    (tmp_path / "other.md").write_text("# Two words\n")
    page.write_text(
        "# Here\n[a](gone.md) [b](other.md#two-words) [c](other.md#three) [d](#here) [e](#there)\n"
        "`[f](code.md)` [g](https://example.org/gone)\n\n```\n[h](fenced.md)\n```\n"
    )

    assert list(broken(page)) == ["gone.md", "other.md#three", "#there"]


def test_headings_have_the_anchors_of_git_hosts() -> None:
    """Small letters, hyphens for spaces, no other signs, and a number for a repetition."""
    text = "# A `mauerwerk` game, (really)?\n## Again\n## Again\n```\n# no heading\n```\n"

    assert anchors(text) == {"a-mauerwerk-game-really", "again", "again-1"}


def test_a_link_can_be_replaced() -> None:
    """Links of other sites and code are left alone."""
    text = "[a](b.md#c) `[a](b.md)` [d](https://e.example)"

    assert list(links(text)) == [Link("b.md", "c")]
    assert relinked(text, lambda link: link.path.upper()) == (
        "[a](B.MD) `[a](b.md)` [d](https://e.example)"
    )


# --- Pages of the site -----------------------------------------------------------------------


def test_a_page_of_the_site_shows_what_it_links_to(tmp_path: Path) -> None:
    """A link to a program leads to a page that shows it, a link to a folder to its list."""
    Copier(tmp_path).copy(ROOT / "README.md")

    page = (tmp_path / "index.md").read_text(encoding="utf-8")
    assert "](examples/api_bot.py.md)" in page
    assert "](examples/index.md)" in page
    assert "](docs/rules/index.md)" in page
    assert "api_bot.py" in (tmp_path / "examples" / "index.md").read_text(encoding="utf-8")
    assert "```python" in (tmp_path / "examples" / "api_bot.py.md").read_text(encoding="utf-8")
    assert list(broken(tmp_path / "docs" / "how-to" / "write-a-bot.md")) == []


def test_every_page_is_in_the_table_of_contents() -> None:
    """So that nobody forgets to add a new one."""
    pages = [path.relative_to(ROOT).as_posix() for path in written()]
    addresses = [page.replace("README.md", "index.md") for page in pages]

    assert {page for page in addresses if not page.startswith("tests/")} <= set(
        named(contents(addresses))
    )


def test_a_table_of_contents_is_toml() -> None:
    """Titles and pages, in sections."""
    assert in_toml(["a.md", {"B": "b.md"}, {"C": ["c.md"]}]) == (
        '["a.md", {"B" = "b.md"}, {"C" = ["c.md"]}]'
    )


def test_a_notebook_shows_what_it_prints_and_draws(tmp_path: Path) -> None:
    """A cell has its title, its source without marks for checkers, and its results."""
    script = tmp_path / "one_notebook.py"
    script.write_text(
        '"""One: two things."""\n\n# ruff: noqa: T201 - prints\n\n# %% Printed\nprint(1 + 1)\n'
        "\n# %% Drawn\nclass Picture:\n    def _repr_svg_(self):\n        return '<svg/>'\n\n"
        "Picture()  # noqa: B018 - shown\n"
    )

    page = notebook(script)

    assert page.startswith("# One\n\nTwo things.\n\n## Printed\n\n```python\nprint(1 + 1)\n```")
    assert "```text\n2\n```" in page
    assert "Picture()\n```" in page
    assert '<div class="output"><svg/></div>' in page


def test_an_example_in_a_docstring_is_code() -> None:
    """Markdown would take its lines for quotations."""
    assert fenced("Twice.\n\n>>> 1 + 1\n2\n\nDone.") == (
        "Twice.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nDone."
    )
