"""Kernels on a GPU: the same games as on the CPU. Skipped where there is none."""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.options import from_words
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.compiler import DEVICES
from mauerwerk.kernels.observation import FORMS, Form
from mauerwerk.kernels.play.batch import Batch, run
from mauerwerk.kernels.play.dlpack import as_dlpack
from mauerwerk.kernels.play.rewards import Rewards, Scores


def has_gpu() -> bool:
    """Whether numba-cuda is installed and finds a GPU."""
    if find_spec("numba_cuda") is None or not os.path.exists("/dev/nvidiactl"):  # noqa: PTH110
        return False
    cuda: Any = import_module("numba.cuda")
    return bool(cuda.is_available())


pytestmark = pytest.mark.skipif(not has_gpu(), reason="needs a GPU and the extra cuda")


@pytest.mark.parametrize("name", KERNELS)
def test_a_gpu_plays_the_same_games(name: str) -> None:
    """The device decides nothing."""
    game = GAMES[name]
    setup = Setup(game.SEATS[-1], game.OPTIONS())

    here, there = (run(game, setup, 200, seed=3, device=device) for device in ("cpu", "cuda"))

    for column in ("points", "ranks", "reasons", "decisions", "turns"):
        assert np.array_equal(getattr(here, column), getattr(there, column))


@pytest.mark.parametrize("name", KERNELS)
def test_a_gpu_goes_the_same_steps(name: str) -> None:
    """And shows learners the same arrays."""
    game = GAMES[name]
    setup = Setup(game.SEATS[0], game.OPTIONS())
    here, there = (Batch(game, setup, 32, 1, device) for device in ("cpu", "cuda"))
    for _ in range(60):
        here.choose()
        here.step()
        there.choose()
        there.step()

    for array in ("to_act", "masks", "observations", "rewards", "done", "numbers"):
        assert np.array_equal(getattr(here, array), getattr(there, array).copy_to_host())


def assert_equal_steps(game: AnyGame, setup: Setup[Any], size: int, **options: Any) -> None:  # noqa: ANN401
    """Go the same steps here and there, and compare all that a learner reads."""
    here, there = (Batch(game, setup, size, 1, device, **options) for device in DEVICES)
    for step in range(40):
        rows = here.rows if options.get("packed") else None
        for name in ("to_act", "rewards", "points", "done", "first_rows"):
            assert np.array_equal(getattr(here, name), getattr(there, name).copy_to_host())
        for name in ("masks", "observations", "row_games", "row_seats"):
            ours, theirs = getattr(here, name), getattr(there, name).copy_to_host()
            assert np.array_equal(ours[:rows], theirs[:rows])
        for batch in (here, there):
            batch.choose()
            batch.step(checked=step % 2 == 0)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_a_gpu_writes_the_same_rows(name: str, packed: bool, form: Form) -> None:  # noqa: FBT001
    """Of all seats or of those that are to act, in every form, in more than one block."""
    game = GAMES[name]
    setup = Setup(game.SEATS[1], game.OPTIONS())

    assert_equal_steps(game, setup, 300, packed=packed, form=form)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_a_gpu_remembers_the_same(name: str, packed: bool, form: Form) -> None:  # noqa: FBT001
    """In every form, though rows are wide."""
    game = GAMES[name]
    setup = Setup(game.SEATS[1], game.OPTIONS())

    assert_equal_steps(game, setup, 300, packed=packed, form=form, remember=True)


@pytest.mark.parametrize("remember", [False, True])
@pytest.mark.parametrize("packed", [False, True])
def test_a_gpu_has_room_for_the_largest_boards(packed: bool, remember: bool) -> None:  # noqa: FBT001
    """With fewer rows in a block than elsewhere."""
    game = GAMES["mauerbauer"]
    board = "/".join(["wmewmewmew"] * 9)
    setup = Setup(4, from_words(game.OPTIONS, {"board": board}))

    assert_equal_steps(game, setup, 40, packed=packed, remember=remember)


@pytest.mark.parametrize("linger", [False, True])
@pytest.mark.parametrize("rewards", ["points", "lead"])
@pytest.mark.parametrize("name", KERNELS)
def test_a_gpu_rewards_the_same(name: str, rewards: Rewards, linger: bool) -> None:  # noqa: FBT001
    """For points on the way."""
    game = GAMES[name]
    setup = Setup(game.SEATS[1], game.OPTIONS())

    assert_equal_steps(game, setup, 300, rewards=rewards, linger=linger)


@pytest.mark.parametrize("remember", [False, True])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", [name for name in KERNELS if hasattr(kernel_of(name), "greedy")])
def test_a_gpu_suggests_the_same(name: str, packed: bool, remember: bool) -> None:  # noqa: FBT001
    """By rules of thumb, through whole games and in more than one block."""
    game = GAMES[name]
    setup = Setup(game.SEATS[1], game.OPTIONS())
    here, there = (
        Batch(game, setup, 300, 1, device, packed=packed, remember=remember, suggest=True)
        for device in DEVICES
    )
    for _ in range(300):
        for batch in (here, there):
            batch.suggest()
        rows = here.rows if packed else None
        theirs = there.suggestions.copy_to_host()
        assert np.array_equal(here.suggestions[:rows], theirs[:rows])
        here.actions[:] = here.suggestions
        there.actions.copy_to_device(there.suggestions)
        for batch in (here, there):
            batch.step()


def test_a_gpu_takes_rewards_of_a_function() -> None:
    """From another array that is there."""
    cuda: Any = import_module("numba.cuda")

    def halved(scores: Scores) -> Any:  # noqa: ANN401 - an array there
        return cuda.to_device(scores.points.copy_to_host().astype(np.float32) / 2)

    game = GAMES["burgbaumeister"]
    batch = Batch(game, Setup(2, game.OPTIONS()), 64, 3, "cuda", rewards=halved)
    for _ in range(40):
        batch.choose()
        batch.step()

    points = batch.points.copy_to_host()
    assert points.any()
    assert np.array_equal(batch.rewards.copy_to_host(), points / 2)


@pytest.mark.parametrize("name", ["observations", "masks", "rewards", "done", "row_games"])
def test_a_gpu_lends_its_arrays(name: str) -> None:
    """By DLPack, to a library that is there wherever numba-cuda is."""
    memory: Any = import_module("cuda.core.utils")
    game = GAMES["mauer"]
    array = getattr(Batch(game, Setup(3, game.OPTIONS()), 32, 1, "cuda", packed=True), name)

    view = memory.StridedMemoryView.from_dlpack(as_dlpack(array), stream_ptr=-1)

    assert view.ptr == array.device_ctypes_pointer.value
    assert (view.shape, view.dtype) == (array.shape, array.dtype)
    assert view.is_device_accessible


@pytest.mark.parametrize("name", KERNELS)
def test_pytorch_plays_on_a_gpu_without_copies(name: str) -> None:
    """It reads masks and writes actions where they are, and sees what a step brings."""
    torch: Any = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("needs PyTorch for a GPU")
    game = GAMES[name]
    here, there = (Batch(game, Setup(3, game.OPTIONS()), 32, 1, device) for device in DEVICES)
    masks, actions, seen = (
        torch.from_dlpack(as_dlpack(getattr(there, each)))
        for each in ("masks", "actions", "observations")
    )
    assert masks.data_ptr() == there.masks.device_ctypes_pointer.value
    assert masks.dtype == torch.bool
    for _ in range(40):
        here.actions[:] = here.masks.argmax(axis=-1)
        here.step()
        actions.copy_(masks.int().argmax(dim=-1))
        there.step(checked=False)

    assert np.array_equal(seen.cpu().numpy(), here.observations)


def test_jax_reads_arrays_on_a_gpu() -> None:
    """Taken over after each step, which waits for the batch."""
    jax: Any = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("needs JAX for a GPU")
    game = GAMES["burgbaumeister"]
    here, there = (Batch(game, Setup(2, game.OPTIONS()), 32, 1, device) for device in DEVICES)
    for _ in range(20):
        for batch in (here, there):
            batch.choose()
            batch.step()
        seen = jax.numpy.from_dlpack(as_dlpack(there.observations))
        assert seen.unsafe_buffer_pointer() == there.observations.device_ctypes_pointer.value
        assert np.array_equal(np.asarray(seen), here.observations)


def test_a_gpu_takes_back_what_the_last_step_said() -> None:
    """On `reset`, as the CPU does."""
    game = GAMES["mauer"]
    batch = Batch(game, Setup(3, from_words(game.OPTIONS, {"rounds": "1"})), 64, 3, "cuda")
    while not batch.done.copy_to_host().any():
        batch.choose()
        batch.step()

    batch.reset()

    assert not batch.done.copy_to_host().any()
    assert not batch.rewards.copy_to_host().any()


def test_a_gpu_refuses_what_is_not_allowed() -> None:
    """And nothing changes."""
    game = GAMES["mauer"]
    batch = Batch(game, Setup(3, game.OPTIONS()), 32, 1, "cuda")
    batch.choose()
    batch.actions[7, 0] = 29
    before = batch.states.copy_to_host().tobytes()

    with pytest.raises(ValueError, match="place 7"):
        batch.step()

    assert batch.states.copy_to_host().tobytes() == before
