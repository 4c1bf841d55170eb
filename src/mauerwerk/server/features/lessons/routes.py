"""Guided first games that teach the rules.

A lesson is a record that the learner replays from seat 0. It stops wherever there is something to
explain; where the next move of the record is one of seat 0, the learner makes it. `game.txt` in the
`lesson` of a game is the record with its stops, `de.md` the German text for them;
`docs/how-to/write-a-lesson.md` says how to write one.
"""

from collections.abc import Sequence

from starlette.routing import BaseRoute, Route

from mauerwerk.server.features.lessons import pages as visiting
from mauerwerk.server.features.lessons.progress import Progress, where
from mauerwerk.server.http.request import AppState
from mauerwerk.server.ui.page import Page

__all__ = ["Progress", "routes", "where"]


def routes(app: AppState) -> Sequence[BaseRoute]:
    """Where lessons begin, their stops, and the real game after them."""
    return [
        Route("/learn/{game}", Page(app, get=visiting.begin)),
        Route("/learn/{game}/play", Page(app, post=visiting.play)),
        Route("/learn/{game}/{step}", Page(app, get=visiting.show, post=visiting.answer)),
    ]
