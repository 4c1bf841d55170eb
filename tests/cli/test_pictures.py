"""`mauerwerk replay` with pictures."""

import sys
from pathlib import Path

import pytest
from tests.cli.asking import refused, run

from mauerwerk.core import record
from mauerwerk.core.game import AnyGame, Seat
from mauerwerk.core.svg.animation import animated, resized
from mauerwerk.games import GAMES, game_in

RECORDS = Path(__file__).parents[1] / "records" / "golden"
MAUER = RECORDS / "mauer-1" / "seats-3.txt"
SIX = "--first 1 --last 6"


def drawn(capsys: pytest.CaptureFixture[str], file: Path, options: str) -> str:
    """What a command writes into a file."""
    assert str(file) in run(capsys, f"replay {MAUER} {options}")
    return file.read_text(encoding="utf-8")


def views(game: AnyGame, kept: record.Record, seat: int | None, moves: int) -> list[object]:
    """What a seat sees, position by position, each once."""
    states = [step.state for _, step in record.replay(game, kept)][:moves]
    seen = [game.view(state, None if seat is None else Seat(seat)) for state in states]
    return [view for place, view in enumerate(seen) if not place or view != seen[place - 1]]


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_an_animation_is_made_of_what_its_viewer_saw(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, seat: int | None
) -> None:
    """Closed fists stay closed, and what a seat does not notice takes no time (DM-19)."""
    kept = record.read(MAUER.read_text("utf-8"), GAMES)
    game = game_in(kept)
    file = tmp_path / "game.svg"
    made = drawn(
        capsys, file, f"--animate {file} {SIX} {'' if seat is None else f'--seat {seat + 1}'}"
    )
    names = ["Seat 1", "Seat 2", "Seat 3"]
    pages = [game.svg(view, names) for view in views(game, kept, seat, 6)]
    pages = [page for place, page in enumerate(pages) if not place or page != pages[place - 1]]
    assert made == resized(animated(pages, [0.8] * (len(pages) - 1) + [3.0]))


def test_what_a_seat_may_not_know_leaves_no_trace(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Two closed fists with different pieces give the same file, byte for byte."""
    made: dict[str, set[str]] = {"--seat 2": set(), "": set(), "--open": set()}
    for piece in "T4":
        text = tmp_path / "fist.txt"
        text.write_text(f"mauer/1 seats=3\n0:{piece}", "utf-8")
        for view, files in made.items():
            file = tmp_path / "fist.svg"
            run(capsys, f"replay {text} --animate {file} {view}")
            files.add(file.read_text("utf-8"))
    assert [len(files) for files in made.values()] == [1, 1, 2]


def test_a_position_in_any_language_size_and_colour(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """And with names: those of the command, then those of the record, then numbers from 1."""
    file = tmp_path / "at.svg"
    made = drawn(capsys, file, f"--picture {file} --last 9 --language de --width 540 --theme dark")
    assert all(each in made for each in ('width="540"', 'data-theme="dark"', "Platz 1", "Runde 1"))
    assert "Platz 0" not in made
    assert "Ada" in drawn(capsys, file, f"--picture {file} --names Ada,Bo,Cem --open")
    named = tmp_path / "named.txt"
    named.write_text(MAUER.read_text("utf-8") + "# names Ann, Ben, Cleo\n", "utf-8")
    run(capsys, f"replay {named} --picture {file} --last 3")
    assert "Cleo" in file.read_text("utf-8")


BAD = [
    ("--open", "say what to draw: --picture FILE or --animate FILE"),
    ("--animate {to}/game.png", "game.png must end in .svg or .gif"),
    ("--picture {to}/game", "game must end in .svg or .png"),
    ("--picture {to}/game.svg --last 999", "--last can be 0 to 79, not 999"),
    ("--animate {to}/game.svg --first 9 --last 8", "--first can be 0 to 8, not 9"),
    ("--animate {to}/game.svg --seconds 0", "--seconds"),
    ("--animate {to}/game.svg --seat 1 --open", "--open or --seat, not both"),
    ("--animate {to}/game.svg --names Ada,Bo", "--names takes 3 names"),
    ("--animate {to}/game.svg --json", "leave it out to draw"),
    ("--animate {to}/none/game.svg --last 2", "No such file"),
]


@pytest.mark.parametrize(("options", "fault"), BAD)
def test_bad_input_gets_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, options: str, fault: str
) -> None:
    """And no file."""
    assert fault in refused(capsys, f"replay {MAUER} {options.format(to=tmp_path)}")
    assert list(tmp_path.iterdir()) == []


def test_a_running_game_of_memory_is_not_drawn_for_a_seat(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What was shown in passing is not shown again before the end."""
    text = (RECORDS / "burgbaumeister-1" / "basic-2-stall.txt").read_text("utf-8")
    running = tmp_path / "running.txt"
    running.write_text("\n".join(text.splitlines()[:12]), "utf-8")
    said = refused(capsys, f"replay {running} --seat 1 --animate {tmp_path}/game.svg")
    assert "this game is not over" in said


def test_pixels_need_an_extra(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line says which, before anything is drawn."""
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    said = refused(capsys, f"replay {MAUER} --picture {tmp_path}/at.png")
    assert "this needs resvg_py: pip install 'mauerwerk[pictures]'" in said
