"""The command `mauerwerk`.

Bad input gets one line on stderr, exit code 2, and changes nothing.
"""

from collections.abc import Sequence

import click

from mauerwerk.cli.admin_guests import admin_group
from mauerwerk.cli.analyse import analyse_record
from mauerwerk.cli.backup import backup, restore
from mauerwerk.cli.bench import bench
from mauerwerk.cli.doctor import doctor
from mauerwerk.cli.games import list_games
from mauerwerk.cli.ladder import ladder_group
from mauerwerk.cli.match import match_group
from mauerwerk.cli.play import play
from mauerwerk.cli.replay import replay_record
from mauerwerk.cli.serve import serve
from mauerwerk.cli.simulate import simulate_group
from mauerwerk.cli.study import study_group
from mauerwerk.cli.terminal import tui_group
from mauerwerk.cli.tidy import tidy
from mauerwerk.cli.train import train
from mauerwerk.cli.verify import verify_record
from mauerwerk.core import record
from mauerwerk.core.errors import SetupError


@click.group(invoke_without_command=True)
@click.version_option(package_name="mauerwerk")
@click.pass_context
def commands(context: click.Context) -> None:
    """Three board games about building walls: to play, to study, to simulate.

    Without a command it opens the page, as `mauerwerk play` does.
    """
    if context.invoked_subcommand is None:
        context.invoke(play)


for command in (
    admin_group,
    analyse_record,
    backup,
    bench,
    doctor,
    ladder_group,
    list_games,
    match_group,
    play,
    replay_record,
    restore,
    serve,
    simulate_group,
    study_group,
    tidy,
    train,
    tui_group,
    verify_record,
):
    commands.add_command(command)


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
    except (SetupError, record.RecordError) as fault:
        click.echo(f"mauerwerk: {fault}", err=True)
        return 2
