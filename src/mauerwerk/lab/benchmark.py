"""The benchmark: how a bot does against frozen opponents, and how exploitable it is in a miniature.

A row is made of one bot in one game. Against each of three opponents it has one seat, the opponent
has all others, and seats rotate; a share of the win above a fair one means that it is stronger. In
the game's miniature its exploitability is computed exactly, for bots that say how likely they do
what. `docs/benchmark.md` has the rows of our bots, and says what a row is comparable with.
"""

from hashlib import blake2b
from typing import Any, Final

from mauerwerk.bots import spec
from mauerwerk.bots.networks import shipped
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Setup, Value
from mauerwerk.games import GAMES
from mauerwerk.lab import exploit
from mauerwerk.lab.intervals import Estimate, share_of
from mauerwerk.lab.solve.cfr import exploitability
from mauerwerk.lab.solve.tree import miniature_of, policy_of, tree_of
from mauerwerk.lab.study.study import compiled_players, table_of
from mauerwerk.lab.study.tally import WIN
from mauerwerk.lab.workers import Workers

VERSION: Final = 1
"""Rises when opponents, setups or miniatures change: rows of different versions do not compare."""
OPPONENTS: Final = ("uniform", "greedy", "net")
"""The frozen opponents, from weak to strong."""


class Pairing(Value):
    """A bot alone among others that are all alike."""

    opponent: str
    games: int
    fair: float
    wins: Estimate


class Row(Value):
    """What the benchmark says about a bot."""

    version: int
    game: str
    rules: int
    seats: int
    bot: str
    network: str
    """The digest of the game's own network, which is one of the opponents."""
    pairings: tuple[Pairing, ...]
    exploitability: float | None
    """What a best response gains in the miniature, by rank, on average; None if it is not known."""


def setup_of(game: AnyGame) -> Setup[Any]:
    """The printed game with the usual number of seats."""
    return Setup(game.SEATS[:2][-1], game.OPTIONS())


def row_of(game: AnyGame, bot: str, games: int, seed: int, workers: Workers) -> Row:
    """A row of the benchmark. Raises SetupError if the bot cannot play such a game."""
    setup = setup_of(game)
    opponents = [each for each in OPPONENTS if each != "net" or shipped(game) is not None]
    spec.check([bot, *opponents], game, setup)
    pairings: list[Pairing] = []
    for opponent in opponents:
        bots = (bot, *(opponent,) * (setup.seats - 1))
        wins = _compiled_wins(game, setup, bots, games, seed)
        if wins is None:
            contest = exploit.Contest(game.NAME, setup, opponent, seed)
            gains = exploit.measure(contest, bot, games, workers)
            pairings.append(Pairing(opponent, gains.games, gains.fair, gains.wins))
        else:
            pairings.append(Pairing(opponent, games, 1 / setup.seats, wins))
    return Row(
        version=VERSION,
        game=game.NAME,
        rules=game.RULES,
        seats=setup.seats,
        bot=bot,
        network=network_digest(game),
        pairings=tuple(pairings),
        exploitability=_in_miniature(game, bot),
    )


def _compiled_wins(
    game: AnyGame, setup: Setup[Any], bots: tuple[str, ...], games: int, seed: int
) -> Estimate | None:
    """The first bot's share of the win; None if one of them cannot play in compiled code."""
    if compiled_players(game, setup, bots) is None:
        return None
    columns, table = table_of(game, setup, seed, range(games), bots)
    wins = table[:, [columns.index(f"win/{seat}") for seat in range(setup.seats)]] / WIN
    own = [float(row[-number % setup.seats]) for number, row in enumerate(wins)]
    return share_of(own, games)


def network_digest(game: AnyGame) -> str:
    """The digest of the game's own network; empty without one."""
    path = shipped(game)
    return "" if path is None else blake2b(path.read_bytes(), digest_size=4).hexdigest()


def _in_miniature(game: AnyGame, bot: str) -> float | None:
    try:
        setup = miniature_of(game)
        spec.check([bot], game, setup)
        tree = tree_of(game, setup)
        return exploitability(tree, policy_of(tree, game, setup, bot)).mean
    except SetupError:
        return None


def as_markdown(row: Row) -> str:
    """The row as `docs/benchmark.md` has it."""
    cells = [GAMES[row.game].TITLE, f"`{row.bot}`"]
    for each in row.pairings:
        wins = each.wins
        reach = "" if wins.low is None else f" ({wins.low:.1%} to {wins.high:.1%})"
        cells.append(f"{wins.mean:.1%}{reach}")
    cells.append("" if row.exploitability is None else f"{row.exploitability:.4f}")
    return f"| {' | '.join(cells)} |"
