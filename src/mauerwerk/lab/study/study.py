"""A study: the game, the rules and the bots; and its games, played and counted in batches.

Games are counted as they are played by the rules, or in compiled code where all players are
uniform, greedy or a network. A batch is a range of the numbers of a study's games. The study and
the range determine all that is counted, except for bots that use a clock; so batches can be played
anywhere and in any order.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from mauerwerk.bots import bot, can_count, external, spec
from mauerwerk.bots.networks import file_of
from mauerwerk.core import errors, options, record
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup, Step, Value, after_forfeits
from mauerwerk.games import GAMES
from mauerwerk.lab.match import contest, match
from mauerwerk.lab.study import figures, pairing, rooms
from mauerwerk.lab.study.tally import VERSION, Row, Tally, common_row, tally_of, tally_of_table


def row_of(
    game: AnyGame,
    setup: Setup[Any],
    moves: Iterable[tuple[record.Move, Step[Any, Any]]],
    players: Sequence[bot.Player] = (),
) -> Row:
    """One game, counted; the moves come from `lab.match.match.play` or from `record.replay`.

    Of its players, bots of other people that have failed come last.
    """
    room = rooms.room_of(game)
    count = room.Count(setup)
    state: Any = game.start(setup)
    movers: list[Seat] = []
    beginner: Seat | None = None
    for move, step in moves:
        movers.append(move.seat)
        if beginner is None and move.seat != NATURE:
            beginner = room.began(state, move.seat)
        count.see(state, step)
        state = step.state
    outcome = game.outcome(state)
    assert outcome is not None, "only a game that is over can be counted"
    if forfeits := external.faults_of([player.bot for player in players]):
        outcome = after_forfeits(outcome, list(forfeits))
    row = {
        **common_row(outcome, movers, game.turn(state), beginner or Seat(0)),
        **count.row(state, outcome),
    }
    return {column: value for column, value in row.items() if value}


Table: TypeAlias = tuple[tuple[str, ...], Any]
"""Columns, and an array of integers with a row per game."""


def table_of(
    game: AnyGame, setup: Setup[Any], seed: int, numbers: range, bots: Sequence[str] = ()
) -> Table:
    """The games with these numbers, by compiled bots or uniform chance; the same in any batch."""
    from mauerwerk.kernels.counting import counts  # noqa: PLC0415 - needs numba

    players = compiled_players(game, setup, tuple(bots)) if bots else None
    counted = counts(game, setup, seed, numbers, players=players)
    if counted.columns != rooms.columns_of(game, setup):
        raise AssertionError("rules and kernel count different things")
    return counted.columns, counted.table


def tally_table(game: AnyGame, setup: Setup[Any], table: Table) -> Tally:
    """The tally of such games."""
    return tally_of_table(*table, rooms.pairs_of(game.NAME, setup))


def compiled_players(game: AnyGame, setup: Setup[Any], bots: tuple[str, ...]) -> Any:  # noqa: ANN401 - needs NumPy
    """These bots as players in compiled code; None where one of them has to play by the rules."""
    read = [spec.read(word) for word in bots]
    plain = all(each.memory is None and not each.program for each in read)
    if not plain or not {each.name for each in read} <= {UNIFORM, GREEDY, spec.NET}:
        return None
    files = {each.file for each in read if each.name == spec.NET}
    if len(files) > 1 or not can_count(game, setup):
        return None
    from mauerwerk.bots import net  # noqa: PLC0415 - needs NumPy
    from mauerwerk.kernels.compiler import usual_device  # noqa: PLC0415
    from mauerwerk.kernels.networks import players  # noqa: PLC0415

    kinds = {UNIFORM: players.UNIFORM, GREEDY: players.GREEDY, spec.NET: players.NETWORK}
    network = net.network_for(game, setup, file_of(files.pop(), game)) if files else None
    found = players.Players(
        tuple(kinds[each.name] for each in read),
        network,
        net.temperature_of(network, game, setup) if network else 0.0,
    )
    if found.are_uniform:
        return found
    return found if usual_device() == "cpu" and players.can_seat(game, found) else None


UNIFORM: Final = "uniform"
GREEDY: Final = "greedy"
"""Bots whose games are played in compiled code; so are those of a network."""
COMPILED_BATCH: Final = 2_000
"""The number of games in a batch of uniform compiled games, which takes a second or less,"""
PLAYED_BATCH: Final = 100
"""and of other compiled games."""
BATCH: Final = 4
"""The number of games in a batch by the rules, small so that little is lost by stopping."""


class Study(contest.Agreed):
    """What all games of a study have in common."""

    bots: tuple[str, ...]
    """One per seat; from game to game they move on by one seat."""
    seed: int
    compiled: bool
    """Whether the games are played by a kernel, or by the rules."""
    version: int = VERSION

    @property
    def is_uniform(self) -> bool:
        """Whether all players choose by uniform chance."""
        return all(spec.read(word).name == UNIFORM for word in self.bots)

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


class Both(Batch):
    """A range of games that are played by both rules of a comparison."""


class Compared(Value):
    """The counts of games by both rules, and game by game."""

    both: Both
    tallies: tuple[Tally, Tally]
    contrast: pairing.Contrast


def study_of(game: str, setup: Setup[Any], bots: Sequence[str], seed: int) -> Study:
    """A study of this game. Raises SetupError if the game or the bots do not allow one."""
    rules = GAMES[game]
    rules.start(setup)
    if not rules.must_end(setup):
        raise errors.SetupError(f"{game} with these options need not end, so nobody studies it")
    if len(bots) != setup.seats:
        raise errors.SetupError(f"{setup.seats} seats need as many bots, not {len(bots)}")
    spec.check(bots, rules, setup)
    compiled = compiled_players(rules, setup, tuple(bots)) is not None
    words = options.to_words(setup.options)
    return Study(game, rules.RULES, setup.seats, words, tuple(bots), seed, compiled)


def batches(study: Study, games: int) -> Iterator[Batch]:
    """This many games in batches; all but the last have the same size."""
    size = BATCH
    if study.compiled:
        size = COMPILED_BATCH if study.is_uniform else PLAYED_BATCH
    return (Batch(first, min(size, games - first)) for first in range(0, games, size))


def play_batch(study: Study, batch: Batch) -> Counted:
    """Play these games and count them."""
    return Counted(batch, _played(study, batch)[1])


def _played(study: Study, batch: Batch) -> tuple[Any, Tally]:
    game, setup = GAMES[study.game], study.setup
    if study.compiled:
        table = table_of(game, setup, study.seed, batch.numbers, study.bots)
        return table, tally_table(game, setup, table)
    rows = list(_rows(study, batch))
    return rows, tally_of(rows, rooms.pairs_of(game.NAME, setup))


def comparable(one: Study, other: Study) -> bool:
    """Whether a game of one is the same as that of the other until a rule makes a difference."""
    same = {(study.seats, study.bots, study.seed, study.compiled) for study in (one, other)}
    return len(same) == 1


def play_both(studies: tuple[Study, Study], both: Both) -> Compared:
    """Play these games by both rules, and compare each with its twin."""
    (one, first), (other, second) = (_played(study, both) for study in studies)
    shared = _shared(studies)
    contrast = (
        pairing.contrast_of_tables([one, other], shared)
        if studies[0].compiled
        else pairing.contrast_of(zip(one, other, strict=True), shared)
    )
    return Compared(both, (first, second), contrast)


def _shared(studies: tuple[Study, Study]) -> pairing.Shared:
    rules = [(study.game, study.setup) for study in studies]
    one, other = (rooms.columns_of(GAMES[game], setup) for game, setup in rules)
    first, second = (rooms.pairs_of(*each) for each in rules)
    limits = {
        (figure.column, figure.most): None
        for each in rules
        for figure in rooms.figures_of(*each)
        if isinstance(figure, figures.Within)
    }
    columns = tuple(column for column in one if column in other)
    return pairing.Shared(
        columns,
        tuple(pair for pair in first if pair in second),
        tuple(limit for limit in limits if limit[0] in columns),
    )


def _rows(study: Study, batch: Batch) -> Iterator[Row]:
    for word in set(study.bots):
        contest.warm(word, study.game, study.setup)
    return (_row(study, study.setup, number) for number in batch.numbers)


def _row(study: Study, setup: Setup[Any], number: int) -> Row:
    """One game by the rules; the bots move on by one seat with its number."""
    game = GAMES[study.game]
    turn = number % study.seats
    bots = study.bots[turn:] + study.bots[:turn]
    players = match.seated(game, setup, bots, study.seed, number)
    nature = match.chance(study.seed, number, "nature")
    row = row_of(game, setup, match.play(game, setup, players, nature), players)
    external.show_faults([player.bot for player in players])
    return row
