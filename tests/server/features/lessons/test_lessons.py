"""Lessons: their records are played by the rules, and every language speaks at every stop."""

import re
from collections.abc import Iterator
from importlib import resources
from itertools import pairwise

import pytest

from mauerwerk.core import record
from mauerwerk.core.game import Ephemeral
from mauerwerk.core.language import ENGLISH, TITLES, language_of
from mauerwerk.core.record import RecordError
from mauerwerk.games import GAMES
from mauerwerk.server.features.lessons import lesson as courses
from mauerwerk.server.features.lessons.lesson import (
    LEARNER,
    REST,
    Course,
    Stop,
    StopText,
    course,
    script,
)
from mauerwerk.server.features.lessons.pages import Extra, names_at, stop_page, told
from mauerwerk.server.features.rules.book import rulebook
from mauerwerk.server.games import web_game

every_game = pytest.mark.parametrize("game", sorted(GAMES))
every_text = pytest.mark.parametrize(
    ("game", "code"), [(game, code) for game in sorted(GAMES) for code in sorted(TITLES)]
)


def tasks(game: str) -> Iterator[Stop]:
    """The stops at which the learner plays."""
    return (stop for stop in course(game).stops if stop.note.word)


def legal_at(lesson: Course, stop: Stop) -> set[str]:
    """What the learner may play."""
    return {lesson.rules.write(each) for each in lesson.rules.legal(stop.state, LEARNER)}


def parts_of(game: str, code: str) -> Iterator[tuple[Stop, StopText]]:
    """Every stop, and what is said there."""
    parts = script(game, code).parts
    return ((stop, parts[stop.note.key]) for stop in course(game).stops)


# --- Records ---------------------------------------------------------------------------------


@every_game
def test_a_lesson_is_made_of_records(game: str) -> None:
    """Each chapter is a record like any other, and written out it is the same game again."""
    folder = resources.files("mauerwerk.server.games").joinpath(game, "lesson")
    source = folder.joinpath("game.txt").read_text(encoding="utf-8")
    chapters = re.split(rf"(?=^{game}/)", source, flags=re.MULTILINE)[1:]

    assert chapters
    for chapter in chapters:
        kept = record.read(chapter, GAMES)
        assert record.read(record.write(GAMES[game], kept), GAMES) == kept


@every_game
def test_a_lesson_is_short_and_the_learner_plays(game: str) -> None:
    """Twelve to about twenty stops, and at most of them there is something to do."""
    lesson = course(game)

    assert 12 <= len(lesson.stops) <= 22
    assert sum(bool(stop.note.word) for stop in lesson.stops) > len(lesson.stops) / 2
    assert not lesson.stops[-1].note.word


@every_game
def test_what_is_asked_is_legal_and_can_be_pressed(game: str) -> None:
    """The word is one of the learner's, and the board or a button offers it."""
    lesson = course(game)
    for stop in tasks(game):
        assert stop.note.word in legal_at(lesson, stop), stop.note.key
        parts = stop_page(lesson, stop, ENGLISH, Extra(answer="look"))["parts"]
        glows = parts.stage + parts.tray + parts.aside
        beside = {button.word for button in parts.buttons}
        on_board = re.findall(r'<[^>]*class="[^"]*\basked\b[^>]*>', glows)
        assert on_board or stop.note.word in beside, stop.note.key


@every_game
def test_what_is_spoken_of_is_on_the_table(game: str) -> None:
    """Each place that a stop points at is an element of the drawing, exactly once."""
    lesson = course(game)
    for stop in lesson.stops:
        parts = stop_page(lesson, stop, ENGLISH, Extra())["parts"]
        drawn = parts.stage + parts.tray + parts.aside
        framed = re.findall(r'<[^>]*class="[^"]*\bshown\b[^>]*>', drawn)
        assert len(framed) == len(stop.note.looks), (stop.note.key, stop.note.looks)


def test_others_do_not_glow() -> None:
    """Of eight pieces to plan, one glows; all eight can be pressed."""
    lesson = course("mauer")
    parts = stop_page(lesson, lesson.stops[1], ENGLISH, Extra())["parts"]

    assert parts.tray.count("data-word=") == 8
    assert re.findall(r'class="asked[^>]*data-word="([^"]*)"', parts.tray) == ["4"]


def test_a_riddle_glows_only_after_a_wrong_answer() -> None:
    """Where the learner is to remember a card, the page does not point at it at once."""
    lesson = course("burgbaumeister")
    stop = next(stop for stop in lesson.stops if stop.note.key == "recall")

    assert "asked" not in stop_page(lesson, stop, ENGLISH, Extra())["parts"].stage
    assert "asked" in stop_page(lesson, stop, ENGLISH, Extra(answer="No."))["parts"].stage


def test_where_there_is_nothing_to_do_nothing_can_be_pressed() -> None:
    """A stop that only shows something has no targets, even if it is the learner's turn."""
    for game in GAMES:
        lesson = course(game)
        for stop in lesson.stops:
            parts = stop_page(lesson, stop, ENGLISH, Extra())["parts"]
            pressable = "data-word" in parts.stage + parts.tray + parts.aside
            assert not pressable or stop.note.word, (game, stop.note.key)
            assert not parts.buttons or stop.note.word, (game, stop.note.key)


@every_game
def test_the_table_is_drawn_as_any_other(game: str) -> None:
    """From the view of the learner's seat, by the same board; only marks are added to it."""
    lesson = course(game)
    for stop in lesson.stops:
        view = lesson.rules.view(stop.state, LEARNER)
        legal = lesson.rules.legal(stop.state, LEARNER) if stop.note.word else ()
        before = [event for event in stop.told if not isinstance(event, Ephemeral)]
        plain = web_game(game).board.parts(view, legal, names_at(stop), ENGLISH, before)
        marked = stop_page(lesson, stop, ENGLISH, Extra())["parts"]
        assert view.seat == LEARNER
        assert unmarked(marked.stage) == plain.stage
        assert unmarked(marked.tray) == plain.tray
        assert unmarked(marked.aside) == plain.aside


def unmarked(html: str) -> str:
    """The drawing without the marks of a lesson."""
    bare = re.sub(r' class="(?:(?:shown|asked) ?)+"', "", html)
    return re.sub(r'class="(?:(?:shown|asked) )+', 'class="', bare)


# --- Texts -----------------------------------------------------------------------------------


@every_text
def test_every_stop_is_spoken_of(game: str, code: str) -> None:
    """A part for each stop, in the order of the record, and nothing else."""
    text = script(game, code)

    assert tuple(text.parts) == course(game).keys
    assert "<p>" in text.preface
    for stop, part in parts_of(game, code):
        assert part.title
        assert "<p>" in part.text, stop.note.key
        assert bool(part.task) == bool(stop.note.word), stop.note.key


@every_text
def test_every_other_move_has_an_answer(game: str, code: str) -> None:
    """Whatever legal move the learner makes, something is said; and to no other."""
    for stop, part in parts_of(game, code):
        if stop.note.word:
            others = legal_at(course(game), stop) - {stop.note.word}
            assert all(part.answer(word) for word in others), stop.note.key
            assert set(part.answers) - {REST} <= others, stop.note.key
            assert (REST in part.answers) <= bool(others - set(part.answers)), stop.note.key
        else:
            assert not part.answers, stop.note.key


@every_game
def test_languages_agree(game: str) -> None:
    """The same answers to the same words, and about as much to read."""
    for key in course(game).keys:
        parts = [script(game, code).parts[key] for code in TITLES]
        assert len({tuple(part.answers) for part in parts}) == 1, key
        lengths = [len(part.text) for part in parts]
        assert max(lengths) < 2 * min(lengths), key


@every_game
def test_each_language_has_its_own_words(game: str) -> None:
    """No title, text, task or answer of one language is left standing in another."""
    said = [
        {
            words
            for part in script(game, code).parts.values()
            for words in (part.title, part.text, part.task, *part.answers.values())
            if words
        }
        for code in TITLES
    ]

    assert not said[0] & said[1] | said[1] & said[2] | said[0] & said[2]


@pytest.mark.parametrize("code", sorted(TITLES))
def test_cards_are_called_as_they_are(code: str) -> None:
    """What a task calls a card in quotation marks is what the game calls it."""
    language = language_of(code)
    named: dict[str, int] = {}
    for game in sorted(GAMES):
        rules = course(game).rules
        for stop, part in parts_of(game, code):
            for name in re.findall(r"[“„«](.+?)[”“»]", part.task):
                named[game] = named.get(game, 0) + 1
                assert name in rules.say(rules.parse(stop.note.word), language)

    assert named == {"mauerbauer": 3}, "only these cards have names"


@every_text
def test_every_clause_can_be_looked_up(game: str, code: str) -> None:
    """Each stop leads into the rules."""
    clauses = rulebook(game, language_of(code)).clauses
    for stop in course(game).stops:
        assert stop.note.clauses, stop.note.key
        assert set(stop.note.clauses) <= set(clauses), stop.note.key


IDEAS = {
    "mauer": "1 2 3 5 6 7 8 9 10 11 12 13 14 15 17 18 19 23 24",
    "burgbaumeister": "1 2 3 5 6 7 8 9 10 11 20 21 22 23 24 25 26",
    "mauerbauer": "4 8 10 11 20 21 22 25 26 31 34 40 41 43 44 45 47 50 54 57 70 72 73",
}


@every_game
def test_what_matters_is_taught(game: str) -> None:
    """The clauses that somebody needs for a first game of their own."""
    taught = {
        clause.partition("-")[2] for stop in course(game).stops for clause in stop.note.clauses
    }

    assert set(IDEAS[game].split()) <= taught


@every_text
def test_what_happened_is_told(game: str, code: str) -> None:
    """After every stop something happens, and it is told in the language of the text."""
    lesson = course(game)
    for before, stop in pairwise(lesson.stops):
        if stop.note.moves > before.note.moves:
            assert told(lesson, stop, language_of(code)), stop.note.key


# --- Faults ----------------------------------------------------------------------------------

HEAD = "mauer/1 seats=3 rounds=1\n"


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (HEAD + "#: fist DM-5\n0:4 1:T 2:T\n", "ends with a stop"),
        (HEAD + "#: fist DM-5\n0:4 1:T 2:T\n#: fist DM-5\n", "stops at fist twice"),
        (HEAD + "#: fist DM-5\n0:<\n#: end\n", "seat 1 may not play '<'"),
    ],
)
def test_a_lesson_with_a_fault_is_refused(source: str, fault: str) -> None:
    """The error says what is wrong with it."""
    with pytest.raises(ValueError, match=fault):
        courses.read(source)


def test_a_move_against_the_rules_names_its_clause() -> None:
    """A lesson cannot teach what the rules forbid."""
    with pytest.raises(RecordError) as fault:
        courses.read(HEAD + "#: fist\n0:4 1:T 2:T\n#: end\n0:<\n#: over\n")

    assert fault.value.clause == "DM-8"


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("## No key\n\nText.", "a heading is like"),
        ("# {fist} First order\n\nText.", "a heading is like"),
        ("## {fist} A\n\nText.\n\n## {fist} B\n\nText.", "fist is said twice"),
        ("## {fist} A\n\n> Do it.\n\n- No word here.", "an answer begins with words"),
    ],
)
def test_a_text_with_a_fault_is_refused(source: str, fault: str) -> None:
    """The error quotes it."""
    with pytest.raises(ValueError, match=fault):
        courses.read_script(source)


def test_html_in_a_text_is_text() -> None:
    """Nothing in a text becomes an element but what Markdown makes."""
    made = courses.read_script("## {fist} A\n\n<script>alert(1)</script>")

    assert "<script" not in made.parts["fist"].text
