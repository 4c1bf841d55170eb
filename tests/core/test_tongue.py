"""Languages: templates and who is the reader in them, and catalogues on paper."""

import pytest

from mauerwerk.core import options
from mauerwerk.core.errors import (
    IllegalMoveError,
    MoveError,
    NotAWordError,
    StaleMoveError,
    clause,
    explained,
)
from mauerwerk.core.game import Seat, Setup, name_of
from mauerwerk.core.language import (
    ENGLISH,
    TITLES,
    Language,
    language_of,
    read,
    shares,
    signed,
    waiting_for,
    won,
)
from mauerwerk.games import burgbaumeister, mauer

GERMAN = language_of("de")
ITALIAN = language_of("it")


# --- People ----------------------------------------------------------------------------------

GUESSED = {
    ("", "{name} gave {other} {piece}"): ("{name} gab {other} {piece}",),
    ("", "you gave {other} {piece}"): ("du gabst {other} {piece}",),
    ("", "{name} gave you {piece}"): ("{name} gab dir {piece}",),
    ("", "{name}'s wall"): ("die Mauer von {name}",),
    ("", "your wall"): ("deine Mauer",),
    ("", "{names} guessed it"): ("{names} haben es erraten",),
    ("with you", "{names} guessed it"): ("{names} habt es erraten",),
    ("", "and"): ("und",),
    ("", "you"): ("du",),
}


@pytest.mark.parametrize(
    ("giver", "receiver", "english", "german"),
    [
        ("Ada", "Bo", "Ada gave Bo a 4", "Ada gab Bo a 4"),
        ("you", "Bo", "you gave Bo a 4", "du gabst Bo a 4"),
        ("Ada", "you", "Ada gave you a 4", "Ada gab dir a 4"),
        ("Ada", "You", "Ada gave you a 4", "Ada gab dir a 4"),
    ],
)
def test_the_reader_has_a_template_of_their_own(
    giver: str, receiver: str, english: str, german: str
) -> None:
    """Whichever person in the sentence is the reader; in English the words stay the same."""
    said = [
        language("{name} gave {other} {piece}", name=giver, other=receiver, piece="a 4")
        for language in (ENGLISH, Language("de", GUESSED))
    ]
    assert said == [english, german]


def test_what_belongs_to_the_reader_is_theirs() -> None:
    """`{name}'s` becomes `your` before it is translated."""
    language = Language("de", GUESSED)
    assert language("{name}'s wall", name="you") == "deine Mauer"
    assert language("{name}'s wall", name="Ada") == "die Mauer von Ada"
    assert ENGLISH("{name}'s wall", name="you") == "your wall"


def test_several_people_are_listed_and_the_reader_is_one_of_them() -> None:
    """Then the verb is another one in German, and so is the word for the reader."""
    language = Language("de", GUESSED)
    assert language("{names} guessed it", names=["Ada", "Bo"]) == "Ada und Bo haben es erraten"
    assert language("{names} guessed it", names=["Ada", "you"]) == "Ada und du habt es erraten"
    assert ENGLISH("{names} guessed it", names=["Ada", "you"]) == "Ada and you guessed it"


def test_a_name_is_only_a_name() -> None:
    """Braces in a name are not a template, and no word of a language is mistaken for the reader."""
    assert GERMAN("Waiting for {name}.", name="{name}") == "Warten auf {name}."
    assert GERMAN("Waiting for {name}.", name="du") == "Warten auf du."
    assert GERMAN("Waiting for {name}.", name="you") == "Warten auf dich."
    assert options.choice("{0}", GERMAN) == "{0}"


def test_what_has_no_translation_is_said_in_english() -> None:
    """A page can be written before it is translated."""
    assert GERMAN("{number} quite unknown words", number=3) == "3 quite unknown words"
    assert GERMAN.many(1, "{number} thing", "{number} things") == "1 thing"


def test_numbers_choose_their_form() -> None:
    """One is one; none and many are many, in all three languages."""
    assert [GERMAN.many(each, "{number} card", "{number} cards") for each in (0, 1, 2)] == [
        "0 Karten",
        "1 Karte",
        "2 Karten",
    ]


def test_words_of_all_games_speak_three_languages() -> None:
    """Names alone, on a drawing, in a list of points, and at the end of a game."""
    assert [each.called("you") for each in (ENGLISH, GERMAN, ITALIAN)] == ["you", "du", "tu"]
    assert signed("Ada", GERMAN, own=True) == "Ada (du)"
    assert shares(["you", "Ada"], [3, 0], ITALIAN) == "tu 3, Ada 0"
    assert waiting_for(["Ada", "Bo"], ITALIAN) == "In attesa di Ada e Bo."
    assert won(["you"], 1, GERMAN) == "Du hast mit 1 Punkt gewonnen."
    assert won(["Ada", "you"], 7, GERMAN) == "Ada und du teilt euch den Sieg mit je 7 Punkten."
    assert won(["Ada", "Bo"], 7, ITALIAN) == (
        "Ada e Bo condividono la vittoria con 7 punti a testa."
    )


# --- Languages -------------------------------------------------------------------------------


def test_there_are_three_languages() -> None:
    """Each by its own name; asked for twice, it is the same one."""
    assert TITLES == {"de": "Deutsch", "en": "English", "it": "Italiano"}
    assert language_of("en") is ENGLISH
    assert language_of("de") is GERMAN
    assert repr(GERMAN) == "Language('de')"


@pytest.mark.parametrize("code", ["", "fr", "DE", "../de", "de-web", "[a-z]+"])
def test_any_other_code_is_no_language(code: str) -> None:
    """Whatever comes from outside."""
    with pytest.raises(ValueError, match="only de, en and it"):
        language_of(code)


def test_options_are_described_in_every_language() -> None:
    """What they mean is translated; names and words are what is typed."""
    rounds, first, *_ = options.described(mauer.OPTIONS, GERMAN)
    assert (rounds.name, rounds.allowed, rounds.default, rounds.meaning) == (
        "rounds",
        "1 bis 10",
        "4",
        "Runden in einer Partie (DM-4)",
    )
    assert first.allowed == "0 bis 5 oder lot"
    assert options.described(mauer.OPTIONS) == options.described(mauer.OPTIONS, ENGLISH)


def test_options_and_their_words_can_be_read() -> None:
    """For a form, where nobody types them."""
    assert options.label("memory_aid") == "memory aid"
    assert options.label("memory_aid", GERMAN) == "Gedächtnisstütze"
    assert options.choices(burgbaumeister.OPTIONS, "depot") == ("chaotic", "rectangle")
    assert options.choices(mauer.OPTIONS, "rounds") == ()
    assert options.choices(mauer.OPTIONS, "stall") == ("off",)
    assert [options.choice(word, ITALIAN) for word in ("yes", "no", "lot")] == [
        "sì",
        "no",
        "sorteggio",
    ]


# --- Faults ----------------------------------------------------------------------------------


def refused(words: str) -> MoveError:
    """What the rules say to the last of these moves."""
    state = mauer.start(Setup(3, mauer.Options()))
    for move in words.split():
        seat, _, word = move.partition(":")
        try:
            state = mauer.apply(state, Seat(int(seat)), mauer.parse(word)).state
        except MoveError as fault:
            return fault
    raise AssertionError(words)


def test_a_forbidden_move_is_explained_with_its_clause() -> None:
    """Addressed to the player who made the move, or about them; in English as in the error."""
    fault = refused("0:T 1:T 2:4 1:<")
    assert isinstance(fault, IllegalMoveError)
    assert explained(fault, name=name_of(Seat(1))) == str(fault)
    assert explained(fault, GERMAN) == (
        "du darfst '<' hier nicht spielen: "
        "Das erste Bauteil beginnt die Mauer; sein Wort ist > (DM-8)"
    )
    assert explained(fault, ITALIAN, "Ada") == (
        "Ada non può giocare '<' qui: il primo blocco comincia il muro; la sua parola è > (DM-8)"
    )


def test_what_is_no_move_is_explained_too() -> None:
    """With the words that would have been one."""
    with pytest.raises(NotAWordError) as fault:
        mauer.parse("5")
    assert explained(fault.value) == str(fault.value)
    assert explained(fault.value, GERMAN).startswith("'5' ist kein Zug: ein Plan ist T C 1")


def test_other_faults() -> None:
    """What came too late, and what nobody has foreseen."""
    assert explained(StaleMoveError("gone"), GERMAN).startswith("das kam zu spät")
    assert explained(MoveError("odd"), GERMAN) == "odd"


def test_clauses_are_translated() -> None:
    """By their number."""
    assert clause(mauer, "DM-9") == mauer.CLAUSES["DM-9"]
    assert clause(mauer, "DM-9", GERMAN) == "Turm und Tor stehen nie neben Turm oder Tor"


# --- Paper -----------------------------------------------------------------------------------


def test_a_catalogue_is_read() -> None:
    """Contexts, plural forms, lines that go on, escapes, comments."""
    paper = r"""
# a comment
msgid ""
msgstr ""
"Language: de\n"

#: some/where.py
#, python-brace-format
msgctxt "object"
msgid "the "
"tower"
msgstr "den \"Turm\"\t\\"

msgid "{number} card"
msgid_plural "{number} cards"
msgstr[0] "{number} Karte"
msgstr[1] "{number} Karten"
msgid "close behind"
msgstr "dicht dahinter"
"""
    assert read(paper) == {
        ("object", "the tower"): ('den "Turm"\t\\',),
        ("", "{number} card"): ("{number} Karte", "{number} Karten"),
        ("", "close behind"): ("dicht dahinter",),
    }


def test_what_is_not_translated_is_not_in_the_catalogue() -> None:
    """Empty, fuzzy and struck out entries are left to English."""
    paper = """
msgid "empty"
msgstr ""

#, fuzzy
msgid "guessed"
msgstr "geraten"

msgid "{number} half"
msgid_plural "{number} halves"
msgstr[0] "{number} Hälfte"
msgstr[1] ""

#~ msgid "gone"
#~ msgstr "weg"

msgid "good"
msgstr "gut"
"""
    assert read(paper) == {("", "good"): ("gut",)}


@pytest.mark.parametrize(
    ("paper", "fault"),
    [
        ("msgid tower", "line 1 of a catalogue cannot be read: msgid tower"),
        ('"tower"', "line 1"),
        ('msgid "a"\n\n"b"', "line 3"),
        ('msgid "a"\nmsgid "b"', "line 2"),
        ('msgid "a"\nmsgstr[2] "b"', "line 2"),
        ('msgid "a"\nmsgstr "b"\nmsgid "a"\nmsgstr "c"', "translated twice"),
    ],
)
def test_a_faulty_catalogue_is_refused(paper: str, fault: str) -> None:
    """With the line, so that it can be mended."""
    with pytest.raises(ValueError, match=fault):
        read(paper)
