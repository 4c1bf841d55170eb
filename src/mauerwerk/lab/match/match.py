"""Games between bots, each repeatable by its seed."""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import perf_counter
from typing import Any

from mauerwerk.bots import external, spec
from mauerwerk.bots.bot import Player
from mauerwerk.core.errors import MoveError, SetupError
from mauerwerk.core.game import (
    NATURE,
    AnyGame,
    Chance,
    Observer,
    Outcome,
    Seat,
    Setup,
    Step,
    Value,
    after_forfeits,
    draw_lot,
)
from mauerwerk.core.record import Move, Record


def play(
    game: AnyGame,
    setup: Setup[Any],
    players: Sequence[Player],
    nature: Chance,
    lengths: Sequence[list[float]] | None = None,
) -> Iterator[tuple[Move, Step[Any, Any]]]:
    """Play a game to its end, move by move, with one player per seat and chance from `nature`.

    Each bot is given its sight, its time to think, and nothing else. Bots that choose together act
    one after the other, and none is shown what another chose. To `lengths`, a list for each seat,
    are added the seconds that each decision took.
    """
    state = game.start(setup)
    observers = [Observer(game, Seat(seat)) for seat in range(setup.seats)]
    while asked := game.to_act(state):
        seat = asked[0]
        if seat == NATURE:
            action = draw_lot(game.odds(state), nature)
        else:
            bot, seconds = players[seat]
            if (judged_by := getattr(bot, "judged_by", None)) is not None:
                judged_by(partial(refused, game, state, seat))
            sight = observers[seat].sight(state)
            began = perf_counter()
            action = bot.act(sight, seconds)
            if lengths is not None:
                lengths[seat].append(perf_counter() - began)
        step = game.apply(state, seat, action)
        for observer in observers:
            observer.follow(step)
        yield Move(seat, game.write(action)), step
        state = step.state


def refused(game: AnyGame, state: Any, seat: Seat, action: Any) -> MoveError | None:  # noqa: ANN401 - the game's own
    """The error with which the rules refuse an action; None if they do not."""
    try:
        game.apply(state, seat, action)
    except MoveError as error:
        return error
    return None


class Played(Value):
    """A game that bots have finished."""

    record: Record
    outcome: Outcome
    turns: int


def play_out(
    game: AnyGame,
    setup: Setup[Any],
    players: Sequence[Player],
    nature: Chance,
    lengths: Sequence[list[float]] | None = None,
) -> Played:
    """Play a game as `play` does, and return its record and outcome.

    A bot of other people that fails loses the game; any legal moves are played for it, and the user
    is told.
    """
    state: Any = game.start(setup)
    moves: list[Move] = []
    for move, step in play(game, setup, players, nature, lengths):
        moves.append(move)
        state = step.state
    outcome = game.outcome(state)
    assert outcome is not None
    bots = [player.bot for player in players]
    if forfeits := external.faults_of(bots):
        outcome = after_forfeits(outcome, list(forfeits))
        external.show_faults(bots)
    return Played(Record(game.NAME, game.RULES, setup, tuple(moves)), outcome, game.turn(state))


def simulate(
    game: AnyGame, setup: Setup[Any], bots: Sequence[str], games: int, seed: int
) -> Iterator[Played]:
    """Play many games between these bots, one per seat: words such as `greedy` or `search:0.2s`.

    A game depends on the seed and its number alone: the tenth of a hundred is the tenth of ten.
    Raises SetupError at once if the game need not end, or a bot cannot play it.
    """
    check_end(game, setup)
    spec.check(bots, game, setup)
    return (play_number(game, setup, bots, seed, number) for number in range(games))


def check_end(game: AnyGame, setup: Setup[Any]) -> None:
    """Refuse games that need not end. Raises SetupError."""
    if not game.must_end(setup):
        raise SetupError(f"{game.NAME} with these options need not end, so it cannot be simulated")


def play_number(
    game: AnyGame, setup: Setup[Any], bots: Sequence[str], seed: int, number: int
) -> Played:
    """The game with this number."""
    players = seated(game, setup, bots, seed, number)
    return play_out(game, setup, players, chance(seed, number, "nature"))


def seated(
    game: AnyGame, setup: Setup[Any], bots: Sequence[str], seed: int, number: int
) -> list[Player]:
    """These bots at their seats in the game with this number, each with its own chance."""
    return [
        spec.sit(word, game, setup, chance(seed, number, str(seat)))
        for seat, word in enumerate(bots)
    ]


def chance(seed: int, number: int, whose: str) -> Chance:
    """A source of chance of its own for each game and each player, and for nature."""
    source: Callable[[int], int] = random.Random(f"{seed}/{number}/{whose}").randrange  # noqa: S311
    return source
