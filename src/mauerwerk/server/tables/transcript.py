"""The record of a table's game, with a line from which its chance can be checked.

    # fair seed=5e1f… commitment=c0b3… draws=turn numbers=0-14,17-80

It is an ordinary record, in which this line is a remark. `numbers` are those of the record's moves
in the table's log, in order, as ranges: moves that were taken back, and other entries, have numbers
too and leave gaps. Where not all of nature's moves came from the seed, the line goes on:

    … numbers=0-14,17-80 given=6 hand=21,30

The first six moves were given to the table at its start, and what nature played with the numbers 21
and 30 was rolled or dealt by people, and entered. A line without `draws=turn` is that of a table
whose draws follow from these numbers (`seed`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import Final

from mauerwerk.core import record
from mauerwerk.core.game import NATURE, AnyGame, Seat, Value, name_of, shown
from mauerwerk.core.record import Move, Record, RecordError
from mauerwerk.server.tables import seed as seeds
from mauerwerk.server.tables.seed import SEED_BYTES, Draws, commitment
from mauerwerk.server.tables.table import Table

MARK: Final = "# fair "
"""How the line begins."""

_LINE: Final = re.compile(
    rf"# fair seed=(?P<seed>[0-9a-f]{{{2 * SEED_BYTES}}})"
    r" commitment=(?P<commitment>[0-9a-f]{64})(?P<turn> draws=turn)? numbers=(?P<numbers>\S*)"
    r"(?: given=(?P<given>[1-9][0-9]{0,8}))?(?: hand=(?P<hand>\S+))?"
)
_RANGE: Final = re.compile(r"(0|[1-9]\d{0,8})(?:-([1-9]\d{0,8}))?", re.ASCII)

_FORM: Final = f"{MARK}seed=… commitment=… draws=turn numbers=0-14,17-80"


class Fairness(Value):
    """What the chance of a game can be checked by."""

    seed: bytes
    commitment: str
    """What the table showed when it started; a sound one is `commitment(seed)`."""
    numbers: tuple[int, ...]
    """The log's number of every move in the record; they rise."""
    given: int = 0
    """With how many moves the table began; they were not drawn."""
    by_hand: tuple[int, ...] = ()
    """The log's number of every move of nature that was entered by hand; they rise."""
    draws: Draws = "entry"
    """How nature's other moves follow from the seed."""


class Transcript(Value):
    """A record, what its chance can be checked by, and where its moves stand in the text."""

    record: Record
    fairness: Fairness
    lines: tuple[int, ...]
    """The line of every move, counted from 1."""


# --- Writing ---------------------------------------------------------------------------------


def transcript(table: Table, seed: bytes) -> str:
    """The record of a table's game, once it is over."""
    numbers = [play.seq for play in table.plays]
    by_hand = [play.seq for play in table.plays if play.by]
    given = table.charter.given
    failed = "".join(
        f"# {name_of(seat)} "
        f"{'ran out of time' if table.occupants[seat].guest else 'failed'}, and lost\n"
        for seat in table.forfeits
    )
    return failed + write(
        table.game,
        table.record(),
        seed,
        numbers,
        given=given,
        by_hand=by_hand,
        draws=table.charter.draws,
        ended=bool(table.ended),
    )


def write(  # noqa: PLR0913 - the record, and what its line of fairness says
    game: AnyGame,
    played: Record,
    seed: bytes,
    numbers: Sequence[int],
    *,
    given: int = 0,
    by_hand: Sequence[int] = (),
    draws: Draws = "turn",
    ended: bool = False,
) -> str:
    """The record of a game that is over, with the line that lets its chance be checked.

    `ended` says that it was ended without a winner, so that nobody plays on. Raises ValueError for
    a game that goes on: the seed says what nature will do.
    """
    state = game.start(played.setup)
    for _, step in record.replay(game, played):
        state = step.state
    if game.outcome(state) is None and not ended:
        raise ValueError("the seed is told when the game is over, not before")
    if len(numbers) != len(played.moves) or not _rising(numbers):
        raise ValueError(f"{len(played.moves)} moves need as many numbers, and rising ones")
    words = [f"seed={seed.hex()}", f"commitment={commitment(seed)}"]
    words += ["draws=turn"] if draws == "turn" else []
    words.append(f"numbers={write_ranges(numbers)}")
    words += [f"given={given}"] if given else []
    words += [f"hand={write_ranges(by_hand)}"] if by_hand else []
    return f"{record.write(game, played)}{MARK}{' '.join(words)}\n"


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


def read(text: str, games: Mapping[str, AnyGame]) -> Transcript:
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
    moves = len(played.moves)
    numbers = _read_ranges(match["numbers"], number, most=moves)
    if len(numbers) != moves:
        fault = f"there must be a number for each of {moves} moves"
        raise RecordError(fault, line=number, word=match["numbers"])
    given = int(match["given"] or 0)
    if given > len(numbers):
        fault = f"{given} moves are said to be given, but there are {len(numbers)}"
        raise RecordError(fault, line=number, word=match["given"])
    by_hand = _read_by_hand(match["hand"] or "", number, played, numbers)
    seed = bytes.fromhex(match["seed"])
    draws: Draws = "turn" if match["turn"] else "entry"
    fairness = Fairness(seed, match["commitment"], numbers, given, by_hand, draws)
    return Transcript(played, fairness, tuple(_move_lines(text)))


def check(game: AnyGame, read: Transcript) -> seeds.Verdict:
    """Draw every move of nature again, as the line of fairness says."""
    fair = read.fairness
    return seeds.check(
        game,
        read.record,
        fair.seed,
        fair.numbers,
        given=fair.given,
        by_hand=fair.by_hand,
        draws=fair.draws,
    )


def moves_in(text: str) -> tuple[tuple[Move, bool], ...]:
    """The moves of a transcript that was written here, and whether people entered each.

    Nothing is played: what was written here can be.
    """
    lines = (line.partition("#")[0].split() for _, line in _lines(text))
    with_words = [words for words in lines if words][1:]
    words = [word for words in with_words if words[0] != "=" for word in words]
    matches = (_LINE.fullmatch(line.strip()) for _, line in _lines(text))
    match = next((each for each in matches if each), None)
    numbers = _read_ranges(match["numbers"], 0, most=len(words)) if match else ()
    by_hand = _read_ranges(match["hand"] or "", 0, most=len(words)) if match else ()
    split = (word.partition(":") for word in words)
    moves = [Move(NATURE if who == "~" else Seat(int(who)), word) for who, _, word in split]
    return tuple(
        (move, number in by_hand)
        for move, number in zip_longest(moves, numbers[: len(moves)], fillvalue=None)
        if move is not None
    )


def _read_by_hand(words: str, line: int, played: Record, numbers: Sequence[int]) -> tuple[int, ...]:
    by_hand = _read_ranges(words, line, most=len(numbers))
    nature = {
        number for number, move in zip(numbers, played.moves, strict=True) if move.seat == NATURE
    }
    if not nature.issuperset(by_hand):
        fault = (
            f"only moves of nature are entered by hand, with their numbers; not so {shown(words)}"
        )
        raise RecordError(fault, line=line, word=words)
    return by_hand


def _read_ranges(words: str, line: int, most: int) -> tuple[int, ...]:
    """Rising numbers; those beyond so many are not all read."""
    numbers: list[int] = []
    for word in words.split(",") if words else ():
        if match := _RANGE.fullmatch(word):
            first, last = int(match[1]), int(match[2] or match[1])
            if last >= first > (numbers[-1] if numbers else -1):
                # One more than there may be is enough to know, however much is said.
                numbers += range(first, min(last, first + most - len(numbers)) + 1)
                continue
        fault = f"numbers are rising ranges like 0-14,17-80; not so {shown(word)}"
        raise RecordError(fault, line=line, word=word)
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
