"""Packages do not import each other in a circle, and imports stand at the top of a module.

`import-linter` checks the directions that pyproject.toml lists; these tests need no list. What
does not hold yet is counted here. These numbers may only shrink: lower one when you remove its
cause. A number that is too high fails as well, so that nobody uses it up again.
"""

import ast
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import pytest
from tests.support.imports import Import, cycles, imports, needs, parsed

pytestmark = pytest.mark.slow  # it reads all of the source

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "mauerwerk"

IN_A_CIRCLE: dict[str, int] = {}
"""For a package, how many of its children are in a circle."""

IN_FUNCTIONS: dict[str, int] = {}
"""For a package, how many imports inside functions could stand at the top."""

AT_ONCE = {"click", "msgspec", "rich"}
"""Packages that every command loads. Others load slowly, and wait until they are needed."""

BY_NAME = {"kernels": 4, "learn": 1, "server": 3}
"""For a package, how many of our modules are imported by their names, which no checker sees."""


FEW = {
    "bots.net._loaded": "files of the host",
    "bots.rooms._ratings": "games",
    "bots.table._loaded": "files of the host",
    "core.language.language_of": "languages",
    "core.options._fields": "games",
    "core.svg._attribute": "names in the source",
    "games.burgbaumeister.layouts.spread": "legal moves of nature",
    "games.mauerbauer.values.full_rolls": "numbers up to 5",
    "games.mauerbauer.values.house_rolls": "numbers up to 5",
    "server.api.openapi._in_module": "modules",
    "server.database.migrations._making": "tables of the schema",
    "server.database.schema.statements_for": "kinds of databases",
    "server.database.transaction._sqlite": "kinds of databases",
    "server.engine.thinking.warm": "games",
    "server.features.lessons.lesson.course": "games",
    "server.features.lessons.lesson.script": "games and languages",
    "server.features.rules.book.rulebook": "games and languages",
    "server.features.rules.book.scenes": "games",
    "server.features.sharing.posters.scene_of": "games",
    "server.ui.markup._joined": "games",
    "server.ui.render.all_signs": "pages",
    "server.ui.render.signed": "symbols",
}
"""Functions that remember all of their answers, and what there are so few of that they may. An
error is not remembered, so that an unknown game or language takes up nothing."""


@cache
def modules() -> Mapping[str, ast.Module]:
    """All modules, read once."""
    return parsed(SOURCE)


def test_no_packages_import_each_other_in_a_circle() -> None:
    """Imports in functions and for type checkers count too: of two packages, one comes first."""
    circles = cycles(modules(), imports(modules()))
    found = {package: sum(map(len, parts)) for package, parts in circles.items()}

    assert found == IN_A_CIRCLE, circles


def test_imports_are_at_the_top() -> None:
    """A function imports only what may be missing: an optional package, or what needs one."""
    found = imports(modules())
    expected = sys.stdlib_module_names | AT_ONCE | set(modules())
    wanted = needs(found, {each.imported for each in found} - expected)
    late = [
        each
        for each in found
        if each.inside and not each.by_name and wanted[each.imported] <= wanted[each.importer]
    ]

    assert by_package(late) == IN_FUNCTIONS, late


def test_our_modules_are_imported_by_statements() -> None:
    """Type checkers and `import-linter` do not see an import by name. It is for registries."""
    named = [each for each in imports(modules()) if each.by_name and each.imported in modules()]

    assert by_package(named) == BY_NAME, named


def test_what_a_server_remembers_has_a_bound() -> None:
    """Visitors choose options and boards: a server that kept an answer for each would grow."""
    served = ("bots", "core", "games", "server")
    found = {
        f"{module}.{function}".removeprefix("mauerwerk.")
        for module, tree in modules().items()
        if module.startswith(tuple(f"mauerwerk.{package}" for package in served))
        for function in remembering_all(tree)
    }

    assert found == set(FEW)


def remembering_all(module: ast.Module) -> list[str]:
    """The functions of a module with arguments whose answers are all remembered."""
    return [
        node.name
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef)
        and any(vars(node.args).values())
        and {"cache", "functools.cache"} & set(map(ast.unparse, node.decorator_list))
    ]


def by_package(found: Sequence[Import]) -> Counter[str]:
    """How many of these imports each package makes."""
    return Counter(each.importer.split(".")[1] for each in found)


# --- So that the tests above can fail ---------------------------------------------------------


def tree(**texts: str) -> Mapping[str, ast.Module]:
    """Modules with these texts; a double underscore in a name stands for a dot."""
    return {name.replace("__", "."): ast.parse(text) for name, text in texts.items()}


def test_a_circle_is_found_wherever_it_is_closed() -> None:
    """At the top, in a function, for type checkers, by name, and through a third package."""
    ways = (
        "import p.a.x",
        "def f():\n    from p.a import x",
        "if TYPE_CHECKING:\n    from p.a.x import thing",
        'x = import_module("p.a.x")',
        "import p.c",
    )
    for way in ways:
        texts = tree(p="", p__a="", p__a__x="import p.b.y", p__b="", p__b__y=way, p__c="import p.a")

        assert cycles(texts, imports(texts))["p"][0][:2] == ["a", "b"], way


def test_a_package_may_import_its_own_children() -> None:
    """And they each other, in one direction."""
    texts = tree(p="import p.a", p__a="from p import b", p__b="import os")

    assert cycles(texts, imports(texts)) == {}


def test_a_function_that_remembers_all_is_found() -> None:
    """If it takes arguments: without them there is one answer."""
    text = "@cache\ndef f(x): ...\n@cache\ndef g(): ...\n@lru_cache(9)\ndef h(x): ..."

    assert remembering_all(ast.parse(text)) == ["f"]


def test_what_a_module_needs_comes_through_others() -> None:
    """Not through imports in functions; and a package is imported before its modules."""
    texts = tree(
        p="", p__a="import numba", p__a__x="", p__b="from p.a import x", p__c="def f(): import p.a"
    )

    wanted = needs(imports(texts), ["numba"])

    assert {name for name, packages in wanted.items() if packages} == {
        "numba",
        "p.a",
        "p.a.x",
        "p.b",
    }
