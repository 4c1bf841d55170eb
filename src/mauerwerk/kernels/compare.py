"""Rules and kernel compared after every move of a game.

    python -m mauerwerk.kernels.compare [game ...] [--decisions N] [--seed N]

compares game after game until it is stopped, or something differs. A difference is printed as a
record that leads to it, with the seed of its game.
"""

import argparse
import random
import secrets
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from mauerwerk.core.game import NATURE, AnyGame, Chance, Seat, Setup
from mauerwerk.core.record import Move, Record, write
from mauerwerk.core.sight import Observer
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.play.single import SingleGame

SECONDS_BETWEEN: Final = 5.0
"""Seconds between two lines about progress."""
GAMES_BETWEEN: Final = 8
"""What kernels remember is compared in one game out of this many, because it is slow."""


class DifferenceError(AssertionError):
    """Rules and kernel disagree; the message is a record that leads there, and how they differ."""

    def __init__(self, game: AnyGame, setup: Setup[Any], moves: list[Move], what: str) -> None:
        """Write the game down as far as it went."""
        played = write(game, Record(game.NAME, game.RULES, setup, tuple(moves)))
        super().__init__(f"{what}\n{played}")


LANES: Final = (1, 2, 4, 16, 32)
"""How many lanes look at a position: on a CPU one, on a GPU several."""

FULLY: Final = 24
"""The mean number of moves between two full comparisons, which are slow."""


def compare(game: AnyGame, setup: Setup[Any], draw: Chance) -> int:
    """Play a random game on both; returns its number of moves. Raises DifferenceError.

    In half of the games each action has a weight of its own, the same through the game, since some
    things hardly ever happen between uniform players.
    """
    state = game.start(setup)
    position = SingleGame(game, setup, lanes=LANES[draw(len(LANES))])
    numbers = {action: number for number, action in enumerate(position.values)}
    biased = draw(2) == 1
    weights = [1 << (draw(5) * biased) for _ in numbers]
    moves: list[Move] = []
    while True:
        asked = game.to_act(state)
        legal = {seat: [numbers[each] for each in game.legal(state, seat)] for seat in asked}
        differences: Compared = [
            ("to act", asked, position.to_act),
            ("legal", _of_players(legal), position.all_legal),
            ("odds", _odds(game, state, asked, numbers), position.odds),
            ("outcome", game.outcome(state), position.outcome),
        ]
        if not asked or draw(FULLY) == 0:
            differences += _compared_fully(game, state, position, numbers)
            position.state = state
        for what, ours, theirs in differences:
            if ours != theirs:
                fault = f"{what}: {ours} by the rules, {theirs} by the kernel"
                raise DifferenceError(game, setup, moves, fault)
        if not asked:
            return len(moves)
        seat = asked[draw(len(asked))]
        number = sampled(legal[seat], weights, draw)
        action = position.values[number]
        state = game.apply(state, seat, action).state
        moves.append(Move(seat, game.write(action)))
        if not position.apply(seat, number):
            raise DifferenceError(game, setup, moves, "the last move is not allowed by the kernel")


def sampled(legal: list[int], weights: list[int], draw: Chance) -> int:
    """One of these actions, by its weight."""
    ticket = draw(sum(weights[number] for number in legal))
    for number in legal:
        ticket -= weights[number]
        if ticket < 0:
            return number
    raise AssertionError(legal)


Compared: TypeAlias = list[tuple[str, object, object]]
"""What must be equal: what it is, by the rules, by the kernel."""


def _of_players(legal: Mapping[Seat, list[int]]) -> list[list[int]]:
    """Pairs of a seat and a legal action; none of seats that are not to act."""
    return [[seat, each] for seat, numbers in legal.items() if seat != NATURE for each in numbers]


def _odds(
    game: AnyGame,
    state: Any,  # noqa: ANN401 - the game's own kind
    asked: tuple[Seat, ...],
    numbers: Mapping[Any, int],
) -> dict[int, int]:
    if NATURE not in asked:
        return {}
    return {numbers[action]: weight for action, weight in game.odds(state).items()}


def _compared_fully(
    game: AnyGame,
    state: Any,  # noqa: ANN401 - the game's own kind
    position: SingleGame,
    numbers: Mapping[Any, int],
) -> Compared:
    """Compare the whole state, what each seat sees, and what tickets draw."""
    setup, features = position.setup, position.features.tolist()
    compared: Compared = [
        ("turn", game.turn(state), position.turn),
        ("state", state, position.state),
    ]
    for seat in map(Seat, range(setup.seats)):
        seen = position.kernel.features(setup, game.view(state, seat))
        compared.append((f"what {seat} sees", list(seen), features[seat]))
    for seat in game.to_act(state):
        odds = game.odds(state) if seat == NATURE else dict.fromkeys(game.legal(state, seat), 1)
        expected = [numbers[action] for action, weight in odds.items() for _ in range(weight)]
        sampled = [position.pick(seat, ticket) for ticket in range(len(expected) + 1)]
        compared.append((f"what {seat} draws", [*expected, -1], sampled))
    return compared


# --- What kernels remember -------------------------------------------------------------------


def compare_memory(game: AnyGame, setup: Setup[Any], draw: Chance, every: int = 8) -> int:
    """Play a random game and compare what seats remember; the number of comparisons.

    One seat is compared after about one move in `every`, and all seats at the end. In half of the
    games actions have weights, as in `compare`. Raises DifferenceError.
    """
    state = game.start(setup)
    position = SingleGame(game, setup, lanes=LANES[draw(len(LANES))], remember=True)
    observers = [Observer(game, Seat(seat)) for seat in range(setup.seats)]
    numbers = {action: number for number, action in enumerate(position.values)}
    biased = draw(2) == 1
    weights = [1 << (draw(5) * biased) for _ in numbers]
    moves: list[Move] = []
    compared = 0
    while asked := game.to_act(state):
        if draw(every) == 0:
            _compare_memory(game, position, state, observers[draw(setup.seats)], moves)
            compared += 1
        seat = asked[draw(len(asked))]
        legal = game.odds(state) if seat == NATURE else game.legal(state, seat)
        number = sampled([numbers[each] for each in legal], weights, draw)
        action = position.values[number]
        step = game.apply(state, seat, action)
        for observer in observers:
            observer.follow(step)
        state = step.state
        moves.append(Move(seat, game.write(action)))
        position.apply(seat, number)
    for observer in observers:
        _compare_memory(game, position, state, observer, moves)
    return compared + setup.seats


def _compare_memory(
    game: AnyGame,
    position: SingleGame,
    state: Any,  # noqa: ANN401 - the game's own kind
    observer: Observer,
    moves: list[Move],
) -> None:
    setup, seat = position.setup, observer.seat
    ours = list(position.kernel.remembered(setup, observer.sight(state)))
    theirs = position.features[seat].tolist()
    if ours == theirs:
        return
    for part, place in position.kernel.OBSERVATION.layout(setup).items():
        if ours[place] != theirs[place]:
            what = f"{part} of {seat}: {ours[place]} by beliefs, {theirs[place]} by the kernel"
            raise DifferenceError(game, setup, moves, what)
    raise DifferenceError(game, setup, moves, f"{len(ours)} numbers, not {len(theirs)}")


# --- Until it is stopped ---------------------------------------------------------------------


def main(words: Sequence[str] | None = None) -> int:
    """Compare game after game, in turns; exit code 1 where something differs."""
    given = _parser().parse_args(words)
    names: list[str] = given.games or list(KERNELS)
    decisions = dict.fromkeys(names, 0)
    played = dict.fromkeys(names, 0)
    number, last = 0, time.monotonic()
    try:
        while min(decisions.values()) < given.decisions:
            name = min(names, key=decisions.__getitem__)
            seed = f"{given.seed}/{name}/{number}"
            draw = random.Random(seed).randrange  # noqa: S311 - not a secret
            try:
                decisions[name] += compare(GAMES[name], kernel_of(name).random_setup(draw), draw)
                if number % GAMES_BETWEEN == 0 and hasattr(kernel_of(name), "memory"):
                    compare_memory(GAMES[name], kernel_of(name).random_setup(draw), draw)
            except DifferenceError as difference:
                sys.stdout.write(f"{name} differs, seed {seed}\n{difference}\n")
                return 1
            played[name] += 1
            number += 1
            if time.monotonic() > last + SECONDS_BETWEEN:
                last = time.monotonic()
                _report(decisions, played)
    except KeyboardInterrupt:
        pass
    _report(decisions, played)
    return 0


def _report(decisions: dict[str, int], played: dict[str, int]) -> None:
    for name, number in decisions.items():
        sys.stdout.write(f"{name}: {number:,} decisions in {played[name]:,} games, no difference\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("compare", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games", nargs="*", choices=[*KERNELS, []], metavar="game")
    parser.add_argument("--decisions", type=float, default=float("inf"), help="stop after these")
    parser.add_argument("--seed", type=int, default=secrets.randbits(32), help="default: any")
    return parser


if __name__ == "__main__":
    sys.exit(main())
