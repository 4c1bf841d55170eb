"""JSON-RPC as the Model Context Protocol has it: one handler for all transports and revisions.

Revisions until 2025-11-25 begin with `initialize`. From 2026-07-28 on there is no such beginning:
every request says in its `_meta` which revision it speaks, and `server/discover` says what there
is. The handler keeps nothing between two requests, so it answers both, in any order.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

import msgspec

from mauerwerk import __version__
from mauerwerk.core.game import shown

HANDSHAKE: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Revisions that begin with `initialize`, the newest first."""
STATELESS: Final = ("2026-07-28",)
"""Revisions in which each request stands alone."""

VERSION: Final = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES: Final = "io.modelcontextprotocol/clientCapabilities"
SERVER: Final = "io.modelcontextprotocol/serverInfo"
INFO: Final = {"name": "mauerwerk", "title": "Mauerwerk", "version": __version__}
OFFERED: Final[Mapping[str, Any]] = {"tools": {}, "resources": {}}
CACHED: Final[Mapping[str, Any]] = {"ttlMs": 3_600_000, "cacheScope": "public"}
"""How long lists and rules may be kept: they change when another version is installed."""

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
REFUSED: Final = -32000
RESOURCE_NOT_FOUND: Final = -32002
"""In revisions that begin with `initialize`; later ones call this `INVALID_PARAMS`."""
HEADER_MISMATCH: Final = -32020
UNSUPPORTED_VERSION: Final = -32022

NAMED: Final = {"tools/call": "name", "resources/read": "uri"}
"""Methods about something that has a name, and the parameter that says which."""

Json = dict[str, Any]
A = TypeVar("A", bound=msgspec.Struct)


class RpcError(Exception):
    """Why a message is not answered with a result."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        """The code of the protocol, and one line."""
        super().__init__(message)
        self.code = code
        self.data = data


class ToolError(Exception):
    """Why a tool did nothing, in one line that the model reads. Nothing has changed."""

    def __init__(self, message: str, **more: str) -> None:
        """With more for programs, such as the clause that forbids a move."""
        super().__init__(message)
        self.more = more


class Result(NamedTuple):
    """What a tool answers: text for the model, and the same as values."""

    text: str
    values: msgspec.Struct


class Tool(NamedTuple, Generic[A]):
    """Something that a model can do."""

    name: str
    title: str
    about: str
    ask: type[A]
    """Its arguments."""
    answer: type[msgspec.Struct]
    """The values of its result."""
    call: Callable[[A], Awaitable[Result]]
    """Raises ToolError."""
    reads_only: bool = True

    @property
    def described(self) -> Json:
        """As a list of tools has it."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.about,
            "inputSchema": _schema(self.ask),
            "outputSchema": _schema(self.answer),
            "annotations": {
                "readOnlyHint": self.reads_only,
                "destructiveHint": False,
                "openWorldHint": False,
            },
        }


def _schema(of: type[msgspec.Struct]) -> Json:
    """The JSON Schema of an object, which stands alone."""
    (root,), parts = msgspec.json.schema_components([of])
    name = root["$ref"].rpartition("/")[2]
    whole = {**parts[name], "$defs": {key: each for key, each in parts.items() if key != name}}
    text = msgspec.json.encode(whole).decode().replace("#/components/schemas/", "#/$defs/")
    return cast("Json", msgspec.json.decode(text))


class Resource(NamedTuple):
    """A text that a model can read."""

    uri: str
    name: str
    title: str
    about: str
    media: str
    read: Callable[[], str]


class Message(NamedTuple):
    """A request or a notification."""

    method: str
    params: Json
    id: str | int | None
    """None for a notification."""

    @property
    def version(self) -> str | None:
        """The revision that it says it speaks; None where it stands after an `initialize`."""
        said = self.params.get("_meta")
        meta = cast("Json", said) if isinstance(said, dict) else {}
        if VERSION not in meta:
            return None
        version = meta[VERSION]
        if not isinstance(version, str) or not isinstance(meta.get(CAPABILITIES), dict):
            raise RpcError(INVALID_PARAMS, f"_meta needs {VERSION} and {CAPABILITIES}")
        return version

    @property
    def name(self) -> str | None:
        """What it is about, for methods that are about something with a name."""
        said = self.params.get(NAMED.get(self.method, ""))
        return said if isinstance(said, str) else None


def message_in(said: object) -> Message:
    """A decoded message. Raises RpcError."""
    if not isinstance(said, dict):
        raise RpcError(INVALID_REQUEST, "a message is a JSON object, one at a time")
    fields = cast("Json", said)
    method, key, params = fields.get("method"), fields.get("id"), fields.get("params", {})
    if fields.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise RpcError(INVALID_REQUEST, 'a message has "jsonrpc": "2.0" and a method')
    if "id" in fields and (not isinstance(key, str | int) or isinstance(key, bool)):
        raise RpcError(INVALID_REQUEST, "the id of a request is a string or a whole number")
    if not isinstance(params, dict):
        raise RpcError(INVALID_REQUEST, "params is an object")
    return Message(method, cast("Json", params), key)


def decoded(line: bytes) -> object:
    """What is in a line of JSON. Raises RpcError."""
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise RpcError(PARSE_ERROR, "this is not JSON") from None


def error_message(error: RpcError, key: str | int | None = None) -> Json:
    """The message that says why there is no result."""
    said: Json = {"code": error.code, "message": str(error)}
    if error.data is not None:
        said["data"] = error.data
    return {"jsonrpc": "2.0", "id": key, "error": said}


def check_version(version: str) -> None:
    """Refuse a revision that is not known here. Raises RpcError."""
    if version not in STATELESS:
        supported = [*STATELESS, *HANDSHAKE]
        raise RpcError(
            UNSUPPORTED_VERSION,
            f"{shown(version)} is not a revision that is spoken here",
            {"supported": supported, "requested": version},
        )


class Handler:
    """Answers messages with these tools and resources."""

    def __init__(
        self, tools: Sequence[Tool[Any]], resources: Sequence[Resource], instructions: str
    ) -> None:
        """The instructions tell a model how to go about it."""
        self._tools = {tool.name: tool for tool in tools}
        self._resources = {each.uri: each for each in resources}
        self._instructions = instructions

    async def answer(self, message: Message) -> Json | None:
        """The answer to a message; None to a notification. Raises RpcError."""
        version = message.version
        if version is not None:
            check_version(version)
        if message.id is None:
            return None
        result = await self._result(message, stateless=version is not None)
        if version is not None:
            result = {"resultType": "complete", **result, "_meta": {SERVER: INFO}}
        return {"jsonrpc": "2.0", "id": message.id, "result": result}

    async def _result(self, message: Message, *, stateless: bool) -> Json:
        match message.method:
            case "initialize" if not stateless:
                return self._initialize(message.params)
            case "ping" if not stateless:
                return {}
            case "server/discover" if stateless:
                return {
                    "supportedVersions": [*STATELESS, *HANDSHAKE],
                    "capabilities": OFFERED,
                    "instructions": self._instructions,
                    **CACHED,
                }
            case "tools/list":
                listed = [tool.described for tool in self._tools.values()]
                return {"tools": listed, **(CACHED if stateless else {})}
            case "tools/call":
                return await self._call_tool(message.params)
            case "resources/list":
                return {
                    "resources": [
                        {
                            "uri": each.uri,
                            "name": each.name,
                            "title": each.title,
                            "description": each.about,
                            "mimeType": each.media,
                        }
                        for each in self._resources.values()
                    ],
                    **(CACHED if stateless else {}),
                }
            case "resources/templates/list":
                return {"resourceTemplates": [], **(CACHED if stateless else {})}
            case "resources/read":
                return self._read_resource(message.params, stateless=stateless)
            case _:
                raise RpcError(METHOD_NOT_FOUND, f"there is no method {shown(message.method)}")

    def _initialize(self, params: Json) -> Json:
        wanted = params.get("protocolVersion")
        if not isinstance(wanted, str):
            raise RpcError(INVALID_PARAMS, "initialize needs a protocolVersion")
        return {
            "protocolVersion": wanted if wanted in HANDSHAKE else HANDSHAKE[0],
            "capabilities": OFFERED,
            "serverInfo": INFO,
            "instructions": self._instructions,
        }

    async def _call_tool(self, params: Json) -> Json:
        name, given = params.get("name"), params.get("arguments")
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            there = ", ".join(self._tools)
            raise RpcError(INVALID_PARAMS, f"there is no tool {shown(str(name))}; there is {there}")
        try:
            ask = msgspec.convert({} if given is None else given, tool.ask)
        except msgspec.ValidationError as error:
            return _failed(f"{tool.name} cannot be called like this: {error}", {})
        try:
            result = await tool.call(ask)
        except ToolError as error:
            return _failed(str(error), error.more)
        return {
            "content": [{"type": "text", "text": result.text}],
            "structuredContent": msgspec.to_builtins(result.values),
            "isError": False,
        }

    def _read_resource(self, params: Json, *, stateless: bool) -> Json:
        uri = params.get("uri")
        found = self._resources.get(uri) if isinstance(uri, str) else None
        if found is None:
            code = INVALID_PARAMS if stateless else RESOURCE_NOT_FOUND
            raise RpcError(code, f"there is no resource {shown(str(uri))}", {"uri": uri})
        content = {"uri": found.uri, "mimeType": found.media, "text": found.read()}
        return {"contents": [content], **(CACHED if stateless else {})}


def _failed(why: str, more: Mapping[str, str]) -> Json:
    """The result of a tool that did nothing. It has no values, since these would have a schema."""
    said = " ".join([why, *(f"[{name}: {value}]" for name, value in more.items() if value)])
    return {"content": [{"type": "text", "text": said}], "isError": True}
