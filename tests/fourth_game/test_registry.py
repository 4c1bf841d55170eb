"""Games from other packages: found when they are needed, and refused in one line."""

import importlib.metadata
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.fourth_game.game import BREACH
from tests.fourth_game.packages import install, put_on_path

from mauerwerk.bots.rooms import has_room
from mauerwerk.cli import main
from mauerwerk.core.registry import RegistryError
from mauerwerk.games import GAMES, mauer
from mauerwerk.server.app import App
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.engine.host import Host
from mauerwerk.server.games import web_games

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


def test_a_server_starts_without_a_faulty_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One line in its log says what is left out, and all pages show the others."""
    install(monkeypatch, tmp_path, "spoilt", "[mauerwerk.games]\nother = nowhere\n")

    app = App(Host(store_at(tmp_path / "data")))

    assert app is not None
    assert list(web_games()) == ["mauerbauer", "mauer", "burgbaumeister", "breach"]
    (line,) = [each.getMessage() for each in caplog.records if "spoilt" in each.getMessage()]
    assert "No module named 'nowhere'; it is left out" in line


def test_a_faulty_room_leaves_the_game_as_it_is_without_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its greedy bot plays any legal move."""
    (tmp_path / "spoilt_room.py").write_text("SHARPNESS = 1.0\nhalf = SHARPNES / 2\n")
    install(monkeypatch, tmp_path, "spoilt", "[mauerwerk.bots]\nbreach = spoilt_room\n")

    assert not has_room(BREACH)
    assert "mauerwerk.bots of spoilt 2.0 (spoilt_room): NameError" in caplog.text
    assert "(spoilt_room.py, line 2, in <module>); it is left out" in caplog.text


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
def test_what_is_no_game_is_left_out(  # noqa: PLR0913, PLR0917 - what is said, and where
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
    entries: str,
    fault: str,
) -> None:
    """One line says which package, and why; all other games are played all the same."""
    (tmp_path / "half_a_module.py").write_text("1 / 0", encoding="utf-8")
    install(monkeypatch, tmp_path, "spoilt", f"[mauerwerk.games]\n{entries}\n")

    assert list(GAMES) == [*OURS, "breach"]
    assert all(name == game.NAME for name, game in GAMES.items())
    (said,) = [each.getMessage() for each in caplog.records]
    assert said.startswith("mauerwerk.games of ")
    assert fault in said
    assert main(["games"]) == 0
    assert "breach: The Breach" in capsys.readouterr().out
    assert main(["simulate", "breach", "--games", "1"]) == 0
    if entries.startswith("other"):
        assert main(["simulate", "other"]) == 2
        assert fault in capsys.readouterr().err
