"""Games are analysed beside everything else: one after the other, out of everybody's way.

    analyses = Analyses(workers=2, folder=data / "analyses")
    job = analyses.ask(record, whose=guest.id)
    job.stage, job.progress, job.result

The work is done in processes that let all others go first, and end with the house. Whoever asks for
a game that was analysed already, or just is being, gets the same job.
"""

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from mauerwerk.core.record import Record
from mauerwerk.lab.analysis import (
    SECONDS,
    AnalysedPosition,
    Analysis,
    analyse,
    fingerprint,
    gathered,
)
from mauerwerk.play.tables.errors import TooManyError

Stage: TypeAlias = Literal["waiting", "getting ready", "thinking", "done", "failed"]

Analyser: TypeAlias = Callable[[Record], Generator[AnalysedPosition, None, None]]
"""How a record is looked at."""

MOST_MOVES: Final = 4_000
"""A game of more moves would keep all others waiting."""
MOST_WAITING: Final = 8
"""So many games may wait in line."""
KEPT: Final = 24
"""So many jobs are kept at hand once they are done."""
FILED: Final = 1_000
"""So many analyses are kept in the folder."""
ENDING: Final = 2.0
"""How many seconds the house waits for a search to end when it closes."""

CLOSED: Final = "the house has closed"

_log = logging.getLogger(__name__)


class Job:
    """An analysis that somebody asked for. It changes as the work goes on, in a thread of its own.

    `result` is there once the stage is `done`; `fault` says in one line why it `failed`.
    """

    def __init__(self, key: str, record: Record, whose: str = "") -> None:
        """Nobody has begun with it."""
        self.key = key
        self.record = record
        self.whose = whose
        self.stage: Stage = "waiting"
        self.progress = 0.0
        self.result: Analysis | None = None
        self.fault = ""
        self._began = 0.0

    @property
    def under_way(self) -> bool:
        """Whether there is still something to wait for."""
        return self.stage in {"waiting", "getting ready", "thinking"}

    @property
    def seconds_left(self) -> float | None:
        """How long it will take, by how long it took so far; None where nobody can tell yet."""
        if self.stage == "done":
            return 0.0
        if self.stage != "thinking" or not self.progress:
            return None
        return (time.monotonic() - self._began) * (1 - self.progress) / self.progress

    def begin(self) -> None:
        """Somebody gets ready for it."""
        self.stage = "getting ready"

    def found(self, positions: int) -> None:
        """So many positions are known now."""
        if self.stage != "thinking":
            self._began = time.monotonic()
            self.stage = "thinking"
        self.progress = positions / (len(self.record.moves) + 1)

    def end(self, result: Analysis) -> None:
        """It is done."""
        self.result = result
        self.progress = 1.0
        self.stage = "done"

    def fail(self, fault: str) -> None:
        """It will not be done."""
        self.fault = fault
        self.stage = "failed"


class Analyses:
    """All analyses of a house: those done, the one at work, and those in line."""

    def __init__(
        self, workers: int = 2, *, folder: Path | None = None, analyser: Analyser | None = None
    ) -> None:
        """With so many processes for the one at work; nothing is started until somebody asks.

        What is done is kept in the folder, if there is one, also for the next time.
        """

        def search(record: Record) -> Generator[AnalysedPosition, None, None]:
            return analyse(record, seconds=SECONDS, jobs=workers, patient=True)

        self._analyser = analyser or search
        self._folder = folder
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._line: list[Job] = []
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    def ask(self, record: Record, *, whose: str) -> Job:
        """Have a game analysed; if it was or is being, that job.

        Raises TooManyError where this guest has another one under way, many wait in line, or the
        game has more moves than anybody plays.
        """
        job = self.known(record)
        if job is not None and job.stage != "failed":
            return job
        if len(record.moves) > MOST_MOVES:
            raise TooManyError(f"games of more than {MOST_MOVES} moves are not analysed")
        with self._changed:
            if any(each.whose == whose and each.under_way for each in self._jobs.values()):
                raise TooManyError("one analysis at a time: your last one is still under way")
            if len(self._line) >= MOST_WAITING:
                raise TooManyError("many games wait to be analysed; ask again in a few minutes")
            if self._closed:
                raise TooManyError("the house is closing")
            job = self._keep(Job(fingerprint(record), record, whose))
            self._line.append(job)
            self._changed.notify_all()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
        return job

    def known(self, record: Record) -> Job | None:
        """The job for this game, if somebody has asked for it; from the folder, if need be."""
        key = fingerprint(record)
        with self._changed:
            if key in self._jobs:
                self._jobs.move_to_end(key)
                return self._jobs[key]
            filed = self._filed(key)
            if filed is None or len(filed.positions) != len(record.moves) + 1:
                return None
            job = self._keep(Job(key, record))
            job.end(filed)
            return job

    def close(self) -> None:
        """Give up what is not done."""
        with self._changed:
            self._closed = True
            while self._line:
                self._line.pop().fail(CLOSED)
            self._changed.notify_all()
        if self._thread is not None:
            # A search that is being compiled is not waited for; its process ends by itself.
            self._thread.join(ENDING)

    def _keep(self, job: Job) -> Job:
        """Keep a job at hand, and let go of those not asked for in a long while."""
        self._jobs[job.key] = job
        self._jobs.move_to_end(job.key)
        done = [key for key, each in self._jobs.items() if not each.under_way]
        for key in done[: max(len(done) - KEPT, 0)]:
            del self._jobs[key]
        return job

    # --- In a thread of its own --------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._line or self._closed)
                if self._closed:
                    return
                job = self._line.pop(0)
            try:
                self._analyse(job)
            except Exception:  # noqa: BLE001 - whatever befalls an analysis, the house goes on
                _log.exception("an analysis failed", extra={"game": job.record.game})
                job.fail("the analysis failed; ask again")

    def _analyse(self, job: Job) -> None:
        job.begin()
        positions: list[AnalysedPosition] = []
        with closing(self._analyser(job.record)) as found:
            for position in found:
                positions.append(position)
                job.found(len(positions))
                if self._closed:
                    job.fail(CLOSED)
                    return
        result = gathered(job.record, positions)
        job.end(result)
        self._file(result)

    # --- On disk -----------------------------------------------------------------------------

    def _file(self, result: Analysis) -> None:
        """Write it down, whole or not at all, and throw away the oldest."""
        if self._folder is None:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = self._folder / f"{result.of}.draft"
            draft.write_bytes(msgspec.json.encode(result))
            draft.replace(self._folder / f"{result.of}.json")
            files = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
            for old in files[: max(len(files) - FILED, 0)]:
                old.unlink(missing_ok=True)
        except OSError:
            _log.exception("an analysis could not be kept")

    def _filed(self, key: str) -> Analysis | None:
        """What was written down for a game; None also where another version wrote it."""
        if self._folder is None:
            return None
        with suppress(OSError, msgspec.DecodeError):
            content = (self._folder / f"{key}.json").read_bytes()
            return msgspec.json.decode(content, type=Analysis)
        return None
