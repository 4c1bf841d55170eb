"""Games from other packages: found when they are needed, and refused in one line."""

import importlib.metadata
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.fourth_game.game import BREACH
from tests.fourth_game.packages import install, put_on_path

from mauerwerk.cli import main
from mauerwerk.core.registry import RegistryError
from mauerwerk.games import GAMES, mauer
from mauerwerk.server.app import App
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.engine.host import Host

OURS = ["mauer", "burgbaumeister", "mauerbauer"]

HALF_A_GAME: Any = SimpleNamespace(NAME="half")


def test_games_of_other_packages_come_after_ours() -> None:
    """Each is found by its name, and listed."""
    assert list(GAMES) == [*OURS, "breach"]
    assert GAMES["breach"] is BREACH
    assert len(GAMES) == 4
    assert "chess" not in GAMES


def test_a_game_can_be_added_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook; what is no game is refused here too."""
    twin: Any = SimpleNamespace(**{**vars(mauer), "NAME": "twin"})
    monkeypatch.setitem(GAMES, "twin", twin)

    assert GAMES["twin"] is twin
    assert list(GAMES) == [*OURS, "twin", "breach"]
    with pytest.raises(RegistryError, match=r"mauerwerk\.games cannot have half: this is no game"):
        GAMES["half"] = HALF_A_GAME


def test_a_game_added_by_hand_hides_an_installed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether or not the installed ones were searched for before."""
    twin: Any = SimpleNamespace(**{**vars(mauer), "NAME": "breach"})
    monkeypatch.setattr(sys, "path", [*sys.path, "elsewhere"])  # so that it is searched again
    GAMES["breach"] = twin
    try:
        assert GAMES["breach"] is twin
        assert list(GAMES) == [*OURS, "breach"]
    finally:
        del GAMES["breach"]
    assert GAMES["breach"] is BREACH


def test_a_server_does_not_start_with_a_faulty_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It says so in one line, instead of failing at every page."""
    install(monkeypatch, tmp_path, "spoilt", "[mauerwerk.games]\nother = nowhere\n")

    with pytest.raises(RegistryError, match="No module named 'nowhere'"):
        App(Host(store_at(tmp_path / "data")))


def test_without_the_package_there_is_no_such_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The path is searched again when it has changed."""
    monkeypatch.setattr(sys, "path", [each for each in sys.path if "installed" not in each])

    assert list(GAMES) == OURS
    with pytest.raises(KeyError):
        GAMES["breach"]


def test_nothing_is_searched_for_a_game_of_this_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Neither the help nor a game of ours waits for a search."""

    def search(**_: Any) -> None:  # noqa: ANN401 - as it is called
        raise AssertionError("searched")

    put_on_path(monkeypatch, tmp_path)
    monkeypatch.setattr(importlib.metadata, "entry_points", search)

    assert GAMES["mauer"] is mauer
    assert "mauer" in GAMES
    assert main(["--help"]) == 0
    assert "Three board games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        ("mauer = tests.fourth_game.game:BREACH", "the name mauer is taken"),
        ("breach = tests.fourth_game.game:BREACH", "the name breach is taken"),
        ("other = tests.fourth_game.game:BREACH", "the game's own name is breach, not other"),
        ("other = tests.fourth_game.game:Breach", "Breach is a class; a game is a module or an"),
        ("other = tests.fourth_game.test_registry:HALF_A_GAME", "this is no game, it lacks TITLE,"),
        ("other = tests.fourth_game.nowhere", "No module named 'tests.fourth_game.nowhere'"),
        ("other = half_a_module", "ZeroDivisionError: division by zero"),
        ("other = tests.fourth_game.game:NOBODY", "module 'tests.fourth_game.game' has no attr"),
    ],
)
def test_what_is_no_game_is_refused(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    entries: str,
    fault: str,
) -> None:
    """One line says which package, and why; games of ours are played all the same."""
    (tmp_path / "half_a_module.py").write_text("1 / 0", encoding="utf-8")
    install(monkeypatch, tmp_path, "spoilt", f"[mauerwerk.games]\n{entries}\n")

    with pytest.raises(RegistryError, match=r"mauerwerk\.games of "):
        list(GAMES.values())
    assert main(["games"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("mauerwerk: mauerwerk.games of ")
    assert fault in said
    assert said.count("\n") == 1
    assert main(["simulate", "mauer", "--games", "1"]) == 0
