"""What a model can do at its seat: look, ask why not, play, wait, read the rules.

Everything goes through a `SeatAccess`, which knows one seat and no more than that seat may know.
"""

import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Annotated, Any, Final, Protocol

from msgspec import Meta

from mauerwerk.core.game import AnyGame, Outcome, Seat, Value, name_of, shown
from mauerwerk.core.language import TITLES, language_of
from mauerwerk.games import GAMES
from mauerwerk.server.features.mcp.protocol import Handler, Resource, Result, Tool, ToolError
from mauerwerk.server.games.rules_text import clause_text, rules_text
from mauerwerk.server.tables.errors import StaleError
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.table import Status

LONGEST_WAIT: Final = 25
"""Seconds: many clients give up after thirty."""
HISTORY: Final = 30
"""How many notices the history goes back, unless somebody asks for more."""
MOST_HISTORY: Final = 500
IN_STEP: Final = 5.0
"""Seconds in which what the table view counts is also told."""

TOO_LATE: Final = "that came too late: the table has moved on; look again"

INSTRUCTIONS: Final = (
    "You play one seat at a table of a board game. Begin with `rules`, then `look`. When the table "
    "waits for you, `play` one of the legal moves, word for word, with a few seconds for `wait`: "
    "the answer then shows what the others did, and what you may do next. Use `wait` while others "
    "think, and `why_not` when you do not see why a move is not allowed. Pass `number` of the last "
    "answer as `since`, so that you miss nothing. What is told only once, such as a card that was "
    "turned up and down again, you have to remember yourself."
)


class Notice(Value, tag=False):
    """What the seat is told of one entry of the log."""

    number: int
    sentences: tuple[str, ...]


class Seen(Value, tag=False):
    """The table as the seat sees it: the game's own values."""

    table: str
    game: Any
    """The rules, an `AnyGame`."""
    number: int
    seat: Seat
    status: Status
    asked: bool
    names: tuple[str, ...]
    view: Any | None
    prompt: str
    legal: tuple[Any, ...]
    outcome: Outcome | None
    ended: str


class Verdict(Value, tag=False):
    """Whether a move is allowed now, and if not, why."""

    allowed: bool
    message: str
    clause: str = ""


Heard = Callable[[float], Awaitable[Sequence[Notice] | None]]
"""What is told next, within that many seconds; None when there will be no more."""


class SeatAccess(Protocol):
    """One seat at a table. Each method raises ToolError."""

    async def look(self, table: str, /) -> Seen:
        """The table now; the only one there is, if none is named."""
        ...

    async def why_not(self, table: str, move: str, /) -> Verdict:
        """Whether the move is allowed now."""
        ...

    async def play(self, table: str, move: str, version: int, /) -> None:
        """Make a move, based on the table view of that number."""
        ...

    def listen(self, table: str, after: int, /) -> AbstractAsyncContextManager[Heard]:
        """Hear all that the seat is told after that number."""
        ...


# --- What tools are asked, and what they answer ------------------------------------------------

TableId = Annotated[
    str,
    Meta(max_length=64, description="The id of the table; not needed if you have one table."),
]
Number = Annotated[int, Meta(ge=0, le=2**31)]
Since = Annotated[
    Number | None,
    Meta(description="`number` of your last answer: the history then begins after it."),
]
Seconds = Annotated[
    int, Meta(ge=0, le=LONGEST_WAIT, description="How long to wait until you are asked, at most.")
]
Move = Annotated[
    str, Meta(min_length=1, max_length=200, description="A move in the game's notation.")
]


class LookAt(Value, tag=False):
    """Look at the table."""

    since: Since = None
    table: TableId = ""


class AskWhy(Value, tag=False):
    """Ask about a move."""

    move: Move
    table: TableId = ""


class PlayMove(Value, tag=False):
    """Make a move."""

    move: Annotated[str, Meta(min_length=1, max_length=200, description="One of the legal moves.")]
    number: Annotated[
        Number | None,
        Meta(
            description="`number` of the answer on which you base the move: it is refused if the "
            "table has moved on. Without it the move counts for the table as it is."
        ),
    ] = None
    wait: Seconds = 0
    table: TableId = ""


class WaitFor(Value, tag=False):
    """Wait until the table asks this seat."""

    since: Since = None
    seconds: Seconds = 20
    table: TableId = ""


class ReadRules(Value, tag=False):
    """Read the rules."""

    game: Annotated[
        str, Meta(max_length=64, description="A game; that of your table, if you name none.")
    ] = ""
    clause: Annotated[
        str, Meta(max_length=20, description="The number of a clause, such as DM-5, to read alone.")
    ] = ""
    language: Annotated[str, Meta(max_length=5, description="en, de or it.")] = "en"
    table: TableId = ""


class LegalMove(Value, tag=False):
    """A legal move: the word to play, and what it means."""

    move: str
    meaning: str


class Report(Value, tag=False):
    """The table as your seat sees it."""

    table: str
    game: str
    seat: Annotated[int, Meta(description="Your seat, counted clockwise from 0.")]
    number: Annotated[int, Meta(description="Pass it as `since` next time, and with a move.")]
    status: Annotated[
        str, Meta(description="`open` while players are missing, `running` or `over`.")
    ]
    asked: Annotated[bool, Meta(description="Whether the table waits for you.")]
    prompt: Annotated[str, Meta(description="What the table waits for.")]
    players: Annotated[tuple[str, ...], Meta(description="What the seats are called.")]
    board: Annotated[str, Meta(description="The table, drawn with letters.")]
    view: Annotated[Any, Meta(description="The same as values, as the game's page describes them.")]
    legal: tuple[LegalMove, ...]
    history: Annotated[tuple[str, ...], Meta(description="What happened, oldest first.")]
    result: Annotated[str, Meta(description="How the game ended; empty before the end.")]


class WhyNot(Value, tag=False):
    """Whether a move is allowed, and the clause if it is not."""

    allowed: bool
    reason: str
    clause: str
    text: Annotated[str, Meta(description="What the rules say there.")]


class Rules(Value, tag=False):
    """The rules of a game, or one clause."""

    game: str
    text: str


# --- The tools ---------------------------------------------------------------------------------


def tools_for(access: SeatAccess) -> tuple[Tool[Any], ...]:
    """All tools, at this seat."""
    return (
        Tool(
            "look",
            "Look at the table",
            "Show the table as your seat sees it, your legal moves, and what happened.",
            LookAt,
            Report,
            partial(_look, access),
        ),
        Tool(
            "why_not",
            "Ask why a move is not allowed",
            "Say whether a move is allowed now and, if not, which clause of the rules forbids it. "
            "Nothing is played.",
            AskWhy,
            WhyNot,
            partial(_why_not, access),
        ),
        Tool(
            "play",
            "Play a move",
            "Play one of your legal moves. With `wait`, the answer comes when the table asks you "
            "again or the time is up, and tells what happened.",
            PlayMove,
            Report,
            partial(_play, access),
            reads_only=False,
        ),
        Tool(
            "wait",
            "Wait for your turn",
            "Wait until the table asks you, the game is over, or the time is up; then show it.",
            WaitFor,
            Report,
            partial(_wait, access),
        ),
        Tool(
            "rules",
            "Read the rules",
            "Read the rules of a game, with the number of every clause, or one clause alone.",
            ReadRules,
            Rules,
            partial(_rules, access),
        ),
    )


def handler_for(access: SeatAccess) -> Handler:
    """Answers the messages of a client that plays this seat."""
    return Handler(tools_for(access), resources(), INSTRUCTIONS)


async def _look(access: SeatAccess, ask: LookAt) -> Result:
    return await _reported(access, await access.look(ask.table), ask.since, 0)


async def _wait(access: SeatAccess, ask: WaitFor) -> Result:
    seen = await access.look(ask.table)
    since = seen.number if ask.since is None else ask.since
    return await _reported(access, seen, since, ask.seconds)


async def _play(access: SeatAccess, ask: PlayMove) -> Result:
    seen = await access.look(ask.table)
    version = seen.number if ask.number is None else ask.number
    if version > seen.number:
        raise ToolError(f"{StaleError(version, seen.number)}; look again")

    async def play() -> None:
        await access.play(seen.table, ask.move, version)

    return await _reported(access, seen, version, ask.wait, play)


async def _why_not(access: SeatAccess, ask: AskWhy) -> Result:
    seen = await access.look(ask.table)
    verdict = await access.why_not(seen.table, ask.move)
    text = clause_text(seen.game, verdict.clause) if verdict.clause else ""
    said = f"{verdict.message}\n\n{text}" if text else verdict.message
    return Result(said, WhyNot(verdict.allowed, verdict.message, verdict.clause, text))


async def _rules(access: SeatAccess, ask: ReadRules) -> Result:
    if ask.game and ask.game not in GAMES:
        raise ToolError(f"there is no game {shown(ask.game)}; there is {', '.join(GAMES)}")
    if ask.language not in TITLES:
        raise ToolError(f"the rules are in {', '.join(TITLES)}, not in {shown(ask.language)}")
    game = GAMES[ask.game] if ask.game else (await access.look(ask.table)).game
    language = language_of(ask.language)
    text = clause_text(game, ask.clause, language) if ask.clause else rules_text(game, language)
    if not text:
        raise ToolError(f"{game.TITLE} has no clause {shown(ask.clause)}")
    return Result(text, Rules(game.NAME, text))


async def _reported(
    access: SeatAccess,
    seen: Seen,
    since: int | None,
    seconds: int,
    act: Callable[[], Awaitable[None]] | None = None,
) -> Result:
    """The table once it asks the seat or the time is up, and what was told since that number.

    The seat is looked at after all that was heard: a client that has lost it gets an error instead.
    """
    after = max(0, seen.number - HISTORY) if since is None else min(since, seen.number)
    after = max(after, seen.number - MOST_HISTORY)
    told: list[Notice] = []
    until = time.monotonic() + seconds
    async with access.listen(seen.table, after) as heard:
        if act is not None:
            await act()
        while True:
            seen = await access.look(seen.table)
            while (told[-1].number if told else after) < seen.number:
                if not (more := await heard(IN_STEP)):
                    break
                told += more
            if told and told[-1].number > seen.number:
                continue  # the table has moved on meanwhile
            left = until - time.monotonic()
            if seen.asked or seen.status is Status.OVER or left <= 0:
                break
            if (more := await heard(left)) is None:
                break
            told += more
    return _result(seen, [each for each in told if each.number > after])


def _result(seen: Seen, told: Iterable[Notice]) -> Result:
    game: AnyGame = seen.game
    report = Report(
        table=seen.table,
        game=game.NAME,
        seat=seen.seat,
        number=seen.number,
        status=seen.status.value,
        asked=seen.asked,
        prompt=seen.prompt,
        players=seen.names,
        board="" if seen.view is None else game.text(seen.view, seen.names),
        view=seen.view,
        legal=tuple(LegalMove(game.write(each), game.say(each)) for each in seen.legal),
        history=tuple(sentence for each in told for sentence in each.sentences),
        result=_ending(seen),
    )
    return Result(_in_words(report, game.TITLE), report)


def _ending(seen: Seen) -> str:
    if seen.outcome is None:
        return f"The game ended without a winner: {seen.ended}." if seen.ended else ""
    ranks, points = seen.outcome.ranks, seen.outcome.points
    places = (
        f"{name}: place {rank}" + (f", {points[seat]} points" if points else "")
        for seat, (name, rank) in enumerate(zip(seen.names, ranks, strict=True))
    )
    return f"The game is over. {'; '.join(places)}."


def _in_words(report: Report, title: str) -> str:
    you = report.players[report.seat] or name_of(Seat(report.seat))
    parts = [f"{title}. You are {you}, {name_of(Seat(report.seat))}. Number {report.number}."]
    if report.history:
        parts.append("\n".join(["What happened:", *(f"- {each}" for each in report.history)]))
    if report.board:
        parts.append(report.board.rstrip())
    if report.result:
        parts.append(report.result)
    elif report.status == Status.OPEN.value:
        parts.append("The game has not begun: the table waits for players.")
    else:
        parts.append(f"{'The table waits for you: ' if report.asked else ''}{report.prompt}")
    if report.legal:
        heading = "Your legal moves:" if report.asked else "You may still change your choice to:"
        lines = (f"- `{each.move}` {each.meaning}" for each in report.legal)
        parts.append("\n".join([heading, *lines]))
    return "\n\n".join(parts)


def taken_back(kind: Kind, back_to: int | None) -> tuple[str, ...]:
    """The sentence that no game tells: what was told since that number no longer holds."""
    if kind is not Kind.UNDO or back_to is None:
        return ()
    return (f"A move was taken back: what was told from number {back_to} on no longer holds.",)


# --- The rules as resources --------------------------------------------------------------------


def resources() -> tuple[Resource, ...]:
    """The rules of every game that is installed, in every language."""
    return tuple(
        Resource(
            uri=f"mauerwerk://rules/{game.NAME}/{code}",
            name=f"{game.NAME}-{code}",
            title=f"{game.TITLE} ({title})",
            about=f"The rules of {game.TITLE}, with the number of every clause. Language: {title}.",
            media="text/markdown",
            read=partial(rules_text, game, language_of(code)),
        )
        for game in GAMES.values()
        for code, title in TITLES.items()
    )
