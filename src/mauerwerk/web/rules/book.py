"""A rulebook: a game's rules in one language, made from its text."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language
from mauerwerk.web.rules.reading import Section, read

WORDS: Final = ("title", "kind", "contents", "about")
"""What a text begins with."""


class Rulebook(Value):
    """The rules of a game in one language."""

    title: str
    """The name of the game."""
    kind: str
    """What this is: `The rules`."""
    contents: str
    """What the table of contents is called."""
    about: str
    """The page in a sentence, for whoever looks for it."""
    parts: tuple[Section, ...]
    clauses: tuple[str, ...]
    """The clauses in the order of the text; each is the id of an element."""
    scenes: tuple[str, ...]
    """The scenes it shows, in their order."""
    symbols: tuple[str, ...]
    """The symbols of `pieces.svg` that its pictures use."""
    html: str


@cache
def rulebook(game: str, language: Language) -> Rulebook:
    """The rules of a game in a language."""
    texts = resources.files("mauerwerk.web.games").joinpath(game, "rulebook")
    source = texts.joinpath(f"{language.code}.md").read_text(encoding="utf-8")
    head, _, body = source.partition("\n\n")
    words = _words(head)
    text = read(body, game, language)
    return Rulebook(
        **words,
        parts=text.parts,
        clauses=text.clauses,
        scenes=text.scenes,
        symbols=text.symbols,
        html=text.html,
    )


def _words(head: str) -> Mapping[str, str]:
    """The first lines of a text. Raises ValueError where one is missing or not known."""
    words = dict(line.split(": ", 1) for line in head.splitlines())
    if tuple(words) != WORDS:
        raise ValueError(f"a text begins with {', '.join(WORDS)}, not with {', '.join(words)}")
    return words
