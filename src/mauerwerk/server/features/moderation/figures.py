"""The figures on the page for hosts: how the server is."""

import statistics
from pathlib import Path
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language, messages
from mauerwerk.server.database.backup import last_backup
from mauerwerk.server.features.moderation.admin_queries import Filter, ListedGuest, ListedTable
from mauerwerk.server.features.moderation.page_values import Figure
from mauerwerk.server.features.moderation.state import AuditEntry, Decisions, Report
from mauerwerk.server.features.notifications.delivery import Delivery
from mauerwerk.server.features.notifications.outbox import State
from mauerwerk.server.http.stream import Streams
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui.dates import DAY, HOUR, MINUTE, day_of
from mauerwerk.server.ui.page import PageRequest

MANY: Final = 10
"""More waiting bots than this are pointed out."""

UNITS: Final = ((2**30, "GB"), (2**20, "MB"), (2**10, "kB"))

UP: Final = (
    (DAY, messages("{number} day", "{number} days")),
    (HOUR, messages("{number} hour", "{number} hours")),
    (MINUTE, messages("{number} minute", "{number} minutes")),
)

AGO: Final = (
    (DAY, messages("{number} day ago", "{number} days ago")),
    (HOUR, messages("{number} hour ago", "{number} hours ago")),
    (MINUTE, messages("{number} minute ago", "{number} minutes ago")),
)


class Looked(Value):
    """What the database says, at one moment."""

    now: int
    which: Filter
    find: str
    tables: tuple[ListedTable, ...]
    guests: tuple[ListedGuest, ...]
    here: int
    reports: tuple[Report, ...]
    entries: tuple[AuditEntry, ...]
    decisions: Decisions
    counts: dict[str, int]
    size: int
    notified: dict[str, int]
    """Messages to people whose turn it is, in the last day, by how far they are."""


def backed_up(request: PageRequest) -> int | None:
    """When the last backup was made; None if there is none, or nobody said where they are."""
    folder = request.app.settings.backups.folder
    found = last_backup(Path(folder)) if folder else None
    return None if found is None else int(found.timestamp() * 1_000)


def is_backup_late(request: PageRequest, now: int) -> bool:
    """Whether the last backup is older than a day, where backups are known."""
    at = backed_up(request)
    known = bool(request.app.settings.backups.folder)
    return known and (at is None or now - at > DAY)


def _last_figure(request: PageRequest, now: int) -> Figure:
    """The last backup, where that is known; else what could not be stored."""
    language, failures = request.language, request.host.store.failures
    if not request.app.settings.backups.folder:
        note = language("since the start")
        return Figure(language("Failed writes"), str(failures), note, warns=bool(failures))
    at, late = backed_up(request), is_backup_late(request, now)
    value = language("none") if at is None else ago(now - at, language)
    note = language("older than a day") if late else language("not older than a day")
    if at is None:
        note = language("make one below")
    return Figure(language("Last backup"), value, note, warns=late)


def figures_of(request: PageRequest, looked: Looked) -> tuple[Figure, ...]:
    """How the server is."""
    language, app = request.language, request.app
    began = int(app.metrics.began * 1_000)
    times = sorted(app.metrics.recent)
    takes = f"{1_000 * statistics.median(times):.0f} ms" if times else "\N{EN DASH}"
    bots = app.host.bots
    waiting = bots.waiting(attended=True) + bots.waiting(attended=False)
    number = sum(looked.counts.values())
    return (
        Figure(
            language("Up for"),
            _span(looked.now - began, language),
            language("since {day}", day=day_of(began, looked.now, language)),
        ),
        Figure(
            language("People here"),
            str(len(app.service(Streams))),
            language.many(
                looked.counts.get(Status.RUNNING, 0),
                "{number} running table",
                "{number} running tables",
            ),
        ),
        Figure(language("Response time"), takes, language("median")),
        Figure(
            language("Bots waiting"),
            str(waiting),
            language("no queue") if not waiting else language("for a free process"),
            warns=waiting > MANY,
        ),
        Figure(
            language("Games take up"),
            _size(looked.size),
            language.many(number, "{number} table", "{number} tables"),
        ),
        _last_figure(request, looked.now),
        *([_notifications(looked.notified, language)] if app.service(Delivery).channels else []),
    )


def _notifications(notified: dict[str, int], language: Language) -> Figure:
    """How many people were notified, and how many could not be."""
    failed = notified.get(State.FAILED, 0) + notified.get(State.UNKNOWN, 0)
    note = language.many(failed, "{number} failed in 24 hours", "{number} failed in 24 hours")
    return Figure(
        language("Notifications"), str(notified.get(State.SENT, 0)), note, warns=bool(failed)
    )


def _span(milliseconds: int, language: Language) -> str:
    for unit, (one, several) in UP:
        if milliseconds >= unit:
            return language.many(milliseconds // unit, one, several)
    return language.many(0, "{number} minute", "{number} minutes")


def ago(milliseconds: int, language: Language) -> str:
    """How long ago something was, in the largest unit that fits."""
    for unit, (one, several) in AGO:
        if milliseconds >= unit:
            return language.many(milliseconds // unit, one, several)
    return language("just now")


def _size(number: int) -> str:
    for unit, name in UNITS:
        if number >= unit:
            return f"{number / unit:.1f} {name}"
    return f"{number} B"
