"""The texts of a lesson: one per language, with a part for every stop.

    Guess what the others hide.              the preface: what the lesson is about

    ## {fist} A fist for the 4               the key of the stop, and its title

    Everybody plans at once.                 what is said

    > Press the 4 on your shelf.             what the learner is asked to do

    - `T` `C`: Too early.                    the answer to other moves that are allowed
    - `*`: Not wrong, but …                  the answer to all the rest

Every language has the same stops with the same answers.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mauerwerk.core.game import Value
from mauerwerk.server.games import room, web_game

REST: Final = "*"
"""Stands for every other move."""

_HEADING: Final = re.compile(r"\{([a-z0-9-]+)\} (.+)")
_ANSWER: Final = re.compile(r"((?:`[^`]+`\s*)+): (.+)", re.DOTALL)


class StopText(Value):
    """What is said at a stop, as HTML."""

    title: str
    """As plain text."""

    text: str
    task: str = ""
    answers: Mapping[str, str] = {}
    """The answers to words that the lesson does not expect; `*` stands for the rest."""

    def answer(self, word: str) -> str:
        """What is said to a legal word."""
        return self.answers.get(word) or self.answers.get(REST, "")


class Script(Value):
    """A lesson's text in one language."""

    preface: str
    parts: Mapping[str, StopText]
    """By the key of the stop, in order."""


@cache
def script(game: str, code: str) -> Script:
    """The text of a game's lesson in a language. Raises ValueError where it has none."""
    lesson = web_game(game).lesson
    if lesson is None:
        raise ValueError(f"{game} has no lesson")
    return read(room.text_in(lesson, code))


def read(source: str) -> Script:
    """The text of a lesson. Raises ValueError."""
    markdown = MarkdownIt("commonmark", {"html": False})
    tokens = markdown.parse(source)
    begins = [place for place, token in enumerate(tokens) if token.type == "heading_open"]
    parts: dict[str, StopText] = {}
    for first, end in zip(begins, [*begins[1:], len(tokens)], strict=True):
        heading = tokens[first + 1].content
        found = _HEADING.fullmatch(heading)
        if found is None or tokens[first].tag != "h2":
            raise ValueError(f"a heading is like `## {{key}} Title`, not {heading!r}")
        if found[1] in parts:
            raise ValueError(f"{found[1]} is said twice")
        parts[found[1]] = _part(markdown, found[2], tokens[first + 3 : end])
    preface = tokens[: begins[0]] if begins else tokens
    return Script(_html(markdown, preface), parts)


def _part(markdown: MarkdownIt, title: str, tokens: Sequence[Token]) -> StopText:
    """A part: the quotation in it is the task, the list are the answers."""
    text: list[Token] = []
    task: list[Token] = []
    answers: list[Token] = []
    into = text
    for token in tokens:
        match token.type:
            case "blockquote_open":
                into = task
            case "bullet_list_open":
                into = answers
            case "blockquote_close" | "bullet_list_close":
                into = text
            case _:
                into.append(token)
    said = (token.content for token in answers if token.type == "inline")
    return StopText(
        title,
        _html(markdown, text),
        _html(markdown, task),
        {word: words for each in said for word, words in _answer(markdown, each).items()},
    )


def _answer(markdown: MarkdownIt, said: str) -> Mapping[str, str]:
    found = _ANSWER.fullmatch(said)
    if found is None:
        raise ValueError(f"an answer begins with words like `T` `C`: and not {said!r}")
    html: str = markdown.renderInline(found[2])
    return dict.fromkeys(re.findall(r"`([^`]+)`", found[1]), html)


def _html(markdown: MarkdownIt, tokens: Sequence[Token]) -> str:
    html: str = markdown.renderer.render(tokens, markdown.options, {})
    return html
