"""The Model Context Protocol on stdin and stdout, for a seat of the client library."""

import asyncio
import hashlib
import os
import sys
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import msgspec

from mauerwerk.client import ApiError, SeatAtTable, TooLateError, seat_at, values
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import shown
from mauerwerk.server.features.mcp import protocol, tools

T = TypeVar("T")
LONGEST_LINE: Final = 1_000_000
"""The most bytes of a message."""
MOST_AT_ONCE: Final = 32
"""How many requests may wait for their answers."""
LAST_NEWS: Final = 1.0
"""Seconds for which an answer waits for what the table has just told, once stdin has ended."""
FORBIDDEN: Final = 403


def play(link: str, name: str) -> None:
    """Take the seat, and answer until stdin ends. Raises UsageError or SetupError."""
    try:
        seat = _seat(link, name)
        seen = seat.look()
    except ApiError as fault:
        raise click.UsageError(str(fault)) from None
    click.echo(f"seat {seat.seat + 1} of {seen.game}, table {seat.table}", err=True)
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(seat, seen.number))


def _seat(link: str, name: str) -> SeatAtTable:
    """The seat that this link has led to before, or leads to now. Raises SetupError or ApiError.

    A link to a free seat works once; then the seat has a link of its own. That is stored, so that
    a client which starts this program again has its seat again.
    """
    path = _file_for(link)
    try:
        return seat_at(path.read_text(), name)
    except (OSError, ValueError):
        pass  # there is none, or it is not a link
    except ApiError as fault:
        if fault.status != FORBIDDEN:
            raise
    seat = seat_at(link, name)
    if seat.link != link:
        _store(path, seat.link)
    return seat


def _file_for(link: str) -> Path:
    """A file that is named by a digest of the link."""
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "mauerwerk" / "seats" / hashlib.sha256(link.encode()).hexdigest()


def _store(path: Path, own: str) -> None:
    """Write a file that only this user can read."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(own)
    except OSError as fault:
        click.echo(f"when it is started again, it will not find its seat: {fault}", err=True)


async def _serve(seat: SeatAtTable, number: int) -> None:
    """Answer what comes on stdin until it ends, each message by itself, and all of it."""
    access = SeatOfClient(seat, number)
    handler = tools.handler_for(access)
    lines: asyncio.Queue[bytes] = asyncio.Queue()
    _in_background(access.follow)
    _in_background(_read_lines, lines, asyncio.get_running_loop())
    running: dict[object, asyncio.Task[None]] = {}
    answering: set[asyncio.Task[None]] = set()
    while line := await lines.get():
        try:
            message = _message_in(line)
        except protocol.RpcError as error:
            _write(protocol.error_message(error))
            continue
        if message.method == "notifications/cancelled":
            key = message.params.get("requestId")
            if isinstance(key, str | int) and (task := running.get(key)):
                task.cancel()
            continue
        if len(answering) >= MOST_AT_ONCE and message.id is not None:
            full = protocol.RpcError(protocol.REFUSED, "too many requests at once; await answers")
            _write(protocol.error_message(full, message.id))
            continue
        task = running[message.id] = asyncio.create_task(answer(handler, message))
        answering.add(task)
        task.add_done_callback(answering.discard)
        task.add_done_callback(partial(_forget, running, message.id))
    access.wait_no_more()
    await asyncio.gather(*answering, return_exceptions=True)


def _message_in(line: bytes) -> protocol.Message:
    """The message of a line. Raises RpcError."""
    if len(line) > LONGEST_LINE:
        most = f"{LONGEST_LINE:,} bytes"
        raise protocol.RpcError(protocol.INVALID_REQUEST, f"a message has at most {most}")
    return protocol.message_in(protocol.decoded(line))


def _forget(
    running: dict[object, asyncio.Task[None]], key: object, task: asyncio.Task[None]
) -> None:
    if running.get(key) is task:
        del running[key]
    if not task.cancelled():
        task.result()


async def answer(handler: protocol.Handler, message: protocol.Message) -> None:
    """Write the answer to a message, if it wants one."""
    try:
        said = await handler.answer(message)
    except protocol.RpcError as error:
        said = None if message.id is None else protocol.error_message(error, message.id)
    except Exception:  # a client must not wait for ever
        if message.id is not None:
            fault = protocol.RpcError(protocol.INTERNAL_ERROR, "this failed; see stderr")
            _write(protocol.error_message(fault, message.id))
        raise
    if said is not None:
        _write(said)


def _write(answer: protocol.Json) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(answer) + b"\n")
    sys.stdout.buffer.flush()


def _read_lines(lines: asyncio.Queue[bytes], loop: asyncio.AbstractEventLoop) -> None:
    """Pass on every line of stdin, and at its end nothing; only the start of one too long."""
    line = b"\n"
    while line:
        line = rest = sys.stdin.buffer.readline(LONGEST_LINE + 1)
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = sys.stdin.buffer.readline(LONGEST_LINE + 1)
        if line.strip() or not line:
            loop.call_soon_threadsafe(lines.put_nowait, line)


def _in_background(work: Callable[..., None], *given: object) -> None:
    """Work that nobody waits for when the program ends."""
    threading.Thread(target=work, args=given, daemon=True).start()


class SeatOfClient:
    """A seat of the client library, which follows its table for as long as the program runs.

    What it is told waits until it has been passed on, and then is forgotten: an event that is told
    once must not be told again. If nobody asks for long, only the latest notices wait, and the rest
    comes from the server.
    """

    def __init__(self, seat: SeatAtTable, number: int) -> None:
        """Play this seat, which has been told that many notices."""
        self._seat = seat
        self._known = number
        """The number of the last notice that came."""
        self._waiting: deque[tools.Notice] = deque(maxlen=tools.MOST_HISTORY)
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._ends = False

    def wait_no_more(self) -> None:
        """Let everybody go who waits for a turn: there is nothing to come on stdin."""
        self._ends = True
        self._news.set()

    def follow(self) -> None:
        """Take down what the seat is told, in a thread."""
        with suppress(ApiError, RuntimeError):  # a tool says why; or the program has ended
            for told in self._seat.follow(self._known):
                sentences = (*told.text, *tools.taken_back(told.kind, told.back_to))
                self._loop.call_soon_threadsafe(self.put, tools.Notice(told.number, sentences))

    def put(self, notice: tools.Notice) -> None:
        """Keep what was told until it is passed on."""
        self._known = notice.number
        self._waiting.append(notice)
        self._news.set()

    async def look(self, table: str, /) -> tools.Seen:
        """The table now. Raises ToolError."""
        if table not in {"", self._seat.table}:
            raise protocol.ToolError(f"your table is {self._seat.table}, not {shown(table)}")
        seen: values.TableView = await _asked(self._seat.look)
        return tools.Seen(
            table=seen.table,
            game=seen.rules_of,
            number=seen.number,
            seat=self._seat.seat,
            status=seen.status,
            asked=seen.is_asked,
            names=seen.names,
            view=seen.view,
            prompt=seen.prompt,
            legal=seen.legal,
            outcome=seen.outcome,
            ended=seen.ended,
        )

    async def why_not(self, _table: str, move: str, /) -> tools.Verdict:
        """Whether the move is allowed now. Raises ToolError."""
        said = await _asked(self._seat.why_not, move)
        return tools.Verdict(said.allowed, said.message, said.clause)

    async def play(self, _table: str, move: str, version: int, /) -> None:
        """Make a move. Raises ToolError."""
        await _asked(self._seat.play, move, version)

    @asynccontextmanager
    async def listen(self, _table: str, after: int, /) -> AsyncGenerator[tools.Heard, None]:
        """Hear what the seat is told after that number. Raises ToolError."""
        first = self._waiting[0].number if self._waiting else self._known + 1
        before: list[tools.Notice] = []
        if after + 1 < first:  # this was passed on already, or was told before the program began
            told = await _asked(self._seat.history, after)
            before = [
                tools.Notice(each.number, (*each.text, *tools.taken_back(each.kind, each.back_to)))
                for each in told
                if each.number < first
            ]

        async def heard(seconds: float) -> Sequence[tools.Notice] | None:
            last = self._ends
            if not before and not self._waiting:
                with suppress(TimeoutError):
                    await asyncio.wait_for(
                        self._news.wait(), min(seconds, LAST_NEWS) if last else seconds
                    )
            told = [*before, *self._waiting]
            before.clear()
            self._waiting.clear()
            self._news.clear()
            return None if last and not told else told

        yield heard


async def _asked(work: Callable[..., T], *given: Any) -> T:
    """What the server answers. Raises ToolError."""
    with _refusals():
        return await asyncio.to_thread(work, *given)


@contextmanager
def _refusals() -> Generator[None, None, None]:
    try:
        yield
    except TooLateError:
        raise protocol.ToolError(tools.TOO_LATE) from None
    except ApiError as error:
        raise protocol.ToolError(str(error), clause=error.clause) from None
    except SetupError as error:
        raise protocol.ToolError(str(error)) from None
