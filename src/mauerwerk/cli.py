"""The command `mauerwerk`.

Bad input gets one line on stderr, exit code 2, and changes nothing.
"""

import os
import secrets
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table

from mauerwerk import tui
from mauerwerk.bots import BOTS
from mauerwerk.core import options, record
from mauerwerk.core.game import AnyGame, Seat, Setup, SetupError, name_of
from mauerwerk.games import GAMES
from mauerwerk.lab.match import simulate
from mauerwerk.lab.summary import Summary, Tally

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def main(args: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 2 when the input was bad."""
    try:
        return commands.main(args, prog_name="mauerwerk", standalone_mode=False) or 0
    except click.exceptions.NoArgsIsHelpError as fault:
        click.echo(fault.format_message())
        return 0
    except click.Abort:
        click.echo("mauerwerk: stopped", err=True)
        return 130
    except BrokenPipeError:
        # Whoever read this has enough; nothing more may be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except click.ClickException as fault:
        click.echo(f"mauerwerk: {' '.join(fault.format_message().split())}", err=True)
        return 2
    except (SetupError, record.RecordError, OSError) as fault:
        click.echo(f"mauerwerk: {fault}", err=True)
        return 2


@click.group()
@click.version_option(package_name="mauerwerk")
def commands() -> None:
    """Three board games about building walls: to play, to study, to simulate."""


# --- games -----------------------------------------------------------------------------------


@commands.command("games")
@AS_JSON
def list_games(*, as_json: bool) -> None:
    """List the games, and what a table can choose.

    Example: mauerwerk games --json
    """
    if as_json:
        _print_json([_described(game) for game in GAMES.values()])
        return
    for game in GAMES.values():
        seats = f"{game.SEATS[0]} to {game.SEATS[-1]} seats"
        click.echo(f"{game.NAME}: {game.TITLE}, {seats}, revision {game.RULES} of the rules")
        for option in options.described(game.OPTIONS):
            flag = f"--{option.name.replace('_', '-')}"
            click.echo(f"  {flag:<13} {option.meaning}: {option.allowed}; default {option.default}")


def _described(game: AnyGame) -> dict[str, Any]:
    return {
        "name": game.NAME,
        "title": game.TITLE,
        "rules": game.RULES,
        "seats": list(game.SEATS),
        "options": options.described(game.OPTIONS),
    }


# --- play and simulate: a sub-command for each game, with its options as its own ---------------

Body = Callable[..., None]


def _with_each_game(group: click.Group) -> Callable[[Body], Body]:
    """Give `group` a sub-command per game; the body is called with the game and the setup."""

    def decorate(body: Body) -> Body:
        for game in GAMES.values():
            group.add_command(_command_for(game, body, group.help or ""))
        return body

    return decorate


def _command_for(game: AnyGame, body: Body, about: str) -> click.Command:
    described = options.described(game.OPTIONS)

    def run(*, seats: int, **given: Any) -> None:  # noqa: ANN401 - as Click parsed them
        chosen = {option.name: given.pop(option.name) for option in described}
        words = {name: _word(game, name, word) for name, word in chosen.items() if word is not None}
        setup = Setup(seats, options.from_words(game.OPTIONS, words))
        game.start(setup)
        body(game, setup, **given)

    seats = f"How many play: {game.SEATS[0]} to {game.SEATS[-1]}."
    own: list[click.Parameter] = [
        click.Option(["--seats"], type=int, default=game.SEATS[1], show_default=True, help=seats)
    ]
    for option in described:
        about_option = f"{option.meaning}: {option.allowed}  [default: {option.default}]"
        flag = f"--{option.name.replace('_', '-')}"
        own.append(click.Option([flag, option.name], metavar="WORD", help=about_option))
    shared: list[click.Parameter] = getattr(body, "__click_params__", [])
    return click.Command(
        game.NAME, callback=run, params=[*own, *reversed(shared)], help=f"{game.TITLE}. {about}"
    )


def _word(game: AnyGame, option: str, word: str) -> str:
    """The word of an option, made from a file where the game can and there is one."""
    path = Path(word)
    if option not in game.FILES or not path.suffix or not path.is_file():
        return word
    return game.FILES[option](_text(path.read_bytes(), word))


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise click.UsageError(f"{name} is not a text in UTF-8") from None


BOTS_OPTION = click.option(
    "--bots",
    default="uniform",
    show_default=True,
    help=f"One name for all, or one a seat with commas between: {', '.join(BOTS)}.",
)


def _bots(words: str, seats: int) -> list[str]:
    names = words.split(",")
    for name in names:
        if name not in BOTS:
            raise click.UsageError(f"there is no bot {name!r}; there is {', '.join(BOTS)}")
    if len(names) not in {1, seats}:
        raise click.UsageError(f"name one bot for all or one for each of {seats} seats")
    return names * seats if len(names) == 1 else names


@commands.group("play")
def play_group() -> None:
    """Play at this terminal against bots.

    Example: mauerwerk play mauer --seats 4
    """


@_with_each_game(play_group)
@click.option("--seat", type=int, default=0, show_default=True, help="Where you sit.")
@BOTS_OPTION
@click.option("--seed", type=int, help="Play the same game again.  [default: any]")
@click.option("--record", "file", type=click.Path(), help="Write the game down in this new file.")
def play_game(
    game: AnyGame, setup: Setup[Any], *, seat: int, bots: str, seed: int | None, file: str | None
) -> None:
    """Sit down at a table."""
    if seat not in range(setup.seats):
        raise click.UsageError(f"--seat can be 0 to {setup.seats - 1}, not {seat}")
    names = _bots(bots, setup.seats)
    if file is None:
        tui.sit_down(game, setup, Seat(seat), names, _seed(seed))
        return
    with Path(file).open("x", encoding="utf-8") as paper:
        played = tui.sit_down(game, setup, Seat(seat), names, _seed(seed))
        paper.write(record.write(game, played))


def _seed(seed: int | None) -> int:
    return secrets.randbits(64) if seed is None else seed


@commands.group("simulate")
def simulate_group() -> None:
    """Let bots play many games, and sum them up.

    Example: mauerwerk simulate mauer --seats 4 --games 1000 --seed 1 --bots uniform
    """


@_with_each_game(simulate_group)
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many."
)
@click.option("--seed", type=int, help="Play the same games again.  [default: any]")
@BOTS_OPTION
@click.option("--records", type=click.Path(file_okay=False), help="Write the games down here.")
@AS_JSON
def simulate_games(
    game: AnyGame,
    setup: Setup[Any],
    *,
    games: int,
    seed: int | None,
    bots: str,
    records: str | None,
    as_json: bool,
) -> None:
    """Play, count, report."""
    names = _bots(bots, setup.seats)
    chosen_seed = _seed(seed)
    folder = _new_folder(records)
    tally = Tally(names)
    progress = track(
        simulate(game, setup, names, games, chosen_seed),
        description=game.TITLE,
        total=games,
        console=Console(stderr=True),
        transient=True,
    )
    for number, each in enumerate(progress):
        tally.add(each)
        if folder:
            paper = record.write(game, each.record)
            (folder / f"{game.NAME}-{number:06}.txt").write_text(paper, encoding="utf-8")
    summary = tally.summary()
    if as_json:
        _print_json({"game": game.NAME, "setup": setup, "seed": chosen_seed, "summary": summary})
    else:
        _print_summary(game, summary, chosen_seed)


def _new_folder(path: str | None) -> Path | None:
    """A folder for records, empty, so that nothing is written over."""
    if path is None:
        return None
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise click.UsageError(f"{path} is not empty; records go into a folder of their own")
    return folder


def _print_summary(game: AnyGame, summary: Summary, seed: int) -> None:
    table = Table(title=f"{game.TITLE}, {summary.games} games, seed {seed}")
    for heading in ("seat", "bot", "mean points", "±", "mean rank", "wins"):
        table.add_column(heading, justify="left" if heading == "bot" else "right")
    for seat, of in enumerate(summary.seats):
        table.add_row(
            str(seat),
            of.bot,
            f"{of.points:.2f}",
            f"{of.points_error:.2f}",
            f"{of.rank:.2f}",
            f"{of.wins:.1%}",
        )
    Console().print(table)
    click.echo(
        f"length: {summary.turns:.1f} turns ({summary.shortest} to {summary.longest}), "
        f"{summary.moves:.0f} moves"
    )
    shares = (f"{reason} {count / summary.games:.1%}" for reason, count in summary.reasons.items())
    click.echo(f"ended by: {', '.join(shares)}")


# --- replay ----------------------------------------------------------------------------------


@commands.command("replay")
@click.argument("file", type=click.File("rb"))
@click.option("--seat", type=int, help="Tell it as this seat saw it.  [default: everything]")
@AS_JSON
def replay_record(file: Any, *, seat: int | None, as_json: bool) -> None:  # noqa: ANN401
    """Tell a recorded game: each move in words, the tables, the result.

    Example: mauerwerk replay game.txt
    """
    kept = record.read(_text(file.read(), file.name), GAMES)
    game = GAMES[kept.game]
    if seat is not None and seat not in range(kept.setup.seats):
        raise click.UsageError(f"--seat can be 0 to {kept.setup.seats - 1}, not {seat}")
    viewer = None if seat is None else Seat(seat)
    if as_json:
        _print_json(_replay_json(game, kept, viewer))
    else:
        _replay_text(game, kept, viewer)


def _told(game: AnyGame, events: Sequence[Any], viewer: Seat | None) -> list[Any]:
    """What a seat noticed; everything, where none is named: who has the record may know."""
    if viewer is None:
        return list(events)
    return [seen for event in events if (seen := game.seen(event, viewer)) is not None]


def _replay_text(game: AnyGame, kept: record.Record, viewer: Seat | None) -> None:
    names = [name_of(Seat(seat)) for seat in range(kept.setup.seats)]
    click.echo(f"{game.TITLE}, {kept.setup.seats} seats, revision {kept.rules} of the rules")
    state: Any = game.start(kept.setup)
    for move, step in record.replay(game, kept):
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


def _replay_json(game: AnyGame, kept: record.Record, viewer: Seat | None) -> Mapping[str, Any]:
    state: Any = game.start(kept.setup)
    moves: list[dict[str, Any]] = []
    for move, step in record.replay(game, kept):
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
        "game": kept.game,
        "rules": kept.rules,
        "setup": kept.setup,
        "moves": moves,
        "outcome": game.outcome(state),
    }


def _print_json(value: Any) -> None:  # noqa: ANN401 - whatever a command answers
    click.echo(msgspec.json.format(msgspec.json.encode(value)).decode())


if __name__ == "__main__":
    sys.exit(main())
