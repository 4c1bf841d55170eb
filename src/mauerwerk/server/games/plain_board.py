"""The board of a game that brings none of its own: its text, and a button for each legal action."""

from collections.abc import Sequence
from typing import Any

from mauerwerk.core.game import AnyGame
from mauerwerk.core.language.translation import ENGLISH, Language
from mauerwerk.core.language.words import capital
from mauerwerk.core.svg.drawing import node
from mauerwerk.server.games.markup import html
from mauerwerk.server.games.parts import Aside, Button, Parts, SeatLine


class PlainBoard:
    """Draws any game, from its text for a terminal."""

    LOOK = "plain-board"
    SEATED = False
    ASIDE: Aside = "side"
    SYMBOLS: tuple[str, ...] = ()

    def __init__(self, game: AnyGame) -> None:
        """Draw this game."""
        self._game = game

    def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
        self,
        view: Any,  # noqa: ANN401 - the game's own
        legal: Sequence[Any],
        names: Sequence[str],
        language: Language = ENGLISH,
        before: Sequence[Any] = (),  # noqa: ARG002 - the text shows what is there now
        notes: Sequence[str] = (),  # noqa: ARG002 - the list of seats shows them
        /,
    ) -> Parts:
        """The table as this view has it."""
        text = self._game.text(view, names, language)
        drawn = node("pre", text, tabindex=0)
        stage = node("section", drawn, class_="stage", id="stage", aria_label=self._game.TITLE)
        return Parts(
            stage=html(stage),
            tray="",
            aside="",
            figure="",
            when="",
            seats=(SeatLine("", ""),) * len(names),
            buttons=tuple(
                Button(self._game.write(action), capital(self._game.say(action, language)))
                for action in legal
            ),
        )
