"""The options of a game: read from words, checked, and described to people.

A game's options are a `Value` whose fields are whole numbers, yes or no, one of a few words, or
text without spaces, each with a default. Bounds and meaning stand beside the field:

    class Options(Value):
        rounds: Annotated[int, Meta(ge=1, le=10, description="rounds in a game (DM-4)")] = 4

Every option has a *kind*, so that forms and commands need to know nothing about a particular one:

| kind | takes | told from |
|---|---|---|
| `count` | a number, or one of a few words such as `off` | the type |
| `choice` | one of a few words, or yes and no | the type |
| `text` | any text without spaces | the type |
| `seat` | the number of a seat, or `lot` | `extra=SEAT` |
| `file` | a text that can be made from a file by `Game.FILES` | `extra=FILE` |

Where some texts have names of their own, `extra` lists them: `FILE | named((("default", "the usual
board"), …), "a board of your own")`.

An option that was added after its game was released is marked with `extra=LATER`. Records name it
only where it differs from the default, so that older records stay the same to the letter. One that
changes what was printed, such as the number of walls in the box, is a `house_rule`: it is for
studies, and for tables only where the host allows house rules.

An option that counts only where another one has a certain value is marked with
`extra=only_with("variant", "yes")`.

An option can hold many numbers, each with a name: `house_rule("…", **numbered({"T": 15}, 0, 40))`.
Its word lists those that are not as printed, `T:12,C:8`, and `with_number` changes one of them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast

import msgspec
from msgspec import inspect

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup, Value, shown
from mauerwerk.core.language import ENGLISH, Language, message

AnyOptions = TypeVar("AnyOptions", bound=Value)
YES_OR_NO = {"yes": True, "no": False}
LONGEST: Final = 40
"""A word of more letters is cut in messages."""
Kind: TypeAlias = Literal["seat", "count", "choice", "text", "file"]
LATER: Final[dict[str, Any]] = {"later": True}
"""Marks an option that was added after its game was released."""
HOUSE: Final[dict[str, Any]] = {"later": True, "house": True}
"""Marks a house rule: an option, added later, that changes what was printed."""
PRINTED: Final = "printed"
"""The word of many numbers that are all as printed."""
SEAT: Final[dict[str, Any]] = {"kind": "seat"}
"""Marks an option that names a seat."""
FILE: Final[dict[str, Any]] = {"kind": "file"}
"""Marks an option that can be given as a file."""


class OptionError(SetupError):
    """An option or a value that there is not: what is allowed is told, too."""

    def __init__(
        self, template: str, allowed: Callable[[Language], str] | None = None, **values: str | int
    ) -> None:
        """The template has a field `allowed`."""
        said = {**values, "allowed": allowed(ENGLISH)} if allowed else values
        super().__init__(template, **said)
        self.allowed = allowed

    def told(self, language: Language) -> str:
        """The message in a language."""
        if self.allowed is None:
            return super().told(language)
        return language(self.template, **{**self.values, "allowed": self.allowed(language)})


def named(texts: Sequence[tuple[str, str]], other: str) -> dict[str, Any]:
    """Mark an option whose texts have names: each with its text, and what others are called."""
    return {"named": texts, "other": other}


def only_with(name: str, word: str) -> dict[str, Any]:
    """Mark an option that changes nothing unless another one has this value."""
    return {"needs": (name, word)}


def house_rule(
    about: str, least: int | None = None, most: int | None = None, **extra: object
) -> msgspec.Meta:
    """What stands beside a house rule: its meaning, and its bounds if it is a number."""
    return msgspec.Meta(ge=least, le=most, description=about, extra=HOUSE | extra)


def numbered(printed: Mapping[str, int], least: int, most: int) -> dict[str, Any]:
    """Mark an option that holds many numbers, by name, each from the least to the most."""
    return {"numbers": dict(printed), "range": (least, most)}


class Option(Value):
    """One option as a person reads about it."""

    name: str
    allowed: str
    default: str
    meaning: str
    house: bool = False
    """Whether it changes what was printed."""
    names: tuple[str, ...] = ()
    """The names of its numbers, if it holds many."""


class Field(Value):
    """One option as a form or a command offers it."""

    name: str
    kind: Kind
    words: tuple[tuple[str, str], ...]
    """The words there are to choose from, each with its name for people."""
    other: str
    """What a text is called that is none of these words; empty where such a text has no name."""


@lru_cache(64)
def described(options: type[Value], language: Language = ENGLISH) -> tuple[Option, ...]:
    """Every option of a game, in the order of its fields; names and words are as they are typed."""
    return tuple(
        Option(
            field.name,
            _allowed_in(field, language),
            _word(field.default),
            language(_meaning(field.type)),
            house="house" in _notes(field),
            names=tuple(_notes(field).get("numbers", ())),
        )
        for field in _fields(options)
    )


def offered(options: type[Value], language: Language = ENGLISH) -> tuple[Field, ...]:
    """Every option of a game as it can be chosen, in the order of its fields."""
    return tuple(_offered(field, language) for field in _fields(options))


def _offered(field: inspect.Field, language: Language) -> Field:
    notes = _notes(field)
    texts = tuple((text, language(name)) for text, name in notes.get("named", ()))
    words = tuple((word, choice(word, language)) for word in _words(field.type))
    other = notes.get("other", "")
    kind = notes.get("kind") or _kind_of(field.type)
    return Field(field.name, kind, (*words, *texts), language(other) if other else "")


def label(name: str, language: Language = ENGLISH) -> str:
    """The name of an option as it is read, not typed: `memory aid`."""
    return language.about("option", name.replace("_", " "))


def choices(options: type[Value], name: str) -> tuple[str, ...]:
    """The words that an option takes beside numbers and texts: `lot`, `off`, `yes` and `no`."""
    return next(_words(field.type) for field in _fields(options) if field.name == name)


def choice(word: str, language: Language = ENGLISH) -> str:
    """One of these words as it is read, not typed."""
    return language.about("choice", word)


def from_words(options: type[AnyOptions], words: Mapping[str, str]) -> AnyOptions:
    """Read options from names and words; options that are not named keep their defaults."""
    known = {field.name: field.type for field in _fields(options)}
    chosen: dict[str, Any] = {}
    for name, word in words.items():
        if name not in known:
            template = message("there is no option {said}, only {allowed}")
            raise OptionError(template, partial(_listed, tuple(known)), said=shown(name))
        chosen[name] = getattr(_with_option(options, name, _given(known[name], word)), name)
        if _is_numbered(options, name):
            chosen[name] = _numbers_word(options, name, numbers(options, name, word))
    return options(**chosen)


# --- Many numbers in one option ------------------------------------------------------------------


def numbers(options: type[Value], name: str, word: str) -> Mapping[str, int]:
    """All numbers that this word of an option stands for, by name. Raises SetupError."""
    notes = _notes_of(options, name)
    least, most = notes["range"]
    chosen = dict(notes["numbers"])
    for part in () if word == PRINTED else word.split(","):
        key, _, number = part.partition(":")
        if key not in chosen:
            template = message("option {option} has numbers for {allowed}, not for {said}")
            allowed = partial(_listed, tuple(chosen), joint="or")
            raise OptionError(template, allowed, option=name, said=shown(key))
        if not re.fullmatch(r"[0-9]{1,6}", number) or not least <= int(number) <= most:
            raise SetupError(
                message(
                    "option {option}: {key} can be {low} to {high}, as in {key}:{high}, not {said}"
                ),
                option=name,
                key=key,
                low=least,
                high=most,
                said=shown(number),
            )
        chosen[key] = int(number)
    return chosen


def with_number(options: type[Value], name: str, word: str, key: str, number: str) -> str:
    """The word of an option with one of its numbers changed. Raises SetupError."""
    if not _is_numbered(options, name):
        template = message("option {option} is one value, without {said}")
        raise SetupError(template, option=name, said=shown(key))
    changed = numbers(options, name, f"{key}:{number}")
    return _numbers_word(options, name, {**numbers(options, name, word), key: changed[key]})


def _numbers_word(options: type[Value], name: str, chosen: Mapping[str, int]) -> str:
    printed = _notes_of(options, name)["numbers"]
    return (
        ",".join(f"{key}:{chosen[key]}" for key in printed if chosen[key] != printed[key])
        or PRINTED
    )


def _notes_of(options: type[Value], name: str) -> dict[str, Any]:
    none: dict[str, Any] = {}
    return next((_notes(field) for field in _fields(options) if field.name == name), none)


def _is_numbered(options: type[Value], name: str) -> bool:
    return "numbers" in _notes_of(options, name)


def house_rules(options: Value) -> dict[str, str]:
    """The house rules that differ from what was printed, as words."""
    words = to_words(options)
    return {
        option.name: words[option.name]
        for option in described(type(options))
        if option.house and option.name in words
    }


def to_words(options: Value) -> dict[str, str]:
    """All options with their values, as words that `from_words` reads.

    House rules are among them only where they differ from what was printed.
    """
    return {
        field.name: word
        for field in _fields(type(options))
        if (word := _word(getattr(options, field.name))) != _word(field.default)
        or "house" not in _notes(field)
    }


def in_head(options: Value) -> dict[str, str]:
    """The options that the head of a record names: all but later ones with their default."""
    words = to_words(options)
    usual = {
        field.name: _word(field.default)
        for field in _fields(type(options))
        if "later" in _notes(field)
    }
    return {name: word for name, word in words.items() if usual.get(name) != word}


def check(name: str, seats: range, options: type[Value], setup: Setup[Any]) -> None:
    """Refuse a number of seats or a value of an option that this game does not allow."""
    fields = _fields(options)
    if type(setup.seats) is not int or setup.seats not in seats:
        template = message("{game} is for {least} to {most} seats, not {seats}")
        bounds = {"least": seats[0], "most": seats[-1]}
        raise SetupError(template, game=name, seats=setup.seats, **bounds)
    if type(setup.options) is not options:
        raise SetupError(f"{name} has options of its own, {type(setup.options)} are not those")
    for field in fields:
        given = msgspec.to_builtins(getattr(setup.options, field.name))
        _with_option(options, field.name, given)
        if "numbers" in _notes(field):
            word = _numbers_word(options, field.name, numbers(options, field.name, given))
            if word != given:
                template = message("option {option}: write {said} as {better}")
                raise SetupError(template, option=field.name, said=shown(given), better=shown(word))


def missing(options: Value, name: str) -> tuple[str, str] | None:
    """The option and the value without which this option changes nothing; None if it counts."""
    field = next((each for each in _fields(type(options)) if each.name == name), None)
    needs: tuple[str, str] | None = _notes(field).get("needs") if field else None
    if needs is None or _word(getattr(options, needs[0])) == needs[1]:
        return None
    return needs


def beyond(options: Value) -> list[Value]:
    """The same options, each time with one number that is just outside of its bounds."""
    found: list[Value] = []
    for field in _fields(type(options)):
        whole = _bare(field.type)
        shapes = whole.types if isinstance(whole, inspect.UnionType) else (whole,)
        for shape in map(_bare, shapes):
            if isinstance(shape, inspect.IntType):
                bounds = (shape.ge, -1), (shape.le, 1)
                found += [
                    msgspec.structs.replace(options, **{field.name: bound + step})
                    for bound, step in bounds
                    if bound is not None
                ]
    return found


def check_first(first: int, seats: int) -> None:
    """Refuse a first player whose seat is not at this table."""
    if first >= seats:
        template = message("option first can be 0 to {last} or lot at {seats} seats, not {said}")
        raise SetupError(template, last=seats - 1, seats=seats, said=first)


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
        shape = next(field.type for field in _fields(options) if field.name == name)
        template = message("option {option} can be {allowed}, not {said}")
        said = _legible(_word(given))
        raise OptionError(template, partial(_allowed, shape), option=name, said=said) from fault


def _legible(word: str) -> str:
    """A word as it is; quoted where it is long, or a terminal might obey it."""
    return word if word.isprintable() and len(word) <= LONGEST else shown(word)


@cache
def _fields(options: type[Value]) -> tuple[inspect.Field, ...]:
    shape = inspect.type_info(options)
    if not isinstance(shape, inspect.StructType):
        raise TypeError(options)
    return shape.fields


def _bare(shape: inspect.Type) -> inspect.Type:
    return shape.type if isinstance(shape, inspect.Metadata) else shape


def _notes(field: inspect.Field) -> dict[str, Any]:
    return getattr(field.type, "extra", None) or {}


def _kind_of(shape: inspect.Type) -> Kind:
    match _bare(shape):
        case inspect.IntType():
            return "count"
        case inspect.UnionType(types=shapes):
            kinds: list[Kind] = [_kind_of(each) for each in shapes]
            return "count" if "count" in kinds else kinds[0]
        case inspect.StrType():
            return "text"
        case _:
            return "choice"


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


def _listed(words: Sequence[str], language: Language, joint: str = "and") -> str:
    return language.listed(words, joint)


def _allowed_in(field: inspect.Field, language: Language) -> str:
    """The same, of an option that may hold many numbers: `each 0 to 12, as in city-1:3`."""
    if "numbers" not in _notes(field):
        return _allowed(field.type, language)
    least, most = _notes(field)["range"]
    first = next(iter(_notes(field)["numbers"]))
    return language(
        "each {low} to {high}, as in {example}", low=least, high=most, example=f"{first}:{most}"
    )


def _word(value: object) -> str:
    match msgspec.to_builtins(value):
        case bool() as chosen:
            return "yes" if chosen else "no"
        case plain:
            return str(plain)
