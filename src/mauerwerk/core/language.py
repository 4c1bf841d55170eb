"""The languages in which people are spoken to.

A `Language` is passed to whatever makes words: `say(action, language)`, `tell(event, names,
language)`. It turns a template, a whole sentence or a whole phrase in English, into words:

    language("{name} built {piece} at the left end", name="Ada", piece="a 4")
    language.many(3, "{number} card", "{number} cards")
    language.about("object", "the tower")         # a word that changes with its part in a sentence

A template stands in the source as it is, so that it can be found there; where it comes from a
table, the table holds `message("…")` or `messages("…", "…")`. Its translations are in
`mauerwerk/locales`: those of the games in the files `de.po` and `it.po`, those of the pages in
`de-web.po` and `it-web.po`, and so on. All files of a language are one catalogue, and `python
docs/messages.py` adds to them what is new in the source, so a page speaks as a game does: it calls
`language("…")`, and the rest is translation. What has none is said in English.

**People.** `{name}` and `{other}` in a template are people. A reader is called `you`, and most
languages have another verb for that, so there is a second template in which `you` stands instead:
"you built {piece} at the left end" is translated beside "{name} built {piece} at the left end".
`{names}` are several people; when the reader is one of them, the template has the context
`with you`. So no caller needs to ask who the reader is.
"""

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from typing import Final, TypeAlias

YOU: Final = "you"
"""The name of the reader in a sentence."""
WITH_YOU: Final = "with you"
"""The context of a sentence about several people, of whom one is the reader."""
PEOPLE: Final = ("name", "other")
"""The fields of a template that stand for one person."""
Key: TypeAlias = tuple[str, str]
"""A context, or nothing, and the English words; of plural forms the first."""
Catalogue: TypeAlias = Mapping[Key, tuple[str, ...]]
"""The words for each key: one form, or one for 1 and one for any other number."""
Said: TypeAlias = str | int | Sequence[str]
"""What goes into a template: words, a number, or people."""
TITLES: Final[Mapping[str, str]] = {"de": "Deutsch", "en": "English", "it": "Italiano"}
"""The languages there are, each by its own name."""


MOST_KEPT: Final = 5_000


class Language:
    """A language: its code, such as `de`, and its words for templates."""

    def __init__(self, code: str, catalogue: Catalogue) -> None:
        """Speak in the words of this catalogue, and in English where it has none."""
        self.code = code
        self._catalogue = catalogue
        self._plain: dict[str, str] = {}
        """The words for templates of the source that nothing is filled into."""

    def __repr__(self) -> str:
        return f"Language({self.code!r})"

    def __call__(self, template: str, /, **values: Said) -> str:
        """The words for a template.

        >>> ENGLISH("{name} built {piece}", name="Ada", piece="a 4")
        'Ada built a 4'
        """
        if values:
            return self._said("", (template,), 1, values)
        if (words := self._plain.get(template)) is None:
            words = self._said("", (template,), 1, {})
            if len(self._plain) < MOST_KEPT:  # there are fewer in the source
                self._plain[template] = words
        return words

    def about(self, context: str, template: str, /, **values: Said) -> str:
        """The words for a template as it is meant in this context."""
        return self._said(context, (template,), 1, values)

    def many(self, number: int, one: str, several: str, /, **values: Said) -> str:
        """The words that suit the number, which is `{number}` in them.

        >>> ENGLISH.many(1, "{number} card", "{number} cards")
        '1 card'
        """
        return self._said("", (one, several), number, {**values, "number": number})

    def listed(self, words: Sequence[str], joint: str = "and") -> str:
        """Words in a row, the last one joined by `and` or `or`.

        >>> ENGLISH.listed(["Ada", "Bo", "Cem"])
        'Ada, Bo and Cem'
        """
        parts = [", ".join(words[:-1]), words[-1]] if words[1:] else words
        return f" {self(joint)} ".join(parts)

    def called(self, name: str) -> str:
        """A name where it stands alone; `you` is translated."""
        return self(YOU) if self.code != "en" and is_you(name) else name

    def _said(
        self, context: str, forms: tuple[str, ...], number: int, values: Mapping[str, Said]
    ) -> str:
        """Find the template for these people, the words for it, and fill them in."""
        told = dict(values)
        for who in PEOPLE:
            name = told.get(who)
            if isinstance(name, str) and is_you(name):
                forms = tuple(addressed(form, who) for form in forms)
        names = told.get("names")
        if names is not None and not isinstance(names, str | int):
            context = WITH_YOU if any(map(is_you, names)) else context
            told["names"] = self.listed([self.called(name) for name in names])
        found = self._words_for((context, forms[0]), forms)
        words = found[0 if number == 1 else -1]
        return (words.format_map(told) if told else words).replace(*_PERCENT)

    def _words_for(self, key: Key, forms: tuple[str, ...]) -> tuple[str, ...]:
        """The words for a key, or else the English ones."""
        return self._catalogue.get(key, forms)


class Untranslated(Language):
    """A language that notes what it has no words for."""

    def __init__(self, language: Language) -> None:
        super().__init__(language.code, language._catalogue)  # noqa: SLF001 - its own kind
        self.missing: dict[Key, tuple[str, ...]] = {}
        """The key of each such template, and its English forms."""

    def _words_for(self, key: Key, forms: tuple[str, ...]) -> tuple[str, ...]:
        if key not in self._catalogue:
            self.missing[key] = forms
        return super()._words_for(key, forms)


_PERCENT: Final = (" %", "\N{NO-BREAK SPACE}%")
"""A number and its percent sign stay on one line, in all languages."""
ENGLISH: Final = Language("en", {})
"""The language that everything is written in."""


def message(template: str, *_contexts: str) -> str:
    """Mark a template in a table, with the contexts in which it is said, and return it as it is."""
    return template


def messages(one: str, several: str) -> tuple[str, str]:
    """Mark a template that has two forms, for one and for any other number."""
    return one, several


def is_you(name: str) -> bool:
    """Whether this is what the reader is called."""
    return name.casefold() == YOU


def addressed(template: str, who: str) -> str:
    """The template for when one of its people is the reader.

    >>> addressed("{name} gave {other} a piece", "other"), addressed("{name}'s card", "name")
    ('{name} gave you a piece', 'your card')
    """
    return template.replace(f"{{{who}}}'s", "your").replace(f"{{{who}}}", YOU)


# --- Names, numbers and lists in a sentence --------------------------------------------------


def listed(words: Sequence[str], joint: str = "and") -> str:
    """Words in a row, the last one joined by a word, in English.

    >>> listed(["Ada"]), listed(["Ada", "Bo"]), listed(["1", "2", "off"], "or")
    ('Ada', 'Ada and Bo', '1, 2 or off')
    """
    return ENGLISH.listed(words, joint)


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things, in English.

    >>> counted(1, "card"), counted(4, "card"), counted(0, "city", "cities")
    ('1 card', '4 cards', '0 cities')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {things or thing + 's'}"


def local(number: str, language: Language) -> str:
    """An English number as it is written in a language.

    >>> local("10,000.5%", Language("it", {}))
    '10.000,5%'
    """
    if language.code == "en":
        return number
    written = number.translate(str.maketrans(",.", ".,"))
    return written.replace("%", "\N{NO-BREAK SPACE}%") if language.code == "de" else written


def capital(words: str) -> str:
    """The words as they begin a sentence.

    >>> capital("you and Ada")
    'You and Ada'
    """
    return f"{words[:1].upper()}{words[1:]}"


def sentence(words: str) -> str:
    """The words with a capital and a full stop.

    >>> sentence("you built a 4")
    'You built a 4.'
    """
    return f"{capital(words)}."


def signed(name: str, language: Language = ENGLISH, *, own: bool) -> str:
    """The name on a drawing; the viewer is told which one is theirs.

    >>> signed("Ada", own=False), signed("Ada", own=True), signed("you", own=True)
    ('Ada', 'Ada (you)', 'you')
    """
    return f"{name} ({language(YOU)})" if own and not is_you(name) else language.called(name)


# --- What all games say ----------------------------------------------------------------------


def points(number: int, language: Language = ENGLISH) -> str:
    """`1 point`, `7 points`."""
    return language.many(number, "{number} point", "{number} points")


def cards(number: int, language: Language = ENGLISH) -> str:
    """`1 card`, `7 cards`."""
    return language.many(number, "{number} card", "{number} cards")


def shares(names: Sequence[str], numbers: Sequence[int], language: Language = ENGLISH) -> str:
    """Who has how much.

    >>> shares(["Ada", "you"], [3, 0])
    'Ada 3, you 0'
    """
    pairs = zip(names, numbers, strict=False)
    return ", ".join(f"{language.called(name)} {number}" for name, number in pairs)


def waiting_for(names: Sequence[str], language: Language = ENGLISH) -> str:
    """Whom the table waits for.

    >>> waiting_for(["Ada", "Bo"])
    'Waiting for Ada and Bo.'
    """
    if names[1:]:
        return language("Waiting for {names}.", names=names)
    return language("Waiting for {name}.", name=names[0])


WON: Final = messages("{name} won with {number} point", "{name} won with {number} points")
SHARED: Final = messages(
    "{names} share the win with {number} point each",
    "{names} share the win with {number} points each",
)


def won(
    winners: Sequence[str],
    number: int | None,
    language: Language = ENGLISH,
    *,
    alone: tuple[str, str] = WON,
    together: tuple[str, str] = SHARED,
) -> str:
    """Who won, alone or together, and with how many points, if there are points.

    >>> won(["you"], 7)
    'You won with 7 points.'
    >>> won(["you", "Ada"], 7)
    'You and Ada share the win with 7 points each.'
    >>> won(["you"], None), won(["you", "Ada"], None)
    ('You won.', 'You and Ada share the win.')
    """
    if number is None and winners[1:]:
        return sentence(language("{names} share the win", names=winners))
    if number is None:
        return sentence(language("{name} won", name=winners[0]))
    if winners[1:]:
        return sentence(language.many(number, *together, names=winners))
    return sentence(language.many(number, *alone, name=winners[0]))


# --- Catalogues ------------------------------------------------------------------------------


@cache
def language_of(code: str) -> Language:
    """The language of this code. Raises ValueError where there is no such language."""
    if code not in TITLES:
        raise ValueError(f"there is no language {code!r}, only {ENGLISH.listed(list(TITLES))}")
    if code == ENGLISH.code:
        return ENGLISH
    words = _in_folder(resources.files("mauerwerk").joinpath("locales"), code)
    return Language(code, {**_of_others(code), **words})


def _in_folder(folder: Traversable, code: str) -> dict[Key, tuple[str, ...]]:
    words: dict[Key, tuple[str, ...]] = {}
    for file in folder.iterdir():
        if re.fullmatch(rf"{code}(-[a-z_]+)?\.po", file.name):
            words |= read(file.read_text(encoding="utf-8"))
    return words


LOCALES: Final = "mauerwerk.locales"
"""The group of entry points by which other packages name a package with `.po` files."""


def _of_others(code: str) -> dict[Key, tuple[str, ...]]:
    """The words of other packages. One that cannot be read is named and left out."""
    words: dict[Key, tuple[str, ...]] = {}
    # Imported here, because no command in English should wait for it.
    metadata = import_module("importlib.metadata")
    for offer in metadata.entry_points(group=LOCALES):
        try:
            words |= _in_folder(resources.files(offer.value), code)
        except Exception as error:  # noqa: BLE001 - whatever a package does when it is imported
            said = " ".join(f"{type(error).__name__}: {error}".split())
            warnings.warn(f"{LOCALES} ({offer.value}): {said}; left out", stacklevel=2)
    return words


def read(paper: str) -> dict[Key, tuple[str, ...]]:
    r"""The catalogue in a .po file, less what is untranslated, marked fuzzy or struck out.

    >>> read('msgctxt "object"\nmsgid "the tower"\nmsgstr "den "\n"Turm"\n')
    {('object', 'the tower'): ('den Turm',)}
    """
    found: dict[Key, tuple[str, ...]] = {}
    for entry in _entries(paper):
        english = entry.get("msgid", "")
        forms = tuple(words for keyword, words in entry.items() if keyword.startswith(_WORDS))
        if english and all(forms) and _FUZZY not in entry:
            key = (entry.get("msgctxt", ""), english)
            if key in found:
                raise ValueError(f"{key} is translated twice")
            found[key] = forms
    return found


_WORDS: Final = "msgstr"
_FUZZY: Final = "fuzzy"
_LINE: Final = re.compile(r'(?:(msgctxt|msgid|msgid_plural|msgstr|msgstr\[[01]\])\s+)?"(.*)"')
_ESCAPES: Final[Mapping[str, str]] = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def _entries(paper: str) -> Iterator[dict[str, str]]:
    """The entries of a .po file: what follows each of their keywords."""
    entry: dict[str, str] = {}
    keyword = ""
    for number, line in enumerate(paper.split("\n"), start=1):
        said = line.strip()
        begins = said.startswith(("#", "msgctxt", "msgid "))
        if begins and any(each.startswith(_WORDS) for each in entry):
            yield entry
            entry = {}
        if said.startswith("#,") and _FUZZY in said:
            entry[_FUZZY] = said
        if not said or said.startswith("#"):
            keyword = ""
            continue
        found = _LINE.fullmatch(said)
        keyword = found[1] or keyword if found else ""
        if found is None or not keyword or found[1] in entry:
            raise ValueError(f"line {number} of a catalogue cannot be read: {said}")
        words = re.sub(r"\\(.)", lambda escaped: _ESCAPES.get(escaped[1], escaped[0]), found[2])
        entry[keyword] = entry.get(keyword, "") + words
    yield entry
