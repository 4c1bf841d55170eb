"""The commands, as people and programs call them."""

import asyncio
import gzip
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from io import BytesIO, TextIOWrapper
from pathlib import Path

import click
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.cli.asking import refused, run
from tests.support.amounts import amount

import mauerwerk
from mauerwerk.cli import COMMANDS, commands, main
from mauerwerk.core import record
from mauerwerk.games import GAMES, mauer
from mauerwerk.server.database.connect import store_at

GOLDEN = Path(__file__).parent.parent / "records" / "golden" / "mauer-1" / "seats-3.txt"
README = Path(__file__).parent.parent.parent / "README.md"


def test_every_command_is_listed_by_its_own_sentence() -> None:
    """The list is printed without importing the commands, and still says what they say."""
    context = click.Context(commands)
    for name, entry in COMMANDS.items():
        command = commands.get_command(context, name)
        assert command is not None
        assert (command.name, command.get_short_help_str(1000)) == (name, entry.about)


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--version") == f"mauerwerk {mauerwerk.__version__}\n"


OWN = 200
"""How many of our modules all help together may import; there are almost three times as many."""

FOREIGN = {"alembic", "jinja2", "numba", "numpy", "pyarrow", "sqlalchemy", "starlette", "torch"}
"""Packages that take long to import. Help needs none of them."""


@pytest.mark.process
@pytest.mark.parametrize(
    "commands",
    [
        [[]],
        [[name] for name in COMMANDS],
        [["admin", "tables"], ["admin", "end"], ["exploit", "mauer"], ["study", "mauer"]],
    ],
)
def test_help_imports_little(commands: list[list[str]]) -> None:
    """It comes at once: no command imports what it runs with before it is run."""
    code = (
        "import json, sys; from mauerwerk.cli import main\n"
        f"for command in {commands}: assert main([*command, '--help']) == 0\n"
        "print(json.dumps(list(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)  # noqa: S603
    imported = json.loads(ran.stdout.splitlines()[-1])
    assert FOREIGN & set(imported) == set()
    assert sum(name.startswith("mauerwerk") for name in imported) <= (OWN if commands[0] else 12)


class Typed:
    """What a person types, line by line; then the end of the input."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
        """Answer every prompt from these."""
        self.lines = list(lines)
        monkeypatch.setattr("builtins.input", self.answer)
        monkeypatch.setattr("click.termui.visible_prompt_func", self.answer)

    def answer(self, prompt: str = "") -> str:
        """The next line."""
        del prompt
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


# --- games -----------------------------------------------------------------------------------


def test_games_lists_what_can_be_played(capsys: pytest.CaptureFixture[str]) -> None:
    """Name, title, seats, revision, and every option with what it takes."""
    out = run(capsys, "games")
    assert "mauer: Die Mauer, 3 to 6 seats, revision 1 of the rules" in out
    assert "(DM-27): 1 to 1000 or off; default 24" in out


def test_games_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """The same for a program."""
    games = json.loads(run(capsys, "games --json"))
    assert [game["name"] for game in games] == list(GAMES)
    assert games[0]["options"][0]["default"] == "4"


# --- tui -------------------------------------------------------------------------------------


def test_a_table_at_the_terminal_explains_itself(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`?` lists the words, a non-word says so, an illegal word names its clause."""
    Typed(monkeypatch, "?", "x", "*C", "", "=", "t", "quit")
    out = run(capsys, "tui mauer --seats 3 --seed 3")
    assert "You are the master builder. What do you plan to build?" in out
    assert "T  plan the tower" in out
    assert "'x' is not a move" in out
    assert "Not now: everybody closes one fist" in out
    assert "(DM-5)" in out
    assert "You planned the tower" in out
    assert "You left the table" in out


def test_a_table_at_the_terminal_ends_with_the_ranking(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A whole game with a person who always tries everything; the record is a game that replays."""
    record_file = tmp_path / "game.txt"
    anything = ["-", ">", "<", "!1", "!6", "!T", "!C", "!2", "!3", "!4"]
    anything += ["*1", "*2", "*3", "*4", "*6", "*T", "*C"]
    Typed(monkeypatch, *anything * 60)
    out = run(capsys, f"tui mauer --seats 3 --rounds 1 --seat 1 --seed 5 --record {record_file}")
    assert "The game is over (" in out
    assert "1.  " in out
    kept = record.read(record_file.read_text(encoding="utf-8"), GAMES)
    assert GAMES["mauer"].outcome([s.state for _, s in record.replay(GAMES["mauer"], kept)][-1])


# --- replay ----------------------------------------------------------------------------------


def test_replay_tells_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    """Each move in words, tables, the result."""
    out = run(capsys, f"replay {GOLDEN}")
    assert "will be the first master builder." in out
    assert "built" in out
    assert "The game is over (" in out


def test_replay_as_a_seat_tells_no_more_than_it_saw(capsys: pytest.CaptureFixture[str]) -> None:
    """Closed fists stay closed, gifts stay between the two (DM-19)."""
    out = json.loads(run(capsys, f"replay {GOLDEN} --seat 1 --json"))
    closed = [e for move in out["moves"] for e in move["events"] if e["type"] == "fistclosed"]
    assert all((event["plan"] is None) == (event["seat"] != 0) for event in closed)
    assert "word" not in out["moves"][0]


def test_replay_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Moves with their words, events and views; the outcome."""
    out = json.loads(run(capsys, f"replay {GOLDEN} --json"))
    assert out["moves"][0]["word"].startswith("@")
    assert out["outcome"]["reason"] in {"out", "deadlock", "stall"}


# --- simulate --------------------------------------------------------------------------------

SIMULATE = "simulate mauer --seats 4 --games 3 --seed 1 --rounds 1"


def test_simulate_sums_up(capsys: pytest.CaptureFixture[str]) -> None:
    """Mean points, length and end reasons, for people."""
    out = run(capsys, SIMULATE)
    assert "Die Mauer, 3 games, seed 1" in out
    assert re.findall(r"│ +(\d) │ uniform", out) == list("1234"), "readers count seats from 1"
    assert "length: " in out
    assert "ended by: " in out


def test_simulate_is_repeatable(capsys: pytest.CaptureFixture[str]) -> None:
    """The same seed gives the same games; wins and end reasons add up."""
    once, again = (json.loads(run(capsys, f"{SIMULATE} --json")) for _ in range(2))
    assert once == again
    assert sum(seat["wins"]["mean"] for seat in once["summary"]["seats"]) == pytest.approx(1)
    assert sum(once["summary"]["reasons"].values()) == 3


def test_simulate_writes_records(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A file a game; a game is the same however many follow."""
    run(capsys, f"{SIMULATE} --records {tmp_path / 'some'}")
    run(capsys, f"{SIMULATE.replace('3', '2')} --records {tmp_path / 'fewer'}")
    files = sorted((tmp_path / "some").iterdir())
    assert [path.name for path in files] == [f"mauer-00000{n}.txt" for n in range(3)]
    for path in files:
        record.read(path.read_text(encoding="utf-8"), GAMES)
    assert files[1].read_text() == (tmp_path / "fewer" / files[1].name).read_text()


def test_simulate_writes_all_records_into_one_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With an empty line between two, in the order of the games; packed if its name says so."""
    folder, file, packed = tmp_path / "some", tmp_path / "all.txt", tmp_path / "all.txt.gz"
    for place in (folder, file, packed):
        run(capsys, f"{SIMULATE} --records {place}")
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())]

    assert file.read_text(encoding="utf-8") == "".join(f"{text}\n" for text in texts)
    assert gzip.decompress(packed.read_bytes()) == file.read_bytes()
    assert "exists already" in refused(capsys, f"{SIMULATE} --records {file}")


@pytest.mark.process
def test_simulate_plays_the_same_games_in_several_processes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """In the same order, with the same sums."""
    command = f"{SIMULATE.replace('--games 3', '--games 50')} --json"
    one, two = (
        run(capsys, f"{command} --jobs {jobs} --records {tmp_path / f'{jobs}.txt'}")
        for jobs in (1, 2)
    )

    assert one == two
    assert (tmp_path / "1.txt").read_bytes() == (tmp_path / "2.txt").read_bytes()


# --- Bad input -------------------------------------------------------------------------------

BAD = [
    ("nonsense", "No such command"),
    ("tui chess", "there is no game 'chess', only mauer"),
    ("tui mauer --seats 9", "mauer is for 3 to 6 seats, not 9"),
    ("tui mauer --seats three", "'three' is not a valid integer"),
    ("tui mauer --rounds 0", "option rounds can be 1 to 10, not 0"),
    ("tui mauer --first 5", "option first can be 0 to 3 or lot at 4 seats, not 5"),
    ("tui mauer --stall never", "option stall can be 1 to 1000 or off, not never"),
    ("tui mauer --seat 5", "--seat can be 1 to 4, not 5"),
    ("tui mauer --bots clever", "there is no bot 'clever'"),
    ("tui mauer --bots greedy:fast", "a bot thinks for a time like 0.2s or 50ms"),
    ("tui mauer --bots uniform,uniform", "one for each of 4 seats"),
    ("simulate mauer --games 0", "0 is not in the range"),
    ("simulate mauer --stall off", "need not end"),
    ("simulate mauer --stall off --records {full}/new", "need not end"),
    ("simulate mauer --stall off --engine cpu", "need not end"),
    ("check mauer --stall off", "need not end"),
    ("check burgbaumeister --stall no --untranslated de", "need not end"),
    ("simulate mauer --engine gpu", "is not one of 'rules', 'cpu', 'cuda'"),
    ("simulate mauer --engine cpu --bots greedy --records {full}/new", "plays uniform bots"),
    ("simulate mauer --engine cuda --records {full}/new", "keeps no records; --engine cpu does"),
    ("simulate mauer --records {full}", "is not empty"),
    ("simulate mauer --records {full}/no/all.txt", "is in a folder that does not exist"),
    ("simulate mauer --bots greedy:memory=apprentice --records {full}/new", "nothing to remember"),
    ("tui mauer --bots greedy:memory=apprentice --record {full}/new", "nothing to remember"),
    ("match mauer --bots uniform --seats 3 --results /dev/null", "mauerwerk: Invalid argument"),
    ("analyse {golden} --seconds nan", "'nan' is not a finite number"),
    ("serve --rate inf", "'inf' is not a finite number"),
    ("solve mauer --miniature --minutes nan", "'nan' is not a finite number"),
    ("tui mauer --record {full}/a.txt", "a.txt: File exists"),
    ("tui mauerbauer --board {full}/none.toml", "none.toml: No such file"),
    ("tui mauerbauer --board {full}/a.txt", "option board"),
    ("tui burgbaumeister --pictures {full}/none.json", "none.json: No such file"),
    ("simulate mauer --rounds 1.0", "option rounds can be 1 to 10, not 1.0"),
    ("simulate burgbaumeister --variant true", "option variant can be yes or no, not true"),
    ("replay {full}/none.txt", "No such file"),
    ("replay {full}/a.txt", "line 1: a record begins"),
    ("replay {full}/b.bin", "not a text in UTF-8"),
    ("replay {golden} --seat 4", "--seat can be 1 to 3, not 4"),
    ("replay {golden} --seat 0", "--seat can be 1 to 3, not 0"),
]


@pytest.mark.parametrize(("command", "fault"), BAD)
def test_bad_input_gets_one_clear_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, fault: str
) -> None:
    """On stderr, with exit code 2, and nothing changed."""
    (tmp_path / "a.txt").touch()
    (tmp_path / "b.bin").write_bytes(b"\xff\xfe")
    before = sorted(tmp_path.iterdir())
    assert fault in refused(capsys, command.format(full=tmp_path, golden=GOLDEN))
    assert sorted(tmp_path.iterdir()) == before


@settings(
    max_examples=amount(25, 100, 1_000),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
)
@given(text=st.binary(max_size=200))
def test_any_file_is_replayed_or_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: bytes
) -> None:
    """Never a traceback."""
    path = tmp_path / "any.txt"
    path.write_bytes(text)
    assert main(["replay", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_letters_that_the_output_does_not_know_are_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As on a terminal that is not in UTF-8; where there is no output, nothing is written."""
    written = BytesIO()
    monkeypatch.setattr("sys.stdout", TextIOWrapper(written, "cp1252"))
    assert main(["replay", str(GOLDEN)]) == 0
    sys.stdout.flush()
    assert b"?" in written.getvalue()

    monkeypatch.setattr("sys.stdout", None)
    assert main(["replay", str(GOLDEN)]) == 0


def test_help_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    """Every command shows an example; a command that needs another word shows its help."""
    for command in ("--help", "play --help", "tui", "simulate", "replay --help", "games --help"):
        assert "Usage: mauerwerk" in run(capsys, command)
    for command in ("tui mauer --help", "simulate mauer --help", "replay --help"):
        assert "Example: mauerwerk" in run(capsys, command)
    assert "Example: mauerwerk tui mauerbauer" in run(capsys, "tui mauerbauer --help")


@pytest.mark.parametrize(
    ("command", "package", "extra"),
    [
        ("serve", "sqlalchemy", "server"),
        ("", "starlette", "server"),
        ("maintain", "numpy", "server"),
        ("backup", "psycopg", "postgresql"),
        ("dataset", "numba", "data"),
        ("dataset", "pyarrow.parquet", "data"),
        ("solve mauer", "numpy", "kernels"),
        ("match", "ray", "ray"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    package: str,
    extra: str,
) -> None:
    """One line says what to install for this command."""

    def lacking(_module: str) -> None:
        raise ModuleNotFoundError(name=package)

    monkeypatch.setattr("mauerwerk.cli.import_module", lacking)
    assert main(command.split()) == 2
    assert capsys.readouterr().err == (
        f"mauerwerk: this needs {package}: pip install 'mauerwerk[{extra}]'\n"
    )


def test_a_fault_of_the_program_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of Mauerwerk itself that is missing is no extra."""

    def lacking(_module: str) -> None:
        raise ModuleNotFoundError(name="mauerwerk.nowhere")

    monkeypatch.setattr("mauerwerk.cli.import_module", lacking)
    with pytest.raises(ModuleNotFoundError):
        main(["serve"])


def commands_in_the_readme() -> list[str]:
    """Lines that begin with `$ mauerwerk` in README.md, but for `serve`, which goes on and on."""
    lines = README.read_text(encoding="utf-8").splitlines()
    commands = [
        line.removeprefix("$ mauerwerk ") for line in lines if line.startswith("$ mauerwerk ")
    ]
    return [command for command in commands if not command.startswith("serve ")]


@pytest.fixture
def like_the_project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A folder in which the README's commands find what they name, and may leave things."""
    (tmp_path / "tests").symlink_to(README.parent / "tests")
    (tmp_path / "games").mkdir()

    async def keep_tables() -> None:
        store = store_at(str(tmp_path / "games"))
        await store.open()
        await store.close()

    asyncio.run(keep_tables())
    monkeypatch.chdir(tmp_path)


SHORTER = {
    "study": "--games 8 --luck 1 --jobs 1",
    "match": "--jobs 1",
    "ladder": "--jobs 1",
    "simulate": "",
}
"""What is added to a command except in a night: fewer games, or one process."""


def costly(command: str) -> Sequence[pytest.MarkDecorator]:
    """The marks of a command."""
    match command.split(maxsplit=1)[0]:
        case "study":
            return (pytest.mark.process, pytest.mark.kernels, pytest.mark.slow)
        case "match" | "ladder":
            return (pytest.mark.process,)
        case "simulate":
            return (pytest.mark.slow,)
        case _:
            return ()


@pytest.mark.usefixtures("like_the_project")
@pytest.mark.parametrize(
    "command",
    [pytest.param(command, marks=costly(command)) for command in commands_in_the_readme()],
)
def test_the_readme_commands_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """As they stand there."""
    Typed(monkeypatch, "T", "quit")
    added = SHORTER.get(command.split(maxsplit=1)[0], "")
    assert run(capsys, f"{command} {amount(added, added, '')}")


@pytest.mark.rule("BB-9")
def test_a_running_game_of_memory_is_not_told_again_to_a_seat(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Before the end no replay serves what a seat has to remember; afterwards it may (BB-9)."""
    whole = GOLDEN.parents[1] / "burgbaumeister-1" / "basic-2.txt"
    running = tmp_path / "running.txt"
    running.write_text("".join(whole.read_text(encoding="utf-8").splitlines(keepends=True)[:9]))
    assert main(["replay", str(running), "--seat", "1"]) == 2
    assert "not told again before the end" in capsys.readouterr().err
    assert "turned up" in run(capsys, f"replay {whole} --seat 1")


@pytest.mark.rule("BB-9")
def test_what_was_turned_back_does_not_stay_on_the_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before a new turn a terminal is wiped, scroll-back included; memory is the game (BB-9)."""
    Typed(monkeypatch, "a1", "-", "quit")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    out = run(capsys, "tui burgbaumeister --seats 2 --seed 4")
    turned, wiped, again = out.partition("\033[3J")
    assert "You turned up 33" in turned
    assert wiped
    assert "33" not in again


@pytest.mark.kernels
def test_records_of_a_kernel_are_games_by_the_rules(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """They replay to the results that they name, and are written as others are."""
    file, command = tmp_path / "all.txt", f"{SIMULATE} --engine cpu --json"
    told = run(capsys, f"{command} --records {file}")
    texts = file.read_text(encoding="utf-8").split("\n\n")[:-1]

    assert len(texts) == 3
    for text in texts:
        assert record.write(mauer, record.read(text, GAMES)) == f"{text}\n"
    assert told == run(capsys, command)


@pytest.mark.kernels
@pytest.mark.slow
def test_simulate_by_a_kernel(capsys: pytest.CaptureFixture[str]) -> None:
    """The same report from compiled games; by chance, close to that of the rules."""
    rules, kernel = (
        json.loads(run(capsys, f"simulate mauer --games {games} --seed 1 --engine {engine} --json"))
        for games, engine in ((amount(50, 50, 200), "rules"), (20_000, "cpu"))
    )
    assert kernel["summary"]["games"] == 20_000
    assert kernel["summary"]["turns"] == pytest.approx(rules["summary"]["turns"], rel=0.05)
    assert sum(seat["wins"]["mean"] for seat in kernel["summary"]["seats"]) == pytest.approx(1)
    for seat, other in zip(kernel["summary"]["seats"], rules["summary"]["seats"], strict=True):
        away = abs(seat["points"]["mean"] - other["points"]["mean"])
        assert away < 2.5 * (other["points"]["high"] - other["points"]["mean"])


def test_without_a_gpu_there_is_a_clear_answer(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line, whether the GPU is missing or the extra."""
    monkeypatch.setitem(sys.modules, "numba.cuda", None)
    monkeypatch.delitem(sys.modules, "mauerwerk.kernels.play.cuda", raising=False)
    assert main(["simulate", "mauer", "--engine", "cuda"]) == 2
    assert capsys.readouterr().err == (
        "mauerwerk: this needs numba.cuda: pip install 'mauerwerk[cuda]'\n"
    )
