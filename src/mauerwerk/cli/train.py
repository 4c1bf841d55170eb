"""`mauerwerk train` and `mauerwerk exploit`: networks that learn a game."""

import signal
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import click

from mauerwerk.bots import spec
from mauerwerk.cli.common import AS_JSON, FILE, OLD_FILE, POSITIVE, Number, check_folder, print_json
from mauerwerk.cli.contests import STOPPED, cores, interval
from mauerwerk.cli.per_game import any_seed, game_command
from mauerwerk.cli.solve import MINIATURE, NODES
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language import counted
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.lab.exploit import Contest, Gains, measure, rounds_of
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.workers import processes
from mauerwerk.learn.rooms import room_of

AT_ONCE: Final = {"cpu": 128, "cuda": 8192}
"""Games at once for each setup, by device."""
FEWEST: Final = 8
MINIBATCHES: Final = {"cpu": 4, "cuda": 8}


@click.command("train")
@click.argument("name", metavar="GAME")
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu")
@click.option(
    "--minutes",
    type=Number(min=0),
    default=25.0,
    help="How long it plays against itself; 0: it only imitates its teacher.",
)
@click.option(
    "--save",
    "path",
    type=FILE,
    required=True,
    help="The file of the network; beside it, curves (.svg, .curve.json) and what is needed to "
    "resume (.checkpoint).",
)
@click.option("--resume", is_flag=True, help="Resume the training that was saved there.")
@click.option(
    "--start",
    type=OLD_FILE,
    help="Begin with the network in this file.  [default: one that knows nothing]",
)
@click.option("--seats", help="A number, or two like 2-4.  [default: all that the game has]")
@click.option(
    "--set",
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
    "--demonstrations",
    type=POSITIVE,
    default=200,
    help="Games of each setup that the teacher plays.",
)
@click.option(
    "--rival",
    "rivals",
    type=OLD_FILE,
    multiple=True,
    metavar="FILE",
    help="A network that it also plays against. Can be repeated.",
)
@click.option(
    "--contested",
    type=Number(min=0, max=1),
    help="The share of games in which it has one seat among rivals, past versions of itself and "
    "others.  [default: 0; with a teacher 0.5, with rivals 0.75]",
)
@click.option(
    "--greedy",
    type=Number(min=0, max=1),
    default=0.0,
    help="The share of games in which it has one seat among greedy bots, where the kernel of the "
    "game has their rules of thumb.",
)
@click.option(
    "--magnet",
    type=Number(min=0),
    default=0.0,
    help="How strongly the policy is held near the average of its past.",
)
@click.option(
    "--exploiters",
    type=Number(min=0, max=0.9),
    default=0.0,
    help="The share of the time in which exploiters learn, which then become rivals.",
)
@click.option(
    "--opponent",
    "opponents",
    multiple=True,
    metavar="BOT",
    help="Measure the wins against this bot meanwhile, such as greedy or net; more than once for "
    "several.",
)
@click.option("--remember", is_flag=True, help="Also observe what a perfect memory would know.")
@click.option(
    "--games",
    metavar="NUMBER[,NUMBER…]",
    help="How many at once: for each setup, or one number for each.  [default: 128 on a CPU, 8192 "
    "on a GPU]",
)
@click.option(
    "--steps", type=click.IntRange(min=4), default=32, help="Steps of each game in a rollout."
)
@click.option("--learning-rate", type=Number(min=1e-6, max=1), default=1e-3)
@click.option("--jobs", type=POSITIVE, help="Cores to use.  [default: all]")
@click.option("--seed", type=int, default=1)
@click.option(
    "--tune",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Any other number of the configuration, such as gae_lambda=0.95, widths=512,256 or "
    "chain=seat.",
)
def train(
    name: str,
    *,
    device: Literal["cpu", "cuda"],
    path: Path,
    resume: bool,
    seats: str | None,
    words: Sequence[str],
    games: str | None,
    jobs: int | None,
    settings: Sequence[str],
    contested: float | None,
    **more: Any,
) -> None:
    """Let a network learn a game by playing against itself; Ctrl-C stops, and keeps it.

    Example: mauerwerk train mauer --device cuda --minutes 25 --save net.safetensors
    """
    if name not in GAMES:
        raise click.UsageError(f"{name!r} is no game here; there are {', '.join(GAMES)}")
    check_folder(path)
    if not more["minutes"] and not more["teacher"]:
        raise click.UsageError("without minutes and without a teacher there is nothing to learn")
    if more["start"] and resume:
        raise click.UsageError("a training that is resumed has begun already, so take --start out")
    from mauerwerk.learn import training  # noqa: PLC0415 - needs PyTorch
    from mauerwerk.learn.config import Config  # noqa: PLC0415 - needs NumPy

    if contested is None:
        contested = 0.75 if more["rivals"] else 0.5 if more["teacher"] else 0.0
    chosen: dict[str, Any] = {"minibatches": MINIBATCHES[device], "contested": contested, **more}
    setups = _setups(GAMES[name], seats, words)
    config = Config(
        game=GAMES[name],
        setups=setups,
        device=device,
        games=AT_ONCE[device] if games is None else _games(games, len(setups)),
        threads=jobs or cores(),
        evaluation_jobs=max((jobs or cores()) - 1, 1),
        **(chosen | _settings({each.name: each.default for each in fields(Config)}, settings)),
    )
    with interrupts() as stopped:
        training.train(config, path, stopped, click.echo, resume=resume)
        if stopped():
            raise click.exceptions.Exit(STOPPED)


def _games(word: str, setups: int) -> int | list[int]:
    numbers: list[int] = [_number(int, "games", part) for part in word.split(",")]
    if min(numbers) < FEWEST:
        raise click.UsageError(f"at least {FEWEST} games are played at once")
    if len(numbers) == 1:
        return numbers[0]
    if len(numbers) != setups:
        raise click.UsageError(f"there are {setups} setups and {len(numbers)} numbers of games")
    return numbers


def _settings(known: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """Values of the configuration that are given by name: numbers, several numbers, or words."""
    found: dict[str, Any] = {}
    for each in words:
        name, _, word = each.partition("=")
        default = known.get(name)
        if name == "entropy" or isinstance(default, tuple):
            kind: Any = float if name == "entropy" else int
            found[name] = tuple(_number(kind, name, part) for part in word.split(","))
        elif isinstance(default, int | float) or name == "decisions":
            found[name] = _number(float if isinstance(default, float) else int, name, word)
        elif name == "chain" and word in ("game", "seat"):
            found[name] = word
        else:
            raise click.UsageError(f"{each!r} is nothing that can be set")
    return found


def _number(kind: Callable[[str], Any], name: str, word: str) -> Any:
    try:
        return kind(word)
    except ValueError:
        raise click.UsageError(f"{word!r} is no value for {name}") from None


def _setups(game: AnyGame, seats: str | None, words: Sequence[str]) -> list[Setup[Any]]:
    """All setups that the network learns: each number of seats with each choice of options."""
    given = {option: word for option, _, word in (each.partition("=") for each in words)}
    setups = [
        Setup(number, from_words(game.OPTIONS, dict(chosen)))
        for chosen in ([given] if given else room_of(game).OPTIONS)
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


# --- exploit -----------------------------------------------------------------------------------

METHODS: Final = ("network", "exact")


@game_command()
@click.option("--bot", required=True, help="The player to exploit, like greedy, net or net:FILE.")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    help="Let a network learn it (extra `train`), or compute it exactly, for small games.  "
    "[default: network, of a miniature exact]",
)
@MINIATURE
@NODES
@click.option("--minutes", type=Number(min=0.001), default=10.0)
@click.option(
    "--games",
    type=click.IntRange(min=2),
    default=1000,
    help="How many games measure the gain; as many are played without the exploiter.",
)
@click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu")
@click.option(
    "--save", "path", type=FILE, help="Keep the network that exploits the bot in this file."
)
@click.option(
    "--demonstrations",
    type=POSITIVE,
    default=200,
    help="Games in which the network first imitates a bot that is not a network.",
)
@click.option("--jobs", type=POSITIVE, help="Cores to use.  [default: all]")
@click.option("--seed", type=int, help="Play the same games again.  [default: any]")
@AS_JSON
def exploit(
    game: AnyGame,
    setup: Setup[Any],
    bot: str,
    *,
    method: str | None,
    miniature: bool,
    games: int,
    jobs: int | None,
    seed: int | None,
    as_json: bool,
    path: Path | None,
    **more: Any,
) -> None:
    """Train a best response to a bot that never changes, and say what it gains.

    Ctrl-C ends the training; then what was learnt so far is measured.

    Example: mauerwerk exploit GAME --bot greedy --miniature
    """
    exact = miniature if method is None else method == "exact"
    if exact:
        for flag, given in (("--save", path), ("--device cuda", more["device"] == "cuda")):
            if given:
                raise click.UsageError(f"{flag} is for a network, and --method exact has none")
    if miniature:
        from mauerwerk.lab.solve.tree import miniature_of  # noqa: PLC0415 - needs NumPy

        setup = miniature_of(game)
    if not game.must_end(setup):
        raise SetupError(f"{game.NAME} with these options need not end, so it cannot be played out")
    spec.check([bot], game, setup)
    check_folder(path)
    if exact:
        _exact(game, setup, bot, more["nodes"], as_json=as_json)
        return
    contest = Contest(game.NAME, setup, bot, any_seed(seed))
    say = _silent if as_json else click.echo
    from mauerwerk.learn import best_response  # noqa: PLC0415 - needs PyTorch

    chosen = {name: more[name] for name in ("device", "minutes", "demonstrations")}
    config = best_response.config_for(contest, threads=jobs or cores(), **chosen)
    with ExitStack() as stack:
        with interrupts() as stopped:
            file = path or Path(stack.enter_context(TemporaryDirectory())) / "net.safetensors"
            answer = best_response.exploiter(contest, config, file, stopped, say)
            gains = answer.gains(contest, games)
        # Other games than those that the exploiter learnt from.
        others = contest._replace(seed=contest.seed + 1)
        workers = stack.enter_context(processes(jobs or cores()))
        gains = gains or measure(others, answer.bot, games, workers)
    if as_json:
        print_json(gains)
    else:
        _print(contest, gains)


def _exact(game: AnyGame, setup: Setup[Any], bot: str, nodes: int, *, as_json: bool) -> None:
    """What a best response gains, on the whole tree of a small game."""
    from mauerwerk.lab.solve.cfr import exploitability  # noqa: PLC0415 - needs NumPy
    from mauerwerk.lab.solve.tree import policy_of, tree_of  # noqa: PLC0415

    tree = tree_of(game, setup, nodes)
    found = exploitability(tree, policy_of(tree, game, setup, bot))
    if as_json:
        print_json(
            {
                "positions": tree.nodes,
                "values": found.values,
                "responses": found.responses,
                "nash_conv": found.nash_conv,
                "exploitability": found.mean,
            }
        )
        return
    click.echo(f"exactly, on all {counted(tree.nodes, 'position')}: a best response to {bot}")
    for seat, (value, response) in enumerate(zip(found.values, found.responses, strict=True), 1):
        click.echo(f"  on seat {seat} has {response:+.6f}, where {bot} has {value:+.6f}")
    click.echo(f"  gains {found.mean:.6f} a seat on average (NashConv {found.nash_conv:.6f})")


def _silent(_line: str) -> None:
    """Programs read the answer alone."""


def _print(contest: Contest, gains: Gains) -> None:
    bot, wins, places = contest.frozen, gains.wins, gains.places
    click.echo(f"a best response to {bot}, alone among {contest.setup.seats - 1} of them:")
    click.echo(
        f"  wins {_with_interval(wins, '.1%')} of {counted(gains.games, 'game')}, "
        f"where {bot} has {gains.fair:.1%}: gains {wins.mean - gains.fair:+.1%}"
    )
    click.echo(
        "  share of the others that it beats, less the share that beat it: "
        f"{_with_interval(places, '+.3f')}, where {bot} has 0"
    )
    unit = "points a round" if rounds_of(contest.setup) > 1 else "points"
    click.echo(
        f"  {unit}: {gains.points.mean:.2f}, where {bot} has {gains.frozen_points.mean:.2f}: "
        f"gains {_with_interval(gains.more, '+.2f')}"
    )


def _with_interval(estimate: Estimate, form: str) -> str:
    reach = interval(estimate, form)
    return f"{estimate.mean:{form}} ({reach})" if reach else f"{estimate.mean:{form}}"
