"""What a dataset holds: decisions of games as arrays.

Uniform games are played by kernels, others by the rules. Seats that choose together see the table
as it was before any of them chose, as in a `Batch`.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from mauerwerk.bots import external, spec
from mauerwerk.bots.search import Search
from mauerwerk.core import options
from mauerwerk.core.game import (
    NATURE,
    AnyGame,
    Observer,
    Outcome,
    Seat,
    Setup,
    Value,
    after_forfeits,
)
from mauerwerk.games import GAMES
from mauerwerk.kernels import kernel_of, observation
from mauerwerk.kernels.play import single, stepping
from mauerwerk.kernels.play.batch import Batch, run
from mauerwerk.lab.match import contest, match

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
    match.check_end(game, setup)
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


# --- Decisions -------------------------------------------------------------------------------

AT_ONCE: Final = 512
"""How many games compiled code plays in step; each place plays several, one after the other."""
SEARCH_SECONDS: Final = 60.0
"""How long a search may take, a third of it for its belief; simulations end it before."""


class Searched(NamedTuple):
    """What a search found, action by action, for the legal ones of all rows in order."""

    counts: npt.NDArray[np.int32]
    """How many legal actions each row has."""
    visits: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]


class Decisions(NamedTuple):
    """The decisions of some games, one per row, in the order of games and moves."""

    games: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int32]
    """The number of moves in the game before this one, nature's included."""
    seats: npt.NDArray[np.int8]
    observations: npt.NDArray[np.int32]
    masks: npt.NDArray[np.int32]
    """Both in the form `bits`."""
    actions: npt.NDArray[np.int16]
    points: npt.NDArray[np.int16]
    ranks: npt.NDArray[np.uint8]
    """Of all seats, at the end of the game."""
    reasons: npt.NDArray[np.uint8]
    searched: Searched | None = None


def decisions_of(plan: Plan, numbers: range) -> Decisions:
    """All decisions of players in the games with these numbers."""
    return _by_kernel(plan, numbers) if plan.compiled else _by_rules(plan, numbers)


def prepare(plan: Plan) -> None:
    """Compile what the games need, so that several processes do not do the same."""
    if plan.compiled:
        decisions_of(plan, range(1))
        return
    game, setup = GAMES[plan.game], plan.setup
    single.SingleGame(game, setup, remember=plan.remember).features.any()
    for word in {*plan.bots, *(["search"] if plan.simulations else [])}:
        contest.warm(word, plan.game, setup)


# --- In compiled code ------------------------------------------------------------------------


def _by_kernel(plan: Plan, numbers: range) -> Decisions:
    """Every place of a batch plays its share of the games, until the last has ended."""
    size = min(AT_ONCE, len(numbers))
    batch = Batch(
        GAMES[plan.game],
        plan.setup,
        size,
        plan.seed,
        remember=plan.remember,
        packed=True,
        form="bits",
    )
    batch.numbers[:] = np.arange(numbers.start, numbers.start + size)
    batch.reset()
    results: Any = np.zeros(len(numbers), stepping.RESULT)
    steps: list[tuple[Any, ...]] = []
    while (going := batch.numbers < numbers.stop).any():
        batch.choose()
        wanted = np.flatnonzero(going[batch.row_games[: batch.rows]])
        games = batch.row_games[wanted]
        order = wanted - batch.first_rows[games]
        steps.append(
            (
                batch.numbers[games],
                batch.decisions[games] + order,
                batch.row_seats[wanted],
                batch.observations[wanted],
                batch.masks[wanted],
                batch.actions[wanted],
            )
        )
        played = batch.numbers.copy()
        batch.step(checked=False)
        ended = batch.done & going
        results[played[ended] - numbers.start] = batch.results[ended]
    games, moves, *rest = (np.concatenate(column) for column in zip(*steps, strict=True))
    order = np.lexsort((moves, games))
    of: Any = results[games[order] - numbers.start]
    seats, observations, masks, actions = (column[order] for column in rest)
    return Decisions(
        games=games[order],
        moves=moves[order].astype(np.int32),
        seats=seats,
        observations=observations,
        masks=masks,
        actions=actions,
        points=of["points"][:, : plan.seats],
        ranks=of["ranks"][:, : plan.seats],
        reasons=of["reason"],
    )


# --- By the rules ----------------------------------------------------------------------------


class _Question(NamedTuple):
    """What a seat sees when it is asked, and what a search thinks of it."""

    observation: npt.NDArray[np.int16]
    mask: npt.NDArray[np.uint8]
    visits: Sequence[int]
    values: Sequence[float]


class _Row(NamedTuple):
    """A decision that a bot made."""

    game: int
    move: int
    seat: int
    asked: _Question
    action: int


def _by_rules(plan: Plan, numbers: range) -> Decisions:
    game, setup = GAMES[plan.game], plan.setup
    prepare(plan)
    rows: list[_Row] = []
    of: list[Outcome] = []
    for number in numbers:
        made, outcome = _game(plan, number)
        rows += made
        of += [outcome] * len(made)
    searched = None
    if plan.simulations:
        searched = Searched(
            counts=np.array([len(row.asked.visits) for row in rows], np.int32),
            visits=np.array([each for row in rows for each in row.asked.visits], np.int32),
            values=np.array([each for row in rows for each in row.asked.values], np.float32),
        )
    codes = observation.codes_of(game, setup, "bits", remember=plan.remember)
    masks = observation.mask_codes(game, setup)
    reasons = {word: place for place, word in enumerate(kernel_of(plan.game).REASONS)}
    return Decisions(
        games=np.array([row.game for row in rows], np.int64),
        moves=np.array([row.move for row in rows], np.int32),
        seats=np.array([row.seat for row in rows], np.int8),
        observations=encoded(_stacked([row.asked.observation for row in rows], codes), codes),
        masks=encoded(_stacked([row.asked.mask for row in rows], masks), masks),
        actions=np.array([row.action for row in rows], np.int16),
        points=np.array([each.points for each in of], np.int16).reshape(-1, plan.seats),
        ranks=np.array([each.ranks for each in of], np.uint8).reshape(-1, plan.seats),
        reasons=np.array([reasons[each.reason] for each in of], np.uint8),
        searched=searched,
    )


def _game(plan: Plan, number: int) -> tuple[list[_Row], Outcome]:
    """One game of the bots. A kernel follows it and says what each seat sees.

    A bot of other people that fails comes last, and what is played for it is not its decision.
    """
    game, setup = GAMES[plan.game], plan.setup
    players = match.seated(game, setup, plan.bots, plan.seed, number)
    bots = [player.bot for player in players]
    followed = single.SingleGame(game, setup, remember=plan.remember)
    actions = {action: place for place, action in enumerate(followed.values)}
    observers = [Observer(game, Seat(seat)) for seat in range(setup.seats)]
    luck = match.chance(plan.seed, number, "search")
    search = Search(game, setup, luck, simulations=plan.simulations) if plan.simulations else None
    state: Any = game.start(setup)
    asked: dict[Seat, _Question] = {}
    rows: list[_Row] = []

    def question(seat: Seat) -> _Question:
        mask = np.zeros(len(game.choices(setup)), np.uint8)
        mask[followed.legal(seat)] = 1
        visits: Sequence[int] = ()
        values: Sequence[float] = ()
        if search is not None:
            found = search.values(observers[seat].sight(state), SEARCH_SECONDS)
            ordered = sorted(found, key=lambda each: actions[each.action])
            visits = [each.visits for each in ordered]
            values = [each.value for each in ordered]
        return _Question(followed.features[seat].copy(), mask, visits, values)

    nature = match.chance(plan.seed, number, "nature")
    for move, (made, step) in enumerate(match.play(game, setup, players, nature)):
        action = actions[game.parse(made.word)]
        if made.seat != NATURE:
            if made.seat not in asked:
                asked = {seat: question(seat) for seat in followed.to_act}
            seen = asked.pop(made.seat)
            if made.seat not in external.faults_of(bots):
                rows.append(_Row(number, move, made.seat, seen, action))
        followed.apply(made.seat, action)
        for observer in observers:
            observer.follow(step)
        state = step.state
    outcome = game.outcome(state)
    assert outcome is not None
    external.show_faults(bots)
    return rows, after_forfeits(outcome, list(external.faults_of(bots)))


def _stacked(rows: Sequence[npt.NDArray[Any]], codes: observation.Codes) -> npt.NDArray[Any]:
    """Rows of numbers as one array, even if there are none because all bots failed."""
    return np.array(rows, np.int16).reshape(len(rows), len(codes.shifts))


def encoded(numbers: npt.NDArray[Any], codes: observation.Codes) -> npt.NDArray[np.int32]:
    """Rows of numbers in the form `bits`, which `decode` turns back into them."""
    shifted = numbers.astype(np.uint32) << codes.shifts.astype(np.uint32)
    return np.bitwise_or.reduceat(shifted, codes.firsts[:-1], axis=1).view(np.int32)
