"""A server keeps its database small: once an hour it does what its policy says is due.

A round goes step by step, each a short transaction with a pause after it, so that nobody who plays
waits for it. Several servers may do so at once: each step looks whether it is still to be done.
"""

import asyncio
import logging
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, NamedTuple

from mauerwerk.core.language import counted
from mauerwerk.server.background import BackgroundService
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.moderation.state import Action
from mauerwerk.server.features.retention import store
from mauerwerk.server.tables.errors import OtherRulesError
from mauerwerk.server.tables.table import Status

_log = logging.getLogger(__name__)
FIRST: Final = 60.0
"""Seconds after the start until the first round, and up to as many more by chance."""
EVERY: Final = 3600.0
"""Seconds between two rounds."""
PAUSE: Final = 0.05
"""Seconds between two steps, in which others write."""
BY: Final = "policy"
"""Names the actor in the audit log."""


WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "expired": ("open table deleted", "open tables deleted"),
    "abandoned": ("game ended without a winner", "games ended without a winner"),
    "deleted": ("finished game deleted", "finished games deleted"),
    "thinned": ("log thinned", "logs thinned"),
    "forgotten": ("name removed from a table", "names removed from tables"),
}
"""What was done one time, and several times, by its kind."""


def summed_up(done: Mapping[str, int]) -> str:
    """What was done, in words; empty where it was nothing."""
    return ", ".join(counted(done[kind], *WORDS[kind]) for kind in WORDS if done.get(kind))


class Step(NamedTuple):
    """One thing to do, in a transaction of its own."""

    kind: str
    """What it is counted as: a field of `DueWork`."""
    what: str
    """The table that it changes."""
    work: Callable[[Transaction], bool]


def steps(due: store.DueWork, keep: store.Retention) -> Iterator[Step]:
    """Everything that is due, step by step."""
    unused = partial(store.delete, status=Status.OPEN, days=keep.open_days)
    old = partial(store.delete, status=Status.OVER, days=keep.finished_days)
    for kind, tables, work in (
        ("expired", due.expired, unused),
        ("abandoned", due.abandoned, partial(store.end, days=keep.running_days)),
        ("deleted", due.deleted, old),
        ("thinned", due.thinned, partial(store.thin, days=keep.log_days)),
    ):
        for table in tables:
            yield Step(kind, table, partial(work, table=table))
    for gone in due.forgotten:
        guest, days = gone.guest, keep.guest_days
        if not gone.tables:
            yield Step("forgotten", guest, partial(store.forget_if_away, guest=guest, days=days))
        for table in gone.tables:
            work = partial(store.forget_if_gone, table=table, guest=guest, days=days)
            yield Step("forgotten", table, work)


class RetentionJob(BackgroundService):
    """Does what is due, for as long as the server runs."""

    def __init__(self, host: Host, keep: store.Retention) -> None:
        super().__init__(_log, "could not do maintenance")
        self._host = host
        self._keep = keep
        self.done: Counter[str] = Counter()
        """How much of each kind was done since the start."""

        self._given_up: set[str] = set()
        """Tables at which a step failed; each was logged once."""

    async def begin(self) -> None:
        """Do so from now on."""
        # Servers that start together need not do everything at the same time.
        first = FIRST * (1 + random.SystemRandom().random())
        self._background.repeat(self.run, EVERY, first)

    async def run(self) -> Counter[str]:
        """One round: all that is due now; how much of each kind was done."""
        done: Counter[str] = Counter()
        now = self._host.now()
        due = await store.due_work(self._host.store, self._keep, now)
        for step in steps(due, self._keep):
            if step.what in self._given_up:
                continue
            try:
                work = self._host.store.write(BY, step.work)
                done[step.kind] += await self._background.finish(work)
            except OtherRulesError:
                self._given_up.add(step.what)  # it stays as it is until a program can read it
            except Exception:  # noqa: BLE001 - other tables must not suffer for this one
                self._given_up.add(step.what)
                _log.exception("could not maintain a table")
            await asyncio.sleep(PAUSE)
        self.done += done
        if said := summed_up(done):
            await self._host.store.write(BY, lambda it: it.audit(Action.MAINTENANCE, "", said))
        return +done
