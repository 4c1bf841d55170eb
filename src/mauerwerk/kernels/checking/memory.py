"""What a kernel remembers compared with what beliefs derive from all that a seat was told."""

from typing import Any

from mauerwerk.core.game import NATURE, AnyGame, Chance, Seat, Setup
from mauerwerk.core.record import Move
from mauerwerk.core.sight import Observer
from mauerwerk.kernels.checking.compare import LANES, DifferenceError, sampled
from mauerwerk.kernels.play.single_game import SingleGame


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
            _compare(game, position, state, observers[draw(setup.seats)], moves)
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
        _compare(game, position, state, observer, moves)
    return compared + setup.seats


def _compare(
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
    for part, place in position.kernel.layout(setup).items():
        if ours[place] != theirs[place]:
            what = f"{part} of {seat}: {ours[place]} by beliefs, {theirs[place]} by the kernel"
            raise DifferenceError(game, setup, moves, what)
    raise DifferenceError(game, setup, moves, f"{len(ours)} numbers, not {len(theirs)}")
