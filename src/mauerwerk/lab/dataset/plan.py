"""What a dataset holds, and how its games are divided among files."""

from typing import Any, Final

from msgspec.structs import replace

from mauerwerk.bots import spec
from mauerwerk.core import options
from mauerwerk.core.game import AnyGame, Setup, Value
from mauerwerk.games import GAMES
from mauerwerk.kernels import kernel_of
from mauerwerk.kernels.play.batch import run
from mauerwerk.lab.match.match import check_end

VERSION: Final = 1
"""The version of the format; a reader refuses others."""

ROWS: Final = 250_000
"""About how many decisions a file has where compiled code plays."""
FEW_ROWS: Final = 25_000
"""The same where bots play by the rules, which takes a thousand times as long."""
FEW_GAMES: Final = 10
"""How many games a file has if somebody searches: little is lost when it is stopped."""


class Plan(Value):
    """What determines a dataset, unless a bot watches the clock."""

    version: int
    game: str
    rules: int
    seats: int
    options: dict[str, str]
    """As words."""
    bots: tuple[str, ...]
    """One per seat."""
    seed: int
    games: int
    games_per_file: int
    remember: bool
    """Whether observations hold what a perfect memory knows."""
    simulations: int
    """How many simulations a search makes of each position; 0: none."""

    @property
    def setup(self) -> Setup[Any]:
        """What a table agrees on."""
        return Setup(self.seats, options.from_words(GAMES[self.game].OPTIONS, self.options))

    @property
    def compiled(self) -> bool:
        """Whether compiled code plays the games: where all choose by chance, and none searches."""
        return set(self.bots) == {spec.UNIFORM} and not self.simulations

    @property
    def files(self) -> int:
        """How many files it has."""
        return -(-self.games // self.games_per_file)

    def numbers(self, file: int) -> range:
        """The numbers of the games in a file."""
        first = file * self.games_per_file
        return range(first, min(first + self.games_per_file, self.games))


def plan_of(  # noqa: PLR0913 - as many as a dataset has properties
    game: AnyGame,
    setup: Setup[Any],
    bots: tuple[str, ...],
    seed: int,
    games: int,
    *,
    remember: bool = False,
    simulations: int = 0,
) -> Plan:
    """The plan of a dataset. Raises SetupError where no kernel plays such games, or no such bot."""
    kernel_of(game.NAME, remember=remember)
    check_end(game, setup)
    spec.check(bots, game, setup)
    plan = Plan(
        version=VERSION,
        game=game.NAME,
        rules=game.RULES,
        seats=setup.seats,
        options=options.to_words(setup.options),
        bots=bots,
        seed=seed,
        games=games,
        games_per_file=1,
        remember=remember,
        simulations=simulations,
    )
    length = float(run(game, setup, 20, seed=0, threads=1).decisions.mean())
    rows = ROWS if plan.compiled else FEW_ROWS
    size = max(1, int(rows / length))
    if simulations or any(spec.read(word).name in spec.SEARCHING for word in bots):
        size = FEW_GAMES
    return replace(plan, games_per_file=min(size, games))
