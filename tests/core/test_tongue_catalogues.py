"""The catalogues: everything is translated, nothing is left over, and all of it fits."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from babel.messages.pofile import read_po
from docs import messages as script
from tests.games.test_sentences import STORIES, names_for, played
from tests.support.amounts import amount

from mauerwerk.core.game import Seat
from mauerwerk.core.language import WITH_YOU, Catalogue, Key, Language, language_of, read
from mauerwerk.core.svg import SMALL
from mauerwerk.core.svg.fitting import columns, ems, wrap
from mauerwerk.games import GAMES
from mauerwerk.games.mauerbauer.guild import KINDS
from mauerwerk.games.mauerbauer.naming import title_of

ROOT: Final = Path(__file__).parent.parent.parent
LOCALES: Final = ROOT / "src" / "mauerwerk" / "locales"
FILES: Final = [(language, part) for language in ("de", "it") for part in script.PARTS]


def kept(path: Path) -> Catalogue:
    """What a file holds; nothing, if there is none."""
    return read(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def catalogue(language: str, part: str) -> Catalogue:
    """The catalogue of a language for a part of the source."""
    return kept(LOCALES / f"{language}{part}.po")


each_file = pytest.mark.parametrize(("language", "part"), FILES)


def test_the_source_says_something() -> None:
    """Templates are found where they are said: called, in tables, in values, and for readers."""
    found = script.messages("")
    for key in (
        ("", "plan {piece}"),
        ("object", "the tower"),
        ("", "{number} card"),
        ("", "a wall has nine cards"),
        ("card", "Towers by the water"),
        ("", "tower and gate never stand next to tower or gate"),
        ("", "you gave {other} {piece} in secret"),
        ("", "{name} gave you {piece} in secret"),
        (WITH_YOU, "{names} guessed it"),
        ("option", "memory aid"),
        ("choice", "lot"),
        ("", "The lake"),
    ):
        assert key in found


def test_a_page_says_something_too() -> None:
    """Pages call the language as modules do."""
    page = """
    <h1>{{ language("Welcome, {name} (again)", name=player["name"]) }}</h1>
    {% for each in tables %}<p title="{{ language.about("table", "open") }}">
    {{ language.many(len(each), "{number} seat", "{number} seats") }} {{ each.language() }}</p>
    {% endfor %}
    """
    found = script.in_page(page, "page.html")
    assert [(each.context, each.forms) for each in found] == [
        ("", ("Welcome, {name} (again)",)),
        ("table", ("open",)),
        ("", ("{number} seat", "{number} seats")),
    ]


@each_file
def test_all_is_translated_and_nothing_is_left_over(language: str, part: str) -> None:
    """What `python docs/messages.py` would add or take out is named."""
    said, known = script.messages(part), catalogue(language, part)
    assert [key for key in said if key not in known] == []
    assert [key for key in known if key not in said] == []


@each_file
def test_no_translation_is_said_twice(language: str, part: str) -> None:
    """As where two people added the same lines."""
    forms = [form for forms in catalogue(language, part).values() for form in forms]

    assert [each for each in forms if each[: len(each) // 2] * 2 == each] == []


@each_file
def test_a_language_has_the_words_of_each_file(language: str, part: str) -> None:
    """Whatever the file is called."""
    spoken = language_of(language)
    for (context, template), forms in catalogue(language, part).items():
        if not context and len(forms) == 1 and "{" not in template:
            assert spoken(template) == forms[0]


@each_file
def test_babel_reads_the_same(language: str, part: str) -> None:
    """Our small reader and the usual one agree; nothing is fuzzy."""
    path = LOCALES / f"{language}{part}.po"
    assert path.exists(), "python docs/messages.py makes it"
    with path.open("rb") as file:
        entries = [entry for entry in read_po(file, language) if entry.id]
    assert not [entry.id for entry in entries if entry.fuzzy]
    known = catalogue(language, part)
    assert len(entries) == len(known)
    for entry in entries:
        english = entry.id[0] if isinstance(entry.id, tuple | list) else entry.id
        words = entry.string if isinstance(entry.string, tuple | list) else (entry.string,)
        assert known[entry.context or "", str(english)] == tuple(words)


def fields(words: str) -> set[str]:
    """The fields of a template."""
    return set(re.findall(r"\{(\w*)\}", words))


@each_file
def test_a_translation_has_the_fields_of_its_template(language: str, part: str) -> None:
    """And as many forms. A form for one may leave out the number."""
    for key, words in catalogue(language, part).items():
        forms = script.messages(part)[key].forms
        assert len(words) == len(forms), key
        for ours, theirs in zip(forms, words, strict=True):
            assert fields(ours) == fields(theirs), key
            assert ours.strip() == ours, key
            assert theirs.strip() == theirs, key
            assert ours[-1] in ".?:" or theirs[-1] not in ".?:", key
            assert ours[-1] not in ".?:" or theirs[-1] == ours[-1], key


@pytest.mark.parametrize("language", ["de", "it"])
def test_no_template_is_in_two_files(language: str) -> None:
    """All files of a language are one catalogue, so they must not contradict each other."""
    keys = [key for name, part in FILES if name == language for key in catalogue(name, part)]
    assert len(keys) == len(set(keys))


def test_a_catalogue_is_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is new is added without words, what is gone is taken out, the rest stays as it is."""
    monkeypatch.setattr(script, "LOCALES", tmp_path)
    paper = (LOCALES / "de.po").read_text(encoding="utf-8")
    path = tmp_path / "de.po"
    lost = 'msgid "Your wall"\nmsgstr "Deine Mauer"\n'
    path.write_text(paper.replace(lost, 'msgid "Gone"\nmsgstr "Weg"\n'), encoding="utf-8")

    assert script.update("de", "") == 1
    assert 'msgid "Your wall"\nmsgstr ""\n' in path.read_text(encoding="utf-8")
    before = catalogue("de", "")
    assert kept(path) == {key: words for key, words in before.items() if key[1] != "Your wall"}


# --- Whole games -----------------------------------------------------------------------------


class Whole(dict[Key, tuple[str, ...]]):
    """A catalogue that does not fall back to English."""

    def get(self, key: Key, _default: object = None) -> Any:  # noqa: ANN401 - of any default
        """The words, or KeyError."""
        return self[key]


def whole(language: str) -> Language:
    """The language, without English to fall back to."""
    files = [catalogue(language, part) for part in script.PARTS]
    return Language(language, Whole({key: each for words in files for key, each in words.items()}))


FAULTS: Final = {
    "a small letter first": r"^[a-zäöü]|[.?!] [a-zäöü]",
    "no end": r"[^.?]$",
    "two ends": r"[.?!:;,][.?!:;,]",
    "a space too many": r"^ | $|  | [.,;:?!]",
    "a word twice": r"\b([a-zäöü]+) \1\b",
    "one of several": r"\b1 (Minusp|P)unkte|\b1 (Karten|Felder|Mauern|Türme|punti|carte|campi)\b",
    "somebody else's verb": (
        r"(?i)\bdu (hat|haben|habt|ist|baut)\b|(Ada|Emil|Jonas|Lena) (hast|habt|hai)\b"
        r"|(Ada|Emil|Jonas|Lena) und (Ada|Emil|Jonas|Lena) (habt|hat)\b|\btu (ha|hanno|avete)\b"
    ),
    "the wrong case": r"\b(auf|an) du\b|\b(baut|gebaut) der Turm|(di|a) tu\b|\bden Turm kommt",
    "a name of the program": r"_|None|\{|\}",
}


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("Du hat eine 4 gebaut.", "somebody else's verb"),
        ("Ada hai costruito un muro.", "somebody else's verb"),
        ("Ada und Emil habt es erraten.", "somebody else's verb"),
        ("Warten auf du.", "the wrong case"),
        ("I dadi passano a tu.", "the wrong case"),
        ("Ada hat mit 1 Punkte gewonnen.", "one of several"),
        ("hai vinto.", "a small letter first"),
    ],
)
def test_a_wrong_sentence_is_found(words: str, fault: str) -> None:
    """So the next test can fail."""
    assert fault in [name for name, form in FAULTS.items() if re.search(form, words)]


def heard(name: str, spoken: Language) -> Iterator[tuple[str, str]]:
    """A few whole games: what is said, asked, told and shown to everybody, and which it is."""
    game, random = GAMES[name], Random(11)
    for setup in STORIES[name].setups[: amount(1, 1, None)]:
        for number, (state, events) in enumerate(played(game, setup, random)):
            own = random.choice([None, *map(Seat, range(setup.seats))])
            names, view = names_for(setup.seats, own), game.view(state, own)
            legal = () if own is None else game.legal(state, own)
            yield from (("said", game.say(action, spoken)) for action in legal)
            yield "told", game.ask(view, names, spoken)
            for event in events:
                if seen := game.seen(event, own):
                    yield "told", game.tell(seen, names, spoken)
            if number % 7 == 0 or not game.to_act(state):
                yield "shown", game.text(view, names, spoken)
                yield "drawn", game.svg(view, names, spoken)


@pytest.mark.parametrize("language", ["de", "it"])
@pytest.mark.parametrize("name", GAMES)
def test_whole_games_are_told_in_a_language(name: str, language: str) -> None:
    """Nothing in English, no grammar of somebody else's, and no line too long for a terminal."""
    wrong: dict[str, list[str]] = {}
    english = re.compile(r"\b(the|and|you|your|points?|cards?|towers?|turn|built|with)\b")
    for kind, words in heard(name, whole(language)):
        match kind:
            case "told":
                found = [fault for fault, form in FAULTS.items() if re.search(form, words)]
                wrong |= {words: found} if words and found else {}
            case "shown":
                assert max(map(columns, words.split("\n"))) <= 80, words
            case "drawn":
                labels = re.findall(r"<(?:text|title)[^>]*>([^<]*)<|aria-label=\"([^\"]*)\"", words)
                spoken = [one or other for one, other in labels]
                assert spoken
                assert [each for each in spoken if english.search(each)] == []
            case _:
                assert words
    assert wrong == {}


@pytest.mark.parametrize("language", ["en", "de", "it"])
def test_the_title_of_a_guild_card_fits_on_it(language: str) -> None:
    """In two lines, on a phone's small cards too, and in a terminal's column."""
    spoken = language_of(language)
    for card in KINDS:
        title = title_of(card, spoken)
        assert len(wrap(title, (114 - 18) / SMALL, ems)) <= 2, title
        assert "…" not in "".join(wrap(title, (114 - 18) / SMALL, ems)), title
        assert columns(title) <= 26, title
