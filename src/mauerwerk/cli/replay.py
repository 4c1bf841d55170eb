"""`mauerwerk replay`: a recorded game, told again in words or drawn."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import click

from mauerwerk.cli.common import AS_JSON, FILE, Number, print_json, progress_bar, text_of
from mauerwerk.cli.tui import result
from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Ephemeral, Seat, Value, name_of
from mauerwerk.core.language import ENGLISH, TITLES, Language, language_of
from mauerwerk.core.svg import pixels
from mauerwerk.core.svg.animation import Theme, animated, resized
from mauerwerk.games import GAMES, game_in

_STILL: Final = (".svg", ".png")
_MOVING: Final = (".svg", ".gif")
_PNG: Final = 1080
_GIF: Final = 720
"""The usual widths in pixels."""
_AT_THE_END: Final = 3.0
"""Seconds that the last position of an animation is shown, at least."""


class Look(Value):
    """What is drawn, for whom, and how."""

    picture: Path | None = None
    animate: Path | None = None
    open_hands: bool = False
    first: int = 0
    last: int | None = None
    seconds: float = 0.8
    width: int | None = None
    theme: Theme | None = None
    language: str = ENGLISH.code
    names: str | None = None

    @property
    def wanted(self) -> bool:
        """Whether there is anything to draw. Raises UsageError where it is said only how."""
        if self.picture is None and self.animate is None and self != Look():
            raise click.UsageError("say what to draw: --picture FILE or --animate FILE")
        return self != Look()


def _file(suffixes: Sequence[str]) -> Callable[[Any, Any, Path | None], Path | None]:
    def checked(_context: object, _option: object, file: Path | None) -> Path | None:
        if file is not None and _kind(file) not in suffixes:
            raise click.BadParameter(f"{file.name} must end in {' or '.join(suffixes)}")
        return file

    return checked


def draw(
    game: AnyGame, text: str, game_record: record.Record, viewer: Seat | None, look: Look
) -> None:
    """Write the pictures, and say what was written."""
    first, last = _span(look, len(game_record.moves))
    _can_draw(look)
    language = language_of(look.language)
    names = _names(text, game_record.setup.seats, look.names, language)
    states = [
        game.start(game_record.setup),
        *(step.state for _, step in record.replay(game, game_record)),
    ]
    views = (
        game.open_view(state) if look.open_hands else game.view(state, viewer)
        for state in states[first : last + 1]
    )
    # What a viewer does not notice takes no time: its length would tell of it.
    drawings = [
        drawing for drawing, _ in groupby(game.svg(view, names, language) for view in views)
    ]
    if look.picture is not None:
        _write(look.picture, _still(drawings[-1], look.picture, look), "")
    if look.animate is not None:
        seconds = [look.seconds] * (len(drawings) - 1) + [max(look.seconds, _AT_THE_END)]
        made = _moving(drawings, seconds, look.animate, look)
        _write(look.animate, made, f"{len(drawings)} positions, {sum(seconds):.0f} s, ")


def _span(look: Look, moves: int) -> tuple[int, int]:
    """The first and the last position to draw, by the moves before them."""
    last = moves if look.last is None else look.last
    if last > moves:
        raise click.UsageError(f"--last can be 0 to {moves}, not {last}")
    if look.first > last:
        raise click.UsageError(f"--first can be 0 to {last}, not {look.first}")
    return (last if look.animate is None else look.first), last


def _can_draw(look: Look) -> None:
    if all(file is None or _kind(file) == ".svg" for file in (look.picture, look.animate)):
        return
    for package in ("resvg_py", "PIL.Image"):
        import_module(package)
    if not pixels.has_fonts():
        raise click.UsageError("no usual font is installed to write with; DejaVu would do")


def _names(text: str, seats: int, given: str | None, language: Language) -> Sequence[str]:
    if given is None:
        names = record.names_in(text)
        if len(names) == seats:
            return names
        return [language("Seat {number}", number=seat + 1) for seat in range(seats)]
    names = tuple(name.strip() for name in given.split(","))
    if len(names) != seats or not all(names):
        raise click.UsageError(f"--names takes {seats} names, separated by commas")
    return names


def _still(drawing: str, file: Path, look: Look) -> bytes:
    if _kind(file) == ".svg":
        return resized(drawing, look.width, look.theme).encode()
    return pixels.png(drawing, look.theme or "light", look.width or _PNG)


def _moving(drawings: Sequence[str], seconds: Sequence[float], file: Path, look: Look) -> bytes:
    if _kind(file) == ".svg":
        return resized(animated(drawings, seconds), look.width, look.theme).encode()
    with progress_bar() as bar:
        pages = bar.track(drawings, description=file.name)
        return pixels.gif(pages, seconds, look.theme or "light", look.width or _GIF)


def _kind(file: Path) -> str:
    return file.suffix.lower()


def _write(file: Path, content: bytes, told: str) -> None:
    file.write_bytes(content)
    click.echo(f"{file}: {told}{len(content) / 1000:.0f} kB")


@click.command("replay")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--seat",
    type=int,
    help="Show only what this seat saw; seats count from 1, as in the sentences and pictures.  "
    "[default: everything]",
)
@AS_JSON
@click.option(
    "--picture",
    type=FILE,
    callback=_file(_STILL),
    help="Draw the last position into this file, .svg or .png.",
)
@click.option(
    "--animate",
    type=FILE,
    callback=_file(_MOVING),
    help="Draw the whole game into this file, .svg or .gif.",
)
@click.option(
    "--open",
    "open_hands",
    is_flag=True,
    help="Draw every hand open.  [default: as spectators see it]",
)
@click.option(
    "--first",
    type=click.IntRange(0),
    default=Look().first,
    help="Begin after this many moves of the record, nature's included.",
)
@click.option("--last", type=click.IntRange(0), help="End after this many.  [default: all]")
@click.option(
    "--seconds",
    type=Number(0.02, 60),
    default=Look().seconds,
    help="How long each position of an animation is shown.",
)
@click.option(
    "--width",
    type=click.IntRange(100, 4000),
    help="The width in pixels.  [default: 1080, for .gif 720]",
)
@click.option(
    "--theme",
    type=click.Choice(["light", "dark"]),
    help="The colours.  [default: light; an SVG follows its reader]",
)
@click.option(
    "--language",
    type=click.Choice(list(TITLES)),
    default=Look().language,
    help="The language of the pictures.",
)
@click.option(
    "--names", help="The players' names, separated by commas.  [default: those in the record]"
)
def replay(file: Any, *, seat: int | None, as_json: bool, **drawn: Any) -> None:
    """Tell a recorded game in words, or draw it as a picture that moves.

    Example: mauerwerk replay game.txt --animate game.svg
    """
    look = Look(**drawn)
    if look.wanted and as_json:
        raise click.UsageError("--json tells a game in words; leave it out to draw pictures")
    if look.open_hands and seat is not None:
        raise click.UsageError("no seat sees every hand open: --open or --seat, not both")
    text = text_of(file.read(), file.name)
    game_record = record.read(text, GAMES)
    game = game_in(game_record)
    if seat is not None and seat - 1 not in range(game_record.setup.seats):
        raise click.UsageError(f"--seat can be 1 to {game_record.setup.seats}, not {seat}")
    viewer = None if seat is None else Seat(seat - 1)
    if viewer is not None and _is_remembered(game, game_record):
        raise click.UsageError(
            "this game is not over: what was shown in passing is not told again before the end"
        )
    if look.wanted:
        draw(game, text, game_record, viewer, look)
    elif as_json:
        print_json(_replay_json(game, game_record, viewer))
    else:
        _replay_text(game, game_record, viewer)


def _told(game: AnyGame, events: Sequence[Any], viewer: Seat | None) -> list[Any]:
    """What a seat noticed; everything, where none is named: who has the record may know."""
    if viewer is None:
        return list(events)
    return [seen for event in events if (seen := game.seen(event, viewer)) is not None]


def _is_remembered(game: AnyGame, game_record: record.Record) -> bool:
    """Whether what a seat saw is still its own to remember: memory is part of a running game."""
    steps = [step for _, step in record.replay(game, game_record)]
    over = bool(steps) and game.outcome(steps[-1].state) is not None
    return not over and any(isinstance(e, Ephemeral) for step in steps for e in step.events)


def _replay_text(game: AnyGame, game_record: record.Record, viewer: Seat | None) -> None:
    names = [name_of(Seat(seat)) for seat in range(game_record.setup.seats)]
    click.echo(
        f"{game.TITLE}, {game_record.setup.seats} seats, revision {game_record.rules} of the rules"
    )
    state: Any = game.start(game_record.setup)
    for move, step in record.replay(game, game_record):
        if viewer is None:
            click.echo(f"{move!s:<6} {name_of(move.seat)}: {game.say(game.parse(move.word))}")
        for event in _told(game, step.events, viewer):
            if sentence := game.tell(event, names):
                click.echo(f"       {sentence}")
        if game.turn(step.state) > game.turn(state):
            click.echo(f"\n{game.text(game.view(step.state, viewer), names)}\n")
        state = step.state
    if outcome := game.outcome(state):
        click.echo(result(outcome, names))
    else:
        click.echo("The record ends before the game does.")


def _replay_json(
    game: AnyGame, game_record: record.Record, viewer: Seat | None
) -> Mapping[str, Any]:
    state: Any = game.start(game_record.setup)
    moves: list[dict[str, Any]] = []
    for move, step in record.replay(game, game_record):
        state = step.state
        entry: dict[str, Any] = {
            "events": _told(game, step.events, viewer),
            "view": game.view(state, viewer),
        }
        if viewer is None:
            said = game.say(game.parse(move.word))
            entry = {"seat": move.seat, "word": move.word, "says": said, **entry}
        moves.append(entry)
    return {
        "game": game_record.game,
        "rules": game_record.rules,
        "setup": game_record.setup,
        "moves": moves,
        "outcome": game.outcome(state),
    }
