"""Mauerbauer in dense integers, for learners and kernels; see `docs/games/mauerbauer.md`.

Everywhere else an action is a value or a word. Lines, points and fields are the board's, so every
board has numbers of its own; without a word they are those of the default board.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from mauerwerk.core.game import Seat, Setup
from mauerwerk.games.mauerbauer import guild, values
from mauerwerk.games.mauerbauer.board import board_of


@lru_cache(maxsize=64)
def actions(board: str = "default") -> tuple[values.Action, ...]:
    """Every action there is on this board, in canonical order; nature's come last."""
    return (*_choices(board), *_LOTS)


@lru_cache(maxsize=64)
def _choices(board: str) -> tuple[values.Action, ...]:
    laid_out = board_of(board)
    return (
        *(values.Build(line) for line in laid_out.lines),
        values.RollEarly(),
        *(values.PlaceTower(point, tower) for point in laid_out.points for tower in values.TOWERS),
        *(
            values.PlaceHouse(field, colour)
            for field in laid_out.fields
            for colour in values.COLOURS
        ),
        *(values.Join(field) for field in laid_out.fields),
        values.Join(None),
        *(values.Play(card) for card in guild.KINDS),
        *(values.Discard(card) for card in guild.KINDS),
        *(values.Swap(card) for card in guild.KINDS),
        values.Done(),
        *(values.Choose(field) for field in laid_out.fields),
        values.Choose(None),
    )


_LOTS: Final[tuple[values.Action, ...]] = (
    *(values.Appoint(Seat(seat)) for seat in range(4)),
    *(values.Deal(card) for card in guild.KINDS),
    *values.FULL_ROLLS,
    *values.HOUSE_ROLLS,
)


def choices(setup: Setup[Any], /) -> tuple[values.Action, ...]:
    """The players' actions; their numbers come first."""
    return _choices(setup.options.board)


def lots(_setup: Setup[Any], /) -> tuple[values.Action, ...]:
    """Nature's actions, the same on every board."""
    return _LOTS


@lru_cache(maxsize=64)
def _numbers(board: str) -> Mapping[values.Action, int]:
    return {action: n for n, action in enumerate(actions(board))}


def number(action: values.Action, board: str = "default") -> int:
    """The action's place in `actions`."""
    return _numbers(board)[action]
