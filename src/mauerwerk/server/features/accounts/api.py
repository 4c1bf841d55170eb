"""Operations about oneself: taking one's data along, and being forgotten."""

from typing import Annotated, Final

from msgspec import Meta

from mauerwerk.server.api import operation
from mauerwerk.server.features.accounts import service
from mauerwerk.server.http import errors, identity
from mauerwerk.server.http.proof import Proofs
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Response, reply

OPERATIONS: Final = operation.Operations()


class Forget(operation.Ask):
    """Somebody wants to be forgotten."""

    sure: Annotated[bool, Meta(description="It cannot be undone.")]


class Forgotten(operation.Answer):
    """What was deleted."""

    tables: int
    """From how many tables the name was removed."""


ZIP = b"application/zip"


@OPERATIONS.get("/api/guests/me/data", "application/zip")
async def export(request: Request) -> Response:
    """All that is stored about you: a ZIP file, with your finished games as records."""
    guest = identity.guest_in(request)
    await request.host.service(Proofs).check(request)
    request.app.limiter.record(request.client)
    return download(await service.export(request.host.store, guest))


def download(content: bytes) -> Response:
    """A file that a browser stores."""
    named = (b"content-disposition", b'attachment; filename="mauerwerk-data.zip"')
    return Response(content, ZIP, 200, [named, (b"cache-control", b"no-store")])


@OPERATIONS.post("/api/guests/me/forget", Forgotten, example={"sure": True})
async def delete_account(request: Request, ask: Forget) -> Response:
    """Have all that is stored about you deleted. Games remain for the others, without your name."""
    guest = identity.guest_in(request)
    if not ask.sure:
        raise errors.HttpError(422, "this cannot be undone: say that you are sure", code="request")
    await request.host.service(Proofs).check(request)
    request.app.limiter.guest(request.client)
    tables = await service.forget(request.host.store, guest)
    return reply(Forgotten(tables=tables), headers=[identity.without_guest(request)])
