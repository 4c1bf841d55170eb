"""What commands have in common: numbers, JSON for programs, progress, texts, folders."""

from collections.abc import Callable
from math import inf, isfinite
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import msgspec
from rich.console import Console
from rich.progress import Progress, ProgressColumn

Command = TypeVar("Command", bound=Callable[..., None])
FOLDER: Final = "mauerwerk-data"
"""Where a server keeps its tables if nothing else is said."""
DATABASE: Final = "MAUERWERK_DATABASE"
"""The variable for a database address, which other people on the machine cannot read."""
ADMIN_TOKEN: Final = "MAUERWERK_ADMIN_TOKEN"  # noqa: S105 - the name of a variable
UNSOUND: Final = 1
"""The exit code where something that was checked is wrong."""
FILE: Final = click.Path(dir_okay=False, path_type=Path)
OLD_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
POSITIVE: Final = click.IntRange(min=1)
SEED: Final = click.option("--seed", type=int, help="Play the same games again.  [default: any]")
AS_JSON: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


def jobs_option(what: str) -> Callable[[Command], Command]:
    """`--jobs`: how many pieces of this work are done at once."""
    about = f"How many {what} at once.  [default: as many as there are cores]"
    return click.option("--jobs", type=POSITIVE, help=about)


class Number(click.FloatRange):
    """A finite number."""

    def convert(
        self,
        value: Any,
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """The number. Raises BadParameter for infinity and for what is not a number."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a finite number.", param, ctx)
        return number


def progress_bar(*columns: ProgressColumn) -> Progress:
    """A progress bar on stderr, if that is a terminal; it estimates by everything done so far."""
    console = Console(stderr=True)
    return Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        speed_estimate_period=inf,
    )


def print_json(value: Any) -> None:
    """The answer, for a program."""
    click.echo(msgspec.json.format(msgspec.json.encode(value)).decode())


def text_of(content: bytes, name: str) -> str:
    """The text of a file. Raises UsageError, with its name, if it is not UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise click.UsageError(f"{name} is not a text in UTF-8") from None


def check_folder(path: Path | None, what: str = "") -> None:
    """Refuse a file in a folder that does not exist, before anything is begun."""
    if path is not None and not path.parent.is_dir():
        raise click.UsageError(f"there is no folder {path.parent}{what and f' for {what}'}")


RECORDS: Final = click.option(
    "--records",
    metavar="PATH",
    help="Save the games: each as a file in this folder, or all in one .txt or .txt.gz.",
)


def is_one_file(records: str | None) -> bool:
    """Whether all records go into one file, as its name says, and not each into a folder."""
    return records is not None and ".txt" in Path(records).suffixes[-2:]


def new_records(records: str | None) -> Path | None:
    """Where records go: a new folder, or a new file if it is named like one."""
    if records is None or not is_one_file(records):
        return new_folder(records)
    path = Path(records)
    if path.exists() or not path.parent.is_dir():
        why = "exists already" if path.exists() else "is in a folder that does not exist"
        raise click.UsageError(f"{records} {why}; records go into a new file")
    return path


def new_folder(path: str | None) -> Path | None:
    """A folder for records, empty, so that nothing is written over; none where none is named."""
    if path is None:
        return None
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise click.UsageError(f"{path} is not empty; records go into a folder of their own")
    return folder
