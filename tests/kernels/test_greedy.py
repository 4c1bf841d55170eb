"""Rules of thumb in kernels: the greedy bot's own values in every position, and its choices."""

import random
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pytest
from tests.support.amounts import amount

from mauerwerk.bots.greedy import Greedy
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import NATURE, AnyGame, Chance, Observer, Seat, Setup
from mauerwerk.core.options import from_words
from mauerwerk.core.record import Move
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.compare import DifferenceError
from mauerwerk.kernels.compiler import compiler_for
from mauerwerk.kernels.play.batch import Batch
from mauerwerk.kernels.play.single import SingleGame, suggestion

NAMES: Final = [name for name in KERNELS if hasattr(kernel_of(name), "ROOM")]
GAMES_OF_EACH: Final = amount(2, 4, 60)
DRAWS: Final = 40
"""For each of several equal actions, how often one of them is drawn at least."""
CLOSE: Final = 1e-6


class Compared:
    """One game by rules and kernel side by side, with the greedy bot of both."""

    def __init__(self, game: AnyGame, setup: Setup[Any], draw: Chance) -> None:
        """Lay the table."""
        self.game, self.setup, self.draw = game, setup, draw
        self.position = SingleGame(game, setup)
        self.numbers = {action: number for number, action in enumerate(self.position.values)}
        self.room = np.zeros(1, self.position.kernel.ROOM)
        self.bots = [Greedy(game, setup, draw) for _ in range(setup.seats)]
        self.moves: list[Move] = []
        self.compared = 0
        self._suggest = compiler_for(game.NAME, "cpu").entry(suggestion)

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
                    number = self._suggested(seat)
            action = self.position.values[number]
            step = self.game.apply(state, seat, action)
            for observer in observers:
                observer.follow(step)
            state = step.state
            self.moves.append(Move(seat, self.game.write(action)))
            self.position.apply(seat, number)

    def _suggested(self, seat: Seat) -> int:
        given = (self.position.packed_setup, self.position.record, self.room)
        return int(self._suggest(*given, seat, key_of(1), self.draw(1 << 30)))

    def _compare(self, observer: Observer, state: Any) -> None:  # noqa: ANN401 - the game's own kind
        sight = observer.sight(state)
        choices = self.bots[sight.seat].consider(sight).choices
        suggested = {self._suggested(sight.seat)}
        ours = {self.numbers[each.action]: each.value for each in choices}
        theirs = dict(zip(ours, self.room["worth"][0].tolist(), strict=False))
        best = {number for number, value in ours.items() if value > max(ours.values()) - CLOSE}
        suggested |= {self._suggested(sight.seat) for _ in range(DRAWS * (len(best) - 1))}
        self.compared += 1
        if suggested != best or not _close(ours, theirs):
            fault = f"the bot takes {best}, the kernel {suggested}: {ours} and {theirs}"
            raise DifferenceError(self.game, self.setup, self.moves, fault)


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

    assert play("burgbaumeister", setup, draw, GAMES_OF_EACH) > 50 * GAMES_OF_EACH


@pytest.mark.parametrize("name", NAMES)
def test_any_game_is_played_as_the_bot_plays_it(name: str) -> None:
    """With any setup: of boards also small ones, with lakes."""
    draw = random.Random(name).randrange

    for _ in range(5 * GAMES_OF_EACH):
        assert play(name, kernel_of(name).random_setup(draw), draw, 1) >= 0


# --- In batches ------------------------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_a_batch_suggests_legal_actions(name: str, packed: bool, threads: int) -> None:  # noqa: FBT001
    """For each seat that is to act, and -1 for the others; `actions` stay as they are."""
    game = GAMES[name]
    setup = Setup(game.SEATS[1], game.OPTIONS())
    batch = Batch(game, setup, 30, 1, packed=packed, threads=threads)
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
    plain = Batch(game, setup, 30, 1)
    packed = Batch(game, setup, 30, 1, packed=True, form="bits")
    for _ in range(100):
        for batch in (plain, packed):
            batch.suggest()
            batch.actions[:] = batch.suggestions
        rows = packed.rows
        games, seats = packed.row_games[:rows], packed.row_seats[:rows]
        assert (plain.suggestions[games, seats] == packed.suggestions[:rows]).all()
        for batch in (plain, packed):
            batch.step()


@pytest.mark.parametrize("name", [name for name in KERNELS if name not in NAMES])
def test_a_kernel_without_rules_of_thumb_says_so(name: str) -> None:
    """Instead of playing by chance."""
    batch = Batch(GAMES[name], Setup(GAMES[name].SEATS[0], GAMES[name].OPTIONS()), 2, 1)

    with pytest.raises(SetupError, match="no rules of thumb"):
        batch.suggest()
