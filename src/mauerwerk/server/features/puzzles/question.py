"""A puzzle as its solver sees it: the position from one seat, and after the answer its chances.

Everything before the answer is made from the sight of the seat: what others hold is not there.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

from mauerwerk.core import record
from mauerwerk.core.errors import MoveError
from mauerwerk.core.game import AnyGame, Ephemeral, Observer, Outcome, Setup, Sight
from mauerwerk.core.language import YOU, Language, capital, message, sentence
from mauerwerk.games import GAMES
from mauerwerk.lab.analysis.puzzles import Puzzle
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import Preview, WebGame, buttons
from mauerwerk.server.ui.names import BOTS, places_of, places_said

GOOD: Final = 0.03
"""A choice that loses less of the chance to win is a good one."""
BEST, YOURS, OTHER = "best", "yours", "other"
"""The classes of what is marked on the board after the answer."""


class PuzzlePosition(NamedTuple):
    """The position of a puzzle, from the seat that is asked."""

    game: AnyGame
    setup: Setup[Any]
    moves: tuple[str, ...]
    """What led here, as words of a record."""
    turn: int
    sight: Sight[Any, Any, Any]
    outcome: Outcome | None
    """How the game ended; only for after the answer."""

    @property
    def room(self) -> WebGame:
        """What the game brings to the pages."""
        return web_game(self.game.NAME)

    @property
    def before(self) -> Sequence[Any]:
        """What the seat was told, less what is told only once."""
        return [event for event in self.sight.told if not isinstance(event, Ephemeral)]

    @property
    def names(self) -> tuple[str, ...]:
        """The names in sentences: the seat that is asked is `you`, and nobody is named."""
        return tuple(
            YOU if seat == self.sight.seat else BOTS[seat % len(BOTS)]
            for seat in range(self.setup.seats)
        )

    def preview(self, word: str, language: Language) -> Preview | None:
        """What a choice would do, by what the seat knows. Raises MoveError."""
        action = self.legal(word)
        draw = self.room.preview
        return draw(self.sight.view, action, self.names, language, self.before) if draw else None

    def legal(self, word: str) -> Any:  # noqa: ANN401 - the game's own
        """The action of this word. Raises MoveError where it is none, or not allowed here."""
        action = self.game.parse(word)
        if action not in self.sight.legal:
            raise MoveError("this cannot be played here")
        return action

    def said(self, word: str, language: Language) -> str:
        """A choice as a player would say it."""
        return capital(self.game.say(self.game.parse(word), language))


@lru_cache(maxsize=64)
def position_of(puzzle: Puzzle) -> PuzzlePosition:
    """The position of a puzzle, played up to it."""
    kept = record.read(puzzle.record, GAMES)
    game = GAMES[kept.game]
    observer = Observer(game, puzzle.seat)
    state: Any = game.start(kept.setup)
    asked: tuple[int, Sight[Any, Any, Any]] | None = None
    for number, move in enumerate(kept.moves):
        if number == puzzle.at:
            asked = game.turn(state), observer.sight(state)
        step = game.apply(state, move.seat, game.parse(move.word))
        observer.follow(step)
        state = step.state
    if asked is None or puzzle.seat not in range(kept.setup.seats):
        raise ValueError("the record of this puzzle ends before its question")
    moves = tuple(str(move) for move in kept.moves[: puzzle.at])
    return PuzzlePosition(game, kept.setup, moves, *asked, game.outcome(state))


# --- The question ----------------------------------------------------------------------------


def question_of(
    puzzle: Puzzle, language: Language, marks: dict[str, str] | None = None
) -> dict[str, Any]:
    """The position for the template, with nothing in it that the seat could not know."""
    position = position_of(puzzle)
    board, names, sight = position.room.board, position.names, position.sight
    parts = board.parts(sight.view, sight.legal, names, language, position.before)
    game = position.game
    return {
        "box": position.room.box,
        "look": board.LOOK,
        "turn": position.turn + 1,
        "ask": capital(game.ask(sight.view, names, language)),
        "parts": parts.marked(marks, {}) if marks else parts,
        "lines": ()
        if board.SEATED
        else parts.rows(names, language, sight.seat, waiting=(sight.seat,)),
        "choices": buttons(game, sight.legal, language),
    }


# --- The answer ------------------------------------------------------------------------------

TITLES: Final = (message("The best move"), message("Second best"))
GOOD_TITLE: Final = message("A good move")
LAST_TITLE: Final = message("There was better")


def answer_to(puzzle: Puzzle, word: str, language: Language) -> dict[str, Any]:
    """What was worth what, and why, for the template. Raises MoveError for what is no choice."""
    position = position_of(puzzle)
    position.legal(word)
    best = position.preview(puzzle.choices[0].word, language)
    return {
        "title": language(_title(puzzle, word)),
        "chances": _chances(puzzle, word, language),
        "rows": [
            (each.word, position.said(each.word, language), round(100 * each.value))
            for each in puzzle.choices
        ],
        "reason": " ".join(filter(None, (best.sentence, best.aloud))) if best else "",
        # What the best choice does, drawn on the board.
        "drawing": best.drawing if best else "",
        "happened": _happened(puzzle, position, language),
        "word": word,
        "said": position.said(word, language),
    }


def marks_after(puzzle: Puzzle, word: str) -> dict[str, str]:
    """The classes of the choices on the board, by their words."""
    marks = {each.word: OTHER for each in puzzle.choices}
    return marks | {word: YOURS} | {puzzle.choices[0].word: BEST}


def _title(puzzle: Puzzle, word: str) -> str:
    values = {each.word: each.value for each in puzzle.choices}
    if word not in values:
        return LAST_TITLE
    place = [each.word for each in puzzle.choices].index(word)
    if place < len(TITLES):
        return TITLES[place]
    return GOOD_TITLE if puzzle.choices[0].value - values[word] < GOOD else LAST_TITLE


def _chances(puzzle: Puzzle, word: str, language: Language) -> str:
    chances = {each.word: round(100 * each.value) for each in puzzle.choices}
    best = chances[puzzle.choices[0].word]
    if word not in chances:
        return language("After the best move you win {best} times in 100.", best=best)
    if word == puzzle.choices[0].word:
        return language("After your move you win {best} times in 100.", best=best)
    return language(
        "After your move you win {yours} times in 100, after the best one {best}.",
        yours=chances[word],
        best=best,
    )


def _happened(puzzle: Puzzle, position: PuzzlePosition, language: Language) -> str:
    names = [BOTS[seat % len(BOTS)] for seat in range(position.setup.seats)]
    said = language(
        "In the game, {who} chose: {move}",
        who=names[puzzle.seat],
        move=position.game.say(position.game.parse(puzzle.chosen), language),
    )
    if position.outcome is None:
        return sentence(said)
    return f"{sentence(said)} {places_said(places_of(position.outcome, names, language))}"
