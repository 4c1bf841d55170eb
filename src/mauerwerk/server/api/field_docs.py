"""What the fields of messages mean, for the document: the sentences below them in the source."""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from mauerwerk.core.game import Value
from mauerwerk.server.api import table_messages
from mauerwerk.server.tables import notices, table_views

SAME: Mapping[type, type] = {
    table_messages.TableView: table_views.TableView,
    table_messages.Notice: notices.Notice,
}
"""Messages that say what values of `play` say, whose fields are described there."""


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
    shared = meanings(SAME[kind]) if kind in SAME else {}
    own = {
        field: words
        for base in reversed(kind.__mro__)
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct
        for field, words in _in_module(base.__module__).get(base.__qualname__, {}).items()
    }
    known = getattr(kind, "__struct_fields__", ())
    return {field: words for field, words in {**shared, **own}.items() if field in known}


def _kinds(of: type) -> Iterator[type[msgspec.Struct]]:
    kinds: list[type[Any]] = of.__subclasses__()
    for kind in kinds:
        if issubclass(kind, msgspec.Struct):
            yield kind
        yield from _kinds(kind)


@cache
def _in_module(module: str) -> dict[str, dict[str, str]]:
    """The sentences below the fields of every class of a module."""
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
