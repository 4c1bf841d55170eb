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
FORMS = sorted(
    path.name
    for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")
    if path.name != "config.yml"
)


def test_the_citation_names_this_version() -> None:
    """`make release` writes both."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))

    assert citation["version"] == __version__
    assert citation["license"] == "Apache-2.0"


def programs(text: str) -> set[Path]:
    """What a text calls with Python: modules (`python -m bench.load`) and scripts."""
    modules = re.findall(r"python -m ((?:bench|docs|mauerwerk|tests)[\w.]*\w)", text)
    scripts = re.findall(r"python ([\w/]+\.py)\b", text)
    return {
        *(
            Path("src" if name.startswith("mauerwerk") else "", *name.split("."))
            for name in modules
        ),
        *(Path(script).with_suffix("") for script in scripts),
    }


TEXTS = [
    "Makefile",
    "CONTRIBUTING.md",
    *(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md")),
]
NAMING = [name for name in TEXTS if programs((ROOT / name).read_text("utf-8"))]


def test_some_texts_name_programs() -> None:
    """At least those that everybody reads."""
    assert {"Makefile", "CONTRIBUTING.md"} < set(NAMING)


@pytest.mark.parametrize("name", NAMING)
def test_programs_are_where_a_text_says(name: str) -> None:
    """They can be run, too: they do not only define things."""
    for program in programs((ROOT / name).read_text("utf-8")):
        files = [ROOT / f"{program}.py", ROOT / program / "__main__.py"]
        (found,) = (file.read_text("utf-8") for file in files if file.exists())
        assert files[1].exists() or 'if __name__ == "__main__":' in found, program


def test_every_target_is_explained() -> None:
    """Those that people call are in `make help`, and in no other list."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    (phony,) = re.findall(r"^\.PHONY: ((?:.*\\\n)*.*)$", makefile, re.MULTILINE)
    helped = set(re.findall(r'echo "make ([\w-]+)', makefile))

    assert set(phony.replace("\\", "").split()) == helped | {
        "help",
        "tests-alone",
        "chromium",
        "other-programs",
        "newest-versions",
    }


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
    assert {"name", "description", "body"} <= set(form)
    for part in form["body"]:
        assert part["type"] in {"markdown", "textarea", "input", "dropdown"}
        assert part["attributes"].get("label") or part["type"] == "markdown"
