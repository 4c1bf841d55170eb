"""Rules of thumb in kernels: the greedy bot's own values in every position, and its choices."""

import random
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pytest
from tests.support.amounts import amount

from mauerwerk.bots.evaluation import sample, shares
from mauerwerk.bots.greedy import Greedy
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, AnyGame, Chance, Observer, Seat, Setup
from mauerwerk.core.options import from_words
from mauerwerk.core.record import Move
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels import KERNELS, actions_of, kernel_of, pack_setup
from mauerwerk.kernels.chance import below, key_of
from mauerwerk.kernels.compare import DifferenceError
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.single import begin, move, suggestion

NAMES: Final = [name for name in KERNELS if hasattr(kernel_of(name), "greedy")]
GAMES_OF_EACH: Final = amount(1, 1, 40)
DRAWS: Final = 30
"""How often an action is drawn in each position, for each of those that are as good."""
CLOSE: Final = 1e-6
AS_GOOD: Final = 1e-7
"""What is worth less than this more is as good to a kernel."""
KEY: Final = key_of(1)


class Compared:
    """One game by rules and kernel side by side, with the greedy bot of both."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        """Lay the table."""
        self.game, self.setup, self.draw = game, setup, draw
        self.values = actions_of(game, setup)
        self.numbers = {action: number for number, action in enumerate(self.values)}
        self.bots = [Greedy(game, setup, draw) for _ in range(setup.seats)]
        self.moves: list[Move] = []
        self.compared = 0
        compiler = compiler_for(game.NAME, "cpu", part="greedy")
        kernel: Any = compiler.kernel
        self._given = pack_setup(game, setup), np.zeros(1, kernel.STATE)
        self._room = np.zeros(1, kernel.ROOM)
        self._suggest, self._move = compiler.entry(suggestion), compiler.entry(move)
        compiler.entry(begin)(*self._given)

    def play(self, chance: int) -> None:
        """Play to the end; of a hundred decisions, this many are taken by chance."""
        state = self.game.start(self.setup)
        observers = [Observer(self.game, Seat(seat)) for seat in range(self.setup.seats)]
        while asked := self.game.to_act(state):
            seat = asked[self.draw(len(asked))]
            legal = [*(self.game.odds(state) if seat == NATURE else self.game.legal(state, seat))]
            number = self.numbers[legal[self.draw(len(legal))]]
            if seat != NATURE and len(legal) > 1:
                self._compare(observers[seat], state)
                if self.draw(100) >= chance:
                    number = self._suggested(seat, self.draw(1 << 30))
            action = self.values[number]
            step = self.game.apply(state, seat, action)
            for observer in observers:
                observer.follow(step)
            state = step.state
            self.moves.append(Move(seat, self.game.write(action)))
            assert self._move(*self._given, seat, number)

    def _suggested(self, seat: Seat, ticket: int) -> int:
        return int(self._suggest(*self._given, self._room, seat, KEY, ticket))

    def _compare(self, observer: Observer, state: Any) -> None:  # noqa: ANN401 - the game's own kind
        sight = observer.sight(state)
        choices, temperature, *_ = self.bots[sight.seat].consider(sight)
        ours = {self.numbers[each.action]: each.value for each in choices}
        tickets = [self.draw(1 << 30) for _ in range(DRAWS)]
        best = [number for number, value in ours.items() if value > max(ours.values()) - AS_GOOD]
        if not temperature:
            tickets *= len(best)
            tickets = [ticket + place for place, ticket in enumerate(tickets)]
        suggested = [self._suggested(sight.seat, ticket) for ticket in tickets]
        if temperature:
            weights = shares([*ours.values()], temperature)
            expected = [[*ours][sample(weights, _drawn(ticket))] for ticket in tickets]
        else:
            suggested, expected = sorted({*suggested}), sorted(best)
        theirs = dict(zip(ours, self._room["worth"][0].tolist(), strict=False))
        self.compared += 1
        if suggested != expected or not _close(ours, theirs):
            fault = f"the bot takes {expected}, the kernel {suggested}: {ours} and {theirs}"
            raise DifferenceError(self.game, self.setup, self.moves, fault)


def _drawn(ticket: int) -> Chance:
    """What a kernel draws."""

    def draw(bound: int, /) -> int:
        with np.errstate(over="ignore"):  # compiled code wraps around and says nothing
            return int(below(KEY, ticket, 0, bound))

    return draw


def _close(ours: Mapping[int, float], theirs: Mapping[int, float]) -> bool:
    return all(abs(ours[number] - theirs[number]) < CLOSE for number in ours)


def play(name: str, setup: Setup[Any], draw: Chance, games: int) -> int:
    """Compare so many games, from careful to careless players; in how many positions."""
    compared = 0
    for number in range(games):
        game = Compared(GAMES[name], setup, draw)
        game.play(chance=(0, 20, 60, 100)[number % 4])
        compared += game.compared
    return compared


@pytest.mark.parametrize("early", ["no", "yes"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_mauerbauer_is_played_as_the_bot_plays_it(seats: int, early: str) -> None:
    """Every choice is worth the same, and each of the best ones is taken."""
    game = GAMES["mauerbauer"]
    setup = Setup(seats, from_words(game.OPTIONS, {"early": early}))
    draw = random.Random(f"{seats}/{early}").randrange

    assert play("mauerbauer", setup, draw, GAMES_OF_EACH) > 100 * GAMES_OF_EACH


@pytest.mark.parametrize("variant", ["no", "yes"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_burgbaumeister_is_played_as_the_bot_plays_it(seats: int, variant: str) -> None:
    """The same, with and without pictures."""
    game = GAMES["burgbaumeister"]
    setup = Setup(seats, from_words(game.OPTIONS, {"variant": variant}))
    draw = random.Random(f"{seats}/{variant}").randrange

    assert play("burgbaumeister", setup, draw, GAMES_OF_EACH) > 30 * GAMES_OF_EACH


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_die_mauer_is_played_as_the_bot_plays_it(seats: int) -> None:
    """The same; fists are mixed by the same shares."""
    draw = random.Random(seats).randrange

    assert play("mauer", Setup(seats, mauer.Options()), draw, GAMES_OF_EACH) > 100 * GAMES_OF_EACH


@pytest.mark.parametrize("name", NAMES)
def test_any_game_is_played_as_the_bot_plays_it(name: str) -> None:
    """With any setup: of boards also small ones, with lakes."""
    draw = random.Random(name).randrange

    games = 5 * GAMES_OF_EACH
    compared = sum(play(name, kernel_of(name).random_setup(draw), draw, 1) for _ in range(games))
    assert compared > 10 * games


# --- In batches ------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_a_batch_suggests_legal_actions(name: str, packed: bool, threads: int) -> None:  # noqa: FBT001
    """For each seat that is to act, and -1 for the others; `actions` stay as they are."""
    game = GAMES[name]
    setup = Setup(game.SEATS[1], game.OPTIONS())
    batch = Batch(game, setup, 30, 1, packed=packed, suggest=True, threads=threads)
    for _ in range(100):
        batch.actions[:] = 7
        batch.suggest()
        assert (batch.actions == 7).all()
        if not packed:
            assert ((batch.suggestions >= 0) == batch.to_act).all()
        batch.actions[:] = batch.suggestions
        batch.step()

    assert batch.decisions.max() > 30


@pytest.mark.parametrize("name", NAMES)
def test_packed_rows_and_seats_get_the_same_suggestions(name: str) -> None:
    """In every form of observations, too."""
    game = GAMES[name]
    setup = Setup(game.SEATS[1], game.OPTIONS())
    plain = Batch(game, setup, 30, 1, suggest=True)
    packed = Batch(game, setup, 30, 1, packed=True, suggest=True, form="bits")
    for _ in range(100):
        for batch in (plain, packed):
            batch.suggest()
            batch.actions[:] = batch.suggestions
        rows = packed.rows
        games, seats = packed.row_games[:rows], packed.row_seats[:rows]
        assert (plain.suggestions[games, seats] == packed.suggestions[:rows]).all()
        for batch in (plain, packed):
            batch.step()


@pytest.mark.parametrize("name", NAMES)
def test_batches_that_remember_suggest_the_same(name: str) -> None:
    """What they observe is another matter."""
    game = GAMES[name]
    setup = Setup(game.SEATS[1], game.OPTIONS())
    batches = [Batch(game, setup, 30, 1, suggest=True, remember=each) for each in (False, True)]
    for _ in range(100):
        for batch in batches:
            batch.suggest()
            batch.actions[:] = batch.suggestions
            batch.step()

        assert (batches[0].suggestions == batches[1].suggestions).all()


def test_a_batch_that_cannot_suggest_says_so() -> None:
    """Instead of playing by chance."""
    batch = Batch(mauer, Setup(3, mauer.Options()), 2, 1)

    with pytest.raises(SetupError, match="suggest=True"):
        batch.suggest()
