"""What `bench.size` counts."""

import subprocess
from pathlib import Path

import pytest
from bench import additions
from bench.additions import Addition, WrongListError
from bench.size import Size, Tree, by_ending, by_package, package_table, size_of, sources, total

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
        Tree({f"{name}/a.py": one}, {}, {}, sqlite=None, postgresql=None)
        for name in ("web", server)
    )

    last = package_table(before, after)[-2]

    assert last.endswith("| 10 | 10 | 10 | 8 | 8 | 1 | 1 | 25.0 % | 25.0 % |")


# --- What is new ------------------------------------------------------------------------------

LONG = "".join(f"value_{number} = some_function(of_the_number={number})\n" for number in range(20))
"""A file that git recognises in another one."""
OTHER = LONG.replace("value", "figure").replace("some_function", "another_function")


def test_a_new_package_is_counted_with_all_of_its_files() -> None:
    """A name that only begins like it is another one; a path without a file is a mistake."""
    files = ("cli/solve.py", "lab/solve/cfr.py", "lab/solver.py")

    assert additions.files_of(files, [Addition("solving", ("lab/solve/", "cli/solve.py"))]) == {
        "lab/solve/cfr.py": "solving",
        "cli/solve.py": "solving",
    }
    with pytest.raises(WrongListError, match="lab/gone"):
        additions.files_of(files, [Addition("gone", ("lab/gone/",))])


def test_the_list_of_what_is_new_names_files_that_exist() -> None:
    """All of it, in the source of today."""
    assert additions.files_of(sources(Path(__file__).parents[2]))


@pytest.mark.process
@pytest.mark.parametrize(
    ("files", "fault"),
    [
        ({"old.py": LONG, "new.py": OTHER}, ""),
        ({"new.py": LONG}, "was src/old.py"),
        ({"old.py": LONG, "new.py": LONG + "more = 1\n"}, "was src/old.py"),
        ({"old.py": LONG, "new.py": OTHER * 2 + LONG}, "20 of 60 lines are old"),
        ({"old.py": LONG, "same.py": OTHER, "new.py": OTHER}, "was src/new.py"),
    ],
    ids=["new", "renamed", "copied", "a third of it copied", "changed"],
)
def test_what_is_called_new_has_no_ancestor(
    tmp_path: Path, files: dict[str, str], fault: str
) -> None:
    """Neither as a file that was renamed or copied, nor in pieces."""
    root, before = tmp_path / "root", tmp_path / "before"
    old = {"old.py": LONG} | ({"new.py": "x = 1\n"} if "same.py" in files else {})
    for folder, content in ((root, old), (before, old)):
        (folder / "src").mkdir(parents=True)
        for name, text in content.items():
            (folder / "src" / name).write_text(text)
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "-c", "user.name=x", "-c", "user.email=x", "commit", "--quiet", "-m", "x")
    for name in old.keys() - files:
        (root / "src" / name).unlink()
    for name, text in files.items():
        (root / "src" / name).write_text(text)
    git(root, "add", ".")

    if fault:
        with pytest.raises(WrongListError, match=fault):
            additions.check(root, "HEAD", before, "src", ["new.py"])
    else:
        additions.check(root, "HEAD", before, "src", ["new.py"])


def git(folder: Path, *words: str) -> None:
    """Run git in a folder."""
    subprocess.run(["git", *words], cwd=folder, check=True)  # noqa: S603, S607 - git
