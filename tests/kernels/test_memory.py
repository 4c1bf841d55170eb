"""Observations that remember: what the kernel keeps up to date is what beliefs derive."""

import random
from types import ModuleType
from typing import Any, Final

import numpy as np
import pytest
from tests.support.amounts import amount

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.compare import compare_memory
from mauerwerk.kernels.observation import Form, decode, spec_of
from mauerwerk.kernels.play.batch import Batch

GAMES_OF_EACH: Final = amount(6, 6, 300)
MOVES_BETWEEN: Final = amount(40, 40, 8)
STEPS: Final = 40

each_batch = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name == "burgbaumeister" else [pytest.mark.thorough])
        for name in KERNELS
    ],
)
"""Batches that remember are compiled for these tests alone, so most are for `make thorough`."""


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_remembers_what_beliefs_derive(name: str) -> None:
    """In whole random games, with any number of seats and any options."""
    draw = random.Random(f"memory of {name}").randrange
    random_setup = kernel_of(name).random_setup

    for _ in range(GAMES_OF_EACH):
        assert compare_memory(GAMES[name], random_setup(draw), draw, MOVES_BETWEEN)


def batch_of(name: str, **options: Any) -> Batch:  # noqa: ANN401
    """A few games with three seats, which remember."""
    game = GAMES[name]
    return Batch(game, Setup(3, game.OPTIONS()), 9, seed=4, remember=True, **options)


@each_batch
def test_memory_comes_after_what_is_seen(name: str) -> None:
    """The games are the same; the plain observation is the first part of the new one."""
    game, remembering = GAMES[name], batch_of(name)
    plain = Batch(game, Setup(3, game.OPTIONS()), 9, seed=4)
    width = plain.observations.shape[-1]
    assert list(remembering.layout.items())[: len(plain.layout)] == list(plain.layout.items())
    for _ in range(STEPS):
        assert np.array_equal(remembering.observations[..., :width], plain.observations)
        assert np.array_equal(remembering.masks, plain.masks)
        for batch in (plain, remembering):
            batch.choose()
            batch.step()
    assert remembering.observations[..., width:].any()


@pytest.mark.parametrize(
    "form", ["int16", pytest.param("int8", marks=pytest.mark.thorough), "bits"]
)
@each_batch
def test_memory_comes_in_all_forms(name: str, form: Form) -> None:
    """Of those who are to act alone, and decoded to the same numbers."""
    plain, packed = batch_of(name), batch_of(name, packed=True, form=form)
    most = 127 if form == "int8" else np.iinfo(np.int16).max
    for _ in range(STEPS):
        for batch in (plain, packed):
            batch.choose()
            batch.step()
        rows = decode(packed.observations, packed.codes)[: packed.rows]
        assert np.array_equal(rows, np.minimum(plain.observations[plain.to_act], most))


@pytest.mark.parametrize("name", KERNELS)
def test_every_part_of_a_memory_has_a_meaning(name: str) -> None:
    """And largest numbers, so that a learner knows what each number says."""
    game, spec = GAMES[name], spec_of(GAMES[name], remember=True)
    setup = Setup(game.SEATS[0], game.OPTIONS())
    layout = spec.layout(setup)

    assert list(layout) == list(spec.meanings)
    assert all(spec.meanings.values())
    assert len(layout) == len(spec.parts)
    assert len(spec.bounds(setup).highest) == spec.width(setup)
    ends = [place.stop for place in layout.values()]
    assert [place.start for place in layout.values()] == [0, *ends[:-1]]


@pytest.mark.parametrize("name", KERNELS)
def test_a_record_only_grows(name: str) -> None:
    """The rules find their fields where they were; a GPU copies whole words."""
    plain, remembering = kernel_of(name).STATE, kernel_of(name, remember=True).STATE

    assert remembering.isalignedstruct
    assert remembering.itemsize % 8 == 0
    assert {field: remembering.fields[field] for field in plain.fields} == dict(plain.fields)


def test_a_kernel_without_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rather than a batch that forgets."""
    monkeypatch.setattr("mauerwerk.kernels.import_module", ModuleType)
    monkeypatch.setattr("mauerwerk.kernels.KERNELS", {"nim": "a kernel"})

    with pytest.raises(SetupError, match="nim has no observations that remember"):
        kernel_of("nim", remember=True)
