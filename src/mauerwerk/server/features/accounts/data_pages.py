"""The page about a visitor's own data: what is stored, to take it along, and to have it deleted."""

from mauerwerk.server.features.accounts import service
from mauerwerk.server.features.accounts.api import download
from mauerwerk.server.http.cookies import without_guest
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.visitor import Visitor


async def show(visitor: Visitor) -> Response:
    """What is stored, and what can be done about it; `?gone` once it was deleted."""
    tables = await service.tables_of(visitor.call.host.ruler, visitor.guest) if visitor.guest else 0
    return visitor.paint(
        "accounts/own_data.html",
        tables=tables,
        sure="sure" in visitor.query,
        gone="gone" in visitor.query,
        refused="",
    )


async def take_along(visitor: Visitor) -> Response:
    """Everything, as a file."""
    if visitor.guest is None:
        raise HttpError(404, "nothing is stored about you")
    visitor.call.site.limiter.record(visitor.visit.client)
    return download(await service.export(visitor.call.host.ruler, visitor.guest))


async def forget(visitor: Visitor, form: Form) -> Response:
    """Delete it, if the visitor is sure; the browser then has no name either."""
    if form.get("sure") != "1":
        return redirect("/data?sure=1")
    if visitor.guest is None:
        return redirect("/data?gone=1")
    if _plain(form.get("name", "")) != _plain(visitor.guest.name):
        return visitor.paint(
            "accounts/own_data.html",
            422,
            tables=0,
            sure=True,
            gone=False,
            refused=visitor.language("To confirm, type your name exactly as it is shown here."),
        )
    visitor.call.site.limiter.guest(visitor.visit.client)
    await service.forget(visitor.call.host.ruler, visitor.guest)
    return redirect("/data?gone=1", [without_guest(visitor.visit)])


def _plain(name: str) -> str:
    """A name, however somebody typed its capitals and spaces."""
    return " ".join(name.split()).casefold()
