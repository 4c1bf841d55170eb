"""Views, states and records draw themselves; the examples run."""

import runpy
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from mauerwerk.adapters import notebook
from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Seat, Setup, Value
from mauerwerk.games import GAMES, mauer

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*_notebook.py"))

PAPER = record.read("mauer/1 seats=3 rounds=1\n0:4 1:4 2:T 1:>\n0:- 1:- 2:6", GAMES)


class Formatter(dict[type[Value], Any]):
    """What IPython keeps for one kind of output."""

    def for_type(self, kind: type[Value], draw: Any) -> None:  # noqa: ANN401 - a function
        """Keep how to draw such values."""
        self[kind] = draw


class Shell:
    """As much of IPython as an extension touches."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.display_formatter = self
        self.formatters = {"image/svg+xml": Formatter()}

    def drawn(self, thing: Value) -> str:
        """What a notebook shows of a value."""
        drawing: str = self.formatters["image/svg+xml"][type(thing)](thing)
        return drawing


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_view_draws_itself(game: AnyGame) -> None:
    """Notebooks ask for `_repr_svg_`; it is the game's own picture, for any number of seats."""
    for seats in game.SEATS:
        state = game.start(Setup(seats, game.OPTIONS()))
        for viewer in (None, Seat(seats - 1)):
            view = game.view(state, viewer)
            names = [f"seat {seat}" for seat in range(1, seats + 1)]

            assert view._repr_svg_() == game.svg(view, names)
            assert ET.fromstring(view._repr_svg_()).tag.endswith("svg")  # noqa: S314 - ours


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_state_draws_itself_as_a_spectator_sees_it(game: AnyGame) -> None:
    """Once the extension is loaded; afterwards it is text again."""
    shell, state = Shell(), game.start(Setup(game.SEATS[0], game.OPTIONS()))
    notebook.load_ipython_extension(shell)

    assert shell.drawn(state) == game.view(state, None)._repr_svg_()
    notebook.unload_ipython_extension(shell)
    assert not shell.formatters["image/svg+xml"]


def test_a_record_draws_where_it_has_got_to() -> None:
    """The whole record, or this many moves of it."""
    shell = Shell()
    notebook.load_ipython_extension(shell)
    states = [mauer.start(PAPER.setup), *(step.state for _, step in record.replay(mauer, PAPER))]

    assert shell.drawn(PAPER) == notebook.show(states[-1]).svg
    for moves, state in enumerate(states):
        assert notebook.show(PAPER, moves=moves) == notebook.show(state)


def test_a_seat_sees_its_own_hand_and_names() -> None:
    """Other than a spectator."""
    picture = notebook.show(PAPER, seat=1, names=["Ann", "Ben", "Cleo"])

    assert "Cleo" in picture.svg
    assert picture != notebook.show(PAPER, names=["Ann", "Ben", "Cleo"])


def test_what_is_no_table_is_refused() -> None:
    """By its name."""
    with pytest.raises(TypeError, match="can be shown, not Options"):
        notebook.show(mauer.Options())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every cell, from the first to the last, and it has something to say."""
    runpy.run_path(str(path))

    assert capsys.readouterr().out.count("\n") >= 1
    assert path.read_text(encoding="utf-8").count("\n# %%") >= 3


def test_there_is_an_example_for_every_game() -> None:
    """Named after it."""
    assert [path.stem for path in EXAMPLES] == sorted(f"{name}_notebook" for name in GAMES)
