"""How much luck decides: the same players with other dice, and other choices with the same dice.

A number of seeds for nature and as many for the players are drawn, and each of the first is
combined with each of the second: a table of games, with nature's seeds as rows and the players' as
columns. The seats stay the same. A game is determined by its row and its column, so that the
variance of the results has three parts:

- **nature**: what the games of a row have in common: the dice and cards favour a seat;
- **players**: what the games of a column have in common: the players' choices favour a seat;
- **together**: the rest. The effect of the dice depends on the choices, and the other way round.

The three are estimated without bias, as in a two-way analysis of variance with random effects, so
that an estimate can be a little below 0 where there is no effect. They are summed over the seats.
Whether better players win is another question: let different bots play.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

from mauerwerk.bots import spec
from mauerwerk.core.game import Outcome, Seat, Value
from mauerwerk.games import GAMES
from mauerwerk.lab.intervals import Estimate, around, student
from mauerwerk.lab.match.match import chance, play_out
from mauerwerk.lab.study.study import Study, compiled_players
from mauerwerk.lab.study.tally import WIN, win_of

Cell = tuple[float, ...]
"""The result of a game, seat by seat."""
Grid = Sequence[Sequence[Cell]]
_DIGITS: Final = 9
"""Differences beyond this many decimal places are rounding errors."""


class Deal(Value):
    """One of nature's seeds, to be combined with all of the players'."""

    row: int
    columns: int


class Dealt(Value):
    """The results of these games, one for each of the players' seeds."""

    deal: Deal
    wins: tuple[tuple[int, ...], ...]
    """Parts of the win, out of `WIN`, seat by seat."""
    points: tuple[tuple[int, ...], ...]


class Parts(Value):
    """The parts of the variance of a result; together they are 1."""

    nature: Estimate
    players: Estimate
    together: Estimate


class Luck(Value):
    """What decides wins and points; None where nothing varies."""

    games: int
    wins: Parts | None
    points: Parts | None


def play_deal(study: Study, deal: Deal) -> Dealt:
    """Play a row of the table."""
    game, setup = GAMES[study.game], study.setup
    if study.compiled and (players := compiled_players(game, setup, study.bots)) is not None:
        return _deal_compiled(study, deal, players)
    outcomes: list[Outcome] = []
    for column in range(deal.columns):
        players = [
            spec.sit(word, game, setup, chance(study.seed, column, f"luck/{seat}"))
            for seat, word in enumerate(study.bots)
        ]
        nature = chance(study.seed, deal.row, "luck/nature")
        outcomes.append(play_out(game, setup, players, nature).outcome)
    wins = (tuple(win_of(each, Seat(seat)) for seat in range(study.seats)) for each in outcomes)
    return Dealt(deal, tuple(wins), tuple(each.scores for each in outcomes))


def _deal_compiled(study: Study, deal: Deal, players: Any) -> Dealt:  # noqa: ANN401 - needs NumPy
    """The same in compiled code, with other chances."""
    from mauerwerk.kernels import counting  # noqa: PLC0415 - needs numba

    game, setup = GAMES[study.game], study.setup
    nature, own = (chance(study.seed, 0, f"luck/{who}")(1 << 64) for who in ("nature", "players"))
    found = counting.deal(game, setup, players, (nature, own), deal.row, deal.columns)
    grids: list[list[list[int]]] = [each.tolist() for each in found]
    wins, points = (tuple(tuple(row) for row in grid) for grid in grids)
    return Dealt(deal, wins, points)


def luck_of(dealt: Sequence[Dealt]) -> Luck:
    """The estimate from complete rows."""
    rows = sorted(dealt, key=lambda each: each.deal.row)
    wins = [[tuple(part / WIN for part in cell) for cell in row.wins] for row in rows]
    return Luck(
        games=sum(len(row.wins) for row in rows),
        wins=parts(wins),
        points=parts([[tuple(map(float, cell)) for cell in row.points] for row in rows]),
    )


def parts(grid: Grid) -> Parts | None:
    """The three parts, with jackknife intervals over rows and columns.

    Cells are left out with their row and with their column, so that the intervals are a little too
    wide. None if there are fewer than three rows or columns, or nothing varies.
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
        return around(middle, reach * error if round(error, _DIGITS) else 0.0)

    return Parts(*map(estimated, range(3)))


def _jackknifed(left: Sequence[float]) -> float:
    """The variance of an estimate, from its values with each unit left out."""
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
    """The sum of squared deviations from the mean, over all seats."""
    middle = _mean(cells)
    return sum(
        (value - mean) ** 2 for cell in cells for value, mean in zip(cell, middle, strict=True)
    )
