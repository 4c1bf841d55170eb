"""What hosts do on their page: each is a form that was confirmed."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp

from mauerwerk.server.database.store import StorageError
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.engine.blocklist import Blocked
from mauerwerk.server.features.moderation import state, store
from mauerwerk.server.features.moderation.pages import page, require
from mauerwerk.server.http import errors, identity, response
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.page import PageRequest

LONGEST_REASON: Final = 200
LONGEST_WHAT: Final = 64
MOST_DAYS: Final = 3_650

FormAction = Callable[[Transaction, Form], object]


def _reason(form: Form) -> str:
    return identity.cleaned(form.get("reason", ""), LONGEST_REASON)


def _block(kind: Blocked, transaction: Transaction, form: Form) -> None:
    """Block somebody for the days in the form; 0 is for ever."""
    what = form.get("what", "")
    days = form.number("days") or 0
    until = transaction.now + min(days, MOST_DAYS) * store.DAY if days else None
    store.block(
        transaction,
        kind,
        state.network_of(what) if kind is Blocked.NETWORK else what,
        _reason(form),
        until,
    )
    if report := identity.cleaned(form.get("report", ""), LONGEST_WHAT):
        store.resolve(transaction, report, "blocked")


def _rename(transaction: Transaction, form: Form) -> None:
    store.rename(transaction, form.get("what", ""), identity.named(form.get("name", "")))
    if report := identity.cleaned(form.get("report", ""), LONGEST_WHAT):
        store.resolve(transaction, report, "renamed")


ACTIONS: Final[Mapping[str, FormAction]] = {
    "end": lambda transaction, form: store.end_table(
        transaction, form.get("what", ""), _reason(form)
    ),
    "delete": lambda transaction, form: store.delete_table(
        transaction, form.get("what", ""), _reason(form)
    ),
    "block": partial(_block, Blocked.GUEST),
    "block-network": partial(_block, Blocked.NETWORK),
    "unblock": lambda transaction, form: store.unblock(
        transaction, Blocked.GUEST, form.get("what", "")
    ),
    "unblock-network": lambda transaction, form: store.unblock(
        transaction, Blocked.NETWORK, form.get("what", "")
    ),
    "log-out": lambda it, form: store.log_out(it, form.get("what", "")),
    "rename": _rename,
    "dismiss": lambda transaction, form: store.resolve(
        transaction, form.get("what", ""), "dismissed"
    ),
    "close": lambda it, form: store.close(it, closed=form.get("closed") == "1"),
    "rotate": lambda transaction, form: store.rotate_secret(
        transaction, min(form.number("days") or 0, 365) * store.DAY
    ),
}
"""What can be done, by the word in the form."""


async def _back_up(request: PageRequest, form: Form) -> ASGIApp:
    """Make a backup, where the settings say."""
    folder = request.app.settings.backups.folder
    if not folder:
        return await page(request, 422, "the settings do not say where backups are")
    try:
        made = await request.host.store.back_up_into(Path(folder))
    except (StorageError, OSError) as fault:
        return await page(request, 422, f"the backup was not made: {fault}")
    await request.host.store.write("page", lambda it: it.audit(state.Action.BACK_UP, made, ""))
    return response.redirect(form.way_back)


async def act(request: PageRequest, form: Form) -> ASGIApp:
    """Do it, and show the page again; if it cannot be done, the page says why."""
    require(request)
    if form.get("do") == "back-up":
        return await _back_up(request, form)
    form = Form(form | {"what": identity.cleaned(form.get("what", ""), LONGEST_WHAT)})
    action = ACTIONS.get(form.get("do", ""))
    if action is None:
        raise errors.HttpError(422, "that cannot be done here", word="request")
    try:
        await request.host.store.write("page", lambda transaction: action(transaction, form))
    except (state.AdminError, errors.HttpError) as fault:
        return await page(request, 422, str(fault))
    return response.redirect(form.way_back)
