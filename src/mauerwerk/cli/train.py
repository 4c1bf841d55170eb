"""`mauerwerk train`: a network learns a game by playing against itself."""

import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import click

from mauerwerk.cli.common import Number
from mauerwerk.cli.contests import STOPPED, cores
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.kernels.compiler import Device
from mauerwerk.learn.plan import Plan
from mauerwerk.learn.rooms import room_of

AT_ONCE: Final = {"cpu": 128, "cuda": 8192}
"""Games at once for each setup, by device."""


@click.command("train")
@click.argument("name", metavar="GAME")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True)
@click.option(
    "--minutes",
    type=Number(min=0),
    default=25.0,
    show_default=True,
    help="How long it plays against itself; 0: it only imitates its teacher.",
)
@click.option(
    "--save",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The file of the network; beside it, curves (.svg) and what is needed to resume "
    "(.training).",
)
@click.option("--resume", is_flag=True, help="Resume the training that was saved there.")
@click.option(
    "--start",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Begin with the network in this file.  [default: one that knows nothing]",
)
@click.option("--seats", help="A number, or two like 2-4.  [default: all that the game has]")
@click.option(
    "--option",
    "words",
    multiple=True,
    metavar="NAME=WORD",
    help="An option of the game.  [default: those that one network learns together]",
)
@click.option(
    "--teacher",
    metavar="BOT",
    help="Imitate this bot at first, such as greedy or guided:simulations=800.",
)
@click.option(
    "--lessons",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Games of each setup that the teacher plays.",
)
@click.option(
    "--rival",
    "rivals",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A network that it also plays against. Can be repeated.",
)
@click.option("--remember", is_flag=True, help="Also observe what a perfect memory would know.")
@click.option("--games", type=click.IntRange(min=8), help="How many at once, for each setup.")
@click.option(
    "--steps",
    type=click.IntRange(min=4),
    default=32,
    show_default=True,
    help="Steps of each game between two updates.",
)
@click.option("--rate", type=Number(min=1e-6, max=1), default=1e-3, show_default=True)
@click.option("--threads", type=click.IntRange(min=1), help="Cores to use.  [default: all]")
@click.option("--seed", type=int, default=1, show_default=True)
def train(
    name: str,
    *,
    device: Device,
    path: Path,
    resume: bool,
    seats: str | None,
    words: Sequence[str],
    games: int | None,
    threads: int | None,
    **more: Any,  # noqa: ANN401 - as Click parsed them
) -> None:
    """Let a network learn a game by playing against itself; Ctrl-C stops, and keeps it.

    Example: mauerwerk train mauer --device cuda --minutes 25 --save net.safetensors
    """
    if name not in GAMES:
        raise click.UsageError(f"{name!r} is no game here; there are {', '.join(GAMES)}")
    if not path.parent.is_dir():
        raise click.UsageError(f"there is no folder {path.parent}")
    if not more["minutes"] and not more["teacher"]:
        raise click.UsageError("without minutes and without a teacher there is nothing to learn")
    if more["start"] and resume:
        raise click.UsageError("a training that is resumed has begun already, so take --start out")
    from mauerwerk.learn import course  # noqa: PLC0415 - needs PyTorch

    plan = Plan(
        game=GAMES[name],
        setups=_setups(GAMES[name], seats, words),
        device=device,
        games=games or AT_ONCE[device],
        threads=threads or cores(),
        **more,
    )
    with interrupts() as stopped:
        course.train(plan, path, stopped, click.echo, resume=resume)
        if stopped():
            raise click.exceptions.Exit(STOPPED)


def _setups(game: AnyGame, seats: str | None, words: Sequence[str]) -> list[Setup[Any]]:
    """All setups that the network learns: each number of seats with each choice of options."""
    given = {option: word for option, _, word in (each.partition("=") for each in words)}
    room = room_of(game)
    setups = [
        Setup(number, from_words(game.OPTIONS, dict(chosen)))
        for chosen in ([given] if given else room.OPTIONS)
        for number in _numbers(seats, game.SEATS)
    ]
    for setup in setups:
        game.start(setup)
    return setups


def _numbers(word: str | None, possible: range) -> range:
    if word is None:
        return possible
    try:
        ends = [int(part) for part in word.split("-", maxsplit=1)]
    except ValueError:
        raise click.UsageError(f"seats are a number, or two like 2-4, not {word!r}") from None
    if ends[0] > ends[-1]:
        raise click.UsageError(f"there are no numbers of seats in {word!r}")
    return range(ends[0], ends[-1] + 1)


@contextmanager
def interrupts() -> Generator[Callable[[], bool], None, None]:
    """A function that says whether somebody wants to stop; a second signal stops at once."""
    wanted: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def stop(number: int, _frame: object) -> None:
        wanted.append(number)
        restore()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    for number in before:
        signal.signal(number, stop)
    try:
        yield lambda: bool(wanted)
    finally:
        restore()
