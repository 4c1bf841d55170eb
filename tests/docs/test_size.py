"""What `bench.size` counts."""

from pathlib import Path

import pytest
from bench.size import Size, Tree, by_ending, by_package, package_table, size_of, total

MODULE = '''"""A module.

With two paragraphs.
"""

import os
from pathlib import (
    Path,
)

LIMIT = 3  # a comment
"""A string below a constant."""


def f() -> str:
    """Says it."""
    import sys

    # Only a comment.
    return """
    two lines
    """
'''


def test_code_is_neither_blank_nor_comment_nor_docstring() -> None:
    """A string that is a value is code; imports count wherever they stand."""
    assert size_of(MODULE) == Size(1, lines=22, code=10, imports=5, docstrings=6, blank=5)


def test_what_is_not_python_is_listed_apart(tmp_path: Path) -> None:
    """By its ending, the longest first; pictures and the like have no lines."""
    for name, content in {
        "a.py": b"x\n",
        "b.css": b"x\ny\n",
        "c.css": b"x",
        "d.png": b"\0\n",
    }.items():
        (tmp_path / name).write_bytes(content)

    assert [*by_ending(sorted(tmp_path.iterdir())).items()] == [(".css", (2, 3)), (".png", (1, 0))]


def test_packages_add_up() -> None:
    """What is beside the packages counts as the topmost one."""
    one = Size(1, 10, 8, 2)
    files = {"core/a.py": one, "core/b/c.py": one, "tui.py": one}

    assert by_package(files) == {"core": Size(2, 20, 16, 4), "mauerwerk": one}
    assert total(files.values()).share == "25.0 %"
    assert total([]) == Size()


@pytest.mark.parametrize("server", ["play", "server"])
def test_the_server_is_compared_under_any_name(server: str) -> None:
    """Its packages are also shown together."""
    one = Size(1, 10, 8, 2)
    before, after = (
        Tree({f"{name}/a.py": one}, {}, sqlite=None, postgresql=None) for name in ("web", server)
    )

    last = package_table(before, after)[-2]

    assert last.endswith("| 10 | 10 | 8 | 8 | 1 | 1 | 25.0 % | 25.0 % |")
