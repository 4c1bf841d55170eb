"""Kernels as WebAssembly beside native ones, in one run: speed, start, sizes, and equality.

    python -m bench.wasm [SECONDS]

It writes bench/results-wasm.md. Both devices take turns, and rates are per CPU second, so that
other load on the machine matters little. Node answers the same requests as a browser's worker.
"""

import base64
import gzip
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import files, version
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from bench.search import rates, somewhere

from mauerwerk.bots.net import own_network
from mauerwerk.bots.networks import shipped
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels import KERNELS
from mauerwerk.kernels.compiler import Device
from mauerwerk.kernels.networks.network import Network
from mauerwerk.kernels.play.batch import Batch, run
from mauerwerk.kernels.search import search
from mauerwerk.kernels.search.packed import packed_request, result_of
from mauerwerk.kernels.search.search import TreeSearch, settings_for
from mauerwerk.kernels.wasm import module
from mauerwerk.kernels.wasm.module import flat, path_of

HERE: Final = Path(__file__).parent
SEATS: Final = 3
MOVES: Final = (0, 20)
SIMULATIONS: Final = 4_000
DEVICES: Final[tuple[Device, Device]] = ("cpu", "wasm")
THINK: Final = Path(str(module.__file__)).with_name("think.mjs")
DRIVER: Final = HERE.parent / "tests" / "kernels" / "node" / "think.mjs"

START: Final = """
import time
began, cpu = time.perf_counter(), time.process_time()
from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES
from mauerwerk.kernels.search.search import warm
game = GAMES[{name!r}]
warm(game, Setup({seats}, game.OPTIONS()), device={device!r})
print(time.perf_counter() - began, time.process_time() - cpu)
"""


class Row(NamedTuple):
    """One line of the table of speeds."""

    what: str
    native: float
    wasm: float
    equal: str


# --- Speed and equality ----------------------------------------------------------------------


def whole_games(name: str, setup: Setup[Any], seconds: float) -> Row:
    """Uniform games in the loop."""

    def works(device: Device) -> Callable[[], tuple[int, int]]:
        def work() -> tuple[int, int]:
            played = run(GAMES[name], setup, 500, 1, device, threads=1)
            return 500, int(played.decisions.sum())

        return work

    (_, native), (_, wasm) = rates([works(each) for each in DEVICES], seconds)
    ours, theirs = (run(GAMES[name], setup, 2_000, 2, each, threads=1) for each in DEVICES)
    return Row("decisions/s, whole games", native, wasm, _equal(ours[:-1], theirs[:-1]))


def steps(name: str, setup: Setup[Any], seconds: float) -> Row:
    """A batch in step, with masks and observations of those to act."""
    ours, theirs = (
        Batch(GAMES[name], setup, 1_024, 1, each, packed=True, threads=1) for each in DEVICES
    )

    def works(batch: Batch) -> Callable[[], tuple[int, int]]:
        def work() -> tuple[int, int]:
            batch.reset(1)
            for _ in range(50):
                batch.choose()
                batch.step()
            return 1, 50 * batch.size

        return work

    (_, native), (_, wasm) = rates([works(each) for each in (ours, theirs)], seconds)
    names = [each for each in vars(ours) if isinstance(getattr(ours, each), np.ndarray)]
    equal = _equal(*([getattr(batch, each) for each in names] for batch in (ours, theirs)))
    return Row("steps/s of a game, batch of 1,024", native, wasm, equal)


def searches(name: str, setup: Setup[Any], network: Network | None, seconds: float) -> Row:
    """The search at several points of a game; equal are all arrays of the trees."""
    game = GAMES[name]
    given = [*_given(game, setup)]
    settings = settings_for(network)
    thinks = {
        each: TreeSearch(game, setup, settings, network=network, device=each) for each in DEVICES
    }

    def searched(device: Device) -> int:
        return sum(
            thinks[device].search(*each, 1, told=told, simulations=SIMULATIONS).simulations
            for each, told in given
        )

    search._ROOMS.clear()  # noqa: SLF001 - new trees, all of which is compared
    trees: list[list[bytes]] = []
    for device in DEVICES:
        searched(device)
        (room,) = search._ROOMS[thinks[device]._room]  # noqa: SLF001
        trees.append([array.tobytes() for array in flat(room.tree)])

    def works(device: Device) -> Callable[[], tuple[int, int]]:
        return lambda: (searched(device), 0)

    (native, _), (wasm, _) = rates([works(each) for each in DEVICES], seconds)
    what = "simulations/s" + (", guided by its network" if network else "")
    return Row(what, native, wasm, _equal(*trees))


def _given(game: AnyGame, setup: Setup[Any]) -> Iterator[tuple[tuple[Any, Any, Any], Any]]:
    for moves in MOVES:
        sight, state = somewhere(game.NAME, setup, moves)
        yield (state, sight.seat, game.beliefs.believe(sight)), sight.told


def _equal(ours: Sequence[Any], theirs: Sequence[Any]) -> str:
    same = sum(bytes(one) == bytes(other) for one, other in zip(ours, theirs, strict=True))
    return f"{same} of {len(ours)}"


def in_node(name: str, setup: Setup[Any], network: Network | None) -> tuple[float, str]:
    """Simulations per second of `think.mjs` under Node, once it is warm, and how many agree."""
    game, settings = GAMES[name], settings_for(network)
    remembers = None if network is None else network.remembers
    thinks = TreeSearch(game, setup, settings, network=network, device="cpu")
    requests: list[Any] = []
    expected: list[Any] = []
    for given, told in _given(game, setup):
        packed = packed_request(game, setup, settings, *given, 1, told=told, remembers=remembers)
        requests += [{**packed, "simulations": SIMULATIONS}] * 4
        expected += [thinks.search(*given, 1, told=told, simulations=SIMULATIONS)] * 4
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "requests.json"
        file.write_text(json.dumps(requests, default=lambda each: base64.b64encode(each).decode()))
        guide = shipped(game) if network else None
        words: list[Any] = ["node", DRIVER, THINK, path_of(name), guide or "", file]
        answers = json.loads(subprocess.check_output(words))[2:]  # noqa: S603 - our own words
    results = [result_of(each["answer"]) for each in answers]
    same = sum(_plain(one) == _plain(other) for one, other in zip(results, expected, strict=True))
    fastest = min(each["cpu"] for each in answers)
    return SIMULATIONS / fastest * 1000, f"{same} of {len(results)}"


def _plain(result: tuple[Any, ...]) -> list[Any]:
    return [each.tolist() if isinstance(each, np.ndarray) else each for each in result]


# --- Start and sizes -------------------------------------------------------------------------


def starts(name: str) -> Iterator[tuple[str, float, float]]:
    """Wall and CPU seconds from the start of Python until the search has answered once."""
    for device in DEVICES:
        with tempfile.TemporaryDirectory() as cache:
            for state in ("first time", "again"):
                script = START.format(name=name, seats=SEATS, device=device)
                said = subprocess.check_output(  # noqa: S603 - our own words
                    [sys.executable, "-c", script], env={"MAUERWERK_CACHE": cache, "PATH": ""}
                )
                wall, cpu = map(float, said.split())
                yield f"{'native' if device == 'cpu' else 'WebAssembly'}, {state}", wall, cpu


def megabytes(*packages: str) -> float:
    """What these packages take on disk, byte code included."""
    places = {Path(str(each.locate())) for name in packages for each in files(name) or ()}
    return sum(place.stat().st_size for place in places if place.is_file()) / 1e6


# --- The page --------------------------------------------------------------------------------


def main() -> None:
    """Measure all games, and write the page."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
    speeds, begins, sizes = [], [], []
    for name in KERNELS:
        game = GAMES[name]
        setup = Setup(SEATS, game.OPTIONS())
        guide = own_network(game, setup)
        networks = (None, guide) if guide else (None,)
        rows = [whole_games(name, setup, seconds), steps(name, setup, seconds)]
        rows += [searches(name, setup, each, seconds) for each in networks]
        nodes = [
            ("", ""),
            ("", ""),
            *(
                (f"{rate:,.0f}", same)
                for rate, same in (in_node(name, setup, each) for each in networks)
            ),
        ]
        for row, (rate, same) in zip(rows, nodes, strict=True):
            cells = (
                name,
                row.what,
                f"{row.native:,.0f}",
                f"{row.wasm:,.0f}",
                f"{row.wasm / row.native:.2f}",
                row.equal,
                rate,
                same,
            )
            speeds.append(f"| {' | '.join(cells)} |")
        begins += [
            f"| {name} | {what} | {wall:.1f} | {cpu:.1f} |" for what, wall, cpu in starts(name)
        ]
        path, network = path_of(name), shipped(game)
        assert path is not None
        code = path.read_bytes()
        size = (
            name,
            f"{len(code) / 1e3:.0f}",
            f"{len(gzip.compress(code, 9)) / 1e3:.0f}",
            f"{network.stat().st_size / 1e3:,.0f}" if network else "",
        )
        sizes.append(f"| {' | '.join(size)} |")
        sys.stdout.write("\n".join(speeds[-len(rows) :]) + "\n")
        sys.stdout.flush()
    tools = ", ".join(
        f"{each} {version(each)}" for each in ("numba", "llvmlite", "numpy", "wasmtime")
    )
    node = subprocess.check_output(["node", "--version"], text=True).strip()  # noqa: S607
    lines = PAGE.format(
        date=time.strftime("%Y-%m-%d"),
        python=sys.version.split()[0],
        tools=tools,
        node=node,
        speeds="\n".join(speeds),
        starts="\n".join(begins),
        sizes="\n".join(sizes),
        simulations=f"{SIMULATIONS:,}",
        seats=SEATS,
        compiler=f"{megabytes('numba', 'llvmlite'):.0f}",
        runtime=f"{megabytes('wasmtime'):.0f}",
        numpy=f"{megabytes('numpy'):.0f}",
    )
    (HERE / "results-wasm.md").write_text(lines, encoding="utf-8")


PAGE: Final = """# Kernels as WebAssembly

`python -m bench.wasm` measures this on your machine: Wasmtime and native code take turns in one
process, and rates are per CPU second. There are {seats} seats; a search has {simulations}
simulations, at the first decision and after 20 moves. *Equal* counts arrays, byte by byte: of
results, of a batch, of all trees. Node runs `think.mjs`; its rate is that of the fastest of
eight searches, and *equal* counts its answers. A call of Wasmtime takes some 50 µs by itself,
which a small batch notices.

{date}, Python {python}, {tools}, Node {node}.

## Speed

| game | what | native | WebAssembly | ratio | equal | Node | equal |
|---|---|---:|---:|---:|---:|---:|---:|
{speeds}

## Start

From `import` to the first answer of a search, with an empty cache and again, in seconds.

| game | device | wall | CPU |
|---|---|---:|---:|
{starts}

## Sizes

In kB; gzip at its best. The networks are those that come with the games.

| module | as it is | gzip | network |
|---|---:|---:|---:|
{sizes}

In MB on disk: Numba with llvmlite {compiler}, Wasmtime {runtime}; both need NumPy, {numpy}.
"""


if __name__ == "__main__":
    main()
