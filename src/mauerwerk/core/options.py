"""The options of a game: read from words, checked, and described to people.

A game's options are a `Value` whose fields are whole numbers, yes or no, one of a few words, or
text without spaces, each with a default. Bounds and meaning stand beside the field:

    class Options(Value):
        rounds: Annotated[int, Meta(ge=1, le=10, description="rounds in a game (DM-4)")] = 4

An option that came later than its game is marked with `extra=LATER`. Records name it only where it
is not left as it comes, so that older records stay what they are, to the letter.
"""

import re
from collections.abc import Mapping
from typing import Any, Final, TypeVar, cast

import msgspec
from msgspec import inspect

from mauerwerk.core.game import Setup, SetupError, Value, shown
from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.language.words import listed

AnyOptions = TypeVar("AnyOptions", bound=Value)

YES_OR_NO = {"yes": True, "no": False}

LONGEST: Final = 40
"""A word of more letters is cut in messages."""

LATER: Final = {"later": True}
"""Marks an option that came later than its game."""


class Option(Value):
    """One option as a person reads about it."""

    name: str
    allowed: str
    default: str
    meaning: str


def described(options: type[Value], language: Language = ENGLISH) -> tuple[Option, ...]:
    """Every option of a game, in the order of its fields; names and words are as they are typed."""
    return tuple(
        Option(
            field.name,
            _allowed(field.type, language),
            _word(field.default),
            language(_meaning(field.type)),
        )
        for field in _fields(options)
    )


def label(name: str, language: Language = ENGLISH) -> str:
    """The name of an option as it is read, not typed: `memory aid`."""
    return language.about("option", name.replace("_", " "))


def choices(options: type[Value], name: str) -> tuple[str, ...]:
    """The words that an option can be, besides numbers and texts: `lot`, `off`, `yes` and `no`."""
    return next(_words(field.type) for field in _fields(options) if field.name == name)


def choice(word: str, language: Language = ENGLISH) -> str:
    """One of these words as it is read, not typed."""
    return language.about("choice", word)


def from_words(options: type[AnyOptions], words: Mapping[str, str]) -> AnyOptions:
    """Read options from names and words; what is not named keeps its default."""
    known = {field.name: field.type for field in _fields(options)}
    chosen: dict[str, Any] = {}
    for name, word in words.items():
        if name not in known:
            raise SetupError(f"there is no option {shown(name)}, only {listed(list(known))}")
        chosen[name] = getattr(_with_option(options, name, _given(known[name], word)), name)
    return options(**chosen)


def to_words(options: Value) -> dict[str, str]:
    """All options with their values, as words that `from_words` reads."""
    return {field.name: _word(getattr(options, field.name)) for field in _fields(type(options))}


def in_head(options: Value) -> dict[str, str]:
    """The options that the head of a record names: all but later ones that are as they come."""
    words = to_words(options)
    usual = {field.name: _word(field.default) for field in _fields(type(options)) if _later(field)}
    return {name: word for name, word in words.items() if usual.get(name) != word}


def check(name: str, seats: range, options: type[Value], setup: Setup[Any]) -> None:
    """Refuse a number of seats or a value of an option that this game does not allow."""
    if type(setup.seats) is not int or setup.seats not in seats:
        raise SetupError(f"{name} is for {seats[0]} to {seats[-1]} seats, not {setup.seats}")
    if type(setup.options) is not options:
        raise SetupError(f"{name} has options of its own, {type(setup.options)} are not those")
    for field in _fields(options):
        given = msgspec.to_builtins(getattr(setup.options, field.name))
        _with_option(options, field.name, given)


def check_first(first: int, seats: int) -> None:
    """Refuse a first player who does not sit at this table."""
    if first >= seats:
        allowed = f"0 to {seats - 1} or lot at {seats} seats"
        raise SetupError(f"option first can be {allowed}, not {first}")


def _given(shape: inspect.Type, word: str) -> object:
    """What a word stands for where this shape is wanted: a number, yes or no, or itself."""
    match _bare(shape):
        case inspect.BoolType():
            return YES_OR_NO.get(word, word)
        case inspect.IntType() if re.fullmatch(r"[0-9]{1,18}", word):  # longer is out of any range
            return int(word)
        case inspect.UnionType(types=shapes):
            return next((given for each in shapes if (given := _given(each, word)) != word), word)
        case _:
            return word


def _with_option(options: type[AnyOptions], name: str, given: object) -> AnyOptions:
    try:
        return msgspec.convert({name: given}, options)
    except (msgspec.ValidationError, UnicodeEncodeError) as fault:
        allowed = next(_allowed(field.type) for field in _fields(options) if field.name == name)
        raise SetupError(f"option {name} can be {allowed}, not {_legible(_word(given))}") from fault


def _legible(word: str) -> str:
    """A word as it is; quoted where it is long, or a terminal might obey it."""
    return word if word.isprintable() and len(word) <= LONGEST else shown(word)


def _fields(options: type[Value]) -> tuple[inspect.Field, ...]:
    shape = inspect.type_info(options)
    if not isinstance(shape, inspect.StructType):
        raise TypeError(options)
    return shape.fields


def _bare(shape: inspect.Type) -> inspect.Type:
    return shape.type if isinstance(shape, inspect.Metadata) else shape


def _later(field: inspect.Field) -> bool:
    return getattr(field.type, "extra", None) == LATER


def _meaning(shape: inspect.Type) -> str:
    notes = cast("dict[str, str]", getattr(shape, "extra_json_schema", None) or {})
    return notes.get("description", "")


def _words(shape: inspect.Type) -> tuple[str, ...]:
    match _bare(shape):
        case inspect.BoolType():
            return tuple(YES_OR_NO)
        case inspect.LiteralType(values=words):
            return tuple(str(word) for word in words)
        case inspect.EnumType(cls=kinds):
            return tuple(str(kind.value) for kind in kinds)
        case inspect.UnionType(types=shapes):
            return tuple(word for each in shapes for word in _words(each))
        case _:
            return ()


def _allowed(shape: inspect.Type, language: Language = ENGLISH) -> str:
    """What an option takes, in words: `1 to 1000 or off`."""
    match _bare(shape):
        case inspect.IntType(ge=int(low), le=int(high)):
            return language("{low} to {high}", low=low, high=high)
        case inspect.BoolType() | inspect.LiteralType() | inspect.EnumType():
            return language.listed(_words(shape), "or")
        case inspect.UnionType(types=shapes):
            return language.listed([_allowed(each, language) for each in shapes], "or")
        case inspect.StrType():
            return language("a text without spaces")
        case other:
            raise TypeError(other)


def _word(value: object) -> str:
    match msgspec.to_builtins(value):
        case bool() as chosen:
            return "yes" if chosen else "no"
        case plain:
            return str(plain)
