"""Tables in a notebook: views draw themselves, and so do states and records, once asked to.

    %load_ext mauerwerk.adapters.notebook

`show` draws any of them, as a certain seat sees it and with players' names.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

from mauerwerk.core.game import AnyGame, DrawnView, Seat, Value, name_of
from mauerwerk.core.record import Record, replay
from mauerwerk.games import GAMES, game_in

Drawable: TypeAlias = DrawnView | Record | Value
"""A view, a record, or a state."""
SVG: Final = "image/svg+xml"


class Picture(Value):
    """A drawing that notebooks show."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def show(
    thing: Drawable,
    seat: int | None = None,
    names: Sequence[str] = (),
    *,
    moves: int | None = None,
) -> Picture:
    """Draw a view, a state, or a record after all or a number of its moves.

    States and records are drawn as this seat, or a spectator, sees them. A view has its seat
    already.
    """
    if isinstance(thing, Record):
        game = game_in(thing)
        return show(_reached(game, thing, moves), seat, names)
    game, view = _view(thing, None if seat is None else Seat(seat))
    called = [*names, *(name_of(Seat(each)) for each in range(len(names), game.SEATS[-1]))]
    return Picture(game.svg(view, called))


def _reached(game: AnyGame, record: Record, moves: int | None) -> Value:
    state: Value = game.start(record.setup)
    for _, (_, step) in zip(record.moves[:moves], replay(game, record), strict=False):
        state = step.state
    return state


def _view(thing: Value, seat: Seat | None) -> tuple[AnyGame, Any]:
    for game in GAMES.values():
        if type(thing) is game.VIEW:
            return game, thing
        if type(thing) in game.STATES:
            return game, game.view(thing, seat)
    raise TypeError(f"views, states and records can be shown, not {type(thing).__name__}")


def _shown_kinds() -> tuple[type[Value], ...]:
    """The types that a notebook shows as pictures; views can do so themselves."""
    return (*(state for game in GAMES.values() for state in game.STATES), Record)


def _drawn(thing: Drawable) -> str:
    return show(thing).svg


def load_ipython_extension(ipython: Any) -> None:  # noqa: ANN401 - without IPython there is no type
    """Let states and records draw themselves, as a spectator sees them."""
    formatter = ipython.display_formatter.formatters[SVG]
    for kind in _shown_kinds():
        formatter.for_type(kind, _drawn)


def unload_ipython_extension(ipython: Any) -> None:  # noqa: ANN401 - as above
    """Let them be text again."""
    formatter = ipython.display_formatter.formatters[SVG]
    for kind in _shown_kinds():
        formatter.pop(kind)
