"""The map of modules agrees with the source."""

import shutil
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from docs.modules import about, main, module_map, package_table

DOCS = Path(__file__).parents[2] / "docs"


def run(*args: str | Path) -> Result:
    """Run `docs/modules.py`."""
    return CliRunner().invoke(main, [str(arg) for arg in args])


def test_the_map_is_up_to_date() -> None:
    """If this fails, run `make docs`."""
    checked = run("--check")

    assert (checked.stderr, checked.exit_code) == ("", 0)


def test_a_stale_page_is_named_and_repaired(tmp_path: Path) -> None:
    """A check changes nothing; the handwritten part of the design stays as it is."""
    for name in ("design.md", "modules.md"):
        shutil.copyfile(DOCS / name, tmp_path / name)
    run("--pages", tmp_path)
    sound = (tmp_path / "design.md").read_text(encoding="utf-8")
    stale = sound.replace("| `core.svg` |", "| `core.stone` |")
    (tmp_path / "design.md").write_text(stale, encoding="utf-8")

    checked = run("--check", "--pages", tmp_path)

    assert (checked.stderr, checked.exit_code) == ("Error: stale: design.md; run make docs\n", 1)
    assert (tmp_path / "design.md").read_text(encoding="utf-8") == stale
    assert run("--pages", tmp_path).stdout == "rewritten: design.md\n"
    assert (tmp_path / "design.md").read_text(encoding="utf-8") == sound


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A small tree: a layer, a game, its room, and a feature."""
    folder = tmp_path / "source"
    for name in ("", "games", "games/chess", "server", "server/chess", "server/features/chat"):
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "__init__.py").write_text(f'"""About {name or "all"}."""\n')
    (folder / "server/features/__init__.py").write_text('"""All features."""\n')
    (folder / "server/app.py").write_text(
        '"""The application | all of it.\n\nMore."""\nimport os\n'
    )
    return folder


def test_the_map_has_a_section_for_each_package(source: Path) -> None:
    """With the first line of each module."""
    page = module_map(source)

    assert page.count("\n## ") == 7
    assert "## `mauerwerk.server`\n\nAbout server.\n\n| module | holds |" in page
    assert "| `app` | The application \\| all of it |\n" in page


def test_the_design_shows_features_but_no_rooms_of_games(source: Path) -> None:
    """A game is shown once, with its rules."""
    rows = [line.split("`")[1] for line in package_table(source).splitlines()[2:]]

    assert rows == ["games", "games.chess", "server", "server.features", "server.features.chat"]


def test_a_module_without_a_docstring_is_named(tmp_path: Path) -> None:
    """In one line."""
    module = tmp_path / "silent.py"
    module.write_text("import os\n")

    with pytest.raises(click.ClickException, match=r"silent\.py has no docstring"):
        about(module)
