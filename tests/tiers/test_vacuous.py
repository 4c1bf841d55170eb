"""What `bench.vacuous` takes for an assertion, and what it finds."""

from typing import Any

import pytest
from bench.vacuous import Plugin, assertions, findings

pytest_plugins = ("pytester",)

TEXT = """\
import pytest

def test_nothing():
    for each in []:
        assert each

def test_all_of_nothing():
    assert all(each for each in [])

@pytest.mark.parametrize("number", [0, 1])
def test_sometimes(number):
    if number:
        assert number == 1

def test_an_error():
    with pytest.raises(ZeroDivisionError):
        1 / 0
"""


def test_what_can_fail_is_an_assertion() -> None:
    """Also a call whose name says so, and the error that is expected."""
    assert set(assertions(TEXT)) == {5, 8, 13, 16}


@pytest.mark.process  # so that its meter is its own
def test_what_looks_at_nothing_is_found(pytester: Any) -> None:  # noqa: ANN401 - of pytest
    """Tests and cases without an assertion, assertions that are not reached, and `all` of none."""
    path = pytester.makepyfile(test_some=TEXT)
    plugin = Plugin(pytester.path)
    result = pytester.inline_run("-p", "no:xdist", plugins=[plugin])
    result.assertoutcome(passed=5)
    found = findings(plugin)

    assert found.idle == ["test_some.py::test_nothing", "test_some.py::test_sometimes[0]"]
    assert found.unreached == [f"{path.name}:5"]
    assert found.empty == [f"{path.name}:8"]
