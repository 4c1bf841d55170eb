"""The page about a visitor's own data: what is stored, to take it along, and to have it deleted."""

from collections.abc import Mapping

from mauerwerk.server.features.accounts import api, service
from mauerwerk.server.http import errors, identity
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui.page import Form, PageRequest


async def show(request: PageRequest) -> Response:
    """What is stored, and what can be done about it; `?gone` once it was deleted."""
    tables = await service.tables_of(request.host.store, request.guest) if request.guest else 0
    return request.render(
        "accounts/personal_data.html",
        tables=tables,
        sure="sure" in request.query,
        gone="gone" in request.query,
        refused="",
    )


async def export(request: PageRequest) -> Response:
    """Everything, as a file."""
    if request.guest is None:
        raise errors.HttpError(404, "nothing is stored about you")
    request.app.limiter.record(request.client)
    return api.download(await service.export(request.host.store, request.guest))


async def forget(request: PageRequest, form: Form) -> Response:
    """Delete it, if the visitor is sure; the browser then has no name either."""
    if form.get("sure") != "1":
        return redirect("/data?sure=1")
    if request.guest is None:
        return redirect("/data?gone=1")
    if _plain(form.get("name", "")) != _plain(request.guest.name):
        return request.render(
            "accounts/personal_data.html",
            422,
            tables=0,
            sure=True,
            gone=False,
            refused=request.language("To confirm, type your name exactly as it is shown here."),
        )
    request.app.limiter.guest(request.client)
    await service.forget(request.host.store, request.guest)
    return redirect("/data?gone=1", [identity.without_guest(request)])


def _plain(name: str) -> str:
    """A name, however somebody typed its capitals and spaces."""
    return " ".join(name.split()).casefold()


async def section(request: PageRequest, guest: Guest) -> Mapping[str, object]:
    """The links to a guest's own data, on their own page."""
    del request, guest
    return {}
