"""Kernels as WebAssembly: the same to the last bit as those that Numba compiles."""

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.support.amounts import amount
from tests.support.networks import drawn
from tests.support.packing import position
from tests.support.wasm import build, modules

from mauerwerk import kernels
from mauerwerk.bots.net import own_network
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Seat, Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels import KERNELS, compiler, kernel_of
from mauerwerk.kernels.chance import key_of
from mauerwerk.kernels.compare import compare, compare_memory
from mauerwerk.kernels.compiler import Device, functions_for
from mauerwerk.kernels.networks.network import Network
from mauerwerk.kernels.observation import FORMS, Form
from mauerwerk.kernels.play import stepping
from mauerwerk.kernels.play.batch import Batch, run
from mauerwerk.kernels.search import search
from mauerwerk.kernels.search.search import SearchResult, Settings, TreeSearch, settings_for
from mauerwerk.kernels.wasm import module, runtime
from mauerwerk.kernels.wasm.device import Module
from mauerwerk.kernels.wasm.module import described, flat, path_of

pytestmark = pytest.mark.usefixtures("built")


@pytest.fixture(name="built", scope="module")
def built_modules() -> None:
    modules()


def _plain(result: tuple[Any, ...]) -> list[Any]:
    return [each.tolist() if isinstance(each, np.ndarray) else each for each in result]


# --- Games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KERNELS)
def test_whole_games_are_the_same(name: str) -> None:
    draw = Random(name).randrange
    for seed in range(amount(2, 4, 50)):
        setup = kernel_of(name).random_setup(draw)
        ours, theirs = (run(GAMES[name], setup, 200, seed, each) for each in ("cpu", "wasm"))
        assert _plain(ours) == _plain(theirs)


@pytest.mark.parametrize("name", KERNELS)
def test_rules_and_module_agree_after_every_move(name: str) -> None:
    draw = Random(name).randrange
    for _ in range(amount(1, 3, 200)):
        compare(GAMES[name], kernel_of(name).random_setup(draw), draw, device="wasm")
    compare_memory(GAMES[name], kernel_of(name).random_setup(draw), draw, 40, device="wasm")


CASES = [(name, form, packed) for name, form, packed in product(KERNELS, FORMS, (False, True))]


@pytest.mark.parametrize(("name", "form", "packed"), CASES)
def test_batches_are_the_same_step_by_step(name: str, form: Form, packed: bool) -> None:  # noqa: FBT001
    """All arrays, in every form, with rewards by points, and after an illegal action."""
    game = GAMES[name]
    setup = Setup(game.SEATS[-1], game.OPTIONS())
    ours, theirs = batches = [
        Batch(game, setup, 5, 3, device, packed=packed, form=form, rewards="lead")
        for device in ("cpu", "wasm")
    ]
    for step in range(amount(20, 40, 500)):
        for batch in batches:
            if len(batch.suggestions):
                batch.suggest()
            batch.choose()
            if step % 7 == 3:
                batch.actions[...] = 9999
                with pytest.raises(ValueError, match="place 0"):
                    batch.step()
                batch.choose()
            batch.step(checked=step % 2 == 0)
        for one, other in zip(_arrays(ours), _arrays(theirs), strict=True):
            assert one.tobytes() == other.tobytes()


def _arrays(batch: Batch) -> Iterator[Any]:
    names = (*stepping.Games._fields, "points", "suggestions")
    return (each for name in names if isinstance(each := getattr(batch, name), np.ndarray))


# --- The search ------------------------------------------------------------------------------


def _searched(
    name: str, device: Device, moves: int, settings: Settings, network: Network | None = None
) -> tuple[SearchResult, list[bytes]]:
    """What a search with two threads finds, and all arrays of its trees."""
    game = GAMES[name]
    setup = Setup(3, game.OPTIONS())
    state, sight = position(game, setup, Random(moves).randrange, moves)
    belief = game.beliefs.believe(sight)
    thinks = TreeSearch(game, setup, settings, 2, network, device)
    search._ROOMS.clear()  # noqa: SLF001 - the trees are what is compared
    found = thinks.search(state, Seat(1), belief, 7, told=sight.told, simulations=600)
    (rooms,) = search._ROOMS.values()  # noqa: SLF001
    return found, [array.tobytes() for room in rooms for array in flat(room.tree)]


@pytest.mark.parametrize("moves", [1, 25])
@pytest.mark.parametrize("guide", ["none", "own", "drawn"])
@pytest.mark.parametrize("name", KERNELS)
def test_searches_are_the_same(name: str, guide: str, moves: int) -> None:
    """Every array of every tree, with two threads; networks judge as well."""
    setup = Setup(3, GAMES[name].OPTIONS())
    network = own_network(GAMES[name], setup) if guide == "own" else None
    network = drawn(GAMES[name], setup) if guide == "drawn" else network
    settings = settings_for(network)._replace(nodes=1 << 12, edges=1 << 15)
    if guide == "drawn":
        settings = settings._replace(value_weight=0.5)
    devices: tuple[Device, Device] = ("cpu", "wasm")

    ours, theirs = (_searched(name, each, moves, settings, network) for each in devices)

    assert ours[1] == theirs[1]
    assert len(ours[1]) == 50
    assert _plain(ours[0]) == _plain(theirs[0])


def test_a_search_by_the_clock_stops_in_time() -> None:
    setup = Setup(3, mauer.Options())
    state, sight = position(mauer, setup, Random(1).randrange, 5)
    thinks = TreeSearch(mauer, setup, device="wasm", threads=2)
    belief = mauer.beliefs.believe(sight)
    began = search.perf_counter()

    found = thinks.search(state, Seat(1), belief, 1, told=sight.told, until=began + 0.3)

    assert found.simulations > 1
    assert search.perf_counter() - began < 30  # on a busy machine, too; else it would never stop


# --- Modules ---------------------------------------------------------------------------------


def test_a_module_says_what_it_is() -> None:
    path = path_of("mauer")
    assert path is not None
    about = described(path.read_bytes())

    assert about["game"] == "mauer"
    assert about["source"].startswith(path.stem.removeprefix("mauer-"))
    assert {"numba", "llvmlite", "ziglang"} <= about["tools"].keys()
    assert {"play.stepping.play", "search.tree.simulate.advice"} <= about["functions"].keys()


def test_arguments_of_other_types_are_refused() -> None:
    entry = functions_for("mauer", "wasm").entry(stepping.play)

    with pytest.raises(TypeError, match="not built for"):
        entry(np.zeros(1), np.zeros(1), np.zeros(1), key_of(1), 0)


def test_what_a_module_lacks_is_refused() -> None:
    with pytest.raises(SetupError, match=r"has no play\.stepping\.begin_at"):
        functions_for("mauer", "wasm").entry(stepping.begin_at)


def test_without_a_module_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "folder", lambda: tmp_path)

    with pytest.raises(SetupError, match="no module of WebAssembly for mauer"):
        Module("mauer")


def test_without_a_compiler_modules_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Those that there are; and nothing without a runtime, or without NumPy."""
    missing = {"numba"}

    def find(name: str) -> object:
        return None if name in missing else find_spec(name)

    for place in ("mauerwerk.kernels", "mauerwerk.kernels.compiler", runtime.__name__):
        monkeypatch.setattr(f"{place}.find_spec", find)
    can, usual = kernels.can_run.__wrapped__, compiler.usual_device.__wrapped__

    assert usual() == "wasm"
    assert can()
    assert can("mauer")
    assert not can("chess")
    missing.add("wasmtime")
    assert not can("mauer")
    missing.clear()
    monkeypatch.setattr(module, "folder", lambda: tmp_path)
    assert usual() == "cpu"
    assert can("mauer")
    missing.update({"numba"})
    assert not can()
    missing.update({"numpy"})
    assert not can()


def test_memory_is_used_again() -> None:
    """An array that nobody has any more makes room for the next, which is zero again."""
    memory = functions_for("mauer", "wasm").memory()
    first = memory.zeros((1000,), np.int64)
    place = first.ctypes.data
    first[:] = 7
    del first

    again = memory.zeros((1000,), np.int64)

    assert again.ctypes.data == place
    assert not again.any()
    assert memory.zeros((1000,), np.int64).ctypes.data != place


@pytest.mark.thorough
def test_the_same_source_makes_the_same_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for number in range(2):
        monkeypatch.setenv("MAUERWERK_CACHE", str(tmp_path / f"cache{number}"))
        build("mauer", tmp_path / str(number))

    (one,), (other,) = ((tmp_path / str(number)).iterdir() for number in range(2))

    assert one.name == other.name
    assert one.read_bytes() == other.read_bytes()
