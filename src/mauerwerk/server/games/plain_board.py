"""A game that has no room: its text as a board, and a button for each legal action."""

from collections.abc import Sequence
from typing import Any

from mauerwerk.core.game import AnyGame
from mauerwerk.core.language import ENGLISH, Language, capital
from mauerwerk.core.svg import node
from mauerwerk.server.games import room
from mauerwerk.server.ui.markup import html


class PlainBoard:
    """Draws any game, from its text for a terminal."""

    LOOK = "plain-board"
    SEATED = False
    ASIDE: room.Aside = "side"
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
    ) -> room.Parts:
        """The table as this view has it."""
        text = self._game.text(view, names, language)
        drawn = node("pre", text, tabindex=0)
        stage = node("section", drawn, class_="stage", id="stage", aria_label=self._game.TITLE)
        return room.Parts(
            stage=html(stage),
            tray="",
            aside="",
            figure="",
            when="",
            seats=(room.SeatLine("", ""),) * len(names),
            buttons=tuple(
                room.Button(self._game.write(action), capital(self._game.say(action, language)))
                for action in legal
            ),
        )


def plain_game(game: AnyGame) -> room.WebGame:
    """What the pages show of a game that has no room."""
    box = room.Box(name=game.NAME, title=game.TITLE, seats=game.SEATS[0])
    return room.WebGame(box, PlainBoard(game))


def plain_chance_form(game: AnyGame, state: Any, language: Language) -> room.ChanceFields:  # noqa: ANN401 - the game's own
    """A list of all that nature may do, for a game that brings no form of its own."""
    happened = tuple(
        room.Button(game.write(action), capital(game.say(action, language)))
        for action in game.odds(state)
    )
    return room.ChanceFields(
        language("What happened?"), several=1, cards=(room.Cards("", happened),)
    )
