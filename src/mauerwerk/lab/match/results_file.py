"""A file of results: one line about the contest, then one line per finished game."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Value, shown
from mauerwerk.lab.jsonl import append_lines, read_line, whole_lines
from mauerwerk.lab.match.contest import Contest, Fixture, Result

WHAT: Final = "results"
"""What such a file holds, in messages."""


class Content(Value):
    """The content of a file: the contest and its results, each game once."""

    contest: Contest | None
    """None if nothing has been written yet."""
    results: tuple[Result, ...] = ()


def read(path: Path) -> Content:
    """Read a file of results, which may not exist yet. Raises SetupError if it is something else.

    A game that was written twice counts once, as it was first written.
    """
    whole = whole_lines(path, Contest, WHAT)
    if not whole:
        return Content(None)
    contest = read_line(path, 1, whole[0], Contest, WHAT)
    results: dict[Fixture, Result] = {}
    for number, line in enumerate(whole[1:], start=2):
        result = read_line(path, number, line, Result, WHAT)
        by_seat = (result.bots, result.ranks, result.points, result.times)
        if {contest.seats} != set(map(len, by_seat)):
            raise SetupError(f"{path}, line {number}: this is no game of {contest.seats} seats")
        if sorted(result.bots) != list(result.fixture.lineup):
            raise SetupError(f"{path}, line {number}: who played is not the line-up")
        results.setdefault(result.fixture, result)
    return Content(contest, tuple(results.values()))


def check(path: Path, content: Content, contest: Contest) -> None:
    """Refuse a file that holds the results of another contest. Raises SetupError."""
    there = {} if content.contest is None else _described(content.contest)
    for name, here in _described(contest).items():
        if (word := there.get(name, here)) != here:
            raise SetupError(f"{path} holds a contest with {name}={shown(word)}, not {shown(here)}")


def _described(contest: Contest) -> dict[str, str]:
    """What distinguishes contests, in words."""
    words = {"game": contest.game, "rules": f"{contest.rules}", "seats": f"{contest.seats}"}
    return {**words, **contest.options, "seed": f"{contest.seed}"}


def append_to(path: Path, contest: Contest) -> AbstractContextManager[Callable[[Result], None]]:
    """A function that appends a result to the file; a new file begins with the contest."""
    return append_lines(path, contest, WHAT)
