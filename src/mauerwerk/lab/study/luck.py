"""How much luck decides: the same players under other dice, and other moods under the same dice.

So many chances of nature and so many of the players are drawn, and every one of the first meets
every one of the second: a table of games, with nature's chance by rows and the players' by columns.
The seats stay as they are. A game is decided by its row and its column, so that what the results
vary by, game to game, falls into three parts:

- **nature**: what a row has in common, whatever the players' chance: the dice and cards favour a
  seat;
- **players**: what a column has in common, whatever the dice: what they happened to choose favours
  a seat;
- **together**: the rest. What the dice bring depends on what was chosen, and the other way round.

The three are estimated without bias, as in an analysis of variance by two ways with random effects,
so that one of them can come out a little below 0 where there is nothing. They are added up over the
seats. Whether better players win is another question: let different bots play.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

from mauerwerk.bots import spec
from mauerwerk.core.game import Seat, Setup, Value
from mauerwerk.games import GAMES
from mauerwerk.lab.intervals import Estimate, student
from mauerwerk.lab.match.match import chance, play_out
from mauerwerk.lab.study.columns import WIN, win_of
from mauerwerk.lab.study.study import Study

Cell = tuple[float, ...]
"""What a game came to, seat by seat."""
Grid = Sequence[Sequence[Cell]]


_DIGITS: Final = 9
"""What is less than this many places after the point is an error of rounding."""


class Deal(Value):
    """One chance of nature that all chances of the players will meet."""

    row: int
    columns: int


class Dealt(Value):
    """How these games ended, one for each chance of the players."""

    deal: Deal
    wins: tuple[tuple[int, ...], ...]
    """Parts of the win, of `WIN`, seat by seat."""
    points: tuple[tuple[int, ...], ...]


class Parts(Value):
    """What a result varies by, in parts of one."""

    nature: Estimate
    players: Estimate
    together: Estimate


class Luck(Value):
    """What decides who wins, and what decides by how much; None where nothing varies."""

    games: int
    wins: Parts | None
    points: Parts | None


def play_deal(study: Study, deal: Deal) -> Dealt:
    """Play a row of the table."""
    setup = study.setup
    games = [_outcome(study, setup, deal.row, column) for column in range(deal.columns)]
    return Dealt(deal, tuple(wins for wins, _ in games), tuple(points for _, points in games))


def _outcome(
    study: Study, setup: Setup[Any], row: int, column: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    game = GAMES[study.game]
    players = [
        spec.sit(spec.read(word), game, setup, chance(study.seed, column, f"luck/{seat}"))
        for seat, word in enumerate(study.bots)
    ]
    outcome = play_out(game, setup, players, chance(study.seed, row, "luck/nature")).outcome
    wins = tuple(win_of(outcome, Seat(seat)) for seat in range(study.seats))
    return wins, outcome.points


def luck_of(dealt: Sequence[Dealt]) -> Luck:
    """What whole rows say together."""
    rows = sorted(dealt, key=lambda each: each.deal.row)
    wins = [[tuple(part / WIN for part in cell) for cell in row.wins] for row in rows]
    return Luck(
        games=sum(len(row.wins) for row in rows),
        wins=parts(wins),
        points=parts([[tuple(map(float, cell)) for cell in row.points] for row in rows]),
    )


def parts(grid: Grid) -> Parts | None:
    """The three parts, with intervals by leaving out each row and each column in turn.

    Who is left out with both is counted twice, so that the intervals are rather too wide. None
    where there are fewer than three rows or columns, or nothing varies.
    """
    rows, columns = len(grid), len(grid[0]) if grid else 0
    whole = _shares(grid) if min(rows, columns) > 2 else None  # noqa: PLR2004 - two can be left
    if whole is None:
        return None
    without_rows = [_shares([*grid[:each], *grid[each + 1 :]]) for each in range(rows)]
    without_columns = [
        _shares([[*row[:each], *row[each + 1 :]] for row in grid]) for each in range(columns)
    ]
    reach = student(min(rows, columns) - 1)

    def estimated(place: int) -> Estimate:
        error = sqrt(
            sum(
                _jackknifed([share[place] for share in left if share is not None])
                for left in (without_rows, without_columns)
            )
        )
        middle = round(whole[place], _DIGITS)
        if round(error, _DIGITS) == 0:
            return Estimate(middle)
        return Estimate(middle, middle - reach * error, middle + reach * error)

    return Parts(*map(estimated, range(3)))


def _jackknifed(left: Sequence[float]) -> float:
    """The variance of something, from what it is with each unit left out."""
    middle = sum(left) / len(left)
    return (len(left) - 1) / len(left) * sum((each - middle) ** 2 for each in left)


def _shares(grid: Grid) -> tuple[float, float, float] | None:
    """Nature's part, the players', and what both decide together; None where nothing varies."""
    rows, columns = len(grid), len(grid[0])
    row_sum = columns * _spread([_mean(row) for row in grid])
    column_sum = rows * _spread([_mean(column) for column in zip(*grid, strict=True)])
    whole_sum = _spread([cell for row in grid for cell in row])
    rest = max(whole_sum - row_sum - column_sum, 0.0) / ((rows - 1) * (columns - 1))
    nature = (row_sum / (rows - 1) - rest) / columns
    players = (column_sum / (columns - 1) - rest) / rows
    total = nature + players + rest
    return (nature / total, players / total, rest / total) if total > 0 else None


def _mean(cells: Sequence[Cell]) -> Cell:
    return tuple(sum(seat) / len(cells) for seat in zip(*cells, strict=True))


def _spread(cells: Sequence[Cell]) -> float:
    """The squares of what they are off their mean, added up over the seats."""
    middle = _mean(cells)
    return sum(
        (value - mean) ** 2 for cell in cells for value, mean in zip(cell, middle, strict=True)
    )
