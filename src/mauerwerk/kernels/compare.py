"""Rules and kernel compared after every move of a game.

    python -m mauerwerk.kernels.compare [game ...] [--decisions N] [--seed N] [--device wasm]

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

from mauerwerk.core.game import NATURE, AnyGame, Chance, Observer, Seat, Setup, Step
from mauerwerk.core.record import Move, Record, write
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.compiler import Device
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


class _SideBySide:
    """A random game, by the rules and by the kernel.

    In half of the games each action has a weight of its own, the same through the game, since some
    things hardly ever happen between uniform players.
    """

    def __init__(
        self,
        game: AnyGame,
        setup: Setup[Any],
        draw: Chance,
        *,
        remember: bool = False,
        device: Device | None = None,
    ) -> None:
        self.game, self.setup, self.draw = game, setup, draw
        self.state: Any = game.start(setup)
        lanes = LANES[draw(len(LANES))]
        self.position = SingleGame(game, setup, lanes=lanes, remember=remember, device=device)
        self.numbers = {action: number for number, action in enumerate(self.position.values)}
        biased = draw(2) == 1
        self.weights = [1 << (draw(5) * biased) for _ in self.numbers]
        self.moves: list[Move] = []

    def legal(self, seat: Seat) -> list[int]:
        """What a seat may do, by the rules."""
        return [self.numbers[each] for each in self.game.legal(self.state, seat)]

    def move(self) -> Step[Any, Any]:
        """Make a random move on both sides."""
        asked = self.game.to_act(self.state)
        seat = asked[self.draw(len(asked))]
        number = sampled(self.legal(seat), self.weights, self.draw)
        action = self.position.values[number]
        step = self.game.apply(self.state, seat, action)
        self.state = step.state
        self.moves.append(Move(seat, self.game.write(action)))
        if not self.position.apply(seat, number):
            raise self.difference("the last move is not allowed by the kernel")
        return step

    def difference(self, what: str) -> DifferenceError:
        """How they differ, with the moves so far."""
        return DifferenceError(self.game, self.setup, self.moves, what)


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


def compare(game: AnyGame, setup: Setup[Any], draw: Chance, *, device: Device | None = None) -> int:
    """Play a random game on both; returns its number of moves. Raises DifferenceError."""
    both = _SideBySide(game, setup, draw, device=device)
    position, numbers = both.position, both.numbers
    while True:
        asked = game.to_act(both.state)
        nature: Mapping[Any, int] = game.odds(both.state) if NATURE in asked else {}
        legal = [[seat, each] for seat in asked if seat != NATURE for each in both.legal(seat)]
        differences: Compared = [
            ("to act", asked, position.to_act),
            ("legal", legal, position.all_legal),
            ("odds", {numbers[each]: weight for each, weight in nature.items()}, position.odds),
            ("outcome", game.outcome(both.state), position.outcome),
        ]
        if not asked or draw(FULLY) == 0:
            differences += _compared_fully(both)
            position.state = both.state
        for what, ours, theirs in differences:
            if ours != theirs:
                raise both.difference(f"{what}: {ours} by the rules, {theirs} by the kernel")
        if not asked:
            return len(both.moves)
        both.move()


def _compared_fully(both: _SideBySide) -> Compared:
    """Compare the whole state, what each seat sees, and what tickets draw."""
    game, setup, state, position = both.game, both.setup, both.state, both.position
    compared: Compared = [
        ("turn", game.turn(state), position.turn),
        ("state", state, position.state),
    ]
    features = position.features.tolist()
    for seat in map(Seat, range(setup.seats)):
        seen = position.kernel.features(setup, game.view(state, seat))
        compared.append((f"what {seat} sees", list(seen), features[seat]))
    for seat in game.to_act(state):
        odds = game.odds(state) if seat == NATURE else dict.fromkeys(game.legal(state, seat), 1)
        expected = [both.numbers[action] for action, weight in odds.items() for _ in range(weight)]
        drawn = [position.pick(seat, ticket) for ticket in range(len(expected) + 1)]
        compared.append((f"what {seat} draws", [*expected, -1], drawn))
    return compared


# --- What kernels remember -------------------------------------------------------------------


def compare_memory(
    game: AnyGame,
    setup: Setup[Any],
    draw: Chance,
    every: int = 8,
    *,
    device: Device | None = None,
) -> int:
    """Play a random game and compare what seats remember; the number of comparisons.

    One seat is compared after about one move in `every`, and all seats at the end. Raises
    DifferenceError.
    """
    both = _SideBySide(game, setup, draw, remember=True, device=device)
    observers = [Observer(game, Seat(seat)) for seat in range(setup.seats)]
    compared = 0
    while game.to_act(both.state):
        if draw(every) == 0:
            _compare_memory(both, observers[draw(setup.seats)])
            compared += 1
        step = both.move()
        for observer in observers:
            observer.follow(step)
    for observer in observers:
        _compare_memory(both, observer)
    return compared + setup.seats


def _compare_memory(both: _SideBySide, observer: Observer) -> None:
    kernel, setup, seat = both.position.kernel, both.setup, observer.seat
    ours = list(kernel.remembered(setup, observer.sight(both.state)))
    theirs = both.position.features[seat].tolist()
    if ours == theirs:
        return
    for part, place in kernel.OBSERVATION.layout(setup).items():
        if ours[place] != theirs[place]:
            raise both.difference(
                f"{part} of {seat}: {ours[place]} by beliefs, {theirs[place]} by the kernel"
            )
    raise both.difference(f"{len(ours)} numbers, not {len(theirs)}")


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
                setup = kernel_of(name).random_setup(draw)
                decisions[name] += compare(GAMES[name], setup, draw, device=given.device)
                if number % GAMES_BETWEEN == 0 and hasattr(kernel_of(name), "memory"):
                    setup = kernel_of(name).random_setup(draw)
                    compare_memory(GAMES[name], setup, draw, device=given.device)
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
    parser.add_argument("--device", choices=["cpu", "wasm"], help="default: what there is")
    return parser


if __name__ == "__main__":
    sys.exit(main())
