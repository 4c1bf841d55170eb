"""The Breach, what a study counts in it: breaches that nobody filled."""

from collections.abc import Mapping
from typing import Any, Final

from tests.fourth_game.values import Event, Shown, State

from mauerwerk.core.game import Outcome, Setup, Step
from mauerwerk.core.language import Language
from mauerwerk.lab.study.figures import Chapter, Mean, Row, Section
from mauerwerk.lab.study.rooms import Count, StudyRoom
from mauerwerk.lab.study.tally import Row as Columns


class Unfilled(Count):
    """Counts in one game."""

    def __init__(self, _setup: Setup[Any]) -> None:
        """Begin with none."""
        self._unfilled = 0

    def see(self, _before: State, step: Step[State, Event], /) -> None:
        """Look at the hands when they open."""
        shown = [event for event in step.events if isinstance(event, Shown)]
        self._unfilled += sum(event.builder is None for event in shown)

    def row(self, _over: State, _outcome: Outcome, /) -> Columns:
        """The only column."""
        return {"unfilled": self._unfilled} if self._unfilled else {}


class Room(StudyRoom):
    """A column, a section that shows it, and the endings in words."""

    MEANINGS: Mapping[str, str] = {"unfilled": "breaches that nobody filled"}
    ENDINGS: Mapping[str, str] = {"rounds": "all rounds are played", "spent": "no stones"}
    Count = Unfilled

    def columns(self, _setup: Setup[Any], /) -> tuple[str, ...]:
        """Its own columns."""
        return ("unfilled",)

    def sections(self, _setup: Setup[Any], language: Language, /) -> tuple[Chapter, ...]:
        """A table with one figure: a mean with its interval."""
        row = Row(language("Breaches that nobody filled"), (Mean("unfilled"),))
        return (Section("breaches", language("Breaches"), (language("a game"),), (row,)),)


ROOM: Final = Room()
