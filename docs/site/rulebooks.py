"""The rules in every language as pages, with the pictures of the server's pages."""

import re
from typing import Final

from mauerwerk.core.language import TITLES, language_of
from mauerwerk.core.svg import PALETTE, STYLE
from mauerwerk.games import GAMES
from mauerwerk.server.features.rules.book import rulebook
from mauerwerk.server.ui.markup import sprite

_HEADING: Final = re.compile(r'<h2 id="([\w-]+)">(.*?)</h2>\s*')
_SCHEMES: Final = ("default", "slate")


def address(game: str, code: str) -> str:
    """Where the rules of a game are on the site."""
    return f"rules/{game}-{code}.md"


def page(game: str, code: str) -> str:
    """The rules of a game in a language."""
    book = rulebook(game, language_of(code))
    languages = " · ".join(
        f"**{title}**" if each == code else f"[{title}]({game}-{each}.md)"
        for each, title in TITLES.items()
    )
    first, *rest = _HEADING.split(book.html)
    parts = [_html(sprite(book.symbols) + first)]
    for name, title, body in zip(rest[::3], rest[1::3], rest[2::3], strict=True):
        parts += [f"## {title} {{#{name}}}", _html(body)]
    head = f"---\ntitle: {book.title} ({TITLES[code]})\ndescription: {book.about!r}\n---"
    return "\n\n".join([head, f"# {book.title}: {book.kind}", languages, *parts]) + "\n"


def pages() -> dict[str, str]:
    """All of them, by their addresses, and one that lists them."""
    books = {(game, code): page(game, code) for game in GAMES for code in TITLES}
    heads = [f"| game | {' | '.join(TITLES.values())} |", "|---" * (len(TITLES) + 1) + "|"]
    rows = [
        f"| {GAMES[game].TITLE} | "
        + " | ".join(
            f"[{rulebook(game, language_of(code)).kind}]({game}-{code}.md)" for code in TITLES
        )
        + " |"
        for game in GAMES
    ]
    every = "\n".join(["# The rules in three languages", "", *heads, *rows, ""])
    return {"rules/index.md": every} | {address(*key): text for key, text in books.items()}


def styles() -> str:
    """The colours of the drawings in each of the site's schemes."""
    tokens = (
        "".join(f"--{name}:{pair[theme]};" for name, pair in PALETTE.items()) for theme in (0, 1)
    )
    schemes = (
        f"[data-md-color-scheme={scheme}]{{{colours}}}\n"
        for scheme, colours in zip(_SCHEMES, tokens, strict=True)
    )
    return "".join(schemes) + STYLE


def _html(text: str) -> str:
    """HTML that Markdown leaves alone: without empty lines, in one element."""
    solid = re.sub(r"\n\s*\n", "\n", text.strip())
    return f'<div class="rulebook">{solid}</div>'
