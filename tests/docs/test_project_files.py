"""The files at the top of the repository agree with the project."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from mauerwerk import __version__

yaml: Any = import_module("yaml")  # it has no types

ROOT = Path(__file__).parents[2]
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"][0]["hooks"]
FORMS = sorted(path.name for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))


def test_the_citation_names_this_version() -> None:
    """`make release` writes both."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))

    assert citation["version"] == __version__
    assert citation["license"] == "Apache-2.0"


def test_hooks_run_tools_of_the_project() -> None:
    """From .venv, so that versions are those of everybody."""
    run = [hook["entry"].split()[0] for hook in HOOKS if hook["language"] == "system"]

    assert {Path(command).parent for command in run} == {Path(".venv/bin")}
    assert {Path(command).name for command in run} == {"ruff", "lint-imports", "mypy", "python"}


@pytest.mark.parametrize(
    ("subject", "fine"),
    [
        ("mauer: end a round on a last gift", True),
        ("tests, docs: say it once", True),
        ("Merge branch 'x'", True),
        ("Mauer: end a round", False),
        ("end a round", False),
        ("mauer:end a round", False),
        (f"mauer: {'x' * 53}", True),
        (f"mauer: {'x' * 54}", False),
    ],
)
def test_a_hook_checks_the_subject_of_a_commit(subject: str, *, fine: bool) -> None:
    """At most 60 characters, with an area."""
    (hook,) = (hook for hook in HOOKS if hook.get("stages") == ["commit-msg"])
    found = re.search(hook["entry"], f"{subject}\n\nBody.\n", re.MULTILINE | re.DOTALL)

    assert bool(found) == fine


@pytest.mark.parametrize("name", FORMS)
def test_a_form_is_valid(name: str) -> None:
    """Forms of issues have what Git hosts ask of them."""
    form = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / name).read_text("utf-8"))
    if name == "config.yml":
        return

    assert {"name", "description", "body"} <= set(form)
    for part in form["body"]:
        assert part["type"] in {"markdown", "textarea", "input", "dropdown"}
        assert part["attributes"].get("label") or part["type"] == "markdown"
