"""Batches for learners: many games in step, in arrays that are written in place."""

from typing import Any

import numpy as np
import pytest

from mauerwerk.core.game import Seat, Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels import KERNELS, actions_of, kernel_of
from mauerwerk.kernels.play.batch import Batch, run

FOUR = Setup(4, mauer.Options(rounds=1))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("name", KERNELS)
def test_step_by_step_the_same_games_are_played(name: str, threads: int) -> None:
    """Uniform choices lead through the games that `run` plays, in any batch."""
    game = GAMES[name]
    setup = Setup(game.SEATS[-1], game.OPTIONS())
    batch = Batch(game, setup, 4, seed=5, threads=threads, observe=False)
    ended: dict[int, Any] = {}
    while len(ended) < 8:
        numbers = batch.numbers.copy()
        batch.choose()
        batch.step()
        for place in batch.done.nonzero()[0].tolist():
            ended[int(numbers[place])] = batch.results[place].copy()

    whole = run(game, setup, games=max(ended) + 1, seed=5)

    for number, result in ended.items():
        assert np.array_equal(result["points"][: setup.seats], whole.points[number])
        assert result["decisions"] == whole.decisions[number]


@pytest.mark.parametrize("name", KERNELS)
def test_arrays_say_what_the_rules_say(name: str) -> None:
    """Seats to act, masks and observations, in the middle of many games."""
    game, kernel = GAMES[name], kernel_of(name)
    setup = Setup(game.SEATS[0], game.OPTIONS())
    batch = Batch(game, setup, 16, seed=1)
    numbers = {action: number for number, action in enumerate(actions_of(game, setup))}
    for _ in range(37):
        batch.choose()
        batch.step()

    for place in range(16):
        state = kernel.unpack(setup, batch.states[place])
        for seat in map(Seat, range(setup.seats)):
            legal = [numbers[action] for action in game.legal(state, seat)]
            assert batch.to_act[place, seat] == (seat in game.to_act(state))
            assert batch.masks[place, seat].nonzero()[0].tolist() == legal
            seen = list(kernel.features(setup, game.view(state, seat)))
            assert batch.observations[place, seat].tolist() == seen


def test_who_beats_all_others_gets_1_and_who_beats_none_loses_1() -> None:
    """Rewards come once, at the end of a game, and sum to nothing; equals take nothing."""
    batch = Batch(mauer, FOUR, 64, seed=3)
    endings = 0
    for _ in range(200):
        batch.choose()
        batch.step()
        assert not batch.rewards[~batch.done].any()
        for place in batch.done.nonzero()[0].tolist():
            endings += 1
            ranks = batch.results["ranks"][place, :4].tolist()
            rewards = batch.rewards[place].tolist()
            assert sum(rewards) == pytest.approx(0, abs=1e-6)
            assert [rank == 1 for rank in ranks] == [r == max(rewards) for r in rewards]
            if sorted(ranks) == [1, 2, 3, 4]:
                assert sorted(rewards) == pytest.approx([-1, -1 / 3, 1 / 3, 1])

    assert endings > 64


def test_what_is_not_allowed_changes_nothing() -> None:
    """One bad action among many refuses the whole step, and names its place."""
    batch = Batch(mauer, FOUR, 8, seed=1)
    batch.choose()
    batch.actions[5, 2] = 29  # nature's
    before = batch.states.tobytes()

    with pytest.raises(ValueError, match="place 5"):
        batch.step()

    assert batch.states.tobytes() == before


def test_seats_that_are_not_asked_need_not_answer() -> None:
    """After the fists open, one seat alone goes on, whatever stands beside it."""
    batch = Batch(mauer, FOUR, 32, seed=1)
    batch.choose()
    batch.step()
    batch.choose()
    assert (batch.to_act.sum(axis=1) == 1).any()

    batch.actions[~batch.to_act] = 99
    batch.step()

    assert not batch.done.any()


def test_arrays_are_written_in_place_and_shared() -> None:
    """What a learner took over by DLPack shows the next step too."""
    batch = Batch(mauer, FOUR, 8, seed=1)
    taken = np.from_dlpack(batch.observations)
    before = taken.copy()

    batch.choose()
    batch.step()

    assert np.shares_memory(taken, batch.observations)
    assert not np.array_equal(taken, before)


@pytest.mark.parametrize("size", [1, 5, 64])
def test_arrays_begin_on_a_line_of_cache(size: int) -> None:
    """JAX copies an array that does not."""
    batch = Batch(mauer, FOUR, size, seed=1)

    for array in (batch.masks, batch.observations, batch.rewards, batch.to_act, batch.done):
        assert array.ctypes.data % 64 == 0
        assert array.flags.c_contiguous


def test_reset_begins_the_same_games_again() -> None:
    """By the numbers they have."""
    batch = Batch(mauer, FOUR, 8, seed=1)
    begun = batch.observations.copy()
    batch.choose()
    batch.step()

    batch.reset()

    assert np.array_equal(batch.observations, begun)


def test_reset_takes_back_what_the_last_step_said() -> None:
    """No game that has just begun has just ended, or brought anybody anything."""
    batch = Batch(mauer, FOUR, 64, seed=3)
    while not (batch.done.any() and batch.rewards.any()):
        batch.choose()
        batch.step()

    batch.reset()

    assert not batch.done.any()
    assert not batch.rewards.any()


def test_reset_with_a_seed_begins_its_first_games() -> None:
    """Whatever was played before."""
    lot = Setup(6, mauer.Options(first="lot"))
    fresh, used = Batch(mauer, lot, 32, seed=2), Batch(mauer, lot, 32, seed=1)
    begun = fresh.observations.copy()
    assert not np.array_equal(used.observations, begun)
    while not used.done.any():
        used.choose()
        used.step()

    used.reset(2)

    assert np.array_equal(used.observations, begun)
    assert used.numbers.tolist() == list(range(32))


@pytest.mark.parametrize("name", KERNELS)
def test_games_that_linger_can_be_looked_at_when_they_are_over(name: str) -> None:
    """Nobody is asked for a step; then the next game begins, as it would have without."""
    game, kernel = GAMES[name], kernel_of(name)
    setup = Setup(game.SEATS[0], game.OPTIONS())
    batch = Batch(game, setup, 4, seed=5, linger=True)
    while not batch.done.any():
        batch.choose()
        batch.step()
    place = int(batch.done.argmax())
    state = kernel.unpack(setup, batch.states[place])

    assert game.outcome(state) is not None
    assert not batch.to_act[place].any()
    seen = list(kernel.features(setup, game.view(state, Seat(1))))
    assert batch.observations[place, 1].tolist() == seen

    batch.choose()
    batch.step()

    assert not batch.done[place]
    assert not batch.rewards[place].any()
    assert batch.numbers[place] == place + 4
    assert batch.decisions[place] == 0 or game.NAME == "mauerbauer"  # where nature deals first
    assert batch.to_act[place].any()


def test_a_device_that_there_is_not_is_refused() -> None:
    """Nobody who wants a GPU gets the CPU instead."""
    device: Any = "gpu"

    with pytest.raises(ValueError, match="there is no device 'gpu', only cpu, cuda, wasm"):
        Batch(mauer, FOUR, 8, 1, device)
    with pytest.raises(ValueError, match="there is no device 'gpu', only cpu, cuda, wasm"):
        run(mauer, FOUR, 1, seed=1, device=device)


@pytest.mark.parametrize(("games", "threads"), [(-1, 1), (8, 0), (8, -2)])
def test_too_few_games_or_threads_are_refused(games: int, threads: int) -> None:
    with pytest.raises(ValueError, match="the number of "):
        Batch(mauer, FOUR, games, 1, threads=threads)
    with pytest.raises(ValueError, match="the number of "):
        run(mauer, FOUR, games, seed=1, threads=threads)


def test_without_observations_there_is_no_room_for_them() -> None:
    """A caller that does not need observations does not pay for them."""
    assert Batch(mauer, FOUR, 8, seed=1, observe=False).observations.shape == (8, 4, 0)
