"""The record of a table's game, with a line from which its chance can be checked.

    # fair seed=5e1f… commitment=c0b3… numbers=0-14,17-80

It is an ordinary record, in which this line is a remark. `numbers` are those of the record's moves
in the table's log, in order, as ranges: moves that were taken back, and other entries, have numbers
too and leave gaps.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Value, shown
from mauerwerk.core.record import Record, RecordError
from mauerwerk.play.fairness import SEED_BYTES, commitment
from mauerwerk.play.table import Table

MARK: Final = "# fair "
"""How the line begins."""

_LINE: Final = re.compile(
    rf"# fair seed=(?P<seed>[0-9a-f]{{{2 * SEED_BYTES}}})"
    r" commitment=(?P<commitment>[0-9a-f]{64}) numbers=(?P<numbers>\S*)"
)
_RANGE: Final = re.compile(r"(0|[1-9]\d{0,8})(?:-([1-9]\d{0,8}))?", re.ASCII)

_FORM: Final = f"{MARK}seed=… commitment=… numbers=0-14,17-80"


class Fairness(Value):
    """What the chance of a game can be checked by."""

    seed: bytes
    commitment: str
    """What the table showed when it started; a sound one is `commitment(seed)`."""
    numbers: tuple[int, ...]
    """The log's number of every move in the record; they rise."""


class Paper(Value):
    """A record, what its chance can be checked by, and where its moves stand in the text."""

    record: Record
    fairness: Fairness
    lines: tuple[int, ...]
    """The line of every move, counted from 1."""


# --- Writing ---------------------------------------------------------------------------------


def paper(table: Table, seed: bytes) -> str:
    """The record of a table's game, once it is over."""
    return write(table.game, table.record(), seed, [play.seq for play in table.plays])


def write(game: AnyGame, played: Record, seed: bytes, numbers: Sequence[int]) -> str:
    """The record of a game that is over, with the line that lets its chance be checked.

    Raises ValueError for a game that goes on: the seed says what nature will do.
    """
    state = game.start(played.setup)
    for _, step in record.replay(game, played):
        state = step.state
    if game.outcome(state) is None:
        raise ValueError("the seed is told when the game is over, not before")
    if len(numbers) != len(played.moves) or not _rising(numbers):
        raise ValueError(f"{len(played.moves)} moves need as many numbers, and rising ones")
    words = f"seed={seed.hex()} commitment={commitment(seed)} numbers={write_ranges(numbers)}"
    return f"{record.write(game, played)}{MARK}{words}\n"


def write_ranges(numbers: Sequence[int]) -> str:
    """Rising numbers as ranges.

    >>> write_ranges([0, 1, 2, 5, 7, 8])
    '0-2,5,7-8'
    """
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1] = ranges[-1][0], number
        else:
            ranges.append((number, number))
    return ",".join(f"{first}-{last}" if last > first else f"{first}" for first, last in ranges)


# --- Reading ---------------------------------------------------------------------------------


def read(text: str, games: Mapping[str, AnyGame]) -> Paper:
    """Read a record together with its line of fairness.

    Raises RecordError where there is no such line or it does not fit, and where `core.record.read`
    does. Whether the chance is as the seed says is not looked at here.
    """
    played = record.read(text, games)
    found = [
        (number, line.strip())
        for number, line in _lines(text)
        if f"{line.strip()} ".startswith(MARK)
    ]
    if not found:
        fault = f"no line like {_FORM}: the chance of this game cannot be checked"
        raise RecordError(fault, line=1, word=MARK.strip())
    (number, line), *others = found
    if others:
        raise RecordError("a second line of fairness", line=others[0][0], word=MARK.strip())
    match = _LINE.fullmatch(line)
    if match is None:
        raise RecordError(f"{shown(line)} is not {_FORM}", line=number, word=MARK.strip())
    numbers = _read_ranges(match["numbers"], number, most=len(played.moves))
    fairness = Fairness(bytes.fromhex(match["seed"]), match["commitment"], numbers)
    return Paper(played, fairness, tuple(_move_lines(text)))


def _read_ranges(words: str, line: int, most: int) -> tuple[int, ...]:
    """As many rising numbers as there are moves."""
    numbers: list[int] = []
    for word in words.split(",") if words else ():
        match = _RANGE.fullmatch(word)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not match or last < first or (numbers and first <= numbers[-1]):
            fault = f"numbers are rising ranges like 0-14,17-80; not so {shown(word)}"
            raise RecordError(fault, line=line, word=word)
        # One more than there may be is enough to know, however long the range says it is.
        numbers += range(first, min(last, first + most) + 1)
    if len(numbers) != most:
        fault = f"there must be a number for each of {most} moves"
        raise RecordError(fault, line=line, word=words)
    return tuple(numbers)


def _rising(numbers: Sequence[int]) -> bool:
    rises = all(one < other for one, other in pairwise(numbers))
    return rises and (not numbers or numbers[0] >= 0)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    return enumerate(text.removeprefix(record.BYTE_ORDER_MARK).split("\n"), start=1)


def _move_lines(text: str) -> Iterator[int]:
    """The line of every move of a text that `core.record.read` has read."""
    with_words = [
        (number, words)
        for number, line in _lines(text)
        if (words := line.partition("#")[0].split())
    ]
    for number, words in with_words[1:]:
        if words[0] != "=":
            yield from (number for _ in words)
