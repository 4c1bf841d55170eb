"""What `match` and `ladder` have in common: workers, files of results, progress, tables."""

import os
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from msgspec.structs import replace
from rich.console import Console
from rich.progress import ProgressColumn
from rich.table import Table

from mauerwerk.bots import spec
from mauerwerk.cli import common, per_game
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language import counted
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.jsonl import Content
from mauerwerk.lab.match import times
from mauerwerk.lab.match.contest import RESULTS, Contest, Result, contest
from mauerwerk.lab.match.spending import Spending
from mauerwerk.lab.match.standings import Rotation, Standings
from mauerwerk.lab.workers import WorkError, Workers, processes

ADDRESS = "MAUERWERK_LLM_URL"
KEY = "MAUERWERK_LLM_KEY"
"""Where the address and the key of language models are, for `adapters.language_model`."""
STOPPED = 130
"""The exit code after Ctrl-C."""
FAILED = 1
"""The exit code where games cannot be played, through no fault of the user."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


T = TypeVar("T")


def worker_options(command: common.Command) -> common.Command:
    """`--jobs` and `--ray`: the workers, for `workers_of`."""
    ray = click.option(
        "--ray",
        metavar="ADDRESS",
        help="Play on a Ray cluster: auto, HOST:PORT, ray://HOST:PORT, or local to start one here.",
    )
    return common.jobs_option("games are played")(ray(command))


@contextmanager
def workers_of(jobs: int | None, ray: str | None) -> Generator[Workers, None, None]:
    """This many processes (default: as many as cores), or a cluster, which is tried out at once."""
    if ray is None:
        with processes(jobs or cores()) as workers:
            yield workers
    else:
        from mauerwerk.lab.cluster import cluster  # noqa: PLC0415 - needs Ray

        with cluster(ray, jobs) as workers:
            yield workers


def open_contest(
    game: AnyGame, setup: Setup[Any], bots: Sequence[str], seed: int | None, path: Path | None
) -> tuple[Contest, Content[Contest, Result]]:
    """The contest, and what a file already holds of it; without a seed, that of the file is used.

    Whatever can be refused is refused here, before anything is written.
    """
    common.check_folder(path, "results")
    content = Content[Contest, Result]() if path is None else RESULTS.read(path)
    if seed is None and content.head is not None:
        seed = content.head.seed
    this = contest(game.NAME, setup, per_game.any_seed(seed))
    if path is not None:
        RESULTS.check(path, content, this)
    spec.check(bots, game, setup)
    say_remarks(bots, game)
    return this, content


def take_all(
    done: Generator[T, None, None],
    keep: Callable[[T], object],
    *columns: ProgressColumn,
    title: str,
    games: int,
    played: int = 0,
    size: Callable[[T], int] = lambda _each: 1,
) -> bool:
    """Keep all that workers do, and show progress in games (`size`); False if it was stopped."""
    try:
        with common.progress_bar(*columns) as progress, closing(done):
            task = progress.add_task(title, total=games, completed=played)
            for each in done:
                keep(each)
                progress.advance(task, size(each))
    except KeyboardInterrupt:
        return False
    except WorkError as fault:
        click.echo(f"mauerwerk: {fault}", err=True)
        raise click.exceptions.Exit(FAILED) from None
    return True


def label_bots(rotations: Iterable[Rotation], game: AnyGame, setup: Setup[Any]) -> list[Rotation]:
    """The same games; bots that could not think as they should are called so."""
    called = cache(partial(spec.label, game=game, setup=setup))
    return [
        tuple(replace(each, bots=tuple(map(called, each.bots))) for each in rotation)
        for rotation in rotations
    ]


def say_remarks(bots: Iterable[str], game: AnyGame) -> None:
    """Tell the user in one line if a chosen bot lacks what it needs for this game."""
    for remark in spec.remarks(bots, game):
        click.echo(f"mauerwerk: {remark}", err=True)


# --- What is printed -------------------------------------------------------------------------


def start_table(title: str, *headings: str) -> Table:
    """A table whose first column is a name; its title, which may be wider, is printed at once."""
    click.echo(title)
    table = Table()
    for heading in headings:
        table.add_column(heading, justify="left" if heading == headings[0] else "right")
    return table


def interval(estimate: Estimate, form: str) -> str:
    """Both ends of the interval."""
    low, high = estimate.low, estimate.high
    return "" if low is None or high is None else f"{low:{form}} to {high:{form}}"


def plus_minus(estimate: Estimate, form: str) -> str:
    """How far the interval reaches to either side."""
    return "" if estimate.high is None else f"{estimate.high - estimate.mean:{form}}"


def forfeits(rotations: Iterable[Rotation]) -> dict[str, int]:
    """How many games each bot of other people has lost because it failed."""
    failed = (game.bots[seat] for games in rotations for game in games for seat in game.forfeits)
    return dict(Counter(failed))


class FaultWatch:
    """Watches for a bot that always fails, so that no match goes on with it for hours."""

    ENOUGH: Final = 10
    """So many games, all of them lost by a fault, say that it never works."""

    def __init__(self) -> None:
        self._played = Counter[str]()
        self._failed = Counter[str]()

    def see(self, result: Result) -> None:
        """Count a game. Raises ClickException when a bot has failed in all of its first games."""
        for seat, bot in enumerate(result.bots):
            self._played[bot] += 1
            self._failed[bot] += seat in result.forfeits
        self._refuse(self.ENOUGH)

    def finish(self) -> None:
        """Raises ClickException if a bot has failed in all of its games, however few."""
        self._refuse(1)

    def _refuse(self, least: int) -> None:
        for bot, failed in self._failed.items():
            if failed == self._played[bot] >= least:
                games = counted(failed, "game")
                raise click.ClickException(f"the bot {bot} always fails: it lost {games} like this")


def print_forfeits(lost: Mapping[str, int]) -> None:
    """The bots that lost games because they failed."""
    for bot, games in lost.items():
        click.echo(f"{bot} failed, and lost for that: {counted(games, 'game')}")


def model_options(command: common.Command) -> common.Command:
    """`--llm-url` and `--price`, for language models among the bots."""
    address = click.option(
        "--llm-url",
        metavar="URL",
        envvar=ADDRESS,
        show_envvar=True,
        expose_value=False,
        callback=_put_address,
        help="Where language models (llm:MODEL) are asked, like http://127.0.0.1:11434/v1. The key "
        f"is in {KEY}.",
    )
    price = click.option(
        "--price",
        "prices",
        metavar="MODEL=IN/OUT",
        multiple=True,
        help="What a million tokens of a model cost, for the prompt and for the answer.",
    )
    return address(price(command))


def _put_address(_context: click.Context, _parameter: click.Parameter, given: str | None) -> None:
    """Put it where the processes that ask a model look for it."""
    if given:
        os.environ[ADDRESS] = given


def print_spending(spent: Sequence[Spending]) -> None:
    """What language models have cost, and their illegal moves."""
    if not spent:
        return
    heads = ("bot", "tokens in", "out", "cost", "time", "retries", "unreadable", "illegal")
    table = start_table("Language models, per game, and in all games:", *heads)
    for each in spent:
        table.add_row(
            each.bot,
            f"{each.per_game(each.prompt_tokens):.0f}",
            f"{each.per_game(each.completion_tokens):.0f}",
            "" if each.cost is None else f"{each.per_game(each.cost):.4f}",
            length(each.per_game(each.seconds)),
            *(str(number) for number in (each.retries, each.unreadable, each.illegal)),
        )
    Console().print(table)
    for each in spent:
        if each.clauses:
            by = (f"{clause or 'no move'} {number}" for clause, number in each.clauses.items())
            click.echo(f"illegal moves of {each.bot}: {', '.join(by)}")


def print_thinking(standings: Standings) -> None:
    """How long each bot thought."""
    table = start_table("Thinking:", "bot", "decisions", "median", "99 %", "longest", "late")
    for each in standings.bots:
        of = each.thinking
        lengths = (length(seconds) for seconds in (of.median, of.percentile_99, of.longest))
        table.add_row(each.bot, str(of.decisions), *lengths, str(of.late))
    Console().print(table)
    click.echo(f"late: more than {length(times.GRACE)} after their time")


def length(seconds: float) -> str:
    """A time in a suitable unit.

    >>> length(0.2), length(0.0123), length(0.000012)
    ('200 ms', '12.3 ms', '12 µs')
    """
    for size, unit in ((1, "s"), (1e-3, "ms")):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.0f} µs"
