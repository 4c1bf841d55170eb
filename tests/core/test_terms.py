"""One word for each thing: what `docs/glossary.md` calls otherwise is nowhere on a page."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from docs import messages as script

from mauerwerk.core.language import TITLES, read

SOURCE: Final = Path(__file__).parent.parent.parent / "src" / "mauerwerk"

TERMS: Final = {
    "en": {
        r"\b[Ww]hoever\b": "the player who, anyone who",
        r"\b[Tt]he lot says\b": "lots decide",
        r"\b[Tt]he house (rolls|deals|still)\b": "the server",
        r"\b[Ff]irst page\b": "home page",
        r"\b[Nn]o clock\b": "no time limit",
        r"\b([Ff]ewest|[Ff]ew) points (win|are)\b": "lowest total",
        r"\bgone on with\b": "resumed",
        "\N{RIGHT SINGLE QUOTATION MARK}": "'",
    },
    "de": {
        r"\bLagers?\b": "Materiallager",
        r"\bhohle[nr]?\b": "leere Faust",
        r"\b[Dd]as Spiel (ist (zu Ende|aus|vorbei)|endet|beginnt)\b": "die Partie",
        r"\b(beendet|beenden) das Spiel\b": "die Partie",
        r"\b[Ee]rsten? Seite\b": "Startseite",
        r"\bein(zu)?(ge)?geben\b|\beingibt\b": "eintragen",
        r"[Aa]ussichte?n?\b": "Chancen",
        r"\bTurmpl[aä]tze?\b": "Turmfeld",
        r"['\"«]": "German quotation marks",
    },
    "it": {
        r"\b[Ee]dific(?!io\b)": "costruire",
        r"\bprima pagina\b": "pagina iniziale",
        r"\b[Ll]anci(are|o|a)?\b": "tirare, tiro",
        r"\bport[ae] (e|o) torr[ei]|torr[ei] (e|o) port[ae]\b": "cancello",
        r"['\"“”]": "Italian quotation marks",
    },
}
"""For each language, what is not said, and what is."""


@cache
def told(language: str) -> tuple[str, ...]:
    """All sentences of a language: its catalogues, or the templates, its rules and its lessons."""
    texts = SOURCE.glob(f"server/games/*/*/{language}.md")
    return (*_catalogue(language), *(_prose(path.read_text(encoding="utf-8")) for path in texts))


def _catalogue(language: str) -> Iterator[str]:
    for part in script.PARTS:
        if language == "en":
            yield from (form for each in script.messages(part).values() for form in each.forms)
        else:
            path = script.LOCALES / f"{language}{part}.po"
            yield from (form for forms in read(path.read_text("utf-8")).values() for form in forms)


def _prose(text: str) -> str:
    """The words of a page of rules or a lesson, without the marks of captions and moves."""
    return re.sub(r'\]\([^)]*? "([^"]*)"\)', r"] \1", re.sub(r"`[^`]*`", "", text))


@pytest.mark.parametrize("language", sorted(TITLES))
def test_a_thing_has_one_name(language: str) -> None:
    """A word that the glossary does without is found with the sentence it is in."""
    found = {
        (match[0], better): words[max(match.start() - 40, 0) : match.end() + 40]
        for word, better in TERMS[language].items()
        for words in told(language)
        for match in re.finditer(word, words)
    }
    assert found == {}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Whoever comes may sit down."),
        ("de", "44 Karten im Lager"),
        ("de", "Das Spiel ist zu Ende."),
        ("it", "nessuno edifica"),
        ("it", "l'ultimo muro"),
    ],
)
def test_another_name_is_noticed(language: str, words: str) -> None:
    """So the test above can fail."""
    assert any(re.search(word, words) for word in TERMS[language])
