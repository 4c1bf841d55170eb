"""The OpenAPI document of all operations."""

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, cast

import msgspec

from mauerwerk import __version__
from mauerwerk.core.game import Value
from mauerwerk.games import GAMES
from mauerwerk.server.api import table_messages
from mauerwerk.server.api.operation import Nothing, Operation
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Response, reply

REF: Final = "#/components/schemas/{name}"
NAMED: Final = re.compile(REF.format(name='([^"]+)'))
PARAMETER: Final = re.compile(r"{(\w+)}")
MODULE: Final = re.compile(r"mauerwerk\.server(?:\.\w+)+\.(?=[A-Z])")

PROBLEMS: Final[Mapping[int, str]] = {
    400: "The request cannot be read, or was sent to another host.",
    401: "The token or cookie is missing, wrong, or no longer valid.",
    403: "Not yours, or sent by a page from elsewhere.",
    404: "There is no such thing.",
    409: "Too late: the table has moved on. The answer has the table view as it is now.",
    410: "The table was played by rules that this server does not have.",
    413: "The request is too large.",
    415: "The request is not JSON.",
    422: "It cannot be done like this; the message says why, and which clause forbids a move.",
    429: "Too much at once; Retry-After says when to come again.",
    503: "Nothing can be stored right now, or what was asked for is being compiled; try again.",
}

PATH: Final[Mapping[str, str]] = {
    "evening": "The id of an evening, which its link contains.",
    "table": "The id of a table.",
    "seat": "A seat, counted clockwise from 0.",
    "guest": "The id of a guest.",
    "report": "The id of a report.",
}

ABOUT: Final = """\
Everything that a page can do, a program can do too.

Give yourself a name (`POST /api/guests`) and use the token that you get as \
`Authorization: Bearer …`. Or use the token of a seat, which is the last part of its personal \
link: it is good for that seat and its table alone.

Ask for the table view, choose one of its `legal` words, and send it with its `number` as \
`version`. Follow the stream to hear what happens. Errors are JSON with a word and a sentence. \
Write whole numbers without a fraction: `7`, not `7.0`.\
"""

SECURITY: Final = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a guest, or of a seat.",
    },
    "cookie": {
        "type": "apiKey",
        "in": "cookie",
        "name": "__Host-mauerwerk",
        "description": "What a browser gets; without https it is called `mauerwerk`.",
    },
}


MEDIA: Final[Mapping[str, Any]] = {
    "application/json": {"schema": {"type": "object", "description": "An OpenAPI document."}},
    "application/zip": {
        "schema": {"description": "An archive of files.", "contentMediaType": "application/zip"}
    },
    "image/svg+xml": {"schema": {"type": "string", "description": "A picture, as XML."}},
    "text/event-stream": {
        "schema": {
            "type": "string",
            "description": "Server-sent events without end. The `data` of each is a "
            "`NoticeMessage` as JSON, its `id` the number of the notice, its `event` the kind. "
            "Lines that begin with a colon keep the stream alive.",
        },
        "example": 'id: 8\nevent: move\ndata: {"type":"notice","number":8,"kind":"move",…}\n\n',
    },
    "text/plain; charset=utf-8": {
        "schema": {
            "type": "string",
            "description": "A record: a line with the game, the revision of its rules, the seats "
            "and the options, and then the moves, each a seat, a colon and a word; nature is `~`. "
            "What follows `#` on a line is a remark. It replays without chance.",
        },
        "example": "mauer/1 seats=3 rounds=4 first=0 stall=24\n0:T 1:T 2:4 1:>\n",
    },
}
"""Answers that are no messages: what they are."""


class Document:
    """The document of these operations, with the types of all games; made once."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        path, media = "/api/openapi.json", "application/json"
        self.operation = Operation("GET", path, self.read_document, Nothing, media)
        self._operations = (*operations, self.operation)
        self._made: tuple[tuple[str, ...], Mapping[str, Any]] | None = None

    def read(self) -> Mapping[str, Any]:
        """The whole document."""
        games = tuple(GAMES)
        if self._made is None or self._made[0] != games:
            self._made = games, document(self._operations)
        return self._made[1]

    async def read_document(self, request: Request) -> Response:
        """This document."""
        return reply({**self.read(), "servers": [{"url": request.address("")}]})


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The whole document."""
    schemas, components = _schemas(operations)
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        described = _described(operation, schemas)
        paths.setdefault(operation.path, {})[operation.method.lower()] = described
    whole = {
        "openapi": "3.1.0",
        "info": {
            "title": "Mauerwerk",
            "version": __version__,
            "description": ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": SECURITY},
    }
    # Types of the same name are told apart by their game, not by their module.
    text = MODULE.sub("", msgspec.json.encode(whole).decode())
    for game in GAMES.values():
        package = game.VIEW.__module__.rpartition(".")[0]
        text = re.sub(rf"\b{re.escape(package)}\.\w+\.(?=[A-Z])", f"{game.NAME}.", text)
    return cast("dict[str, Any]", msgspec.json.decode(text))


def _described(operation: Operation, schemas: Mapping[type, Any]) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "security": [{"token": []}, {"cookie": []}, {}],
        "parameters": list(_parameters(operation)),
        "responses": _responses(operation, schemas),
    }
    if operation.method == "POST":
        body = {"schema": schemas[operation.ask], "example": operation.example}
        described["requestBody"] = {"required": True, "content": {"application/json": body}}
    return described


def _parameters(operation: Operation) -> Iterable[dict[str, Any]]:
    for name in PARAMETER.findall(operation.path):
        shape = {"type": "integer", "minimum": 0} if name == "seat" else {"type": "string"}
        about = PATH[name]
        yield {"name": name, "in": "path", "required": True, "schema": shape, "description": about}
    if operation.method != "GET":
        return
    for field in msgspec.structs.fields(operation.ask):
        yield {
            "name": field.encode_name,
            "in": "query",
            "required": field.required,
            "schema": _without_null(msgspec.json.schema(field.type)),
        }


def _without_null(shape: dict[str, Any]) -> dict[str, Any]:
    """A schema as a query has it, where a field without a value is left out."""
    if "anyOf" in shape:
        some = [each for each in shape["anyOf"] if each != {"type": "null"}]
        rest = {name: said for name, said in shape.items() if name != "anyOf"}
        return {**rest, **some[0]} if len(some) == 1 else {**rest, "anyOf": some}
    if "$defs" in shape:
        ((_, only),) = shape["$defs"].items()
        return cast("dict[str, Any]", only)
    return shape


def _responses(operation: Operation, schemas: Mapping[type, Any]) -> dict[str, Any]:
    if isinstance(operation.answer, str):
        content = {operation.answer: MEDIA[operation.answer]}
    else:
        content = {"application/json": {"schema": schemas[operation.answer]}}
    responses: dict[str, Any] = {
        str(operation.status): {"description": operation.summary, "content": content}
    }
    problem = {"application/json": {"schema": schemas[table_messages.Problem]}}
    for status in _statuses(operation):
        responses[str(status)] = {"description": PROBLEMS[status], "content": problem}
    return responses


def _statuses(operation: Operation) -> list[int]:
    statuses = {400, 401, 429, 503, *operation.refuses}
    if "{" in operation.path:
        statuses |= {403, 404, 410, 422}
    if operation.method == "POST":
        statuses |= {403, 413, 415, 422}
    elif msgspec.structs.fields(operation.ask) or not operation.path.startswith("/api/tables"):
        statuses |= {422}
    return sorted(statuses)


def _schemas(operations: Sequence[Operation]) -> tuple[dict[type, Any], dict[str, Any]]:
    views = [game.VIEW for game in GAMES.values()]
    events = [event for game in GAMES.values() for event in game.EVENTS]
    wanted: dict[type, None] = {table_messages.Problem: None}
    for operation in operations:
        if operation.method == "POST":
            wanted[operation.ask] = None
        if not isinstance(operation.answer, str):
            wanted[operation.answer] = None
    types = [*wanted, *views, *events]
    schemas, components = msgspec.json.schema_components(types, ref_template=REF)
    by_type = dict(zip(types, schemas, strict=True))
    # Each game has views and events of its own.
    shown = [by_type[view] for view in views]
    components["NewTable"]["properties"]["game"]["enum"] = list(GAMES)
    components["TableMessage"]["properties"]["view"]["anyOf"] = [*shown, {"type": "null"}]
    told = [by_type[event] for event in events]
    components["NoticeMessage"]["properties"]["events"]["items"] = {"anyOf": told}
    describe_fields(components)
    asked = [by_type[operation.ask] for operation in operations if operation.method == "POST"]
    for name in _reached(asked, components):
        # The server reads a value without its type, and so may a request leave it out. Answers with
        # the same schema (a clock) still have it.
        fields = components[name].get("required", ())
        components[name]["required"] = [field for field in fields if field != "type"]
    return by_type, components


def _reached(shapes: Sequence[Any], components: Mapping[str, Any]) -> set[str]:
    """The names of all schemas to which these lead."""
    found = set[str]()
    ahead = list(shapes)
    while ahead:
        named = set(NAMED.findall(msgspec.json.encode(ahead.pop()).decode())) - found
        found |= named
        ahead += [components[name] for name in named]
    return found


# --- What fields mean: the sentences below them in the source ------------------------------------


def describe_fields(components: Mapping[str, Any]) -> None:
    """Add what each field means to the schemas, where the source says so."""
    for kind in _kinds(Value):
        for name in (kind.__name__, f"{kind.__module__}.{kind.__name__}"):
            properties = components.get(name, {}).get("properties", {})
            if properties and set(properties) - {"type"} == set(kind.__struct_fields__):
                for field, words in meanings(kind).items():
                    properties[field].setdefault("description", words)


def meanings(kind: type) -> dict[str, str]:
    """The fields of a struct that are described, and how."""
    said = {
        field: words
        for base in reversed(kind.__mro__)
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct
        for field, words in _in_module(base.__module__).get(base.__qualname__, {}).items()
    }
    known = getattr(kind, "__struct_fields__", ())
    return {field: words for field, words in said.items() if field in known}


def _kinds(of: type) -> Iterator[type[msgspec.Struct]]:
    kinds: list[type[Any]] = of.__subclasses__()
    for kind in kinds:
        if issubclass(kind, msgspec.Struct):
            yield kind
        yield from _kinds(kind)


@cache
def _in_module(module: str) -> dict[str, dict[str, str]]:
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, KeyError):
        return {}
    found: dict[str, dict[str, str]] = {}
    for each in tree.body:
        if isinstance(each, ast.ClassDef):
            for field, below in zip(each.body, each.body[1:], strict=False):
                match field, below:
                    case (
                        ast.AnnAssign(target=ast.Name(id=name)),
                        ast.Expr(value=ast.Constant(value=str(words))),
                    ):
                        found.setdefault(each.name, {})[name] = " ".join(words.split())
                    case _:
                        pass
    return found
