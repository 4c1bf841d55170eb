"""What the page for hosts shows, gathered from the database and from this process."""

from collections.abc import Iterator, Mapping
from typing import Final

from mauerwerk.core.language.translation import Language, message
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.blocklist import Block, Blocked
from mauerwerk.server.features.moderation import admin_queries, figures, page_values, store
from mauerwerk.server.features.moderation.actions import ACTIONS
from mauerwerk.server.features.moderation.admin_queries import Filter, ListedGuest, ListedTable
from mauerwerk.server.features.moderation.queues import Queue, queues_of
from mauerwerk.server.features.moderation.state import Action, AuditEntry, Report, Subject
from mauerwerk.server.features.notifications.outbox import count_items
from mauerwerk.server.games import web_game
from mauerwerk.server.http import identity, settings
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui import dates, names, page

MOST: Final = 20
"""The most tables, guests and reports on the page."""

LAST_ENTRIES: Final = 12
MONTH: Final = 30 * dates.DAY
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
ACTIONS_IN_WORDS: Final[Mapping[Action, str]] = {
    **{each.ACTION: each.AUDIT for each in ACTIONS.values()},
    Action.RENAME_TABLE: message("renamed a player at a table"),
    Action.SEND_AWAY_TABLE: message("let a bot play on"),
    Action.BACK_UP: message("made a backup"),
    Action.REWRITE_TABLE: message("removed a name at a table"),
    Action.MAINTENANCE: message("cleaned up"),
}


def look(transaction: Transaction, which: Filter, find: str, before: int | None) -> figures.Looked:
    """Look at all of it."""
    counts, size = admin_queries.totals(transaction)
    return figures.Looked(
        now=transaction.now,
        which=which,
        find=find,
        tables=admin_queries.tables(transaction, which, text=find, before=before, most=MOST),
        guests=admin_queries.guests(transaction, MOST),
        here=admin_queries.count_guests(transaction, transaction.now - MONTH),
        reports=admin_queries.reports(transaction, most=MOST),
        entries=store.audit_log(transaction, most=LAST_ENTRIES),
        decisions=store.decisions(transaction),
        counts=counts,
        size=size,
        notified=count_items(transaction, transaction.now - dates.DAY),
    )


def admin_page(
    request: page.PageRequest, looked: figures.Looked, asks: page_values.Question, refusal: str
) -> page_values.AdminPage:
    """The page as it is now."""
    language, now = request.language, looked.now
    running, waiting = (looked.counts.get(each, 0) for each in (Status.RUNNING, Status.OPEN))
    here = request.host.present()
    networks = [each for each in looked.decisions.blocks if each.kind is Blocked.NETWORK]
    return page_values.AdminPage(
        needs=_needs(request, looked),
        figures=figures.figures_of(request, looked),
        which=looked.which,
        find=looked.find,
        more=language("{running} running, {waiting} waiting", running=running, waiting=waiting),
        tables=tuple(_table(each, now, language) for each in looked.tables),
        older=looked.tables[-1].card.changed if len(looked.tables) == MOST else 0,
        guests=tuple(_guest(each, here, now, language) for each in looked.guests),
        guests_more=language(
            "{here} here, {number} in 30 days", here=len(here), number=looked.here
        ),
        reports=tuple(_report(each, now, language) for each in looked.reports),
        networks=tuple(
            page_values.NetworkRow(each.what, f"{_until(each, language)} {each.reason}".strip())
            for each in networks
        ),
        limits=tuple(_limits(queues_of(request.app), language)),
        settings=tuple(
            (name, f"{getattr(request.app.settings.limits, name):,}".removesuffix(".0"))
            for name, _, _ in settings.described_limits()
        ),
        entries=tuple(_entry_row(each, now, language) for each in looked.entries),
        closed=looked.decisions.closed,
        backups=bool(request.app.settings.backups.folder),
        asks=asks,
        refusal=refusal,
    )


def _needs(request: page.PageRequest, looked: figures.Looked) -> str:
    """What needs the host comes first; if nothing does, that is said."""
    language, needs = request.language, list[str]()
    if request.host.store.failures:
        needs.append(language("Something could not be stored."))
    if figures.is_backup_late(request, looked.now):
        old = language("The last backup is older than a day.")
        needs.append(old if figures.backed_up(request) else language("There is no backup yet."))
    if reports := len(looked.reports):
        needs.append(
            language.many(
                reports, "{number} report waits for you.", "{number} reports wait for you."
            )
        )
    return " ".join(needs) or language("All is well.")


def _table(listed: ListedTable, now: int, language: Language) -> page_values.TableRow:
    card = listed.card
    state = language("over") if card.status is Status.OVER else names.turn_of(card, (), language)[0]
    return page_values.TableRow(
        id=card.id,
        box=web_game(card.game).box,
        who=", ".join(names.names_on(card, language)),
        state=state,
        changed=figures.ago(now - card.changed, language),
        running=card.status is Status.RUNNING,
    )


def _guest(
    listed: ListedGuest, here: frozenset[str], now: int, language: Language
) -> page_values.GuestRow:
    notes = [language.many(listed.tables, "{number} table", "{number} tables")]
    if listed.opened:
        notes.append(language("{number} opened in the last hour", number=listed.opened))
    if listed.reports:
        notes.append(
            language.many(listed.reports, "reported {number} time", "reported {number} times")
        )
    notes.append(figures.ago(now - listed.seen, language))
    tag = language("many tables") if listed.opened >= MANY else ""
    return page_values.GuestRow(
        guest=listed.guest,
        name=listed.name or listed.guest[:6],
        note=", ".join(notes),
        tag=_until(listed.block, language) if listed.block else tag,
        here=listed.guest in here,
        blocked=listed.block is not None,
        mark=sum(listed.guest.encode()) % 6 + 1,
    )


def _report(report: Report, now: int, language: Language) -> page_values.ReportRow:
    match report.about:
        case Subject.NAME:
            quote = report.name
        case Subject.CHAT:
            quote = report.said
        case Subject.BEHAVIOUR | Subject.TABLE:
            quote = report.text or language("no comment")
    about = {
        Subject.NAME: language("The name"),
        Subject.BEHAVIOUR: language("The behaviour of {who}", who=report.name),
        Subject.TABLE: language("The table"),
        Subject.CHAT: language("What {who} said", who=report.name),
    }[report.about]
    parts = [about, web_game(report.game).box.title, figures.ago(now - report.at, language)]
    by = language("reported by {who}", who=report.reporter_name)
    added = [report.text] if report.text and report.text != quote else []
    return page_values.ReportRow(
        report.id, report.guest, report.name, quote, ", ".join([*parts, by, *added])
    )


def _until(block: Block, language: Language) -> str:
    if block.until is None:
        return language("blocked")
    return language("blocked until {time}", time=identity.day_and_time(block.until))


def _limits(queues: tuple[Queue, ...], language: Language) -> Iterator[page_values.LimitRow]:
    """Addresses are not shown here; the command and the API show them."""
    for queue in queues:
        top = queue.shares[0].count if queue.shares else 0
        note = language("nobody") if not top else language("largest share {number}", number=top)
        if top and queue.most_of_one:
            most = queue.most_of_one
            note = language("largest share {number}, limit {most}", number=top, most=most)
        yield page_values.LimitRow(language(QUEUES[queue.name]), queue.held, queue.most or 0, note)


def _entry_row(entry: AuditEntry, now: int, language: Language) -> page_values.EntryRow:
    words = (
        language(ACTIONS_IN_WORDS[entry.action])
        if entry.action in ACTIONS_IN_WORDS
        else entry.action
    )
    more = ": ".join(each for each in (entry.what, entry.detail) if each)
    return page_values.EntryRow(figures.ago(now - entry.at, language), f"{words} {more}".strip())
