"""Records of games: text that a person can read and that replays without any chance.

    mauer/1 seats=3 rounds=1 first=lot stall=24
    ~:@2
    0:T 1:4 2:- 2:!6 2:>
    0:1 1:1 2:T 0:>          # one line per turn; a # begins a remark
    = 0:40 1:41 2:35 stall

The head names the game, the revision of its rules, the seats and the options. Each move is a seat,
or `~` for nature, and a word. A finished game ends with its points and the reason.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Any, Final

from mauerwerk.core import errors, options
from mauerwerk.core.game import NATURE, AnyGame, Outcome, Seat, Setup, Step, Value, revisions, shown
from mauerwerk.core.language import Language, message

OPENING: Final = -1
"""The line of nature's moves before the first turn."""
BYTE_ORDER_MARK: Final = "\ufeff"
"""A mark that some editors put before a text."""
NAMES: Final = "# names "
"""How the remark begins that names the players, seat by seat, separated by commas."""


class Move(Value):
    """A word that a seat played."""

    seat: Seat
    word: str

    def __str__(self) -> str:
        return f"{'~' if self.seat == NATURE else self.seat}:{self.word}"


class Record(Value):
    """A game as it was played, whole or so far."""

    game: str
    rules: int
    setup: Setup[Any]
    moves: tuple[Move, ...] = ()


class RecordError(ValueError):
    """A record that cannot be read: the line, the word and, for a forbidden move, the clause."""

    def __init__(
        self, template: str, *, line: int, word: str, clause: str = "", **values: str | int
    ) -> None:
        """With values, the fault is a template to translate; without, it stands as it is."""
        super().__init__(f"line {line}: {template.format_map(values) if values else template}")
        self.template = template
        self.values = values
        self.line = line
        self.word = word
        self.clause = clause

    def __reduce__(self) -> tuple[Any, ...]:
        """Make it possible to raise this in another process."""
        where = {"line": self.line, "word": self.word, "clause": self.clause}
        said: dict[str, Any] = {**self.values, **where}
        return partial(type(self), self.template, **said), ()

    def told(self, language: Language) -> str:
        """The fault, without its line, in a language as far as it has words for it."""
        return language(self.template, **self.values)


def replay(game: AnyGame, record: Record) -> Iterator[tuple[Move, Step[Any, Any]]]:
    """Play the record again, move by move. Nature's moves are in it, so nothing is drawn."""
    state = game.start(record.setup)
    for move in record.moves:
        step = game.apply(state, move.seat, game.parse(move.word))
        yield move, step
        state = step.state


# --- Writing ---------------------------------------------------------------------------------


def write(game: AnyGame, record: Record) -> str:
    """The record as text, one line per turn."""
    state = game.start(record.setup)
    numbered: list[tuple[int, Move]] = []
    line = OPENING
    for move, step in replay(game, record):
        if line > OPENING or move.seat != NATURE:
            line = game.turn(state)
        numbered.append((line, move))
        state = step.state
    lines = [_head(record)]
    for _, moves in groupby(numbered, key=lambda entry: entry[0]):
        lines.append(" ".join(str(move) for _, move in moves))
    if outcome := game.outcome(state):
        lines.append(f"= {ending(outcome)}")
    return "".join(f"{line}\n" for line in lines)


def _head(record: Record) -> str:
    words = {"seats": str(record.setup.seats), **options.in_head(record.setup.options)}
    return " ".join(
        [f"{record.game}/{record.rules}", *(f"{name}={word}" for name, word in words.items())]
    )


def ending(outcome: Outcome) -> str:
    """The last line of a finished game, after its sign."""
    points = [f"{seat}:{points}" for seat, points in enumerate(outcome.points)]
    return " ".join([*points, outcome.reason])


# --- Reading ---------------------------------------------------------------------------------


def read(text: str, games: Mapping[str, AnyGame]) -> Record:
    """Read a record and play it through, so that what is returned is a game that can be played.

    Raises RecordError, which names the line, the word and, for a move that the rules forbid, the
    clause.
    """
    lines = [
        (number, words)
        for number, line in enumerate(text.removeprefix(BYTE_ORDER_MARK).split("\n"), start=1)
        if (words := line.partition("#")[0].split())
    ]
    if not lines:
        like = f"{_example(games)} seats={next(iter(games.values())).SEATS[0]}"
        fault = message("a record begins with a line like {example}")
        raise RecordError(fault, line=1, word="", example=like)
    (number, head), *rest = lines
    game, setup = _read_head(head, number, games)
    state: Any = game.start(setup)
    moves: list[Move] = []
    for place, (number, words) in enumerate(rest, start=1):
        if words[0] == "=":
            _check_result(game.outcome(state), " ".join(words[1:]), number)
            if place < len(rest):
                after, following = rest[place]
                fault = message("nothing follows the result: a file has one game")
                raise RecordError(fault, line=after, word=following[0])
            break
        for word in words:
            move, state = _read_move(game, setup, state, word, number)
            moves.append(move)
    return Record(game.NAME, game.RULES, setup, tuple(moves))


def texts(lines: Iterable[str]) -> Iterator[str]:
    r"""The records in a file of many, one by one; an empty line follows each.

    >>> list(texts(["mauer/1 seats=3\n", "0:T\n", "\n", "mauer/1 seats=4\n"]))
    ['mauer/1 seats=3\n0:T\n', 'mauer/1 seats=4\n']
    """
    for is_empty, some in groupby(lines, lambda line: not line.strip()):
        if not is_empty:
            yield "".join(some)


def names_in(text: str) -> tuple[str, ...]:
    """The names that a remark in a record gives, in the order of the seats; none without one."""
    for line in text.split("\n"):
        if line.startswith(NAMES):
            return tuple(name.strip() for name in line.removeprefix(NAMES).split(","))
    return ()


def _example(games: Mapping[str, AnyGame]) -> str:
    first = next(iter(games.values()))
    return f"{first.NAME}/{first.RULES}"


def _read_head(
    words: list[str], line: int, games: Mapping[str, AnyGame]
) -> tuple[AnyGame, Setup[Any]]:
    name, _, revision = words[0].partition("/")
    game = games.get(name)
    if game is None:
        raise RecordError(
            message("{said} is no game here; a record begins like {example} ({games})"),
            line=line,
            word=words[0],
            said=shown(words[0]),
            example=_example(games),
            games=", ".join(games),
        )
    played = {str(each.RULES): each for each in revisions(game)}
    if revision not in played:
        raise RecordError(
            message("{said}: this program plays {game} by revision {revisions} of its rules"),
            line=line,
            word=words[0],
            said=shown(words[0]),
            game=name,
            revisions=", ".join(list(played)[::-1]),
        )
    game = played[revision]
    given: dict[str, str] = {}
    for word in words[1:]:
        option, equals, value = word.partition("=")
        if not equals or option in given:
            fault = message("{said} is not an option and its value, once each, like seats=3")
            raise RecordError(fault, line=line, word=word, said=shown(word))
        given[option] = value
    seats = given.pop("seats", "")
    if seats not in {str(number) for number in game.SEATS}:
        raise RecordError(
            message("seats can be {low} to {high}, not {said}"),
            line=line,
            word=seats,
            low=game.SEATS[0],
            high=game.SEATS[-1],
            said=shown(seats),
        )
    try:
        setup = Setup(int(seats), options.from_words(game.OPTIONS, given))
        game.start(setup)
    except errors.SetupError as fault:
        raise RecordError(str(fault), line=line, word=words[0]) from fault
    return game, setup


def _read_move(
    game: AnyGame,
    setup: Setup[Any],
    state: Any,  # noqa: ANN401 - the game's own kind
    word: str,
    line: int,
) -> tuple[Move, Any]:
    who, colon, what = word.partition(":")
    seats = {"~": NATURE} | {str(seat): Seat(seat) for seat in range(setup.seats)}
    if not colon or who not in seats:
        fault = message("{said} is not a seat below {seats} (or ~), a colon and a word")
        raise RecordError(fault, line=line, word=word, said=shown(word), seats=setup.seats)
    move = Move(seats[who], what)
    try:
        return move, game.apply(state, move.seat, game.parse(what)).state
    except errors.IllegalMoveError as fault:
        raise RecordError(str(fault), line=line, word=word, clause=fault.clause) from fault
    except errors.MoveError as fault:
        raise RecordError(str(fault), line=line, word=word) from fault


def _check_result(outcome: Outcome | None, result: str, line: int) -> None:
    if outcome is None:
        fault = message("the result stands here, but the game goes on")
        raise RecordError(fault, line=line, word=result)
    if result != (found := ending(outcome)):
        fault = message("the moves lead to {found}, not to {said}")
        raise RecordError(fault, line=line, word=result, found=shown(found), said=shown(result))
