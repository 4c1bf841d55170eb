"""The Breach on the pages: a board of its own, a box and a rulebook."""

from collections.abc import Sequence
from importlib import resources
from typing import Final

from tests.fourth_game.game import BREACH
from tests.fourth_game.values import Action, View

from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.web.games.box import Box
from mauerwerk.web.games.parts import Aside, Button, Parts, SeatLine
from mauerwerk.web.games.web_game import WebGame


class Board:
    """A wall of two stones, with a gap between them."""

    LOOK = "breach-board"
    SEATED = False
    ASIDE: Aside = "side"
    SYMBOLS: tuple[str, ...] = ()

    def parts(  # noqa: PLR0913, PLR0917 - as every board is called
        self,
        view: View,
        legal: Sequence[Action],
        names: Sequence[str],
        language: Language = ENGLISH,
        before: Sequence[object] = (),  # noqa: ARG002
        notes: Sequence[str] = (),  # noqa: ARG002
        /,
    ) -> Parts:
        """The table as this view has it."""
        scores = view.table.scores
        return Parts(
            stage=f'<section class="stage" id="stage">#{"_" * (view.width or 0)}#</section>',
            tray="",
            aside="",
            figure="",
            when="",
            seats=tuple(SeatLine(str(score), "") for score, _ in zip(scores, names, strict=True)),
            buttons=tuple(Button(BREACH.write(each), BREACH.say(each, language)) for each in legal),
        )


WEB_GAME: Final = WebGame(
    box=Box(name="breach", title="The Breach", seats=4, line="Fill the gap.", age=7),
    board=Board(),
    files=resources.files(__name__),
)
