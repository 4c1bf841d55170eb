"""The Breach on the pages: a board of its own, a box and a rulebook."""

from collections.abc import Sequence
from importlib import resources
from typing import Final

from tests.fourth_game.game import BREACH
from tests.fourth_game.values import Action, Shown, View

from mauerwerk.core.language import ENGLISH, Language
from mauerwerk.server.games.room import (
    Aside,
    Box,
    Button,
    Moment,
    Parts,
    SeatLine,
    SeenMove,
    WebGame,
)


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


def stops(_before: object, _after: object, events: Sequence[object]) -> bool:
    """Whether hands were opened."""
    return any(isinstance(event, Shown) for event in events)


def moments(move: SeenMove) -> Sequence[Moment]:
    """Open hands are looked at by all (BR-3)."""
    shown = [event for event in move.events if isinstance(event, Shown)]
    if not shown:
        return ()
    language = move.language
    hands = "".join(
        f'<li data-at="{100 * place}" data-count="0 200 400">{hand}</li>'
        for place, hand in enumerate(shown[0].hands)
    )
    said = BREACH.tell(shown[0], move.names, language)
    stage = f'<section class="stage" id="stage"><ol class="hands">{hands}</ol></section>'
    return [Moment("reveal", stage, said, said, language("Go on"), rest=4000, motion=1000)]


WEB_GAME: Final = WebGame(
    box=Box(name="breach", title="The Breach", seats=4, line="Fill the gap.", age=7),
    board=Board(),
    moments=moments,
    stops=stops,
    files=resources.files(__name__),
)
