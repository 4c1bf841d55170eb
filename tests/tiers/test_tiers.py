"""The tiers themselves: what each runs, what it does not even import, and what a test may do."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import pytest
from tests.support import amounts, tiers

pytest_plugins = ("pytester",)

BURNS = """
    import time

    def test_it():
        begin = time.process_time()
        while time.process_time() - begin < 0.02:
            pass
    """

STARTS = """
    import subprocess, sys

    def test_it():
        subprocess.run([sys.executable, "-S", "-c", ""], check=True)
    """

COMPILES = """
    from contextlib import suppress

    def test_it(tmp_path):
        with suppress(FileNotFoundError):
            (tmp_path / "entry.compiled").read_bytes()
    """


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project of its own, whose tests are in `checks`."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeini("[pytest]\naddopts = --import-mode=importlib --strict-markers")
    return pytester


def write(project: pytest.Pytester, modules: Mapping[str, str]) -> None:
    """Write these modules of tests."""
    for name, source in modules.items():
        path = project.path / "checks" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source), encoding="utf-8")


def run(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    """Run its tests with the tiers, in this process; a test may use ten milliseconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiers, "TESTS", project.path / "checks")
        patch.setattr(tiers, "SECONDS", 0.01)
        patch.setattr(tiers, "BUSY", 1)
        patch.setattr(tiers, "_costs", {})
        patch.setattr(tiers, "_started", [])
        patch.setattr(tiers, "_kernels", [])
        patch.setattr(tiers, "_measured", [0.0])
        patch.setattr(amounts, "_chosen", [amounts.Chosen("test")])
        return project.runpytest_inprocess(*args, plugins=[tiers])


def marked(mark: str, source: str) -> str:
    """The same module with a mark on all of its tests."""
    return f"import pytest\n\npytestmark = pytest.mark.{mark}\n{dedent(source)}"


# --- What a test may do ----------------------------------------------------------------------


@pytest.mark.parametrize("chosen", ["quick", "test"])
def test_a_test_without_a_mark_must_be_fast(project: pytest.Pytester, chosen: str) -> None:
    """One that uses more CPU time than it may fails, though it asserts nothing wrong."""
    write(project, {"test_one": BURNS})

    result = run(project, "--tier", chosen)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*s of CPU time, and is not marked `slow`"])


def test_a_thorough_run_has_no_limit(project: pytest.Pytester) -> None:
    """There even a test without a mark does a lot."""
    write(project, {"test_one": BURNS})

    run(project, "--tier", "thorough").assert_outcomes(passed=1)


@pytest.mark.process
def test_a_test_without_a_mark_starts_no_process(project: pytest.Pytester) -> None:
    """One that does is told what it started."""
    write(project, {"test_one": STARTS})

    result = run(project)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*starts a process (subprocess.Popen *and is not marked*"])


def test_a_test_without_a_mark_runs_no_kernel(project: pytest.Pytester) -> None:
    """One that asks for compiled code would compile it, were it the first on a machine."""
    write(project, {"test_one": COMPILES, "test_two": marked("kernels", COMPILES)})

    result = run(project)

    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(["*runs a compiled kernel (entry.compiled), and is not marked*"])


@pytest.mark.process
def test_whoever_says_what_they_cost_may(project: pytest.Pytester) -> None:
    """Marked tests take their time, and start what they need."""
    write(project, {"test_one": marked("slow", BURNS), "test_two": marked("process", STARTS)})

    run(project).assert_outcomes(passed=2)


# --- What a tier runs ------------------------------------------------------------------------


def test_quick_does_not_import_what_is_marked(project: pytest.Pytester) -> None:
    """Neither a marked module, nor those of a marked folder; a marked test is left out."""
    broken = "raise RuntimeError('imported')"
    write(
        project,
        {
            "test_marked": marked("kernels", broken),
            "folder/conftest": marked("browser", ""),
            "folder/test_inside": broken,
            "test_mixed": """
    import pytest

    def test_fast(): ...

    @pytest.mark.slow
    def test_slow(): ...
    """,
        },
    )

    run(project, "--tier", "quick").assert_outcomes(passed=1, deselected=1)
    run(project, "--tier", "test", "checks/test_mixed.py").assert_outcomes(passed=2)
    run(project, "--tier", "test", "checks/test_marked.py").assert_outcomes(errors=1)


def test_only_thorough_runs_what_is_thorough(project: pytest.Pytester) -> None:
    """All other marks are in `make test`."""
    each = (f"@pytest.mark.{mark}\ndef test_{mark}(): ...\n" for mark in tiers.COSTLY)
    write(project, {"test_all": "\n".join(["import pytest\n", *each])})
    number = len(tiers.COSTLY)

    run(project, "--tier", "test").assert_outcomes(passed=number - 1, deselected=1)
    run(project, "--tier", "thorough").assert_outcomes(passed=number)


@pytest.mark.parametrize(("chosen", "number"), [("quick", 1), ("test", 2), ("thorough", 3)])
def test_a_tier_has_its_amount(project: pytest.Pytester, chosen: str, number: int) -> None:
    """It is known when modules are imported, also the `conftest.py` of a folder that is named."""
    write(
        project,
        {
            "conftest": """
    import pytest
    from tests.support.amounts import amount

    NUMBER = amount(1, 2, 3)

    @pytest.fixture
    def number():
        return NUMBER
    """,
            "test_amount": f"""
    from tests.support.amounts import amount

    NUMBER = amount(1, 2, 3)

    def test_it(number):
        assert NUMBER == number == {number}
    """,
        },
    )

    run(project, "--tier", chosen, "checks").assert_outcomes(passed=1)


def test_the_amount_of_this_run_is_the_running_tiers() -> None:
    """Whatever other tests have chosen for their own projects."""
    assert amounts.amount("quick", "test", "thorough") == amounts.tier()


# --- In which order --------------------------------------------------------------------------


def test_a_shuffle_keeps_modules_together(project: pytest.Pytester) -> None:
    """Modules and their tests come in any order, the same for the same number."""
    tests = "".join(f"def test_{number}(): ...\n" for number in range(5))
    write(project, {f"test_{name}": tests for name in "abcdef"})

    def order(*args: str) -> list[tuple[str, str]]:
        lines = run(project, "--collect-only", "-q", *args).outlines
        ids = [line.partition("::") for line in lines if "::" in line]
        return [(module, name) for module, _, name in ids]

    usual, shuffled = order(), order("--shuffle", "7")

    assert sorted(shuffled) == usual
    assert shuffled != usual
    assert order("--shuffle", "7") == shuffled
    modules = [module for module, _ in shuffled]
    changes = sum(one != other for one, other in pairwise(modules))
    assert changes == 5


def test_what_needs_kernels_comes_last(project: pytest.Pytester) -> None:
    """They are compiled while the others run."""
    write(
        project,
        {
            "test_a": marked("kernels", "def test_it(): ..."),
            "test_b": "def test_it(): ...",
        },
    )

    lines = run(project, "--collect-only", "-q").outlines

    assert [line for line in lines if "::" in line] == [
        "checks/test_b.py::test_it",
        "checks/test_a.py::test_it",
    ]


# --- Examples in texts -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        (">>> from mauerwerk.games import mauer", set[str]()),
        (">>> import ray", {"foreign"}),
        (">>> from mauerwerk import kernels", {"kernels"}),
        ("    >>> from mauerwerk.lab.match.match import play", {"kernels"}),
        (">>> def f():\n...     import torch", {"foreign"}),
        (">>> from mauerwerk.kernels import (\n...     mauer,\n... )", {"kernels"}),
        ("We import ray here, and show none of it.\n>>> 1 + 1\n2", set[str]()),
    ],
)
def test_an_example_is_marked_by_what_it_imports(
    tmp_path: Path, text: str, marks: set[str]
) -> None:
    """What the text only speaks of does not count."""
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")

    assert tiers._example_marks(page) == marks  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


def test_an_example_in_a_module_needs_what_the_module_needs(tmp_path: Path) -> None:
    """To run it, the module is imported."""
    module = tmp_path / "src" / "mauerwerk" / "lab" / "some.py"
    module.parent.mkdir(parents=True)
    module.write_text('"""Some.\n\n>>> 1\n1\n"""\nimport torch\n', encoding="utf-8")

    marks = tiers._example_marks(module)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    assert marks == {"kernels", "foreign"}
