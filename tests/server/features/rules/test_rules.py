"""The rules as pages: complete in every language, with pictures, and every clause linkable."""

import gzip
import re
from collections import Counter
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET

import httpx
import pytest
from tests.support.web_pages import look
from tests.support.web_server import Running

from mauerwerk.core.game import NATURE, Seat, Setup
from mauerwerk.core.language import TITLES, language_of
from mauerwerk.games import GAMES
from mauerwerk.games.mauerbauer.events import Played
from mauerwerk.games.mauerbauer.guild import KINDS, Card
from mauerwerk.games.mauerbauer.notation import clause
from mauerwerk.server.features.rules.book import Rulebook, drawing, read, rulebook, scenes
from mauerwerk.server.games import WEB_GAMES
from mauerwerk.server.games.room import WebGame

CLAUSES = Path(__file__).parents[4] / "docs" / "rules"
PREFIX = {"mauer": "DM", "mauerbauer": "MB", "burgbaumeister": "BB"}
ENGLISH = language_of("en")
every_game = pytest.mark.parametrize("game", sorted(GAMES))
every_book = pytest.mark.parametrize(
    ("game", "code"), [(game, code) for game in sorted(GAMES) for code in sorted(TITLES)]
)


def book(game: str, code: str) -> Rulebook:
    return rulebook(game, language_of(code))


# --- Texts -----------------------------------------------------------------------------------


@every_book
def test_every_clause_has_its_place(game: str, code: str) -> None:
    """A clause of docs/rules is the id of exactly one element, and nothing else is one."""
    text = (CLAUSES / f"{game}.md").read_text(encoding="utf-8")
    due = re.findall(rf"^- \*\*({PREFIX[game]}-\d+) ", text, flags=re.MULTILINE)

    ids = Counter(re.findall(r'\bid="([A-Z]{2}-\d+)"', book(game, code).html))

    assert due
    assert ids == Counter(due)
    assert sorted(book(game, code).clauses) == sorted(due)


@every_game
def test_languages_agree(game: str) -> None:
    """The same clauses, scenes, links and tables stand in the same order in every language."""

    def bones(code: str) -> tuple[object, ...]:
        made = book(game, code)
        links = re.findall(r'href="#([A-Z]{2}-\d+)"', made.html)
        tags = re.findall(r"<(h2|figure|tr|ol|li|div)\b", made.html)
        return made.clauses, made.scenes, Counter(links), tags, len(made.parts)

    assert bones("de") == bones("en") == bones("it")


@every_book
def test_a_clause_that_can_forbid_a_move_can_be_looked_up(game: str, code: str) -> None:
    """What an illegal move is refused with is in the rules."""
    assert set(GAMES[game].CLAUSES) <= set(book(game, code).clauses)


@every_game
def test_each_language_has_its_own_words(game: str) -> None:
    """No sentence of one language is left standing in another."""
    spoken: list[set[str]] = []
    for code in sorted(TITLES):
        plain = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", book(game, code).html, flags=re.DOTALL)
        sentences = {" ".join(each.split()) for each in re.split(r"[.:?!]\s", plain)}
        spoken.append({each for each in sentences if len(each.split()) > 3})

    assert all(len(each) > 40 for each in spoken)
    assert not spoken[0] & spoken[1] | spoken[1] & spoken[2] | spoken[0] & spoken[2]


@every_book
def test_headings_are_in_order_and_in_the_contents(game: str, code: str) -> None:
    """The table of contents leads to every heading."""
    made = book(game, code)
    headings = re.findall(r'<h2 id="([\w-]+)">([^<]+)</h2>', made.html)

    assert [(part.name, part.title) for part in made.parts] == headings
    assert not re.search(r"<h[1345]", made.html)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Towers keep apart {DM-9}.", "DM-9"),
        ("{DM-9} Towers keep apart, see DM-99.", "there is no clause DM-99"),
        ("# Towers", "second order"),
        ("![a tower](nowhere)", "no scene nowhere"),
    ],
)
def test_a_text_with_a_fault_is_refused(text: str, fault: str) -> None:
    """A clause out of place, a link or a scene that leads nowhere: the error names it."""
    with pytest.raises(ValueError, match=fault):
        read(text, "mauer", ENGLISH)


def test_a_rulebook_without_its_first_lines_says_which(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The error names the lines that the author of a game has forgotten."""
    (tmp_path / "rulebook").mkdir()
    (tmp_path / "rulebook" / "en.md").write_text("# Mine\n\nThe rules.")
    room = WebGame(WEB_GAMES["mauer"].box, WEB_GAMES["mauer"].board, tmp_path)
    monkeypatch.setitem(WEB_GAMES, "mauer", room)

    with pytest.raises(ValueError, match=r"of mauer begins with lines `title: …`.* not with: # M"):
        rulebook.__wrapped__("mauer", ENGLISH)


def test_html_in_a_text_is_text() -> None:
    """Nothing in a text becomes an element but what Markdown makes."""
    made = read("<script>alert(1)</script> <b>wall</b>", "mauer", ENGLISH)

    assert "<script" not in made.html
    assert "&lt;b&gt;wall&lt;/b&gt;" in made.html


# --- Pictures --------------------------------------------------------------------------------


@every_book
def test_pictures_are_described_and_only_to_be_looked_at(game: str, code: str) -> None:
    """A picture has words in the page's language, nothing to press, and no style of its own."""
    pattern = re.compile(r"<figure>(<svg.*?</svg>)<figcaption>", flags=re.DOTALL)
    figures = pattern.findall(book(game, code).html)

    assert len(figures) == len(book(game, code).scenes) >= 5
    for figure in figures:
        root = ET.fromstring(figure)  # noqa: S314 - made here
        assert root.get("role") == "img"
        assert len(root.get("aria-label", "")) > 10
        inside = [each for each in root.iter() if each is not root]
        assert not [
            each for each in inside if {"tabindex", "role", "data-word", "style"} & set(each.attrib)
        ]


@every_book
def test_no_id_stands_twice(game: str, code: str) -> None:
    """Also not in pictures that are alike."""
    ids = Counter(re.findall(r'\bid="([^"]+)"', book(game, code).html))

    assert [name for name, times in ids.items() if times > 1] == []


@every_game
def test_every_scene_can_be_drawn(game: str) -> None:
    """The records of all scenes are games by the rules, used or only gone on with."""
    shown = set(book(game, "en").scenes) | {each.after for each in scenes(game).values()}

    assert set(scenes(game)) <= shown
    for name in scenes(game):
        assert len(list(drawing(game, name, "a table", ENGLISH).iter())) > 5


def test_a_scene_marks_what_may_be_done() -> None:
    """Two rivals and one site: the gate is chalked at the end that is a site, and there alone."""
    drawn = drawing("mauer", "site", "a wall", ENGLISH)

    assert len([each for each in drawn.iter() if each.get("class") == "chalk"]) == 1


# --- From a story into the rules -------------------------------------------------------------


@every_game
def test_what_happens_can_be_looked_up(game: str) -> None:
    """In a game played by chance, the clauses behind what happens are all in the rules."""
    module, lots = GAMES[game], Random(7)
    state = module.start(Setup(3, module.OPTIONS()))
    asked: set[str] = set()
    while seats := module.to_act(state):
        seat = seats[0]
        choices = module.odds(state) if seat == NATURE else module.legal(state, seat)
        step = module.apply(state, seat, lots.choice(list(choices)))
        asked |= {module.clause(event) for event in step.events}
        state = step.state

    assert asked & {"DM-23", "DM-26", "DM-27", "MB-73", "BB-10", "BB-11", "BB-12"}
    assert asked - {""} <= set(book(game, "en").clauses)


def test_a_card_leads_to_what_it_scores() -> None:
    """Each kind of guild card leads to the one line of the rules that speaks of it."""
    leads = {card: clause(Played(Seat(0), card, 3)) for card in KINDS}

    assert leads[Card.CITY_7] == "MB-50"
    assert leads[Card.CITY_PINK] == "MB-54"
    assert leads[Card.LAND_PINK] == "MB-57"
    assert leads[Card.LAND_EAST] == "MB-58"
    assert leads[Card.CITIES] == "MB-64"
    rows = re.findall(r'<td id="(MB-\d+)"', book("mauerbauer", "en").html)
    assert set(leads.values()) == set(rows)


# --- The page --------------------------------------------------------------------------------


def ask(site: Running, path: str, **headers: str) -> httpx.Response:
    """What somebody with these headers gets; underscores stand for hyphens."""
    return site.client(**headers).get(path)


@every_book
def test_the_page_speaks_the_readers_language(game: str, code: str, site: Running) -> None:
    """The browser's language decides."""
    answer = ask(site, f"/rules/{game}", accept_language=f"{code}, en;q=0.1")

    assert answer.status_code == 200
    assert f'<html lang="{code}"' in answer.text
    assert book(game, code).html in answer.text
    assert book(game, code).contents in answer.text


def test_a_link_can_name_the_language(site: Running) -> None:
    """`?lang=` overrules the browser; a language that there is not is no fault."""
    german = ask(site, "/rules/mauer?lang=de", accept_language="it")
    italian = ask(site, "/rules/mauer?lang=xx", accept_language="it")

    assert '<html lang="de"' in german.text
    assert '<html lang="it"' in italian.text
    assert 'name="back" value="/rules/mauer"' in german.text


def test_one_page_lists_all_rulebooks(site: Running) -> None:
    """With a way to each of them, and to its lesson."""
    page = look(site.browser(), "/rules")

    assert page.answer.status_code == 200
    for game in ("mauer", "burgbaumeister", "mauerbauer"):
        assert f'href="/rules/{game}"' in page.main
        assert f'href="/learn/{game}"' in page.main


def test_there_are_no_rules_of_other_games(site: Running) -> None:
    """A game that there is not is not found, nor is a file beside the texts."""
    assert ask(site, "/rules/chess").status_code == 404
    assert ask(site, "/rules/..%2Fscenes%2Fmauer").status_code == 404


@every_game
def test_the_page_keeps_to_the_policy(game: str, site: Running) -> None:
    """No style or script stands in the page, and its symbols are there."""
    text = ask(site, f"/rules/{game}").text
    symbols = set(re.findall(r'<symbol[^>]* id="([\w-]+)"', text))

    assert not re.search(r"<style|\sstyle=|<script(?! src)|\son\w+=", text)
    assert set(re.findall(r'<use[^>]* href="#([\w-]+)"', text)) <= symbols
    ids = Counter(re.findall(r'\bid="([^"]+)"', text))
    assert [name for name, times in ids.items() if times > 1] == []


@every_game
def test_the_page_is_light(game: str, site: Running) -> None:
    """With all its pictures it is smaller than one photograph."""
    answer = ask(site, f"/rules/{game}", accept_encoding="gzip")

    assert len(gzip.compress(answer.content, 5)) < 40_000
