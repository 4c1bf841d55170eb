"""Studies in a file: a line about the plan, then a line a job, each written when it is done.

Lines are only ever added. Whoever is cut off while writing leaves half a line at the end; it is
dropped, and its job is done again.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from mauerwerk.core.game import SetupError, Value, shown
from mauerwerk.lab.study.plan import Done, Job, Plan
from mauerwerk.lab.study.study import Study

Line = TypeVar("Line", bound=Value)

_BEGINNING: Final = b'{"type":"plan",'
"""How a file of a study begins."""


class Kept(Value):
    """What a file holds: the plan, and what was done, each job once."""

    plan: Plan | None
    """None where nothing has been written yet."""
    done: tuple[Done, ...] = ()


def read(path: Path) -> Kept:
    """Read a file of a study; there may be none yet. Raises SetupError where it is something else.

    A job that stands there twice counts once, as it was first written.
    """
    whole = _whole_lines(path)
    if not whole:
        return Kept(None)
    plan = _read_line(path, 1, whole[0], Plan)
    done: dict[Job, Done] = {}
    for number, line in enumerate(whole[1:], start=2):
        each = _read_line(path, number, line, Done)
        if not 0 <= each.study < len(plan.studies):
            raise SetupError(f"{path}, line {number}: there is no study {each.study} in this plan")
        done.setdefault(each.job, each)
    return Kept(plan, tuple(done.values()))


def check(path: Path, kept: Kept, plan: Plan) -> None:
    """Refuse a file that holds another plan. Raises SetupError."""
    if kept.plan is None or kept.plan == plan:
        return
    there, here = len(kept.plan.studies), len(plan.studies)
    if there != here:
        raise SetupError(f"{path} holds {_rules(there)}, not {_rules(here)}")
    for one, other in zip(kept.plan.studies, plan.studies, strict=True):
        words = _described(one)
        for name, word in _described(other).items():
            if words.get(name, word) != word:
                was = shown(words[name])
                raise SetupError(f"{path} holds a study with {name}={was}, not {shown(word)}")
    raise SetupError(f"{path} holds another study")


def _rules(studies: int) -> str:
    return "a study of one rule" if studies == 1 else "a comparison of two rules"


def _described(study: Study) -> dict[str, str]:
    """What makes one study another, in words."""
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


@contextmanager
def added_to(path: Path, plan: Plan) -> Generator[Callable[[Done], None], None, None]:
    """A function that adds what was done to the file; the first to write says what is studied."""
    whole = sum(len(line) + 1 for line in _whole_lines(path))
    with path.open("r+b" if path.exists() else "x+b") as file:
        file.truncate(whole)  # half a line, if there is one, must not become part of the next
        file.seek(whole)

        def add(line: Value) -> None:
            file.write(msgspec.json.encode(line) + b"\n")
            file.flush()

        if not whole:
            add(plan)
        yield add


def _whole_lines(path: Path) -> list[bytes]:
    """The lines that end; what follows them was cut off. Raises SetupError at another's file."""
    if not path.exists():
        return []
    *whole, torn = path.read_bytes().split(b"\n")
    first = whole[0] if whole else torn
    if not first.startswith(_BEGINNING[: len(first)]):
        raise SetupError(f"{path} is no file of a study")
    return whole


def _read_line(path: Path, number: int, line: bytes, kind: type[Line]) -> Line:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise SetupError(f"{path}, line {number}: this is no line of a study: {fault}") from fault
