"""Bring the catalogues of translations up to date with the source.

    python docs/messages.py             # all, or some: python docs/messages.py web replay

The catalogues are in `src/mauerwerk/locales`. New templates of the source are added there without
a translation, and unused ones are removed.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from mauerwerk.core import options
from mauerwerk.core.language import PEOPLE, TITLES, WITH_YOU, addressed
from mauerwerk.games import GAMES

SOURCE = Path(__file__).parent.parent / "src" / "mauerwerk"
LOCALES = SOURCE / "locales"
LANGUAGES = sorted(set(TITLES) - {"en"})


def _rooms(name: str) -> tuple[str, ...]:
    """The folders of this name that games have in their rooms."""
    return tuple(
        str(each.relative_to(SOURCE)) for each in sorted(SOURCE.glob(f"server/games/*/{name}"))
    )


PARTS = {
    "": ("core", "games"),
    "-bots": ("bots",),
    "-lab": ("lab",),
    "-web": ("server",),
    "-learn": ("server/features/lessons",),
    "-real_table": ("server/features/real_table", *_rooms("real_table")),
    "-replay": ("server/features/replay",),
    "-editor": _rooms("board_editor"),
    "-pocket": ("pocket",),
}
"""The folders whose templates are in `de.po`, `de-bots.po` …, except those with their own file."""

HEADER = """\
# Mauerwerk: {title}. How to go about it is in docs/how-to/translate.md.
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""


class Message(NamedTuple):
    """A template: its context, its one or two forms, and where it is used."""

    context: str
    forms: tuple[str, ...]
    where: str


@cache
def messages(part: str) -> Mapping[tuple[str, str], Message]:
    """All templates of a part by context and first form, with those that address the reader.

    A template of the games or the lab is not listed again for the pages, and a template of all
    pages is not listed again for a page that has its own catalogue.
    """
    found = [message for path in files(part) for message in in_file(path)]
    if not part:
        found += in_tables()
    known = dict(messages("")) if part else {}
    if part == "-web":
        known |= messages("-lab")
    elif any(folder.startswith(("server/", "pocket")) for folder in PARTS[part]):
        known |= {**messages("-lab"), **messages("-web")}
    told = (form for message in found for form in for_readers(message))
    return {
        (message.context, message.forms[0]): message
        for message in told
        if (message.context, message.forms[0]) not in known
    }


def files(part: str) -> Iterator[Path]:
    """The files of a part."""
    others = [SOURCE / each for other in PARTS if other != part for each in PARTS[other]]
    for folder in PARTS[part]:
        inner = [other for other in others if other.is_relative_to(SOURCE / folder)]
        for path in sorted((SOURCE / folder).rglob("*")):
            if not any(path.is_relative_to(other) for other in inner):
                yield path


def in_file(path: Path) -> Iterator[Message]:
    """The templates in a module or a page."""
    where = str(path.relative_to(SOURCE.parent))
    match path.suffix:
        case ".py":
            yield from in_source(path.read_text(encoding="utf-8"), where)
        case ".html":
            yield from in_page(path.read_text(encoding="utf-8"), where)
        case _:
            pass


def in_source(text: str, where: str) -> Iterator[Message]:
    """The templates that a module uses, or marks in its tables."""
    tree = ast.parse(text)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        constants = [each.value for each in call.args if isinstance(each, ast.Constant)]
        words = [each for each in constants if isinstance(each, str)]
        match call.func:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield from in_call(name, words, where)
            case _:
                pass
        match words, call.func:
            case [form], ast.Name(id="message"):
                for context in call.args[1:]:
                    yield Message(named(context, tree), (form,), where)
            case _:
                pass


QUOTED = r"""(?:"[^"]*"|'[^']*')"""
PAGE_CALL = re.compile(rf"\b(language|about|many)\(((?:{QUOTED}|\([^()]*\)|[^()\"'])*)\)")


def in_page(text: str, where: str) -> Iterator[Message]:
    """The templates in a page: the quoted strings of a call, before its fields."""
    for name, given in PAGE_CALL.findall(text):
        words, *_ = re.split(r",\s*\w+\s*=", given)
        yield from in_call(name, [each[1:-1] for each in re.findall(QUOTED, words)], where)


def in_call(name: str, words: Sequence[str], where: str) -> Iterator[Message]:
    """The template of a call with this name and these strings."""
    match name, words:
        case (("language" | "message"), [form]):
            yield Message("", (form,), where)
        case "about", [context, form]:
            yield Message(context, (form,), where)
        case (("many" | "messages"), [one, several]):
            yield Message("", (one, several), where)
        case _:
            pass


def named(context: ast.expr, tree: ast.Module) -> str:
    """The context that a constant of the module, such as OBJECT, stands for."""
    for line in tree.body:
        match line:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(words))):
                if isinstance(context, ast.Name) and context.id == name:
                    return words
            case _:
                pass
    raise SystemExit(f"context {ast.unparse(context)} should be a constant of its module")


def in_tables() -> Iterator[Message]:
    """The templates that are values of a game: clauses, options, titles."""
    for joint in ("and", "or", "you"):
        yield Message("", (joint,), "core/language/translation.py")
    for game in GAMES.values():
        for context, form in game.MESSAGES:
            yield Message(context, (form,), f"{game.NAME}/__init__.py")
    for game in GAMES.values():
        for gist in game.CLAUSES.values():
            yield Message("", (gist,), f"{game.NAME}/notation.py")
        for option in options.described(game.OPTIONS):
            yield Message("", (option.meaning,), f"{game.NAME}/values.py")
            yield Message("option", (options.label(option.name),), f"{game.NAME}/values.py")
            for word in options.choices(game.OPTIONS, option.name):
                yield Message("choice", (word,), f"{game.NAME}/values.py")


def for_readers(message: Message) -> Iterator[Message]:
    """The template, and its forms that address the reader."""
    yield message
    for who in PEOPLE:
        if f"{{{who}}}" in message.forms[0]:
            forms = tuple(addressed(form, who) for form in message.forms)
            yield message._replace(forms=forms)
    if "{names}" in message.forms[0]:
        yield message._replace(context=WITH_YOU)


def update(language: str, part: str) -> int:
    """Rewrite the catalogue; return the number of entries without a translation."""
    path = LOCALES / f"{language}{part}.po"
    old = Catalog(language)
    if path.exists():
        with path.open("rb") as file:
            old = read_po(file, language)
    new = Catalog(language)
    for message in messages(part).values():
        context = message.context or None
        entry = old.get(message.forms[0], context)
        several = bool(message.forms[1:])
        new.add(
            message.forms if several else message.forms[0],
            entry.string if entry and entry.pluralizable == several else "",
            locations=[(message.where, 0)],
            context=context,
        )
    with path.open("wb") as file:
        file.write(HEADER.format(title=TITLES[language], language=language).encode())
        write_po(file, new, width=100, omit_header=True, include_lineno=False)
    return sum(lacks_words(entry.string) for entry in new if entry.id)


def lacks_words(words: str | Sequence[str] | None) -> bool:
    """Whether a translation, or one of its forms, is missing."""
    return not words or not all(words)


def main() -> int:
    """Update all catalogues, or those named, and print how much is left to translate."""
    left = 0
    named_parts = {f"-{name}" for name in sys.argv[1:]} or set(PARTS)
    for part in PARTS:
        if part in named_parts and messages(part):
            for language in LANGUAGES:
                lacking = update(language, part)
                left += lacking
                sys.stdout.write(f"{language}{part}.po: {lacking} to translate\n")
    return bool(left)


if __name__ == "__main__":
    sys.exit(main())
