"""The command `mauerwerk`.

Bad input gets one line on stderr, exit code 2, and changes nothing. A command is imported when it
is run, so that `mauerwerk --help` answers at once.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

import click

from mauerwerk import __version__
from mauerwerk.core import errors, record


class Entry(NamedTuple):
    """Where a command is, and the first sentence of its help."""

    module: str
    name: str
    about: str
    extra: str = "kernels"
    """What to install if a package is missing that the command imports."""


COMMANDS: Final[Mapping[str, Entry]] = {
    "admin": Entry(
        "admin",
        "admin_group",
        "Manage a server: tables, guests, networks, reports, the secret.",
        extra="server",
    ),
    "analyse": Entry(
        "analyse",
        "analyse_record",
        "Say how a recorded game went: chances to win all along, mistakes, luck.",
    ),
    "backup": Entry(
        "backup",
        "backup",
        "Copy all tables into a new file, or into a folder of backups, while the server runs.",
        extra="server",
    ),
    "bench": Entry(
        "bench",
        "bench",
        "Measure the kernels: four seats, uniform play, whole games and step by step.",
    ),
    "dataset": Entry(
        "dataset",
        "dataset_group",
        "Let bots play many games, and write every decision into files for learners.",
        extra="data",
    ),
    "doctor": Entry(
        "doctor",
        "doctor",
        "Check the database, and replay every game in it; a server may run meanwhile.",
        extra="server",
    ),
    "exploit": Entry(
        "exploit",
        "exploit_group",
        "Train a best response to a bot that never changes, and say what it gains.",
        extra="train",
    ),
    "games": Entry("games", "list_games", "List the games and their options."),
    "ladder": Entry(
        "ladder", "ladder_group", "Let every bot play every other, and rate them.", extra="lab"
    ),
    "match": Entry(
        "match",
        "match_group",
        "Let bots play each other on changing seats, and say who is better and how sure that is.",
        extra="lab",
    ),
    "play": Entry(
        "play",
        "play",
        "Play on a page in your browser, with bots and with the people beside you.",
        extra="server",
    ),
    "replay": Entry(
        "replay",
        "replay_record",
        "Tell a recorded game in words, or draw it as a picture that moves.",
    ),
    "restore": Entry(
        "backup",
        "restore",
        "Put all tables of a backup where there are none yet, with no server running.",
        extra="server",
    ),
    "serve": Entry(
        "serve", "serve", "Let others play on this machine, over the network.", extra="server"
    ),
    "simulate": Entry("simulate", "simulate_group", "Let bots play many games, and sum them up."),
    "sit": Entry(
        "sit",
        "sit_down",
        "Let a bot play a seat at somebody's table, by the link to the seat or to the table.",
    ),
    "study": Entry(
        "study",
        "study_group",
        "Play a game many times and say what a designer asks; compare a changed rule with the "
        "printed.",
        extra="lab",
    ),
    "maintain": Entry(
        "maintain",
        "maintain",
        "Delete, end and thin what nobody needs any more; a server may run meanwhile.",
        extra="server",
    ),
    "train": Entry(
        "train",
        "train",
        "Let a network learn a game by playing against itself; Ctrl-C stops, and keeps it.",
        extra="train",
    ),
    "tui": Entry("terminal", "tui_group", "Play at this terminal against bots."),
    "verify": Entry(
        "verify",
        "verify_record",
        "Draw all of nature's moves in a record again; `-` reads it from stdin.",
        extra="server",
    ),
}
"""Every command, in alphabetical order."""

EXTRAS: Final[Mapping[str, str]] = {
    "PIL": "pictures",
    "cuda": "cuda",
    "matplotlib": "lab",
    "numba.cuda": "cuda",
    "psycopg": "postgresql",
    "pyarrow": "data",
    "ray": "ray",
    "resvg_py": "pictures",
    "torch": "train",
}
"""The packages that come with one extra only, whichever command imports them."""


_EXTRA: Final = f"{__name__}.extra"


class LazyCommands(click.Group):
    """Commands whose modules are imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if (entry := COMMANDS.get(cmd_name)) is None:
            return None
        ctx.meta[_EXTRA] = entry.extra
        found: Any = getattr(import_module(f"mauerwerk.cli.{entry.module}"), entry.name)
        assert isinstance(found, click.Command)
        return found

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - as click has it
        """Run a command. If a package is missing, say in one line what to install."""
        try:
            return super().invoke(ctx)
        except ModuleNotFoundError as fault:
            package = fault.name or ""
            if not package or package.partition(".")[0] == "mauerwerk":
                raise
            extra = EXTRAS.get(package) or EXTRAS.get(package.partition(".")[0])
            needed = f"pip install 'mauerwerk[{extra or ctx.meta[_EXTRA]}]'"
            raise click.UsageError(f"this needs {package}: {needed}") from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in the help, for which no command is imported."""
        del ctx
        room = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, click.Command(name, help=entry.about).get_short_help_str(room))
                    for name, entry in COMMANDS.items()
                ]
            )


@click.group(cls=LazyCommands, invoke_without_command=True)
@click.version_option(__version__, message="%(prog)s %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Three board games about building walls: to play, to study, to simulate.

    Without a command it opens the page, as `mauerwerk play` does.
    """
    if context.invoked_subcommand is None:
        play = commands.get_command(context, "play")
        assert play is not None
        context.invoke(play)


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
    except click.ClickException as fault:
        click.echo(f"mauerwerk: {' '.join(fault.format_message().split())}", err=True)
        return 2
    except OSError as fault:
        where = "" if fault.filename is None else f"{fault.filename}: "
        why = fault.strerror or " ".join(str(fault).split()) or type(fault).__name__
        click.echo(f"mauerwerk: {where}{why}", err=True)
        return 2
    except (errors.SetupError, record.RecordError) as fault:
        click.echo(f"mauerwerk: {fault}", err=True)
        return 2
