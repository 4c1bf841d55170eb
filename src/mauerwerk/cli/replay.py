"""`mauerwerk replay`: a recorded game, told again."""

from collections.abc import Mapping, Sequence
from typing import Any

import click

from mauerwerk import tui
from mauerwerk.cli.common import AS_JSON, print_json, text_of
from mauerwerk.cli.pictures import Look, draw, picture_options
from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Ephemeral, Seat, name_of
from mauerwerk.games import GAMES, game_in


@click.command("replay")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--seat",
    type=int,
    help="Show only what this seat saw, counted from 0 as in the record.  [default: everything]",
)
@AS_JSON
@picture_options
def replay_record(file: Any, *, seat: int | None, as_json: bool, **drawn: Any) -> None:  # noqa: ANN401
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
    if seat is not None and seat not in range(game_record.setup.seats):
        raise click.UsageError(f"--seat can be 0 to {game_record.setup.seats - 1}, not {seat}")
    viewer = None if seat is None else Seat(seat)
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
        click.echo(tui.result(outcome, names))
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
