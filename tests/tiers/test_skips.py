"""What may be skipped: known reasons, and no more tests than are known to have them."""

from collections import Counter
from textwrap import dedent

import pytest
from tests.support import skips
from tests.support.skips import REASONS, unknown

pytest_plugins = ("pytester",)

MODULE = """
    import pytest

    def test_one():
        pytest.skip({said!r})

    def test_two():
        pass
    """


def run(project: pytest.Pytester, said: str) -> pytest.RunResult:
    """Run a module with a test that is skipped, in this process."""
    project.makepyfile(dedent(MODULE.format(said=said)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        patch.setattr(skips, "_skipped", Counter[str]())
        return project.runpytest_inprocess(plugins=[skips])


def test_a_known_reason_is_told_at_the_end(pytester: pytest.Pytester) -> None:
    """With what the test needs."""
    result = run(pytester, "nginx is not installed")

    assert result.ret == pytest.ExitCode.OK
    result.stdout.fnmatch_lines(["*left out*", "*1 need nginx, which `make thorough`*"])


def test_a_run_fails_by_a_reason_that_nobody_knows(pytester: pytest.Pytester) -> None:
    """Whoever skips a test says so in one place."""
    result = run(pytester, "it is Sunday")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["tests/support/skips.py: 'it is Sunday' is no reason that is known"]
    )


def test_no_more_tests_than_known() -> None:
    """As many as listed are fine, one more is not, in whatever words."""
    (reason,) = (each for each in REASONS if each.missing.startswith("JAX"))
    said = {"needs JAX": reason.most - 1, "could not import 'jax': No module named 'jax'": 1}

    assert unknown(Counter(said)) == []
    assert unknown(Counter(said | {"needs jax": 1})) == [
        f"{reason.most + 1} tests need {reason.missing}, and {reason.most} are known"
    ]


def test_a_gpu_and_its_library_are_two_reasons() -> None:
    """One of them can be installed."""
    assert unknown(Counter({"needs a GPU and the extra cuda": 82, "needs the extra cuda": 9})) == []
    assert len(unknown(Counter({"needs the extra cuda": 10}))) == 1
