"""A game without a room: all choose a side in secret, then nature tosses a coin, twice over."""
# ruff: noqa: D102 - `Game` says what its members do

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from mauerwerk.core.defaults import GameDefaults
from mauerwerk.core.game import (
    NATURE,
    NotAWordError,
    Outcome,
    Seat,
    Setup,
    Step,
    Value,
    ranked,
    refusal,
)
from mauerwerk.core.language.translation import ENGLISH, Language

ROUNDS = 2
SIDES = ("heads", "tails")


class NoOptions(Value):
    """There is nothing to choose."""


class Side(Value):
    """A side of the coin: chosen by a seat, or tossed by nature."""

    word: str


class Table(Value):
    """The only kind of state."""

    points: tuple[int, ...]
    chosen: tuple[str | None, ...]
    rounds: int = 0


class Chose(Value):
    """A seat chose; which side, only that seat knows."""

    seat: Seat
    side: str | None


class Tossed(Value):
    """The coin fell."""

    side: str


class View(Value):
    """What a seat sees."""

    seat: Seat | None
    points: tuple[int, ...]
    own: str | None
    over: bool


class Coins(GameDefaults[Table, Side, Any, View]):
    """The rules."""

    NAME = "coins"
    TITLE = "Coins"
    RULES = 1
    SEATS = range(3, 5)
    OPTIONS = NoOptions
    CLAUSES: Mapping[str, str] = {"CO-1": "choose once"}
    ENDINGS = ("tossed",)
    STATES = (Table,)
    EVENTS = (Chose, Tossed)
    VIEW = View

    def start(self, setup: Setup[Any], /) -> Table:
        return Table((0,) * setup.seats, (None,) * setup.seats)

    def to_act(self, state: Table, /) -> tuple[Seat, ...]:
        if state.rounds == ROUNDS:
            return ()
        missing = tuple(Seat(seat) for seat, side in enumerate(state.chosen) if side is None)
        return missing or (NATURE,)

    def legal(self, state: Table, seat: Seat, /) -> Sequence[Side]:
        asked = seat != NATURE and seat in self.to_act(state)
        return tuple(map(Side, SIDES)) if asked else ()

    def odds(self, state: Table, /) -> Mapping[Side, int]:
        return dict.fromkeys(map(Side, SIDES), 1) if self.to_act(state) == (NATURE,) else {}

    def why_not(self, state: Table, seat: Seat, action: Side, /) -> str:  # noqa: ARG002
        return "" if seat in self.to_act(state) else "CO-1"

    def apply(self, state: Table, seat: Seat, action: Side, /) -> Step[Table, Any]:
        if clause := self.why_not(state, seat, action):
            over = not self.to_act(state)
            raise refusal(seat, action.word, clause, self.CLAUSES[clause], over=over)
        if seat == NATURE:
            pairs = zip(state.points, state.chosen, strict=True)
            points = tuple(had + (side == action.word) for had, side in pairs)
            after = Table(points, (None,) * len(points), state.rounds + 1)
            return Step(after, (Tossed(action.word),))
        chosen = tuple(action.word if at == seat else s for at, s in enumerate(state.chosen))
        return Step(msgspec.structs.replace(state, chosen=chosen), (Chose(seat, action.word),))

    def outcome(self, state: Table, /) -> Outcome | None:
        if self.to_act(state):
            return None
        return Outcome(ranked([-each for each in state.points]), state.points, "tossed")

    def turn(self, state: Table, /) -> int:
        return state.rounds

    def view(self, state: Table, seat: Seat | None, /) -> View:
        own = None if seat is None else state.chosen[seat]
        return View(seat, state.points, own, not self.to_act(state))

    def seen(self, event: Any, seat: Seat | None, /) -> Any:  # noqa: ANN401 - either event
        if isinstance(event, Chose) and event.seat != seat:
            return msgspec.structs.replace(event, side=None)
        return event

    def reveals(self, event: Any, /) -> bool:  # noqa: ANN401 - either event
        return isinstance(event, Tossed)

    def write(self, action: Side, /) -> str:
        return action.word

    def parse(self, word: str, /) -> Side:
        if word not in SIDES:
            raise NotAWordError(word, "heads or tails")
        return Side(word)

    def say(self, action: Side, language: Language = ENGLISH, /) -> str:  # noqa: ARG002
        return action.word

    def ask(self, view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:  # noqa: ARG002
        return "the game is over" if view.over else "heads or tails?"

    def tell(self, event: Any, names: Sequence[str], language: Language = ENGLISH, /) -> str:  # noqa: ANN401, ARG002
        return f"The coin shows {event.side}." if isinstance(event, Tossed) else ""

    def text(self, view: View, names: Sequence[str], language: Language = ENGLISH, /) -> str:
        lines = (
            f"{language.called(name):<8} {points}"
            for name, points in zip(names, view.points, strict=True)
        )
        return "\n".join([*lines, f"chosen: <{view.own or '-'}>"])


COINS = Coins()
