"""Games for the replay: records by chance, twins that look alike to a seat, pages as text."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from mauerwerk.core import record
from mauerwerk.core.errors import MoveError
from mauerwerk.core.game import NATURE, AnyGame, Seat, Setup, draw_lot
from mauerwerk.core.language import language_of
from mauerwerk.core.record import Move, Record
from mauerwerk.games import GAMES
from mauerwerk.server.features.replay.frame import frame
from mauerwerk.server.features.replay.pages import AnalysisState
from mauerwerk.server.features.replay.replay import People, Replay, ReplayPage, Viewpoint, replay_of
from mauerwerk.server.ui.preferences import Preferences
from mauerwerk.server.ui.render import render

GOLDEN = Path(__file__).parents[3] / "records" / "golden"
RECORDS = sorted(GOLDEN.glob("*/*.txt"))

SETTINGS: dict[str, tuple[int, dict[str, Any]]] = {
    "mauer": (4, {"rounds": 1, "stall": 6}),
    "burgbaumeister": (3, {"variant": True}),
    "mauerbauer": (3, {"board": "small"}),
}


def text_of(name: str) -> str:
    """A golden record, such as `mauer-1/seats-3`."""
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def replay_from(name: str) -> Replay:
    """A golden record, wound up."""
    return replay_of(record.read(text_of(name), GAMES))


def by_chance(game: AnyGame, begun: Record, chance: Random, moves: int) -> Record:
    """The record, with so many more moves by chance, or fewer where it ends."""
    state: Any = game.start(begun.setup)
    for _, step in record.replay(game, begun):
        state = step.state
    played = list(begun.moves)
    while len(played) < len(begun.moves) + moves and (asked := game.to_act(state)):
        seat = chance.choice(asked)
        action = (
            draw_lot(game.odds(state), chance.randrange)
            if seat == NATURE
            else chance.choice(game.legal(state, seat))
        )
        played.append(Move(seat, game.write(action)))
        state = game.apply(state, seat, action).state
    return Record(begun.game, begun.rules, begun.setup, tuple(played))


@cache
def a_game(name: str, seed: int, moves: int = 10_000) -> Record:
    """A game by chance."""
    game = GAMES[name]
    seats, options = SETTINGS[name]
    setup: Setup[Any] = Setup(seats, game.OPTIONS(**options))
    return by_chance(game, Record(name, game.RULES, setup), Random(seed), moves)


# --- Twins -----------------------------------------------------------------------------------


class Twins(NamedTuple):
    """Two records that look alike to a seat, as long as they go."""

    one: Record
    other: Record


def twins(played: Record, place: int, seat: Seat, chance: Random) -> Twins | None:
    """The record, as far as another one looks alike to the seat that differs in one move.

    None where the seat would notice at once. After that move the other goes on as the record does,
    as long as it can and nobody at the seat could tell.
    """
    game = GAMES[played.game]
    one: Any = game.start(played.setup)
    other = one
    mine: tuple[str, Any] | None
    moves: list[Move] = []
    for number, move in enumerate(played.moves):
        step = game.apply(one, move.seat, game.parse(move.word))
        if number < place:
            mine = move.word, step.state
        elif number == place:
            mine = _another(game, other, move, step, seat, chance)
        else:
            mine = _same(game, other, move, step, seat)
        if mine is None:
            break
        one, (word, other) = step.state, mine
        moves.append(Move(move.seat, word))
    length = len(moves)
    if length <= place:
        return None
    return Twins(
        Record(played.game, played.rules, played.setup, played.moves[:length]),
        Record(played.game, played.rules, played.setup, tuple(moves)),
    )


def _looks(game: AnyGame, step: Any, seat: Seat) -> tuple[Any, ...]:  # noqa: ANN401 - any game's
    """All that a seat notices of a move."""
    told = (game.seen(event, seat) for event in step.events)
    lasting = tuple(each for each in told if each is not None)
    return lasting, game.view(step.state, seat), game.to_act(step.state), game.turn(step.state)


def _same(
    game: AnyGame,
    state: Any,  # noqa: ANN401 - any game's
    move: Move,
    looks_like: Any,  # noqa: ANN401 - likewise
    seat: Seat,
) -> tuple[str, Any] | None:
    """The same move, if it can be made here and looks the same."""
    try:
        step = game.apply(state, move.seat, game.parse(move.word))
    except MoveError:
        return None
    alike = _looks(game, step, seat) == _looks(game, looks_like, seat)
    return (move.word, step.state) if alike else None


def _another(  # noqa: PLR0913, PLR0917 - a move, and to whom it looks how
    game: AnyGame,
    state: Any,  # noqa: ANN401 - any game's
    move: Move,
    looks_like: Any,  # noqa: ANN401 - likewise
    seat: Seat,
    chance: Random,
) -> tuple[str, Any] | None:
    """Another move that looks the same."""
    choices = [*(game.odds(state) if move.seat == NATURE else game.legal(state, move.seat))]
    chance.shuffle(choices)
    for action in choices:
        word = game.write(action)
        if word != move.word and (
            made := _same(game, state, Move(move.seat, word), looks_like, seat)
        ):
            return made
    return None


# --- Pages -----------------------------------------------------------------------------------


def page_text(replay: Replay, at: int, viewpoint: Viewpoint, code: str = "en") -> str:
    """What the page shows of a position."""
    language = language_of(code)
    shown = frame(replay, at, viewpoint, People(), language)
    page = ReplayPage(replay, "/replay/code", People(), "/replay/code/record")
    return render(
        "replay/main.html",
        language,
        Preferences(),
        page=page,
        shown=shown,
        analysis=AnalysisState(),
        levels=[],
        level="",
        closed=False,
    )
