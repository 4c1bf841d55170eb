"""What `bench.mutants` changes, and what it leaves alone."""

import inspect
from functools import cache
from types import FunctionType

from bench import mutants_make, mutants_try
from bench.mutants import sample
from bench.mutants_make import mutants

TEXT = '''
@cache
def far(one: int | None, two: int = 1) -> bool:
    """Whether these are far apart."""
    assert one is not None
    if not one:
        raise ValueError
    return two - one > 3 and measured(one, two)
'''


def test_every_kind_of_change_is_made() -> None:
    """Types, decorators, defaults, assertions and texts are left alone."""
    found = {(mutant.kind, mutant.change) for mutant in mutants("far.py", TEXT)}

    assert found == {
        ("removed condition", "not one → True"),
        ("removed condition", "not one → False"),
        ("not", "not one → one"),
        ("boolean", "two - one > 3 and measured(one, two) → two - one > 3 or measured(one, two)"),
        ("removed condition", "two - one > 3 and measured(one, two) → measured(one, two)"),
        ("removed condition", "two - one > 3 and measured(one, two) → two - one > 3"),
        ("comparison", "two - one > 3 → two - one <= 3"),
        ("boundary", "two - one > 3 → two - one >= 3"),
        ("arithmetic", "two - one → two + one"),
        ("constant", "3 → 4"),
        ("swapped arguments", "measured(one, two) → measured(two, one)"),
    }


def test_a_statement_can_be_missing() -> None:
    """Where that leaves more than an unknown name."""
    text = "def play(table):\n    moved = table.move()\n    table.tell(moved)\n    return moved\n"
    found = [mutant.change for mutant in mutants("play.py", text)]

    assert found == ["table.tell(moved) → (nothing)"]


def test_what_changes_nothing_is_left_alone() -> None:
    """`strict` of `zip` says what holds anyway, and `max` does not mind the order."""
    text = "def pairs(one, two):\n    return list(zip(one, max(one, two), strict=True))\n"
    found = [mutant.kind for mutant in mutants("pairs.py", text)]

    assert found == ["swapped arguments"]


def test_an_edit_elsewhere_leaves_names_and_samples_as_they_are() -> None:
    """A mutant is named by what its function says."""
    before = list(mutants("far.py", TEXT))
    after = list(mutants("far.py", f"import math\n\n\ndef more(): return 1\n{TEXT}"))
    kept = [mutant for mutant in after if mutant.function == "far"]

    assert [mutant.name for mutant in kept] == [mutant.name for mutant in before]
    chosen = [mutant.name for mutant in sample(before, 4, 1)]
    assert chosen == [mutant.name for mutant in sample(list(reversed(kept)), 4, 1)]
    assert len({mutant.kind for mutant in sample(before, 7, 1)}) == 7


def test_a_mutant_is_compiled_under_the_name_and_line_of_its_function() -> None:
    """So that it can be put into the function objects that there are."""
    file = "games/mauer/legality.py"
    text = (mutants_make.SOURCE / file).read_text(encoding="utf-8")
    mutant = next(each for each in mutants(file, text) if each.function == "room_for")
    as_it_is, changed = mutants_make.codes(file, None), mutants_make.codes(file, mutant)

    assert as_it_is.keys() == changed.keys()
    different = {name for name in as_it_is if as_it_is[name] != changed[name]}
    assert {name for name, _ in different} == {"room_for"}


def test_functions_are_found_behind_their_caches() -> None:
    """Also those that are kept out of garbage collection."""

    @cache
    def hidden() -> int:
        return 1

    assert inspect.unwrap(hidden) in mutants_try.everything(FunctionType)
