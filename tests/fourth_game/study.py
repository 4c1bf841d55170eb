"""The Breach, what a study counts in it: breaches that nobody filled."""

from collections.abc import Mapping
from typing import Any, Final

from tests.fourth_game.values import Event, Shown, State

from mauerwerk.core.game import Outcome, Seat, Setup, Step
from mauerwerk.core.language import Language
from mauerwerk.lab.study.figures import Chapter
from mauerwerk.lab.study.tally import Row


class Unfilled:
    """Counts in one game."""

    def __init__(self, _setup: Setup[Any]) -> None:
        """Begin with none."""
        self._unfilled = 0

    def see(self, _before: State, step: Step[State, Event], /) -> None:
        """Look at the hands when they open."""
        shown = [event for event in step.events if isinstance(event, Shown)]
        self._unfilled += sum(event.builder is None for event in shown)

    def row(self, _over: State, _outcome: Outcome, /) -> Row:
        """The only column."""
        return {"unfilled": self._unfilled} if self._unfilled else {}


class Room:
    """What is counted, and what is shown of it: no section of its own."""

    CLAUSES: Final[Mapping[str, str]] = {}
    MEANINGS: Final[Mapping[str, str]] = {"unfilled": "breaches that nobody filled"}
    ENDINGS: Final[Mapping[str, str]] = {"rounds": "all rounds are played", "spent": "no stones"}
    ENDINGS_NOTE: Final = ""
    Count: Final = Unfilled

    def began(self, _state: State, seat: Seat, /) -> Seat:
        """All bid together, and the first seat is asked first."""
        return seat

    def columns(self, _setup: Setup[Any], /) -> tuple[str, ...]:
        """Its own columns."""
        return ("unfilled",)

    def sections(self, _setup: Setup[Any], _language: Language, /) -> tuple[Chapter, ...]:
        """No section."""
        return ()


ROOM: Final = Room()
