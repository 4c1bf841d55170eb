"""A test cites every clause of `docs/rules`, and no test cites a clause that does not exist."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from mauerwerk.games import GAMES

ROOT = Path(__file__).parents[2]
CLAUSE = re.compile(r"^(?:- |#+ )(?:\*\*)?([A-Z]+-\d+) [RFXO](?:/[RFXO])*\b", re.MULTILINE)
EXAMPLE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def numbered_in(text: str) -> list[str]:
    """The clauses that a page of rules states, in order: `- **DM-14 R** ...`."""
    return CLAUSE.findall(EXAMPLE.sub("", text))


def cited_in(source: str) -> Iterator[tuple[str, int]]:
    """Every clause in a `pytest.mark.rule(...)` of this source, with its line."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="mark"), attr="rule")):
                for clause in node.args:
                    yield ast.literal_eval(clause), node.lineno
            case _:
                pass


def in_order(clauses: set[str]) -> list[str]:
    """The clauses sorted by number: DM-9 comes before DM-10."""
    return sorted(clauses, key=lambda clause: (clause[:2], int(clause.partition("-")[2])))


@pytest.fixture(scope="module")
def numbered() -> Counter[str]:
    """All clauses on the pages of rules, and how often each is stated."""
    pages = sorted((ROOT / "docs" / "rules").glob("*.md"))
    return Counter(clause for page in pages for clause in numbered_in(page.read_text("utf-8")))


@pytest.fixture(scope="module")
def cited() -> dict[str, str]:
    """All clauses that tests cite, with one place each."""
    return {
        clause: f"{path.relative_to(ROOT)}:{line}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if "mark.rule(" in (source := path.read_text("utf-8"))  # else there is nothing to parse
        for clause, line in cited_in(source)
    }


def test_every_clause_is_cited_by_a_test(numbered: Counter[str], cited: dict[str, str]) -> None:
    """Every clause has a test that would fail without it."""
    assert numbered, "docs/rules states no clause"
    assert in_order(set(numbered) - set(cited)) == [], "no test cites these clauses"


def test_no_test_cites_a_clause_that_is_not_there(
    numbered: Counter[str], cited: dict[str, str]
) -> None:
    """A number that no page states is a typing error, or a clause that was removed."""
    strays = {clause: cited[clause] for clause in in_order(set(cited) - set(numbered))}

    assert strays == {}


def test_a_clause_is_stated_once(numbered: Counter[str]) -> None:
    """A number means one clause, on one page."""
    assert [clause for clause, times in numbered.items() if times > 1] == []


@pytest.mark.parametrize("name", GAMES)
def test_a_refusal_names_a_clause_that_can_be_read(name: str, numbered: Counter[str]) -> None:
    """Every clause that `why_not` may return is in `docs/rules`."""
    assert in_order(set(GAMES[name].CLAUSES) - set(numbered)) == []


def test_the_pages_of_rules_are_read_as_they_are_written() -> None:
    """A clause begins a line, with its marks; a clause that is only mentioned does not count."""
    page = (
        "- **DM-1 R** As in DM-3.\n- **DM-10 R/X** x\n## MB-2 F\n    - **DM-7 R** shown\n**DM-4**"
    )

    assert numbered_in(page) == ["DM-1", "DM-10", "MB-2"]


def test_citations_are_read_as_they_are_written() -> None:
    """Several clauses in a mark count, and a mark on one parameter counts; a comment does not."""
    source = (
        '@pytest.mark.rule("DM-1", "DM-2")\n'
        "def test_it(): ...  # DM-9\n"
        'CASE = pytest.param(1, marks=pytest.mark.rule("DM-3"))\n'
    )

    assert list(cited_in(source)) == [("DM-1", 1), ("DM-2", 1), ("DM-3", 3)]
