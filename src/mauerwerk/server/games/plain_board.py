"""A game that has no room: its own picture or its text as a board, and its actions in groups."""

from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Final

from mauerwerk.core.defaults import draws_itself
from mauerwerk.core.game import AnyGame
from mauerwerk.core.language import ENGLISH, Language, capital
from mauerwerk.core.svg import Node, node
from mauerwerk.server.games import room
from mauerwerk.server.ui.markup import html, pressed

FEW: Final = 6
"""As many actions stand beside the question; more of them lie in groups below the board."""


class PlainBoard:
    """Draws any game, from what its rules already say of it."""

    LOOK = "plain-board"
    SEATED = False
    ASIDE: room.Aside = "side"
    SYMBOLS: tuple[str, ...] = ()

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def parts(  # noqa: PLR0913, PLR0917 - all that a viewer may know
        self,
        view: Any,  # noqa: ANN401 - the game's own
        legal: Sequence[Any],
        names: Sequence[str],
        language: Language = ENGLISH,
        before: Sequence[Any] = (),  # noqa: ARG002 - the board shows what is there now
        notes: Sequence[str] = (),  # noqa: ARG002 - the list of seats shows them
        /,
    ) -> room.Parts:
        """The table as this view has it."""
        few = len(legal) <= FEW
        scores = [str(each) for each in self._game.scores(view)] or [""] * len(names)
        holds = self._game.holds(view, language) or [""] * len(names)
        lines = zip(scores, holds, strict=True)
        return room.Parts(
            stage=html(self._stage(view, names, language)),
            tray="" if few else html(self._tray(legal, language)),
            aside="",
            figure="",
            when="",
            seats=tuple(room.SeatLine(points, held) for points, held in lines),
            buttons=room.buttons(self._game, legal if few else (), language),
            act="" if few else language("Do it"),
        )

    def _stage(self, view: Any, names: Sequence[str], language: Language) -> Node:  # noqa: ANN401
        """The game's own picture, with its text for readers who hear the page; or the text."""
        names = [capital(language.called(name)) for name in names]
        text = node("pre", self._game.text(view, names, language), tabindex=0)
        content = [text]
        if draws_itself(self._game):
            # As an image its styles are its own, and nothing in it can be run.
            drawn = b64encode(self._game.svg(view, names, language).encode()).decode()
            told = node("details", node("summary", language("As text")), text)
            source = f"data:image/svg+xml;base64,{drawn}"
            content = [node("img", src=source, alt=self._game.TITLE), told]
        return node("section", *content, class_="stage", id="stage", aria_label=self._game.TITLE)

    def _tray(self, legal: Sequence[Any], language: Language) -> Node:
        """All legal actions, in groups with headings."""
        groups: dict[str, list[Node]] = {}
        for action in legal:
            heading = self._game.group(action, language)
            groups.setdefault(heading, []).append(self._chip(action, language))
        content: list[Node] = []
        for heading, chips in groups.items():
            label = [node("h3", capital(heading))] if heading else []
            content.append(node("div", *label, node("div", *chips, class_="chips"), class_="group"))
        title = language("Your choices")
        return node("section", *content, class_="tray", id="tray", aria_label=title)

    def _chip(self, action: Any, language: Language) -> Node:  # noqa: ANN401 - the game's own
        word, said = self._game.write(action), capital(self._game.say(action, language))
        return pressed(f"choice-{word}", (word, said), said, class_="chip")


def plain_game(game: AnyGame) -> room.WebGame:
    """What the pages show of a game that has no room."""
    box = room.Box(name=game.NAME, title=game.TITLE, seats=game.SEATS[0])
    return room.WebGame(box, PlainBoard(game))


def plain_chance_form(game: AnyGame, state: Any, language: Language) -> room.ChanceFields:  # noqa: ANN401 - the game's own
    """A list of all that nature may do, for a game that brings no form of its own."""
    happened = room.Cards("", room.buttons(game, game.odds(state), language))
    return room.ChanceFields(language("What happened?"), several=1, cards=(happened,))
