"""A game of one's own is checked: all laws, who is told what, and what is not translated yet."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple, cast

from mauerwerk.core import errors, laws, options
from mauerwerk.core.game import NATURE, AnyGame, Chance, Ephemeral, Seat, Setup, Value
from mauerwerk.core.language import Key, Language, Untranslated, listed


class Broken(NamedTuple):
    """A law that a game breaks, with the first seed that showed it."""

    law: str
    seed: int
    said: str
    """What is wrong, and the moves that led there."""
    cause: str
    """The line of the game's code that raised an error; without one, what is wrong."""


def broken_laws(
    game: AnyGame, setup: Setup[Any], seeds: Sequence[int], which: Sequence[laws.Law] = laws.LAWS
) -> Iterator[Broken]:
    """Try each law with each seed, up to the first that shows that the law is broken."""
    for law in which:
        for seed in seeds:
            try:
                law(game, setup, Random(seed).randrange)  # noqa: S311 - not a secret
            except laws.BrokenLawError as fault:
                wrong, _, _ = str(fault).partition("\nafter\n")
                raised = fault.__cause__
                line = "" if raised is None else errors.where(raised, errors.CORE).strip(" ()")
                yield Broken(law.__name__, seed, str(fault), line or wrong)
                break


# --- Who is told what ------------------------------------------------------------------------

EVERYBODY: Final = "everybody"


class Told(NamedTuple):
    """Who is told one field of an event, in all games that were played."""

    event: str
    field: str
    who: str
    once: bool
    """Whether it is told once and never again (`Ephemeral`)."""


class _Case(NamedTuple):
    """Who was told a field once."""

    seats: frozenset[Seat]
    spectator: bool
    mover: Seat
    named: dict[str, Seat]
    """The seats that the event names, by field."""


def who_is_told(game: AnyGame, setup: Setup[Any], seeds: Sequence[int]) -> list[Told]:
    """Play a game with each seed, and look at every event through everybody's eyes."""
    cases: dict[tuple[type[Value], str], list[_Case]] = {
        (kind, field): [] for kind in game.EVENTS for field in kind.__struct_fields__ or ("",)
    }
    for seed in seeds:
        play = laws.Play(game, setup, Random(seed).randrange)  # noqa: S311 - as above
        while game.to_act(play.state):
            mover, _, events = play.move()
            for event in cast("Sequence[Value]", events):
                kind = type(event)
                seen = {viewer: game.seen(event, viewer) for viewer in play.viewers}
                named = {
                    field: Seat(getattr(event, field))
                    for field in _seats_in(kind)
                    if getattr(event, field) is not None
                }
                for field in event.__struct_fields__ or ("",):
                    actual = getattr(event, field, None)
                    knows = [
                        viewer
                        for viewer, each in seen.items()
                        if each is not None and getattr(each, field, None) == actual
                    ]
                    if actual is not None or not field:
                        told = frozenset(viewer for viewer in knows if viewer is not None)
                        cases[kind, field].append(_Case(told, None in knows, mover, named))
    return [
        Told(kind.__name__, field, _said(each, setup.seats), issubclass(kind, Ephemeral))
        for (kind, field), each in cases.items()
    ]


def _seats_in(kind: type[Value]) -> list[str]:
    """The fields of an event that are a seat, as their types say."""
    return [
        field for field in kind.__struct_fields__ if "Seat" in str(kind.__annotations__.get(field))
    ]


def _said(cases: Sequence[_Case], seats: int) -> str:
    """In a few words, who was told."""
    if not cases:
        return "nobody: it did not happen in these games"
    if all(len(case.seats) == seats and case.spectator for case in cases):
        return EVERYBODY
    watched = "" if not any(case.spectator for case in cases) else ", and spectators"
    if all(case.seats == frozenset((case.mover,)) for case in cases):
        return f"the player who moved{watched}"
    shared = [field for field in cases[0].named if all(field in case.named for case in cases)]
    for chosen in [[field] for field in shared] + [shared] * bool(shared[1:]):
        if all(case.seats == frozenset(case.named[field] for field in chosen) for case in cases):
            return f"the player in {listed([f'`{field}`' for field in chosen])}{watched}"
    counts = sorted({len(case.seats) for case in cases})
    number = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"{number} of {seats} players{watched}"


# --- Translations ----------------------------------------------------------------------------


def untranslated(
    game: AnyGame, setup: Setup[Any], seeds: Sequence[int], language: Language
) -> list[tuple[Key, tuple[str, ...]]]:
    """What the game says in play that this language has no words for: key and English forms.

    Raises BrokenLawError where the game raises an error.
    """
    listens = Untranslated(language)
    for text in game.CLAUSES.values():
        listens(text)
    options.described(game.OPTIONS, listens)
    for option in options.offered(game.OPTIONS, listens):
        options.label(option.name, listens)
    for context, text in game.MESSAGES:
        listens.about(context, text)

    @laws.a_law
    def is_told(game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        play = laws.Play(game, setup, draw)
        names = [[f"{{{seat}}}" for seat in play.seats] for _ in play.viewers]
        for seat in play.seats:
            names[seat][seat] = "you"
        for state in play.positions():
            for viewer, called in zip(play.viewers, names, strict=True):
                view = game.view(state, viewer)
                game.ask(view, called, listens)
                game.text(view, called, listens)
                for event in play.told(play.events, viewer):
                    game.tell(event, called, listens)
            for seat in game.to_act(state):
                for action in game.legal(state, seat) if seat != NATURE else game.odds(state):
                    game.say(action, listens)

    for seed in seeds:
        is_told(game, setup, Random(seed).randrange)  # noqa: S311 - as above
    return list(listens.missing.items())


def as_po(missing: Sequence[tuple[Key, tuple[str, ...]]]) -> str:
    """Entries of a `.po` file, to be filled in."""
    entries: list[str] = []
    for (context, _), forms in missing:
        lines = [f"msgctxt {_quoted(context)}"] if context else []
        lines.append(f"msgid {_quoted(forms[0])}")
        if forms[1:]:
            lines += [f"msgid_plural {_quoted(forms[1])}", 'msgstr[0] ""', 'msgstr[1] ""']
        else:
            lines.append('msgstr ""')
        entries.append("\n".join(lines))
    return "".join(f"{entry}\n\n" for entry in entries)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
