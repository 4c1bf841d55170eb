"""A guestbook: a feature of another package. It has something of all that a feature can bring."""

from pathlib import Path
from typing import Annotated

import msgspec
import sqlalchemy as sa
from msgspec import Meta

from mauerwerk.core.game import Value
from mauerwerk.server.api.operation import Operations
from mauerwerk.server.database.personal_data import of_guest
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.feature import Feature
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.ui.page import HOME, Form, PageRequest, PageRoute, Panel


class Guestbook(Value, tag=False):
    """Its settings."""

    lines: Annotated[int, Meta(ge=1, description="lines that are shown")] = 10


LINES = sa.Table(
    "guestbook_lines",
    sa.MetaData(),
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("guest", sa.Text, nullable=False),
    sa.Column("line", sa.Text, nullable=False),
)


@command(by="guest")
def add(transaction: Transaction, guest: str, line: str) -> None:
    """Write a line."""
    transaction.insert(LINES, guest=guest, line=line)


@query
def last(transaction: Transaction, most: int) -> tuple[str, ...]:
    """The last lines, the newest first."""
    wanted = sa.select(LINES.c.line).order_by(LINES.c.id.desc()).limit(most)
    return tuple(transaction.scalars(wanted))


async def _lines(request: Request) -> tuple[str, ...]:
    return await last(request.host.store, request.app.settings.section(Guestbook).lines)


async def show(request: PageRequest) -> Response:
    """The page."""
    return request.render("guestbook/page.html", lines=await _lines(request))


async def write(request: PageRequest, form: Form) -> Response:
    """Write a line, and show the page again."""
    if not form.get("line", "").strip():
        raise HttpError(422, "write something first")
    guest, headers = request.known(form.get("name", ""))
    await add(request.host.store, guest.id, form["line"].strip())
    return redirect("/guestbook", headers)


class Lines(msgspec.Struct):
    """What was written last."""

    lines: tuple[str, ...]


OPERATIONS = Operations()


@OPERATIONS.get("/api/guestbook")
async def list_lines(request: Request) -> Lines:
    """The last lines of the guestbook."""
    return Lines(await _lines(request))


async def panel(request: PageRequest) -> tuple[str, ...] | None:
    """The last lines, on the home page; nothing before the first."""
    return await _lines(request) or None


FEATURE = Feature(
    name="guestbook",
    files=Path(__file__).parent,
    tables=(LINES,),
    personal_data=(of_guest("guestbook", LINES, "id"),),
    settings={"guestbook": Guestbook},
    pages=(PageRoute("/guestbook", get=show, post=write),),
    operations=OPERATIONS,
    panels=(Panel(HOME, "guestbook/panel.html", panel),),
)
