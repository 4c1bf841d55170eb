"""The command `mauerwerk train`: files, curves, resuming, and stopping."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.learn.support import SHORT

from mauerwerk.cli import commands
from mauerwerk.core.errors import SetupError
from mauerwerk.kernels.networks.network import load

torch: Any = pytest.importorskip("torch")

from mauerwerk.learn.ppo import Learner  # noqa: E402 - it needs PyTorch

pytestmark = [pytest.mark.foreign, pytest.mark.kernels]


def test_a_pupil_may_begin_with_a_network_and_only_imitate(tmp_path: Path) -> None:
    """Without minutes there is no self-play; the card says what it went through."""
    teacher = ["--teacher", "greedy", "--demonstrations", "2"]
    words = [*SHORT.split(), *teacher, "--minutes", "0", "--save"]
    paths = [tmp_path / name for name in ("first.safetensors", "second.safetensors")]

    first = CliRunner().invoke(commands, [*words, str(paths[0])], catch_exceptions=False)
    more = [*words, str(paths[1]), "--start", str(paths[0])]
    second = CliRunner().invoke(commands, more, catch_exceptions=False)
    with pytest.raises(SetupError, match="of another shape"):
        CliRunner().invoke(commands, [*more, "--remember"], catch_exceptions=False)
    nothing = CliRunner().invoke(commands, [*SHORT.split(), "--minutes", "0", "--save", "x"])

    assert (first.exit_code, second.exit_code) == (0, 0), (first.output, second.output)
    assert load(paths[0]).card["trained"] == "imitated greedy in 2 games of each setup"
    assert load(paths[1]).card["trained"].startswith("began as first.safetensors; imitated greedy")
    assert "there is nothing to learn" in nothing.output


@pytest.mark.parametrize(
    ("games", "problem"),
    [
        ("16,8,8", "there are 2 setups and 3 numbers of games"),
        ("16,4", "at least 8 games"),
        ("16,many", "'many' is no value for games"),
    ],
)
def test_numbers_of_games_must_fit_the_setups(tmp_path: Path, games: str, problem: str) -> None:
    """One number for all setups, or one for each."""
    words = ["train", "mauer", "--seats", "3", "--games", games, "--save", str(tmp_path / "x")]

    refused = CliRunner().invoke(commands, words)

    assert refused.exit_code == 2
    assert problem in refused.output


def test_a_miniature_is_trained_and_goes_on(tmp_path: Path) -> None:
    """A network, its curves, and a second training that continues the first."""
    path = tmp_path / "net.safetensors"
    words = [*SHORT.split(), "--save", str(path), "--minutes"]

    first = CliRunner().invoke(commands, [*words, "0.01"], catch_exceptions=False)
    second = CliRunner().invoke(commands, [*words, "0.04", "--resume"], catch_exceptions=False)
    with pytest.raises(SetupError, match="has been trained for"):
        CliRunner().invoke(commands, [*words, "0.01", "--resume"], catch_exceptions=False)

    assert (first.exit_code, second.exit_code) == (0, 0), (first.output, second.output)
    assert "<svg" in path.with_suffix(".svg").read_text(encoding="utf-8")
    told = [
        int(out.splitlines()[-1].split(": ")[1].split()[0].replace(",", ""))
        for out in (first.output, second.output)
    ]
    assert told[0] < told[1] == int(load(path).card["decisions"])


def test_a_curve_of_wins_is_written_meanwhile(tmp_path: Path) -> None:
    """Against a bot in processes of its own, with intervals; every choice can be set."""
    path = tmp_path / "net.safetensors"
    words = [*SHORT.split(), "--save", str(path), "--minutes", "0.01", "--opponent", "uniform"]
    chosen = ["evaluation_games=6", "chain=seat", "gae_lambda=0.9", "entropy=0.05,0.01"]
    words += [word for each in chosen for word in ("--tune", each)]

    done = CliRunner().invoke(commands, words, catch_exceptions=False)
    refused = CliRunner().invoke(commands, [*words, "--tune", "colour=3"])

    assert done.exit_code == 0, done.output
    assert "alone among uniform, 3 seats" in done.output
    curve = json.loads(path.with_suffix(".curve.json").read_text(encoding="utf-8"))["curve"]
    *_, opponent, games, (wins, low, high) = curve[-1]
    assert (opponent, games) == ("uniform", 6)
    assert low <= wins <= high
    assert "nothing that can be set" in refused.output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_after_the_round_and_keeps_what_was_learnt(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exit code says so, and the handlers are those of before."""
    path = tmp_path / "net.safetensors"
    before = signal.getsignal(number)
    update = Learner.update

    def interrupted(*given: Any) -> Any:  # noqa: ANN401 - as `update`
        signal.raise_signal(number)
        monkeypatch.setattr(Learner, "update", update)
        return update(*given)

    monkeypatch.setattr(Learner, "update", interrupted)
    words = [*SHORT.split(), "--minutes", "60", "--save", str(path)]

    stopped = CliRunner().invoke(commands, words)

    assert stopped.exit_code == 130
    assert load(path).card["game"] == "mauer"
    assert signal.getsignal(number) is before
