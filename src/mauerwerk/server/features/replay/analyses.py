"""Analyses of games in the background: one after the other, while everything else goes first.

    analyses = Analyses(workers=2, folder=data / "analyses")
    job = analyses.ask(record, whose=guest.id, client=request.client)
    job.stage, job.progress, job.result

Clients take turns: those who ask for many games do not keep others waiting for all of them. The
work is done in processes with a high nice level, which end with the host. A game that was
analysed before, or is being analysed, is not analysed again: every request gets the same job.
"""

import asyncio
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Generator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec

from mauerwerk.core.record import Record
from mauerwerk.lab import analysis
from mauerwerk.lab.workers import Processes
from mauerwerk.server.background import BackgroundService
from mauerwerk.server.engine.events import Event, Events
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.engine.workers import FairQueue
from mauerwerk.server.tables.errors import TooManyError

Stage: TypeAlias = Literal["waiting", "getting ready", "thinking", "done", "failed"]
Analyser: TypeAlias = Callable[[Record], Generator[analysis.AnalysedPosition, None, None]]
"""A function that analyses the positions of a record."""
KEPT: Final = 24
NICE: Final = 10
"""The nice level of the processes that analyse."""
_log = logging.getLogger(__name__)


class GameAnalysed(Event, frozen=True):
    """The analysis of a game that was played at a public table is done."""

    record: Record
    result: analysis.Analysis


class Job:
    """An analysis that was asked for; a thread changes it. Once it is `done` it has a `result`."""

    def __init__(self, key: str, record: Record, whose: str = "", client: str = "") -> None:
        self.public = False
        self.key = key
        self.record = record
        self.whose = whose
        self.client = client
        self.stage: Stage = "waiting"
        self.progress = 0.0
        self.result: analysis.Analysis | None = None
        self._began = 0.0

    @property
    def under_way(self) -> bool:
        """Whether it has neither been done nor failed."""
        return self.stage in {"waiting", "getting ready", "thinking"}

    @property
    def seconds_left(self) -> float | None:
        """How long it will still take, by how long it took so far; None if that is not known."""
        if self.stage == "done":
            return 0.0
        if self.stage != "thinking" or not self.progress:
            return None
        return (time.monotonic() - self._began) * (1 - self.progress) / self.progress

    def found(self, positions: int) -> None:
        """This many positions have been analysed."""
        if self.stage != "thinking":
            self._began = time.monotonic()
            self.stage = "thinking"
        self.progress = positions / (len(self.record.moves) + 1)

    def end(self, result: analysis.Analysis) -> None:
        """It is done."""
        self.result = result
        self.progress = 1.0
        self.stage = "done"


class Analyses(BackgroundService):
    """All analyses of a host: finished, running and waiting."""

    def __init__(
        self,
        workers: int = 2,
        *,
        folder: Path | None = None,
        analyser: Analyser | None = None,
        limits: HostLimits | None = None,
        events: Events | None = None,
    ) -> None:
        """Use this many processes, which are started when an analysis begins.

        Results are kept in the folder, if there is one, for this host and the next. Of games at
        public tables the events are told.
        """
        super().__init__(_log, "an analysis failed")
        self._events = events
        self._analyser = analyser or self._search
        self.limits = limits or HostLimits()
        self._workers = workers
        self._folder = folder
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._queue = FairQueue(1)
        self._closed = False
        self._processes: Processes | None = None

    @property
    def waiting(self) -> int:
        """How many games wait for their turn."""
        return sum(job.stage == "waiting" for job in self._jobs.values())

    @property
    def who_waits(self) -> Mapping[str, int]:
        """How many games wait or are analysed, by client."""
        return Counter(job.client for job in self._jobs.values() if job.under_way)

    def ask(
        self,
        record: Record,
        *,
        whose: str,
        client: str = "",
        times: float = 1.0,
        public: bool = False,
    ) -> Job:
        """Have a game analysed; if it was or is being, that job.

        For a client that many people share, `times` as many games may wait.

        Raises TooManyError if this guest has another one under way, if many of this client or of
        all are waiting, or if the game has more moves than people play.
        """
        job = self.known(record)
        if job is not None and job.stage != "failed":
            return job
        limits = self.limits
        if len(record.moves) > limits.analysed_moves:
            raise TooManyError(f"games of more than {limits.analysed_moves} moves are not analysed")
        if any(each.whose == whose and each.under_way for each in self._jobs.values()):
            raise TooManyError("one analysis at a time: your last one is still under way")
        of_client = sum(
            each.client == client and each.stage == "waiting" for each in self._jobs.values()
        )
        if self.waiting >= limits.all_analyses or of_client >= times * limits.analyses:
            raise TooManyError("many games wait to be analysed; ask again in a few minutes")
        if self._closed:
            raise TooManyError("the server is closing")
        job = self._keep(Job(analysis.fingerprint(record), record, whose, client))
        job.public = public
        self._background.begin(self._work(job))
        return job

    def known(self, record: Record) -> Job | None:
        """The job for this game, if there is one in memory or in the folder."""
        key = analysis.fingerprint(record)
        if (known := self._jobs.get(key)) is not None:
            self._jobs.move_to_end(key)
            return known
        filed = self._filed(key)
        if filed is None or len(filed.positions) != len(record.moves) + 1:
            return None
        job = self._keep(Job(key, record))
        job.end(filed)
        return job

    async def __aexit__(self, *_: object) -> None:
        """Give up what is not done; no process is left."""
        self._closed = True
        if self._processes is not None:
            await asyncio.to_thread(self._processes.close)
        await super().__aexit__()
        for job in self._jobs.values():
            if job.under_way:
                job.stage = "failed"

    def _keep(self, job: Job) -> Job:
        self._jobs[job.key] = job
        self._jobs.move_to_end(job.key)
        done = [key for key, each in self._jobs.items() if not each.under_way]
        for key in done[: max(len(done) - KEPT, 0)]:
            del self._jobs[key]
        return job

    async def _work(self, job: Job) -> None:
        """Analyse a game when it is its client's turn."""
        async with self._queue.slot(job.client, first=False, within=None):
            job.stage = "getting ready"  # the workers start, and may have to compile the search
            try:
                await self._background.finish(asyncio.to_thread(self._analyse, job))
            except Exception:  # noqa: BLE001 - the host goes on, whatever happens to an analysis
                if not self._closed:  # or its processes were stopped
                    _log.exception("an analysis failed", extra={"game": job.record.game})
                job.stage = "failed"
        if job.public and job.result and self._events:
            self._events.publish(GameAnalysed(job.record, job.result))

    # --- In a thread -------------------------------------------------------------------------

    def _search(self, record: Record) -> Generator[analysis.AnalysedPosition, None, None]:
        return analysis.analyse(
            record, seconds=analysis.SECONDS, jobs=self._workers, hire=self._hire
        )

    @contextmanager
    def _hire(self, number: int) -> Generator[Processes, None, None]:
        """Processes that can be stopped while they work."""
        with closing(Processes(number, NICE)) as self._processes:
            if self._closed:
                self._processes.close()
            yield self._processes

    def _analyse(self, job: Job) -> None:
        positions: list[analysis.AnalysedPosition] = []
        with closing(self._analyser(job.record)) as found:
            for position in found:
                positions.append(position)
                job.found(len(positions))
                if self._closed:
                    return
        result = analysis.gather(job.record, positions)
        job.end(result)
        self._file(result)

    # --- On disk -----------------------------------------------------------------------------

    def _file(self, result: analysis.Analysis) -> None:
        """Write it to the folder, whole or not at all, and delete the oldest files."""
        if self._folder is None:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            draft = self._folder / f"{result.of}.draft"
            draft.write_bytes(msgspec.json.encode(result))
            draft.replace(self._folder / f"{result.of}.json")
            files = sorted(self._folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
            for old in files[: max(len(files) - self.limits.kept_analyses, 0)]:
                old.unlink(missing_ok=True)
        except OSError:
            _log.exception("an analysis could not be kept")

    def _filed(self, key: str) -> analysis.Analysis | None:
        """The analysis in the folder; None also if another version wrote it."""
        if self._folder is None:
            return None
        with suppress(OSError, msgspec.DecodeError):
            content = (self._folder / f"{key}.json").read_bytes()
            return msgspec.json.decode(content, type=analysis.Analysis)
        return None
