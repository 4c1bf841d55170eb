"""Results in a file: a line about the contest, then a line a game, each written when it is over.

Lines are only ever added. Whoever is cut off while writing leaves half a line at the end; it is
dropped, and its game is played again.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from mauerwerk.core.game import SetupError, Value, shown
from mauerwerk.lab.contest import Contest, Fixture, Result

Line = TypeVar("Line", bound=Value)

_BEGINNING: Final = b'{"type":"contest",'
"""How a file of results begins."""


class Kept(Value):
    """What a file holds: the contest, and its results, each game once."""

    contest: Contest | None
    """None where nothing has been written yet."""
    results: tuple[Result, ...] = ()


def read(path: Path) -> Kept:
    """Read a file of results; there may be none yet. Raises SetupError where it is something else.

    A game that stands there twice counts once, as it was first written.
    """
    whole = _whole_lines(path)
    if not whole:
        return Kept(None)
    contest = _read_line(path, 1, whole[0], Contest)
    results: dict[Fixture, Result] = {}
    for number, line in enumerate(whole[1:], start=2):
        result = _read_line(path, number, line, Result)
        by_seat = (result.bots, result.ranks, result.points, result.times)
        if {contest.seats} != set(map(len, by_seat)):
            raise SetupError(f"{path}, line {number}: this is no game of {contest.seats} seats")
        if sorted(result.bots) != list(result.fixture.lineup):
            raise SetupError(f"{path}, line {number}: who played is not the line-up")
        results.setdefault(result.fixture, result)
    return Kept(contest, tuple(results.values()))


def check(path: Path, kept: Kept, contest: Contest) -> None:
    """Refuse a file that holds the results of another contest. Raises SetupError."""
    there = {} if kept.contest is None else _described(kept.contest)
    for name, here in _described(contest).items():
        if (word := there.get(name, here)) != here:
            raise SetupError(f"{path} holds a contest with {name}={shown(word)}, not {shown(here)}")


def _described(contest: Contest) -> dict[str, str]:
    """What makes one contest another, in words."""
    words = {"game": contest.game, "rules": f"{contest.rules}", "seats": f"{contest.seats}"}
    return {**words, **contest.options, "seed": f"{contest.seed}"}


@contextmanager
def added_to(path: Path, contest: Contest) -> Generator[Callable[[Result], None], None, None]:
    """A function that adds a result to the file; the first to write says which contest it is."""
    whole = sum(len(line) + 1 for line in _whole_lines(path))
    with path.open("r+b" if path.exists() else "x+b") as file:
        file.truncate(whole)  # half a line, if there is one, must not become part of the next
        file.seek(whole)

        def add(line: Value) -> None:
            file.write(msgspec.json.encode(line) + b"\n")
            file.flush()

        if not whole:
            add(contest)
        yield add


def _whole_lines(path: Path) -> list[bytes]:
    """The lines that end; what follows them was cut off. Raises SetupError at another's file."""
    if not path.exists():
        return []
    *whole, torn = path.read_bytes().split(b"\n")
    if not whole and not torn.startswith(_BEGINNING[: len(torn)]):
        raise SetupError(f"{path} is no file of results")
    return whole


def _read_line(path: Path, number: int, line: bytes, kind: type[Line]) -> Line:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as fault:
        raise SetupError(f"{path}, line {number}: this is no line of results: {fault}") from fault
