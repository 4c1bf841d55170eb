"""Reading requests: bodies, queries and forms, all within limits.

Fields are read by the standard library and not by Starlette, which puts no limit on their number,
keeps one of several with the same name, and replaces bytes that are no UTF-8 (decision 0018).
"""

import asyncio
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec
from starlette.types import Receive

from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.request import Request

FIELDS: Final = 20
"""The most fields that the query of an operation may have."""

DIGITS: Final = 9
"""The most digits of a number in a path, a header or a form."""


def check_media(request: Request, media: str) -> None:
    """Refuse a body of another media type: any foreign page could send it. Raises HttpError."""
    given = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if given != media:
        raise HttpError(415, f"send {media}")


async def body_of(request: Request, receive: Receive) -> bytes:
    """The whole body, unless it is too large or too slow. Raises HttpError."""
    said = request.headers.get("content-length", "0")
    most = request.limits.body
    if not said.isdecimal() or int(said) > most:
        raise _too_large(most)
    body = bytearray()
    more = True
    try:
        async with asyncio.timeout(request.limits.body_seconds):
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise HttpError(400, "the request broke off", word="slow")
                body += message.get("body", b"")
                more = message.get("more_body", False)
                if len(body) > most:
                    raise _too_large(most)
    except TimeoutError:
        raise HttpError(400, "the request took too long to arrive", word="slow") from None
    return bytes(body)


def _too_large(most: int) -> HttpError:
    # The rest is not read, so the connection cannot be used again.
    headers = {"connection": "close"}
    return HttpError(413, f"a request has at most {most} bytes", headers=headers)


def decoded(body: bytes, decoder: msgspec.json.Decoder[Any]) -> msgspec.Struct:
    """The body as a message. Raises HttpError."""
    try:
        message: msgspec.Struct = decoder.decode(body)
    except msgspec.ValidationError as error:
        raise HttpError(422, f"the request is not as it should be: {error}", word="body") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise HttpError(400, "the request is not JSON", word="json") from None
    return message


def pairs_in(text: bytes, most: int, what: str) -> list[tuple[str, str]]:
    """The fields of a query or a form (`what`), which has `most` at most. Raises HttpError."""
    try:
        return parse_qsl(
            text.decode("ascii"), keep_blank_values=True, max_num_fields=most, errors="strict"
        )
    except ValueError:
        raise HttpError(400, f"the {what} cannot be read", word="query") from None


def query_fields(query: bytes, ask: type[msgspec.Struct]) -> msgspec.Struct:
    """The query as a message. Raises HttpError."""
    fields: dict[str, str] = {}
    for name, value in pairs_in(query, FIELDS, "query"):
        if name in fields:
            raise HttpError(422, "a field of the query stands there twice", word="query")
        if value.lower() == "null":
            raise HttpError(422, "leave out what is nothing", word="query")
        fields[name] = value
    try:
        return msgspec.convert(fields, ask, strict=False)
    except msgspec.ValidationError as error:
        raise HttpError(422, f"the query is not as it should be: {error}", word="query") from None


def whole_number(said: str, digits: int = DIGITS) -> int | None:
    """A number from 0, written in digits; None for anything else, or far too many digits."""
    fine = said.isascii() and said.isdecimal() and len(said) <= digits
    return int(said) if fine else None
