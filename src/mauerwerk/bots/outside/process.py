"""A program that plays: it is told a line of JSON and answers with a line of JSON.

`docs/how-to/write-a-bot.md` describes the lines. A program that ends, is late or answers nonsense
is stopped, and `BotFault` says why.
"""

import json
import os
import queue
import subprocess
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, cast

from mauerwerk.core.game import shown

LONGEST_LINE: Final = 100_000
"""The most characters that an answer may have."""

KEPT_LINES: Final = 40
"""How many of the last lines on stderr are shown when a program fails."""


class BotFault(Exception):  # noqa: N818 - a fault of somebody else's program, not of this one
    """Why a program cannot play on: one line, and what it said itself, such as a traceback."""

    def __init__(self, why: str, trace: str = "") -> None:
        """The line, and the trace if there is one."""
        super().__init__(why)
        self.why = why
        self.trace = trace.strip()


class BotProcess:
    """One running program, which plays one seat of one game at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start it. Raises BotFault if there is no such program."""
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the user chose the program
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
                # Ctrl-C is for those who play; a program ends when nobody talks to it any more.
                start_new_session=os.name == "posix",
            )
        except OSError as fault:
            raise BotFault(f"{command[0]} cannot be run: {fault.strerror}") from None
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._said: deque[str] = deque(maxlen=KEPT_LINES)
        self._readers = [
            threading.Thread(target=target, daemon=True) for target in (self._read, self._hear)
        ]
        for reader in self._readers:
            reader.start()

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def ask(self, question: Mapping[str, Any], within: float) -> dict[str, Any]:
        """Its answer to a line. Raises BotFault, and then it is stopped."""
        try:
            return self._asked(question, within)
        except BotFault:
            self.stop()
            raise

    def _asked(self, question: Mapping[str, Any], within: float) -> dict[str, Any]:
        assert self._process.stdin is not None
        if not self._answers.empty() and self.runs:
            said = self._answers.get()
            raise BotFault(f"it spoke without being asked: {shown(said.strip())}", self._trace())
        try:
            self._process.stdin.write(json.dumps(question, ensure_ascii=False) + "\n")
        except (OSError, ValueError):
            raise self._ended() from None
        try:
            line = self._answers.get(timeout=within)
        except queue.Empty:
            raise BotFault(f"it gave no answer within {within:.1f} s", self._trace()) from None
        if not line:
            raise self._ended()
        try:
            answer: Any = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise BotFault(f"its answer is not a JSON object: {shown(line.strip())}", self._trace())
        fields = cast("dict[str, Any]", answer)
        if "error" in fields:
            trace = str(fields["error"]).strip()
            before, _, last = trace.rpartition("\n")
            raise BotFault(last, trace if before else "")
        return fields

    def _ended(self) -> BotFault:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._readers[1].join(1)
        return BotFault(f"it ended with status {self._process.returncode}", self._trace())

    def _trace(self) -> str:
        return "".join(self._said)

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError, OSError):  # closed by `stop`
            while line := self._process.stdout.readline(LONGEST_LINE):
                self._answers.put(line)
        self._answers.put("")

    def _hear(self) -> None:
        assert self._process.stderr is not None
        with suppress(ValueError, OSError):
            while line := self._process.stderr.readline(LONGEST_LINE):
                self._said.append(line)

    def stop(self) -> None:
        """End the program, whatever it is doing."""
        self._process.kill()
        self._process.wait()
        for reader in self._readers:
            reader.join(1)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
