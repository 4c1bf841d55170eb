"""A study: the game, the rules and the bots; and its games in batches.

A batch is a range of the numbers of a study's games. The study and the range determine all that is
counted, except for bots that use a clock; so batches can be played anywhere and in any order.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from mauerwerk.bots import spec
from mauerwerk.bots.outside.player import show_faults
from mauerwerk.core import options
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup, Value
from mauerwerk.games import GAMES
from mauerwerk.lab.match.contest import warm
from mauerwerk.lab.match.match import chance, play
from mauerwerk.lab.study.columns import Row
from mauerwerk.lab.study.compiled import can_count, counted
from mauerwerk.lab.study.counting import row_of
from mauerwerk.lab.study.rooms import measures_of
from mauerwerk.lab.study.tally import VERSION, Tally, tally_of

UNIFORM: Final = "uniform"
"""The bot whose games are played in compiled code."""

COMPILED_BATCH: Final = 2_000
"""The number of games in a batch of compiled games, which takes a second or less."""

BATCH: Final = 4
"""The number of games in a batch by the rules, small so that little is lost by stopping."""


class Study(Value):
    """What all games of a study have in common."""

    game: str
    rules: int
    seats: int
    options: dict[str, str]
    """As words."""
    bots: tuple[str, ...]
    """One per seat; from game to game they move on by one seat."""
    seed: int
    compiled: bool
    """Whether the games are played by a kernel, or by the rules."""
    version: int = VERSION

    @property
    def setup(self) -> Setup[Any]:
        """The setup of its games."""
        return Setup(self.seats, options.from_words(GAMES[self.game].OPTIONS, self.options))

    @property
    def players(self) -> tuple[str, ...]:
        """Each bot once, as a reader should call it (`spec.label`)."""
        game, setup = GAMES[self.game], self.setup
        return tuple(spec.label(word, game, setup) for word in dict.fromkeys(self.bots))


class Batch(Value):
    """A range of games of a study, by their numbers."""

    first: int
    games: int

    @property
    def numbers(self) -> range:
        """The numbers of the games."""
        return range(self.first, self.first + self.games)


class Counted(Value):
    """The counts of a batch that was played."""

    batch: Batch
    tally: Tally


def study_of(game: str, setup: Setup[Any], bots: Sequence[str], seed: int) -> Study:
    """A study of this game. Raises SetupError if the game or the bots do not allow one."""
    rules = GAMES[game]
    rules.start(setup)
    if not rules.must_end(setup):
        raise SetupError(f"{game} with these options need not end, so nobody studies it")
    if len(bots) != setup.seats:
        raise SetupError(f"{setup.seats} seats need as many bots, not {len(bots)}")
    spec.check(bots, rules, setup)
    read = [spec.read(word) for word in bots]
    compiled = all(each.name == UNIFORM for each in read) and can_count(rules, setup)
    words = options.to_words(setup.options)
    return Study(game, rules.RULES, setup.seats, words, tuple(bots), seed, compiled)


def batches(study: Study, games: int) -> Iterator[Batch]:
    """This many games in batches; all but the last have the same size."""
    size = COMPILED_BATCH if study.compiled else BATCH
    return (Batch(first, min(size, games - first)) for first in range(0, games, size))


def play_batch(study: Study, batch: Batch) -> Counted:
    """Play these games and count them."""
    game, setup = GAMES[study.game], study.setup
    if study.compiled:
        return Counted(batch, counted(game, setup, study.seed, batch.numbers))
    for word in set(study.bots):
        warm(word, study.game, setup)
    rows = (_row(study, setup, number) for number in batch.numbers)
    return Counted(batch, tally_of(rows, measures_of(game).pairs(setup)))


def _row(study: Study, setup: Setup[Any], number: int) -> Row:
    """One game by the rules; the bots move on by one seat with its number."""
    game = GAMES[study.game]
    turn = number % study.seats
    players = [
        spec.sit(spec.read(word), game, setup, chance(study.seed, number, str(seat)))
        for seat, word in enumerate(study.bots[turn:] + study.bots[:turn])
    ]
    nature = chance(study.seed, number, "nature")
    row = row_of(game, setup, play(game, setup, players, nature))
    show_faults([player.bot for player in players])
    return row
