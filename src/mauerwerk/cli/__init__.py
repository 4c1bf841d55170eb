"""The command `mauerwerk`.

Bad input gets one line on stderr, exit code 2, and changes nothing. A command is imported when it
is asked for, and what it needs of optional packages when it is run, so that help comes at once.
"""

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

import click

from mauerwerk import __version__
from mauerwerk.core import errors, record


class Entry(NamedTuple):
    """The module of a command, what to install for it, and the first sentence of its help."""

    module: str
    extra: str
    about: str


_MODULES: Final[Mapping[tuple[str, str], Mapping[str, str]]] = {
    ("admin_options", "server"): {
        "admin": "Manage a server: tables, guests, networks, reports, the secret.",
    },
    ("analyse", "kernels"): {
        "analyse": "Say how a recorded game went: chances to win all along, mistakes, luck.",
    },
    ("check", "kernels"): {
        "check": "Check that a game keeps all laws, and say who is told what.",
        "new-game": "Make a package with a small game that plays, with tests and notes where to go "
        "on.",
    },
    ("dataset", "data"): {
        "dataset": "Let bots play many games, and write every decision into files for learners.",
    },
    ("match", "kernels"): {
        "ladder": "Let every bot play every other, and rate them.",
        "match": "Let bots play each other on changing seats, and say who is better and how sure "
        "that is.",
    },
    ("per_game", "kernels"): {"games": "List the games and their options."},
    ("replay", "kernels"): {
        "replay": "Tell a recorded game in words, or draw it as a picture that moves.",
    },
    ("server_options", "server"): {
        "backup": "Copy all tables into a new file, or into a folder of backups, while the server "
        "runs.",
        "doctor": "Check the database, and replay every game in it; a server may run meanwhile.",
        "maintain": "Delete, end and thin what nobody needs any more; a server may run meanwhile.",
        "play": "Play on a page in your browser, with bots and with the people beside you.",
        "restore": "Put all tables of a backup where there are none yet, with no server running.",
        "serve": "Let others play on this machine, over the network.",
    },
    ("simulate", "kernels"): {"simulate": "Let bots play many games, and sum them up."},
    ("sit", "kernels"): {
        "mcp": "Let a language model play a seat, by the link to the seat or to the table.",
        "sit": "Let a bot play a seat at somebody's table, by the link to the seat or to the "
        "table.",
    },
    ("benchmark", "kernels"): {
        "benchmark": "Play a bot against three frozen opponents, and compute how exploitable it is "
        "in a miniature.",
    },
    ("solve", "kernels"): {
        "solve": "Solve a game that is small enough, by CFR+, and say exactly how exploitable the "
        "result is.",
    },
    ("study", "kernels"): {
        "study": "Play a game many times and say what a designer asks; compare a changed rule.",
    },
    ("train", "train"): {
        "exploit": "Train a best response to a bot that never changes, and say what it gains.",
        "train": "Let a network learn a game by playing against itself; Ctrl-C stops, and keeps "
        "it.",
    },
    ("tui", "kernels"): {"tui": "Play at this terminal against bots."},
    ("verify", "server"): {
        "verify": "Draw all of nature's moves in a record again; `-` reads it from stdin.",
    },
}
"""For each module and its extra, the commands that it has under their names."""

COMMANDS: Final[Mapping[str, Entry]] = {
    name: Entry(module, extra, about)
    for (module, extra), commands in _MODULES.items()
    for name, about in commands.items()
}

EXTRAS: Final[Mapping[str, str]] = {
    "PIL": "pictures",
    "cuda": "cuda",
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
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if (entry := COMMANDS.get(cmd_name)) is None:
            return None
        ctx.meta[_EXTRA] = entry.extra
        found: Any = getattr(
            import_module(f"mauerwerk.cli.{entry.module}"), cmd_name.replace("-", "_")
        )
        assert isinstance(found, click.Command)
        return found

    def invoke(self, ctx: click.Context) -> Any:
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
        room = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, click.Command(name, help=COMMANDS[name].about).get_short_help_str(room))
                    for name in self.list_commands(ctx)
                ]
            )


@click.group(cls=LazyCommands, invoke_without_command=True, context_settings={"show_default": True})
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
    reconfigure: Any = getattr(sys.stdout, "reconfigure", None)
    if reconfigure:  # only a real output may lack letters
        reconfigure(errors="replace")
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
