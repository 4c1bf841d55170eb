"""What commands have in common: numbers, JSON for programs, progress, texts, folders."""

from math import inf, isfinite
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import Progress, ProgressColumn

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


class Number(click.FloatRange):
    """A number to count with, neither endless nor none at all."""

    def convert(
        self,
        value: Any,  # noqa: ANN401 - as click has it
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> float:
        """The number. Whatever is none is refused."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a number to count with.", param, ctx)
        return number


def progress_bar(*columns: ProgressColumn) -> Progress:
    """How far something is, and how long it still takes, where somebody can see it.

    All that was done so far says how fast it goes: games may take longer than a minute each.
    """
    console = Console(stderr=True)
    return Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        speed_estimate_period=inf,
    )


def print_json(value: Any) -> None:  # noqa: ANN401 - whatever a command answers
    """The answer, for a program."""
    click.echo(msgspec.json.format(msgspec.json.encode(value)).decode())


def text_of(content: bytes, name: str) -> str:
    """What a file says; the name is for who gave a file that is no text."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise click.UsageError(f"{name} is not a text in UTF-8") from None


def new_folder(path: str | None) -> Path | None:
    """A folder for records, empty, so that nothing is written over; none where none is named."""
    if path is None:
        return None
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise click.UsageError(f"{path} is not empty; records go into a folder of their own")
    return folder
