"""A server keeps its database small: once an hour it does what its policy says is due.

A round goes step by step, each a short transaction with a pause after it, so that nobody who plays
waits for it. Several servers may do so at once: each step looks whether it is still to be done.
"""

import asyncio
import logging
import random
from collections import Counter
from contextlib import suppress
from typing import Final, Self

from mauerwerk.server.database.queries import command
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.moderation.state import Action
from mauerwerk.server.features.retention import maintenance, policy
from mauerwerk.server.tables.errors import OtherRulesError

_log = logging.getLogger(__name__)

FIRST: Final = 60.0
"""Seconds after the start until the first round, and up to as many more by chance."""

EVERY: Final = 3600.0
"""Seconds between two rounds."""

PAUSE: Final = 0.05
"""Seconds between two steps, in which others write."""

BY: Final = "policy"
"""Names the actor in the audit log."""


@command(by=BY)
def note_tidied(transaction: Transaction, said: str) -> None:
    """Add to the audit log what was done."""
    transaction.audit(Action.MAINTENANCE, "", said)


class RetentionJob:
    """Does what is due, for as long as the server runs."""

    def __init__(self, host: Host, keep: policy.Retention) -> None:
        """Nothing happens yet."""
        self._host = host
        self._keep = keep
        self.done: Counter[str] = Counter()
        """How much of each kind was done since the start."""

        self._tidying: asyncio.Task[None] | None = None
        self._step: asyncio.Task[bool] | None = None
        """What is being done; it is finished even if the server stops."""

        self._given_up: set[str] = set()
        """Tables at which a step failed; each was logged once."""

    async def __aenter__(self) -> Self:
        """Do so from now on."""
        self._tidying = asyncio.create_task(self._run())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop, after the step that is under way."""
        if self._tidying is not None:
            self._tidying.cancel()
            with suppress(asyncio.CancelledError):
                await self._tidying
        if self._step is not None:
            await asyncio.wait([self._step])

    async def _run(self) -> None:
        # Servers that start together need not do everything at the same time.
        await asyncio.sleep(FIRST * (1 + random.SystemRandom().random()))
        while True:
            try:
                await self.run()
            except Exception:  # noqa: BLE001 - it is tried again in an hour, whatever it was
                _log.exception("could not do maintenance")
            await asyncio.sleep(EVERY)

    async def run(self) -> Counter[str]:
        """One round: all that is due now; how much of each kind was done."""
        done: Counter[str] = Counter()
        now = self._host.now()
        due = await policy.due_work(self._host.store, self._keep, now)
        for step in maintenance.steps(due, self._keep):
            if step.what in self._given_up:
                continue
            try:
                self._step = asyncio.create_task(self._host.store.write(BY, step.work))
                done[step.kind] += await asyncio.shield(self._step)
            except OtherRulesError:
                self._given_up.add(step.what)  # it stays as it is until a program can read it
            except Exception:  # noqa: BLE001 - other tables must not suffer for this one
                self._given_up.add(step.what)
                _log.exception("could not maintain a table")
            await asyncio.sleep(PAUSE)
        self.done += done
        if said := maintenance.summed_up(done):
            await note_tidied(self._host.store, said)
        return +done
