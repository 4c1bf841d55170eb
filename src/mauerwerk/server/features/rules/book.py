"""A rulebook: a game's rules in one language, made from its text."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language
from mauerwerk.server.features.rules.reading import Section, read
from mauerwerk.server.games import room, web_game

WORDS: Final = ("title", "kind", "contents", "about")
"""What a text begins with."""


class Rulebook(Value):
    """The rules of a game in one language."""

    title: str
    """The name of the game."""
    kind: str
    """The kind of text: `The rules`."""
    contents: str
    """The title of the table of contents."""
    about: str
    """The page in one sentence, for search engines."""
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
    """The rules of a game in a language. Raises ValueError where it has no rulebook."""
    texts = web_game(game).rulebook
    if texts is None:
        raise ValueError(f"{game} has no rulebook")
    source = room.text_in(texts, language.code)
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
