"""The pages agree with the code and with each other."""

import re
from importlib import import_module
from pathlib import Path

import msgspec
import pytest

from mauerwerk.core import laws
from mauerwerk.core.game import AnyGame, Game
from mauerwerk.games import GAMES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
RULES = sorted(path for path in (DOCS / "rules").glob("*.md") if path.stem != "README")
DECISIONS = sorted((DOCS / "decisions").glob("0*.md"))

CLAUSE = re.compile(
    r"^- \*\*(?P<game>[A-Z]{2})-(?P<number>\d+) (?P<marks>\S+)\*\* \S", re.MULTILINE
)
CITED = re.compile(r"\b(?:DM|MB|BB)-\d+\b")


def read(path: Path) -> str:
    """Read a page."""
    return path.read_text(encoding="utf-8")


def name_of(path: Path) -> str:
    """The name of a page in test ids."""
    return str(path.relative_to(ROOT))


# --- All pages -------------------------------------------------------------------------------


def test_the_design_names_every_member_of_a_game() -> None:
    """The table of the protocol is complete and in the order of the source."""
    section = read(DOCS / "design.md").partition("\n## A game\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE)
    named = [name for cell in cells for name in re.findall(r"`(\w+)", cell)]

    assert named == [name for name in vars(Game) if not name.startswith("_")]


# --- Rules -----------------------------------------------------------------------------------


@pytest.mark.parametrize("page", RULES, ids=name_of)
def test_clauses_rise_and_are_marked(page: Path) -> None:
    """Clauses of a page share a prefix, have increasing numbers, and name their source."""
    clauses = list(CLAUSE.finditer(read(page)))
    numbers = [int(clause["number"]) for clause in clauses]

    assert numbers
    assert numbers == sorted(set(numbers))
    assert len({clause["game"] for clause in clauses}) == 1
    assert {mark for clause in clauses for mark in clause["marks"].split("/")} <= set("RFXO")


@pytest.mark.parametrize("page", RULES, ids=name_of)
def test_every_bullet_of_the_rules_is_a_clause(page: Path) -> None:
    """A typing error in its form does not make a clause disappear."""
    bullets = [line for line in read(page).splitlines() if line.startswith("- ")]

    assert [line for line in bullets if not CLAUSE.match(line)] == []


def test_die_mauer_has_twenty_eight_clauses() -> None:
    """A clause keeps its number forever."""
    clauses = CLAUSE.finditer(read(DOCS / "rules" / "mauer.md"))

    assert [int(clause["number"]) for clause in clauses] == list(range(1, 29))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_code_cites_clauses_that_exist(game: AnyGame) -> None:
    """Every clause that the source of a game cites is on its page of the rules."""
    text = read(DOCS / "rules" / f"{game.NAME}.md")
    known = {f"{clause['game']}-{clause['number']}" for clause in CLAUSE.finditer(text)}
    source = ROOT / "src" / "mauerwerk" / "games" / game.NAME
    cited = {clause for path in source.rglob("*.py") for clause in CITED.findall(read(path))}

    assert cited - known == set()


# --- Games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_page_names_every_field_of_the_view(game: AnyGame) -> None:
    """Authors of bots find every field of a view, in its order."""
    text = read(DOCS / "games" / f"{game.NAME}.md")
    section = text.partition("\n## The view\n")[2].partition("\n## ")[0]

    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(game.VIEW.__struct_fields__)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_page_names_every_event_and_its_fields(game: AnyGame) -> None:
    """Authors of clients find every event, in the order of the source."""
    text = read(DOCS / "games" / f"{game.NAME}.md")
    section = text.partition("\n## Events\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|", section, re.MULTILINE)

    assert [(name, re.findall(r"`(\w+)`", fields)) for name, fields in rows] == [
        (kind.__name__, [field.name for field in msgspec.structs.fields(kind)])
        for kind in game.EVENTS
    ]


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_page_explains_every_state_and_reason(game: AnyGame) -> None:
    """Phases and reasons to end are on the page too."""
    text = read(DOCS / "games" / f"{game.NAME}.md")
    names = [*(kind.__name__ for kind in game.STATES), *game.ENDINGS]

    assert [name for name in names if f"\n| `{name}` |" not in text] == []


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_page_tells_of_every_revision(game: AnyGame) -> None:
    """The list has every revision up to that of the rules."""
    text = read(DOCS / "games" / f"{game.NAME}.md")
    section = text.partition("\n## Revisions\n")[2]

    assert re.findall(r"^\| (\d+) \|", section, re.MULTILINE) == [
        str(revision) for revision in range(1, game.RULES + 1)
    ]


# --- Glossary --------------------------------------------------------------------------------


def names_in_glossary() -> list[tuple[str, str]]:
    """Each name in the last column of a table, with the modules above it."""
    modules, found = "", list[tuple[str, str]]()
    for line in read(DOCS / "glossary.md").splitlines():
        if line.startswith("Names: "):
            modules = line
        elif line.startswith("## "):
            modules = ""
        elif line.startswith("| ") and modules:
            found += [(name, modules) for name in re.findall(r"`([\w.]+)`", line.split(" | ")[-1])]
    return found


@pytest.mark.parametrize(("name", "modules"), names_in_glossary())
def test_the_glossary_names_what_exists(name: str, modules: str) -> None:
    """A name in the last column is found in one of the modules of its table."""
    places: list[object] = [import_module(module) for module in re.findall(r"`([\w.]+)`", modules)]

    assert name == "None" or any(reach(place, name) for place in places)


def reach(place: object, name: str) -> bool:
    """Whether a dotted name exists in this module or object."""
    for part in name.split("."):
        try:
            place = getattr(place, part)
        except AttributeError:
            return False
    return True


# --- Laws ------------------------------------------------------------------------------------


def test_the_laws_are_listed() -> None:
    """The how-to lists every law, in order."""
    section = read(DOCS / "how-to" / "check-a-game.md").partition("\n## The laws\n")[2]

    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == [
        law.__name__ for law in laws.LAWS
    ]


# --- Decisions -------------------------------------------------------------------------------


def test_decisions_are_numbered_and_listed() -> None:
    """Numbers have no gaps, and the list has each page with its title."""
    listed = re.findall(
        r"^\| \[(\d{4})\]\((\S+)\) \| (.+) \|$",
        read(DOCS / "decisions" / "README.md"),
        re.MULTILINE,
    )
    titles = [read(page).partition("\n")[0] for page in DECISIONS]

    assert [int(number) for number, _, _ in listed] == list(range(1, len(DECISIONS) + 1))
    assert [path for _, path, _ in listed] == [page.name for page in DECISIONS]
    assert [f"# {number}: {title}" for number, _, title in listed] == titles


@pytest.mark.parametrize("page", DECISIONS, ids=name_of)
def test_a_decision_has_four_parts(page: Path) -> None:
    """The problem, the choice, its costs, and when to reconsider."""
    headings = re.findall(r"^## (.+)$", read(page), re.MULTILINE)

    assert headings == ["We face", "We choose", "We give up", "We look again when"]
