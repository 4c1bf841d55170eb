"""How tests are shared out among processes."""

from tests.support.distribution import runs


def test_tests_of_a_file_stay_together() -> None:
    """But for those that were put last, since they need compiled kernels."""
    first = ("rules.py::test_a", "rules.py::test_b", "page.py::test_c[1]", "page.py::test_c[2]")
    last = ("rules.py::test_d", "rules.py::test_e")
    found = runs((*first, *last))

    assert [found[name] for name in first[:2]] == [first[0]] * 2
    assert [found[name] for name in first[2:]] == [first[2]] * 2
    assert [found[name] for name in last] == [last[0]] * 2
