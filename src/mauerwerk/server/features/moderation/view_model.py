"""What the page for hosts shows, from the database and from this process."""

import statistics
from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.core.game import Value
from mauerwerk.core.language import Language, local, message, messages
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.blocklist import Block, Blocked
from mauerwerk.server.features.alerts.service import WATCHED, Watch
from mauerwerk.server.features.moderation import state, store
from mauerwerk.server.features.moderation.actions import ACTIONS
from mauerwerk.server.features.moderation.service import Queue, queues_of
from mauerwerk.server.features.notifications.delivery import Delivery
from mauerwerk.server.features.notifications.store import State, count_items
from mauerwerk.server.games import web_game
from mauerwerk.server.http import identity, settings
from mauerwerk.server.http.stream import Streams
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui import names
from mauerwerk.server.ui.dates import DAY, HOUR, MINUTE, day_of
from mauerwerk.server.ui.page import PageRequest


class Figure(Value):
    """One figure of how the server is."""

    label: str
    value: str
    note: str
    warns: bool = False


MANY_WAITING: Final = 10
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


class AdminData(Value):
    """What the database says, at one moment."""

    now: int
    which: store.Filter
    find: str
    tables: tuple[store.ListedTable, ...]
    guests: tuple[store.ListedGuest, ...]
    here: int
    reports: tuple[state.Report, ...]
    entries: tuple[state.AuditEntry, ...]
    decisions: state.Decisions
    counts: dict[str, int]
    size: int
    notified: dict[str, int]
    """Messages to people whose turn it is, in the last day, by how far they are."""
    watched: dict[str, int]
    """Of these, what the hosts are warned about if much of it fails."""


def _last_figure(request: PageRequest) -> Figure:
    language, failures = request.language, request.host.store.failures
    if not request.app.settings.backups.folder:
        note = language("since the start")
        return Figure(language("Failed writes"), str(failures), note, warns=bool(failures))
    try:
        age = int(1_000 * request.host.service(Watch).backup_age())
    except OSError:
        return Figure(
            language("Last backup"), language("none"), language("make one below"), warns=True
        )
    note = language("older than a day") if age > DAY else language("not older than a day")
    return Figure(language("Last backup"), ago(age, language), note, warns=age > DAY)


def figures_of(request: PageRequest, data: AdminData) -> tuple[Figure, ...]:
    """How the server is."""
    language, app = request.language, request.app
    began = int(app.metrics.began * 1_000)
    times = sorted(app.metrics.recent)
    takes = f"{1_000 * statistics.median(times):.0f} ms" if times else "\N{EN DASH}"
    bots = app.host.bots
    waiting = sum(bots.queue.users().values())
    number = sum(data.counts.values())
    return (
        Figure(
            language("Up for"),
            _span(data.now - began, language),
            language("since {day}", day=day_of(began, data.now, language)),
        ),
        Figure(
            language("People here"),
            str(len(app.host.service(Streams))),
            language.many(
                data.counts.get(Status.RUNNING, 0),
                "{number} running table",
                "{number} running tables",
            ),
        ),
        Figure(language("Response time"), takes, language("median")),
        Figure(
            language("Bots waiting"),
            str(waiting),
            language("no queue") if not waiting else language("for a free process"),
            warns=waiting > MANY_WAITING,
        ),
        Figure(
            language("Games take up"),
            local(_size(data.size), language),
            language.many(number, "{number} table", "{number} tables"),
        ),
        _last_figure(request),
        *([_notifications(data.notified, language)] if app.host.service(Delivery).channels else []),
    )


def _notifications(notified: dict[str, int], language: Language) -> Figure:
    failed = notified.get(State.FAILED, 0) + notified.get(State.UNKNOWN, 0)
    note = language.many(failed, "{number} failed in 24 hours", "{number} failed in 24 hours")
    return Figure(
        language("Notifications"), str(notified.get(State.SENT, 0)), note, warns=bool(failed)
    )


def _span(milliseconds: int, language: Language) -> str:
    unit, said = next((each for each in UP if milliseconds >= each[0]), UP[-1])
    return language.many(milliseconds // unit, *said)


def ago(milliseconds: int, language: Language) -> str:
    """How long ago something was, in the largest unit that fits."""
    found = next((each for each in AGO if milliseconds >= each[0]), None)
    if found is None:
        return language("just now")
    return language.many(milliseconds // found[0], *found[1])


def _size(number: int) -> str:
    for unit, name in UNITS:
        if number >= unit:
            return f"{number / unit:.1f} {name}"
    return f"{number} B"


MOST: Final = 20
"""The most tables, guests and reports on the page."""
LAST_ENTRIES: Final = 12
MONTH: Final = 30 * DAY
MANY: Final = 10
"""A guest who opens this many tables in an hour is pointed out."""

QUEUES: Final = {
    "bots thinking": message("Bots thinking"),
    "bots waiting": message("Bots waiting"),
    "analyses": message("Games being analysed"),
    "connections": message("Connections"),
    "streams": message("Open pages and streams"),
    "tables in memory": message("Tables in memory"),
}
ACTIONS_IN_WORDS: Final[Mapping[state.Action, str]] = {
    **{each.ACTION: each.AUDIT for each in ACTIONS.values()},
    state.Action.RENAME_TABLE: message("renamed a player at a table"),
    state.Action.SEND_AWAY_TABLE: message("let a bot play on"),
    state.Action.BACK_UP: message("made a backup"),
    state.Action.REWRITE_TABLE: message("removed a name at a table"),
    state.Action.MAINTENANCE: message("cleaned up"),
    state.Action.SIGN_OUT: message("signed out"),
}


def load(transaction: Transaction, which: store.Filter, find: str, before: int | None) -> AdminData:
    """Read all of it."""
    counts, size = store.totals(transaction)
    return AdminData(
        now=transaction.now,
        which=which,
        find=find,
        tables=store.tables(transaction, which, text=find, before=before, most=MOST),
        guests=store.guests(transaction, MOST),
        here=store.count_guests(transaction, transaction.now - MONTH),
        reports=store.reports(transaction, most=MOST),
        entries=store.audit_log(transaction, most=LAST_ENTRIES),
        decisions=store.decisions(transaction),
        counts=counts,
        size=size,
        notified=count_items(transaction, transaction.now - DAY),
        watched=count_items(transaction, transaction.now - DAY, WATCHED),
    )


def admin_page(request: PageRequest, data: AdminData) -> dict[str, Any]:
    """The page as it is now, for its template."""
    language, now = request.language, data.now
    running, waiting = (data.counts.get(each, 0) for each in (Status.RUNNING, Status.OPEN))
    here = request.host.present()
    return {
        "needs": _needs(request, data),
        "figures": figures_of(request, data),
        "more": ", ".join(
            (
                language.many(running, "{number} running", "{number} running"),
                language.many(waiting, "{number} waiting", "{number} waiting"),
            )
        ),
        "tables": [_table(each, now, language) for each in data.tables],
        "older": data.tables[-1].card.changed if len(data.tables) == MOST else 0,
        "guests": [_guest(each, here, now, language) for each in data.guests],
        "guests_more": language(
            "{here} here, {number} in 30 days", here=len(here), number=data.here
        ),
        "reports": [_report(each, now, language) for each in data.reports],
        "kept_out": [
            (each.kind, each.what, f"{_until(each, language)} {each.reason}".strip())
            for each in data.decisions.blocks
            if each.kind is not Blocked.GUEST
        ],
        "limits": [_limit(each, language) for each in queues_of(request.app)],
        "settings": [
            (
                name,
                local(
                    f"{getattr(request.app.settings.limits, name):,}".removesuffix(".0"), language
                ),
            )
            for name in settings.limit_names()
        ],
        "entries": [_entry(each, now, language) for each in data.entries],
    }


def _needs(request: PageRequest, data: AdminData) -> str:
    """What needs the host comes first; if nothing does, that is said."""
    language = request.language
    alerts = request.host.service(Watch).found(data.watched)
    needs = [each.words(language) for each in alerts]
    if reports := len(data.reports):
        needs.append(
            language.many(
                reports, "{number} report waits for you.", "{number} reports wait for you."
            )
        )
    return " ".join(needs) or language("All is well.")


def _table(listed: store.ListedTable, now: int, language: Language) -> dict[str, Any]:
    card = listed.card
    state = language("over") if card.status is Status.OVER else names.turn_of(card, (), language)[0]
    return {
        "id": card.id,
        "box": web_game(card.game).box,
        "who": ", ".join(names.names_on(card, language)),
        "state": state,
        "changed": ago(now - card.changed, language),
        "running": card.status is Status.RUNNING,
        "rated": listed.rated,
    }


def _guest(
    listed: store.ListedGuest, here: frozenset[str], now: int, language: Language
) -> dict[str, Any]:
    notes = [language.many(listed.tables, "{number} table", "{number} tables")]
    if listed.opened:
        notes.append(language("{number} opened in the last hour", number=listed.opened))
    if listed.reports:
        notes.append(
            language.many(listed.reports, "reported {number} time", "reported {number} times")
        )
    notes.append(ago(now - listed.seen, language))
    tag = language("many tables") if listed.opened >= MANY else ""
    return {
        "guest": listed.guest,
        "name": listed.name or listed.guest[:6],
        "note": ", ".join(notes),
        "tag": _until(listed.block, language) if listed.block else tag,
        "here": listed.guest in here,
        "blocked": listed.block is not None,
        "mark": sum(listed.guest.encode()) % 6 + 1,
    }


def _report(report: state.Report, now: int, language: Language) -> dict[str, Any]:
    quote = report.text or language("no comment")
    match report.about:
        case state.Subject.NAME:
            about, quote = language("The name"), report.name
        case state.Subject.BEHAVIOUR:
            about = language("The behaviour of {who}", who=report.name)
        case state.Subject.TABLE:
            about = language("The table")
        case state.Subject.CHAT:
            about, quote = language("What {who} said", who=report.name), report.said
    parts = [about, web_game(report.game).box.title, ago(now - report.at, language)]
    by = language("reported by {who}", who=report.reporter_name)
    added = [report.text] if report.text and report.text != quote else []
    return {"of": report, "quote": quote, "note": ", ".join([*parts, by, *added])}


def _until(block: Block, language: Language) -> str:
    if block.until is None:
        return language("blocked")
    return language("blocked until {time}", time=identity.day_and_time(block.until))


def _limit(queue: Queue, language: Language) -> dict[str, Any]:
    """How full something is. The command and the API show addresses, this page does not."""
    top = queue.shares[0].count if queue.shares else 0
    if not top:
        note = language("nobody")
    elif most := queue.limit_of_one:
        note = language("largest share {number}, limit {most}", number=top, most=most)
    else:
        note = language("largest share {number}", number=top)
    return {
        "title": language(QUEUES[queue.name]),
        "queue": queue,
        "held": local(f"{queue.held:,}", language),
        "of": local(f"{queue.limit:,}", language) if queue.limit else "",
        "note": note,
    }


def _entry(entry: state.AuditEntry, now: int, language: Language) -> tuple[str, str]:
    """When something was done, and what."""
    said = ACTIONS_IN_WORDS.get(entry.action)
    words = language(said) if said else entry.action
    more = ": ".join(each for each in (entry.what, entry.detail) if each)
    who = entry.by.partition(":")[2]
    return ago(now - entry.at, language), " ".join(each for each in (who, words, more) if each)
