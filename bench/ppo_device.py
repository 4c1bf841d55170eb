"""A trained player: on a GPU, where nothing is copied, and against the bots of this program.

    python -m bench.ppo_device mauer.pt --seconds 240 --device cuda [--games 16384] [--hidden 512]
    python -m bench.ppo_device mauer.pt --seconds 0 --against greedy:400,search:0.1s:48

If there is time to train, the script first checks that the network sees the same on the device as
on the CPU. Then it trains as `examples/train_ppo.py` does and saves the network in the file. In the
last step the network plays alone against others that are all alike. Needs the extra `train`.
"""

import argparse
import multiprocessing
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from importlib import import_module
from pathlib import Path

from examples.train_ppo import Net, Tables, Trained, choose, load, main, say, shown, torch

from mauerwerk.bots import spec
from mauerwerk.bots.bot import Player
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Setup
from mauerwerk.games import GAMES
from mauerwerk.lab.intervals import Estimate, share_of
from mauerwerk.lab.match.match import chance, play_out

STEPS = 200
SEEN = ("to_act", "masks", "observations", "rewards", "done")


def check_device(net: Net, games: int = 256) -> int:
    """Play with the network there and follow here; how many steps were compared.

    All arrays must stay equal, and those that PyTorch sees must be those of the batch.
    """
    there, here = Tables(net, games, 7), Tables(Net(net.game, net.setup), games, 7)
    kind = "__cuda_array_interface__" if net.device == "cuda" else "__array_interface__"
    for name in (*SEEN, "actions"):
        address, _ = getattr(getattr(there.batch, name), kind)["data"]
        assert getattr(there, name).data_ptr() == address, f"PyTorch has copied {name}"
    for step in range(STEPS):
        for name in SEEN:
            same = torch.equal(getattr(there, name).cpu(), getattr(here, name))
            assert same, f"{name} differ from those of the CPU after {step} steps"
        with torch.no_grad():
            actions = choose(net(there.observations, there.masks)[0])
        there.actions.copy_(actions)
        there.batch.step()
        here.actions.copy_(actions)
        here.batch.step()
    return STEPS * games


@cache
def _loaded(path: Path) -> Net:
    torch.set_num_threads(1)  # each process has one core
    return load(path)


@cache
def warm(path: Path, others: str) -> None:
    """Let such bots compile or load what they need, before their time runs."""
    net = _loaded(path)
    bot = spec.sit(spec.read(others), net.game, net.setup, chance(0, 0, "warm")).bot
    getattr(bot, "warm", bool)()


def play_one(path: Path, others: str, seed: int, number: int) -> float:
    """Let a saved network play one game alone among such bots; return its share of the win."""
    net = _loaded(path)
    warm(path, others)
    game, setup, own = net.game, net.setup, number % net.setup.seats
    luck = [chance(seed, number, str(seat)) for seat in range(setup.seats)]
    players = [spec.sit(spec.read(others), game, setup, draw) for draw in luck]
    players[own] = Player(Trained(game, setup, luck[own], net), 0.0)
    nature = chance(seed, number // setup.seats, "nature")
    winners = play_out(game, setup, players, nature).outcome.winners
    return (own in winners) / len(winners)


def among_bots(
    path: Path, others: str, games: int, jobs: int, seconds: float
) -> tuple[Estimate, int]:
    """The share of games that a saved network wins alone among such bots, and their number.

    The network changes seats. The unit is a rotation, in which nature's luck is the same; when the
    time is up, only complete rotations count.
    """
    net, until = load(path), time.perf_counter() + seconds
    seats = net.setup.seats
    warm(path, others)  # compile here first, so that the processes do not all compile the same
    won: list[float] = []
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        numbers = range(-(-games // seats) * seats)
        for share in pool.map(partial(play_one, path, others, 1), numbers):
            won.append(share)
            if time.perf_counter() > until and len(won) >= seats:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    units = [sum(won[end - seats : end]) / seats for end in range(seats, len(won) + 1, seats)]
    return share_of(units, seats * len(units)), seats * len(units)


def train(chosen: argparse.Namespace) -> None:
    """Check and train; a fault of the device is printed and does not stop the rest."""
    game = GAMES[chosen.game]
    net = Net(game, Setup(chosen.seats, game.OPTIONS())).to(chosen.device)
    try:
        compared = check_device(net)
        say(f"{compared:,} steps played on {chosen.device} are equal to the CPU's; nothing copied")
    except AssertionError:
        traceback.print_exc()
    named = torch.cuda.get_device_name() if chosen.device == "cuda" else "CPU"
    say(f"{named}, PyTorch {torch.__version__}, Numba {import_module('numba').__version__}")
    words = f"{chosen.game} --seats {chosen.seats} --device {chosen.device}"
    words += f" --seconds {chosen.seconds} --games {chosen.games} --hidden {chosen.hidden}"
    words += f" --rate {chosen.rate}"
    main([*words.split(), "--save", str(chosen.net)])


def measure() -> None:
    """Train if there is time for it; then play."""
    parser = argparse.ArgumentParser(description="A trained player on a GPU, and against bots.")
    parser.add_argument("net", type=Path, help="the file that the network is kept in")
    parser.add_argument("--game", choices=GAMES, default="mauer")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=0.0, help="to train; 0: it is there")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--games", type=int, default=16384)
    parser.add_argument("--hidden", type=int, default=512)
    parser.add_argument("--rate", type=float, default=0.001)
    parser.add_argument("--against", default="greedy:400,search:0.1s:48", help="bot:games, …")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for each of these")
    parser.add_argument("--jobs", type=int, default=6)
    chosen = parser.parse_args()
    if chosen.seconds:
        train(chosen)
    for word in filter(None, chosen.against.split(",")):
        others, _, games = word.rpartition(":")
        try:
            wins, played = among_bots(chosen.net, others, int(games), chosen.jobs, chosen.limit)
        except SetupError as fault:
            sys.stderr.write(f"{fault}\n")
            continue
        say(f"alone among {others} it wins {shown(wins)} of {played} games")


if __name__ == "__main__":
    measure()
