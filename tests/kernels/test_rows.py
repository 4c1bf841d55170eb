"""Rows of those who are to act alone, and the forms in which observations come."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels import KERNELS, kernel_of
from mauerwerk.kernels.contract import bits_of
from mauerwerk.kernels.observation import Form, codes_of, decode, spec_of
from mauerwerk.kernels.play.batch import Batch

FOUR = Setup(4, mauer.Options(rounds=1))
STEPS = 60


def batches(name: str, size: int, **options: Any) -> tuple[Batch, Batch]:  # noqa: ANN401
    """A plain batch, and one of the same games with these options."""
    game = GAMES[name]
    setup = Setup(game.SEATS[1], game.OPTIONS())
    return Batch(game, setup, size, seed=4), Batch(game, setup, size, seed=4, **options)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", KERNELS)
def test_packed_rows_are_those_of_the_seats_that_are_to_act(name: str, threads: int) -> None:
    """In the order of games and seats; actions are given in the same rows."""
    plain, packed = batches(name, 9, packed=True, threads=threads)
    for _ in range(STEPS):
        games, seats = plain.to_act.nonzero()
        rows = packed.rows
        assert packed.row_games[:rows].tolist() == games.tolist()
        assert packed.row_seats[:rows].tolist() == seats.tolist()
        assert np.array_equal(packed.masks[:rows], plain.masks[plain.to_act])
        assert np.array_equal(packed.observations[:rows], plain.observations[plain.to_act])
        plain.choose()
        packed.choose()
        assert np.array_equal(packed.actions[:rows], plain.actions[plain.to_act])
        plain.step()
        packed.step()
    assert np.array_equal(packed.results, plain.results)


def test_a_learner_answers_row_by_row() -> None:
    """What is written into a row is done by its seat, and what is not allowed is refused."""
    batch = Batch(mauer, FOUR, 8, seed=1, packed=True)
    batch.actions[: batch.rows] = batch.masks[: batch.rows].argmax(axis=-1)
    batch.actions[2] = 29  # nature's
    with pytest.raises(ValueError, match="place 0"):
        batch.step()

    batch.actions[2] = 0
    batch.step()

    assert batch.rows == 8
    assert batch.first_rows.tolist() == list(range(9))


def test_a_game_that_lingers_has_no_row() -> None:
    """The rows of the others close up."""
    batch = Batch(mauer, FOUR, 16, seed=3, packed=True, linger=True)
    while not batch.done.any():
        batch.choose()
        batch.step()

    over = set(batch.done.nonzero()[0].tolist())

    assert batch.rows == batch.to_act.sum() > 0
    assert not over & set(batch.row_games[: batch.rows].tolist())


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", KERNELS)
def test_bits_lose_nothing(name: str, packed: bool) -> None:  # noqa: FBT001
    """Observations and masks decode to what they are in the plain form."""
    plain, encoded = batches(name, 9, packed=packed, form="bits")
    for _ in range(STEPS):
        masks = decode(encoded.masks, encoded.mask_codes)
        observations = decode(encoded.observations, encoded.codes)
        if packed:
            masks, observations = masks[: encoded.rows], observations[: encoded.rows]
            assert np.array_equal(masks, plain.masks[plain.to_act])
            assert np.array_equal(observations, plain.observations[plain.to_act])
        else:
            assert np.array_equal(masks, plain.masks)
            assert np.array_equal(observations, plain.observations)
        for batch in (plain, encoded):
            batch.choose()
            batch.step()
    assert encoded.observations.nbytes * 5 < plain.observations.nbytes


@pytest.mark.parametrize("name", KERNELS)
def test_bytes_end_at_127(name: str) -> None:
    """All smaller numbers are as they were."""
    plain, encoded = batches(name, 9, form="int8")
    for _ in range(STEPS):
        for batch in (plain, encoded):
            batch.choose()
            batch.step()

    assert np.array_equal(encoded.observations, np.minimum(plain.observations, 127))
    assert np.array_equal(encoded.masks, plain.masks)
    assert decode(encoded.observations, encoded.codes) is encoded.observations


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_other_libraries_decode_alike(library: str) -> None:
    """In their own arrays."""
    if find_spec(library) is None:
        pytest.skip(f"needs {library}")
    made: Any = import_module("torch" if library == "torch" else "jax.numpy")
    batch = Batch(mauer, FOUR, 8, seed=1, form="bits")
    expected = decode(batch.observations, batch.codes)

    decoded = decode(made.asarray(batch.observations), batch.codes)

    assert type(decoded).__module__.startswith(("torch", "jax"))
    assert np.array_equal(np.asarray(decoded), expected)


@pytest.mark.parametrize("name", KERNELS)
def test_every_part_says_how_large_it_can_be(name: str) -> None:
    """In 15 bits, as an observation has numbers of 16 bits that are not negative."""
    game, kernel = GAMES[name], kernel_of(name)
    setup = Setup(game.SEATS[0], game.OPTIONS())
    bounds = spec_of(game).bounds(setup)

    assert len(bounds.highest) == spec_of(game).width(setup)
    assert all(0 <= top < 1 << 15 for top in bounds.highest)
    assert 1 <= kernel.max_to_act(setup) <= setup.seats


def test_no_number_is_in_two_words() -> None:
    """So that it can be read from one."""
    codes = codes_of(mauer, FOUR, "bits")
    widths = [int(top).bit_length() for top in codes.tops]

    assert all(
        shift + width <= 32 for shift, width in zip(codes.shifts.tolist(), widths, strict=True)
    )
    assert codes.words.max() + 2 == len(codes.firsts)


def test_without_observations_masks_have_their_form_too() -> None:
    """There is no room for observations, in any form."""
    forms: tuple[Form, ...] = ("int16", "int8", "bits")
    for form in forms:
        batch = Batch(mauer, FOUR, 8, seed=1, form=form, observe=False)
        masks = decode(batch.masks, batch.mask_codes) if form == "bits" else batch.masks
        assert batch.observations.shape == (8, 4, 0)
        assert masks.sum() == 8 * 4 * 8


def test_a_form_that_there_is_not_is_refused() -> None:
    """And the message lists those that there are."""
    form: Any = "int4"
    with pytest.raises(ValueError, match="there is no form 'int4', only int16, int8, bits"):
        Batch(mauer, FOUR, 8, seed=1, form=form)


def test_lanes_share_a_word() -> None:
    """Each bit belongs to one lane, every so many the same one."""
    for lanes in (1, 2, 4, 8, 16, 32):
        owned = [int(bits_of(lane, lanes)) & 2**64 - 1 for lane in range(lanes)]
        assert sum(owned) == 2**64 - 1
        assert all(owned[lane] >> lane & 1 for lane in range(lanes))
