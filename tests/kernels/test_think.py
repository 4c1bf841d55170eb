"""The search without Python: `think.mjs` under Node, compared with native code bit by bit."""

import base64
import json
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.support.packing import position
from tests.support.wasm import modules

from mauerwerk.bots.net import own_network
from mauerwerk.bots.networks import shipped
from mauerwerk.core.game import Seat, Setup
from mauerwerk.games import GAMES, mauer
from mauerwerk.kernels import KERNELS
from mauerwerk.kernels.search.packed import packed_request, result_of
from mauerwerk.kernels.search.search import SearchResult, TreeSearch, settings_for
from mauerwerk.kernels.wasm import module
from mauerwerk.kernels.wasm.module import path_of

SCRIPT = Path(str(module.__file__)).with_name("think.mjs")
NODE = shutil.which("node")

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(NODE is None, reason="Node is not installed"),
    pytest.mark.usefixtures("built"),
]


@pytest.fixture(name="built", scope="module")
def built_modules() -> None:
    modules()


def answers_to(
    tmp_path: Path, name: str, requests: list[dict[str, Any]], network: Path | None = None
) -> list[dict[str, Any]]:
    """What Node answers, after its answers to a thought too early, and to loading."""
    file = tmp_path / "requests.json"
    file.write_text(json.dumps(requests, default=lambda each: base64.b64encode(each).decode()))
    here = Path(__file__).parent / "node" / "think.mjs"
    words: list[Any] = [NODE, here, SCRIPT, path_of(name), network or "", file]
    run = subprocess.run(words, check=True, capture_output=True, text=True)  # noqa: S603
    early, loaded, *answers = json.loads(run.stdout)
    assert early["fault"] == "nothing is loaded yet"
    assert loaded["answer"]["game"] == name
    found: list[dict[str, Any]] = answers
    return found


def plain(result: SearchResult) -> dict[str, Any]:
    """A result whose numbers can be compared with ==, to the last bit."""
    return {
        name: value.tolist() if hasattr(value, "tolist") else value
        for name, value in result._asdict().items()
    }


@pytest.mark.parametrize("guide", ["own", "none"])
@pytest.mark.parametrize("name", KERNELS)
def test_node_finds_what_native_code_finds(tmp_path: Path, name: str, guide: str) -> None:
    """At the first decision and later ones, with and without deciding early."""
    game = GAMES[name]
    setup = Setup(3, game.OPTIONS())
    network = own_network(game, setup) if guide == "own" else None
    settings = settings_for(network)._replace(nodes=1 << 13, edges=1 << 16)
    native = TreeSearch(game, setup, settings, network=network, device="cpu")
    remembers = None if network is None else network.remembers
    expected: list[dict[str, Any]] = []
    requests: list[dict[str, Any]] = []
    for moves, decide in ((0, False), (9, True), (30, False)):
        state, sight = position(game, setup, Random(moves).randrange, moves)
        given = state, Seat(1), game.beliefs.believe(sight), 2**63 + moves
        packed = packed_request(
            game, setup, settings, *given, told=sight.told, remembers=remembers, decide=decide
        )
        requests.append({**packed, "simulations": 3_000})
        found = native.search(*given, told=sight.told, simulations=3_000, decide=decide)
        expected.append(plain(found))

    answers = answers_to(tmp_path, name, requests, shipped(game) if network else None)

    assert [plain(result_of(each["answer"])) for each in answers] == expected


def test_it_keeps_a_deadline_and_can_be_cancelled(tmp_path: Path) -> None:
    """By the clock, and in the middle of a long thought; the next one is answered again."""
    setup = Setup(3, mauer.Options())
    state, sight = position(mauer, setup, Random(1).randrange, 5)
    belief = mauer.beliefs.believe(sight)
    request = packed_request(
        mauer, setup, settings_for(None), state, Seat(1), belief, 1, told=sight.told
    )
    timed, long = {**request, "seconds": 0.3}, {**request, "seconds": 60, "cancel": 100}

    answers = answers_to(tmp_path, "mauer", [timed, long, timed, {**timed, "game": "go"}])

    assert answers[0]["answer"]["simulations"] > 100
    assert 280 < answers[0]["milliseconds"] < 2_000
    assert answers[1]["fault"] == "cancelled"
    assert answers[1]["milliseconds"] < 10_000
    assert answers[2]["answer"]["simulations"] > 100
    assert answers[3]["fault"] == "this module is for mauer"
