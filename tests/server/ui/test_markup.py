"""Elements of HTML: nothing that somebody wrote becomes markup."""

from html.parser import HTMLParser

import pytest

from mauerwerk.core.svg import node
from mauerwerk.server.ui.markup import html


class Seen(HTMLParser):
    """The tags and the attributes that a browser finds."""

    def __init__(self, text: str) -> None:
        """Read all of it."""
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember one."""
        self.found.append((tag, attrs))


@pytest.mark.parametrize("said", ["<img src=x>", 'a"><b>', "1 < 2 > 1", "<<", "& &lt; ' \" <"])
def test_what_is_said_stays_a_value(said: str) -> None:
    """In an attribute and between tags there is no < but that of a tag."""
    line = node("p", said, node("br"), f"{said}=", aria_label=said, title="x")
    made = html(line, node("i", said))
    assert made.count("<") == made.count(">") == 5
    assert Seen(made).found == [
        ("p", [("aria-label", said), ("title", "x")]),
        ("br", []),
        ("i", []),
    ]


def test_what_is_harmless_is_written_as_it_is() -> None:
    """Void elements have no end, and quotation marks stand in text."""
    assert html(node("p", 'a "b"', node("br"), class_="x")) == '<p class="x">a "b"<br></p>'
