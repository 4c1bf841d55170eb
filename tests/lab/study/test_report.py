"""The report is one file that asks for nothing, in three languages, and needs no pictures."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from tests.support.amounts import amount

from mauerwerk.core import options
from mauerwerk.core.game import Setup
from mauerwerk.core.language import TITLES
from mauerwerk.games import GAMES, burgbaumeister, mauer
from mauerwerk.lab.study.plan import StudyResults, do, jobs, make_plan, results_of
from mauerwerk.lab.study.report import report

pytestmark = [pytest.mark.slow, pytest.mark.kernels]

EMPTY = {"img", "meta", "input", "rect", "path"}


class Reader(HTMLParser):
    """Reads a page, and sees to it that every tag is closed."""

    def __init__(self, page: str) -> None:
        """Read it all."""
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag begins."""
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """A tag ends: the last that began."""
        if tag not in EMPTY:
            assert self.open.pop() == tag

    def having(self, name: str) -> list[str]:
        """The values of an attribute."""
        return [attributes[name] for _, attributes in self.tags if name in attributes]


def study(game: str, *setups: Setup[Any], games: int = 6) -> tuple[StudyResults, ...]:
    """A small study of these rules."""
    plan = make_plan(game, setups, ["greedy"], seed=2)
    return results_of(plan, [do(plan, job) for job in jobs(plan, games, deals=3)])


@pytest.fixture(scope="module")
def one() -> tuple[StudyResults, ...]:
    """A study of a short game."""
    return study("mauer", Setup(3, mauer.Options(rounds=1)))


@pytest.fixture(scope="module")
def two() -> tuple[StudyResults, ...]:
    """A comparison."""
    setups = [Setup(2, burgbaumeister.Options(variant=variant)) for variant in (False, True)]
    return study("burgbaumeister", *setups)


@pytest.mark.parametrize("results", ["one", "two"])
def test_it_is_whole_and_asks_for_nothing(results: str, request: pytest.FixtureRequest) -> None:
    """No address but its own; ids are unique, and every link and label leads somewhere."""
    page = report(request.getfixturevalue(results))
    read = Reader(page)
    assert page.startswith("<!doctype html>")
    assert not re.search(r"https?:|url\(|@import|<script|src=|style=", page)
    ids = read.having("id")
    assert len(set(ids)) == len(ids)
    leads = [link.removeprefix("#") for link in read.having("href")]
    assert leads
    assert {*leads, *read.having("for"), *read.having("aria-labelledby")} <= set(ids)
    assert len(page.encode()) < 1_000_000


def test_it_speaks_three_languages(two: tuple[StudyResults, ...]) -> None:
    """An article each, switched without a script; it opens in the one that was asked for."""
    page = report(two, "it")
    read = Reader(page)
    articles = [attributes["lang"] for tag, attributes in read.tags if tag == "article"]
    assert articles == list(TITLES)
    chosen = [attributes["id"] for _, attributes in read.tags if "checked" in attributes]
    assert chosen == ["choose-it"]
    assert page.startswith('<!doctype html>\n<html lang="it">')
    for words in ("Which numbers win", "Welche Zahlen gewinnen", "Quali numeri vincono"):
        assert words in page


def test_numbers_have_the_commas_of_their_language(one: tuple[StudyResults, ...]) -> None:
    """2.5 in English is 2,5 in German and Italian."""
    parts = re.split("<article", report(one))[1:]
    german, english, italian = (re.findall(r"<b>([^<]*)</b>", part) for part in parts)
    assert german == italian
    assert [number.replace(",", ".") for number in german] == english


def test_pictures_can_be_heard(one: tuple[StudyResults, ...]) -> None:
    """Histograms say what they show; bars stand beside their numbers and are passed over."""
    read = Reader(report(one))
    for tag, attributes in read.tags:
        if tag == "svg":
            assert attributes.get("aria-hidden") == "true" or (
                attributes["role"] == "img" and attributes["aria-label"]
            )
    labels = [label for label in read.having("aria-label") if "half of the games" in label]
    assert len(labels) == 2


def test_every_picture_has_its_axes(one: tuple[StudyResults, ...]) -> None:
    """Bars say what they are and how much their whole length is, on a phone too; so does a row."""
    english = re.split("<article", report(one))[2]
    heads = re.findall(
        r'<th scope="col" class="bar">([^<]+)<span class="axis">(.*?)</span></th>', english
    )
    assert len(heads) == len(
        re.findall(r'<table><thead><tr><td></td><th scope="col" class="bar"', english)
    )
    assert heads[0][0] == "wins"
    ends = re.findall(r"<span>0</span><span>([\d.]+ %)", heads[0][1].replace("\xa0", " "))
    assert len(ends) == 1
    assert f'data-end="{ends[0]}"' in english.replace("\xa0", " ")
    units = re.findall(r'class="unit[^>]*>([^<]+)<', english)
    assert [unit.partition("% ")[2] or unit for unit in units] == [
        "of the games",
        "turns",
        "of the games",
        "points",
    ]


def test_readers_count_seats_from_one(one: tuple[StudyResults, ...]) -> None:
    """Also where an option names one, which programs count from 0."""
    page = report(one)
    assert all(each in page for each in ("first: seat 1", "seat 3</th>"))
    assert not re.search(r"\b(seat|Platz|posto) 0\b", page)


def test_the_same_study_gives_the_same_file(one: tuple[StudyResults, ...]) -> None:
    """To the byte, so that it can be kept and compared."""
    again = study("mauer", Setup(3, mauer.Options(rounds=1)))
    assert report(again) == report(one)


def test_a_comparison_marks_what_differs() -> None:
    """With a star, and says how many stars chance would give."""
    setups = [Setup(3, mauer.Options(rounds=rounds)) for rounds in (1, 3)]
    page = report(study("mauer", *setups, games=12))
    assert re.search(r'class="changes"[^>]*><span><b>[^<]*\*</b>', page)
    assert "of which chance alone would mark at most about" in page


@pytest.mark.parametrize("studies", [0, 3])
def test_a_report_has_room_for_two(one: tuple[StudyResults, ...], studies: int) -> None:
    """As it is printed and as it is changed; no more, and not none."""
    with pytest.raises(ValueError, match="a report is of one study, or of two"):
        report(one * studies)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_reported(game: str) -> None:
    """Luck included."""
    rules = GAMES[game]
    words = {"board": "small"} if game == "mauerbauer" else {}
    setup = Setup(rules.SEATS[0], options.from_words(rules.OPTIONS, words))
    results = study(game, setup, games=amount(2, 2, 6))
    page = report(results)
    Reader(page)
    if game == "mauerbauer":  # played on a board that is not the printed one
        assert "<figcaption>The island</figcaption>" in page
        assert page.count('src="data:image/svg+xml;base64,') == len(re.findall("src=", page)) == 3
        assert "<figcaption>Mine &amp; yours</figcaption>" in report(
            results, titles={"small": "Mine & yours"}
        )
    else:
        assert "<img" not in page
    assert rules.TITLE in page
    assert "How much luck decides" in page
