"""A visitor's progress in the lessons, as the browser remembers it."""

from collections.abc import Mapping
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.games import GAMES
from mauerwerk.server.features.lessons.lesson import course
from mauerwerk.server.http import identity, response
from mauerwerk.server.http.request import Request, whole_number
from mauerwerk.server.ui.page import PageRequest

COOKIE: Final = "mauerwerk-lessons"


class Progress(Value):
    """A visitor's progress in the lesson of a game."""

    game: str
    step: int
    """The furthest stop they saw, from 1; 0 before they have begun."""

    steps: int
    """The number of stops."""

    @property
    def begun(self) -> bool:
        """Whether there is a lesson to resume."""
        return 1 < self.step < self.steps

    @property
    def done(self) -> bool:
        """Whether they have reached the end."""
        return self.step == self.steps

    @property
    def link(self) -> str:
        """The link to resume or begin."""
        return f"/learn/{self.game}/{self.step}" if self.begun else f"/learn/{self.game}"


def progress_of(request: PageRequest, game: str) -> Progress:
    """A visitor's progress in the lesson of a game."""
    steps = len(course(game).stops)
    return Progress(game, min(_steps(request).get(game, 0), steps), steps)


def progress_cookie(request: PageRequest, game: str, step: int) -> list[response.Header]:
    """The cookie that remembers this stop, unless they were further already."""
    steps = _steps(request)
    if steps.get(game, 0) >= step:
        return []
    said = ".".join(f"{name}-{number}" for name, number in {**steps, game: step}.items())
    return [identity.set_cookie(request, COOKIE, said)]


def _steps(request: Request) -> Mapping[str, int]:
    """The furthest stop in each lesson; invalid parts of the cookie are ignored."""
    steps: dict[str, int] = {}
    for each in identity.cookie_in(request, COOKIE).split("."):
        game, _, said = each.partition("-")
        number = whole_number(said)
        if game in GAMES and number:
            steps[game] = number
    return steps
