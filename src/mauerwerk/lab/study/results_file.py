"""A file of a study: one line about the plan, then one line per finished job."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Value, shown
from mauerwerk.lab.jsonl import append_lines, read_line, whole_lines
from mauerwerk.lab.study.plan import Done, Job, Plan
from mauerwerk.lab.study.study import Study

WHAT: Final = "a study"
"""What such a file holds, in messages."""


class Content(Value):
    """The content of a file: the plan and its results, each job once."""

    plan: Plan | None
    """None if nothing has been written yet."""
    done: tuple[Done, ...] = ()


def read(path: Path) -> Content:
    """Read a file of a study, which may not exist yet. Raises SetupError if it is something else.

    A job that was written twice counts once, as it was first written.
    """
    whole = whole_lines(path, Plan, WHAT)
    if not whole:
        return Content(None)
    plan = read_line(path, 1, whole[0], Plan, WHAT)
    done: dict[Job, Done] = {}
    for number, line in enumerate(whole[1:], start=2):
        each = read_line(path, number, line, Done, WHAT)
        if not 0 <= each.study < len(plan.studies):
            raise SetupError(f"{path}, line {number}: there is no study {each.study} in this plan")
        done.setdefault(each.job, each)
    return Content(plan, tuple(done.values()))


def check(path: Path, content: Content, plan: Plan) -> None:
    """Refuse a file that holds another plan. Raises SetupError."""
    if content.plan is None or content.plan == plan:
        return
    there, here = len(content.plan.studies), len(plan.studies)
    if there != here:
        raise SetupError(f"{path} holds {_rules(there)}, not {_rules(here)}")
    for one, other in zip(content.plan.studies, plan.studies, strict=True):
        words = _described(one)
        for name, word in _described(other).items():
            if words.get(name, word) != word:
                was = shown(words[name])
                raise SetupError(f"{path} holds a study with {name}={was}, not {shown(word)}")
    raise SetupError(f"{path} holds another study")


def _rules(studies: int) -> str:
    return "a study of one rule" if studies == 1 else "a comparison of two rules"


def _described(study: Study) -> dict[str, str]:
    """What distinguishes studies, in words."""
    return {
        "game": study.game,
        "rules": f"{study.rules}",
        "seats": f"{study.seats}",
        **study.options,
        "bots": ",".join(study.bots),
        "seed": f"{study.seed}",
        "compiled": "yes" if study.compiled else "no",
        "version": f"{study.version}",
    }


def append_to(path: Path, plan: Plan) -> AbstractContextManager[Callable[[Done], None]]:
    """A function that appends results to the file; a new file begins with the plan."""
    return append_lines(path, plan, WHAT)
