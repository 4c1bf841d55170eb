"""Bots of other people: what they are told, and what becomes of those that fail."""

import io
import json
import shutil
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.support.positions import draws, setup_of

from mauerwerk.bots import external, external_runner, spec
from mauerwerk.bots.bot import Bot, Player, Uniform
from mauerwerk.bots.external import (
    BotFault,
    BotProcess,
    ExternalBot,
    collect_faults,
    count_forfeits,
    show_fault,
)
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import Observer, Outcome, Seat, Sight, after_forfeits
from mauerwerk.games import mauer
from mauerwerk.lab.match.contest import contest, play_fixture, rotations
from mauerwerk.lab.match.match import play
from mauerwerk.lab.study.study import row_of

EXAMPLES = Path(__file__).parents[2] / "examples"

BOTS = """
import sys

class Last:
    def act(self, sight, seconds):
        print("not an answer")
        return sight.legal[-1]

class Careful:
    def __init__(self, game, setup, draw):
        self.game, self.setup, self.draw = game, setup, draw
    def act(self, sight, seconds):
        assert sight.told == () and self.setup.seats == 3
        return self.game.parse("T")

class Raises:
    def act(self, sight, seconds):
        raise RuntimeError("oh no")

class Cheats:
    def act(self, sight, seconds):
        return "T"

class Dies:
    def act(self, sight, seconds):
        print("farewell", file=sys.stderr)
        sys.exit(3)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a module of bots, in which somebody works."""
    (tmp_path / "their_bots.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return tmp_path


def sight_of_start() -> Sight[Any, Any, Any]:
    return Observer(mauer, Seat(0)).sight(mauer.start(setup_of(mauer, 3)))


class Program:
    """Stands in for a program: answers as it is told to."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        """With these answers, one after the other."""
        self.answers = list(answers)
        self.asked: list[Mapping[str, Any]] = []
        self.runs = True

    def ask(self, question: Mapping[str, Any], within: float) -> dict[str, Any]:
        """The next answer."""
        self.asked.append({**question, "within": within})
        return self.answers.pop(0)

    def stop(self) -> None:
        """It ends."""
        self.runs = False


def seated(monkeypatch: pytest.MonkeyPatch, program: Program) -> ExternalBot:
    idle: defaultdict[tuple[str, ...], list[BotProcess]] = defaultdict(list)

    def started(_: tuple[str, ...]) -> Program:
        return program

    monkeypatch.setattr(external, "_IDLE", idle)
    monkeypatch.setattr(external, "BotProcess", started)
    return ExternalBot(("./bot",), "run:./bot", mauer, setup_of(mauer, 3), draws())


# --- Words -----------------------------------------------------------------------------------


def test_words_for_bots_of_other_people() -> None:
    by_class = spec.read("bots.of_ada:Thrifty:50ms")
    by_command = spec.read("run:0.2s:node 'my bot.mjs'")

    assert (by_class.name, by_class.seconds) == ("bots.of_ada:Thrifty", 0.05)
    assert by_class.program[-1] == "bots.of_ada:Thrifty"
    assert (by_command.seconds, by_command.program) == (0.2, ("node", "my bot.mjs"))


@pytest.mark.parametrize(
    "word", ["nobody", "nobody:0.2s", "run:", "run:'", "a.b:C:soon", "a:b:c:d"]
)
def test_a_word_that_names_nobody_gets_one_line(word: str) -> None:
    with pytest.raises(SetupError) as fault:
        spec.read(word)
    assert "\n" not in str(fault.value)


def test_a_package_gives_its_bot_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As an entry point of `mauerwerk.players`."""
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[mauerwerk.players]\nthrifty = their_bots:Thrifty\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    read = spec.read("thrifty:0.5s")

    assert (read.name, read.seconds, read.program[-1]) == ("thrifty", 0.5, "their_bots:Thrifty")


# --- What a program is told ------------------------------------------------------------------


def test_a_program_is_told_what_its_seat_may_know(monkeypatch: pytest.MonkeyPatch) -> None:
    program = Program({}, {"word": "T"})
    bot = seated(monkeypatch, program)

    assert mauer.write(bot.act(sight_of_start(), 0.5)) == "T"

    game, act = program.asked
    assert (game["game"], game["seats"], game["options"]["rounds"]) == ("mauer", 3, "4")
    assert act["legal"] == ["T", "C", "1", "2", "3", "4", "6", "-"]
    assert (act["seat"], act["seconds"], act["told"]) == (0, 0.5, ())
    assert act["view"]["type"] == "view"
    assert act["within"] == 0.5 + external.GRACE


def test_only_what_is_new_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is asked about another past begins anew."""
    program = Program({}, {"word": "T"}, {"word": "T"}, {}, {"word": "T"})
    bot = seated(monkeypatch, program)
    watch, state = Observer(mauer, Seat(0)), mauer.start(setup_of(mauer, 3))
    first = watch.sight(state)
    watch.follow(mauer.apply(state, Seat(1), mauer.parse("T")))

    for sight in (first, watch.sight(state), first):
        bot.act(sight, 1.0)

    told = [len(each["told"]) for each in program.asked if each["type"] == "act"]
    assert told == [0, 1, 0]
    assert [each["type"] for each in program.asked] == ["game", "act", "act", "game", "act"]


# --- Programs that fail ----------------------------------------------------------------------


@pytest.mark.parametrize("answer", [{"word": "9"}, {"word": "nonsense"}, {"word": 7}, {}])
def test_what_is_not_allowed_loses(monkeypatch: pytest.MonkeyPatch, answer: dict[str, Any]) -> None:
    """Any legal action is played for it, now and later, and it is not asked again."""
    program = Program({}, answer)
    bot = seated(monkeypatch, program)
    sight = sight_of_start()

    assert bot.act(sight, 1.0) in sight.legal
    assert bot.act(sight, 1.0) in sight.legal

    assert bot.fault is not None
    assert "is not allowed" in bot.fault.why
    assert not program.runs


def test_a_bot_that_fails_is_behind_all_others() -> None:
    """Losers by default come last; the others keep their order."""
    outcome = Outcome(ranks=(1, 3, 1, 4), points=(0, 3, 0, 9), reason="out")

    assert after_forfeits(outcome, []).ranks == (1, 3, 1, 4)
    assert after_forfeits(outcome, [0]).ranks == (4, 2, 1, 3)
    assert after_forfeits(outcome, [0, 2]).ranks == (3, 1, 3, 2)


def test_a_traceback_is_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(3):
        show_fault("their_bots:Noisy", "RuntimeError: oh no", "Traceback …")

    err = capsys.readouterr().err
    assert (
        err
        == "Traceback …\nmauerwerk: the bot their_bots:Noisy loses a game: RuntimeError: oh no\n"
    )


def test_a_worker_leaves_it_to_its_caller_to_tell(capsys: pytest.CaptureFixture[str]) -> None:
    """All games that were lost are counted, wherever they were played."""
    lost = count_forfeits()
    with collect_faults() as failures:
        show_fault("their_bots:Quiet", "RuntimeError: oh no", "Traceback …")
        show_fault("their_bots:Quiet", "RuntimeError: oh no", "Traceback …")
    assert not capsys.readouterr().err

    for failure in failures:
        show_fault(*failure)

    assert lost == {"their_bots:Quiet": 2}
    assert capsys.readouterr().err.count("Traceback") == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("name", "answer"),
    [("Last", "-"), ("Careful", "T"), ("Raises", "RuntimeError: oh no"), ("Cheats", "not allowed")],
)
def test_a_class_is_run_as_a_program(
    monkeypatch: pytest.MonkeyPatch, name: str, answer: str
) -> None:
    """It is made with the game, the setup and chance, or with nothing."""
    program = Program({}, {"word": "T"})
    seated(monkeypatch, program).act(sight_of_start(), 1.0)
    lines = "".join(json.dumps(each) + "\n" for each in program.asked)
    answers = io.StringIO()

    external_runner.run(f"their_bots:{name}", io.StringIO(lines), answers)

    ready, last = map(json.loads, answers.getvalue().splitlines())
    assert ready == {"ready": True}
    assert answer in (last.get("word") or last["error"])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("nowhere:Bot", "there is no module nowhere"),
        ("nowhere.bots:Bot", "there is no module nowhere"),
        ("their_bots.nowhere:Bot", "there is no module their_bots.nowhere"),
        ("their_bots:Nobody", "there is no Nobody in their_bots"),
        ("their_bots:Last.Nobody", "there is no Last.Nobody in their_bots"),
    ],
)
def test_a_class_that_does_not_exist_is_one_line(
    monkeypatch: pytest.MonkeyPatch, path: str, answer: str
) -> None:
    """Nothing of theirs has run, so there is no traceback."""
    assert answered(monkeypatch, path) == [{"error": answer}]


@pytest.mark.usefixtures("folder")
def test_a_module_that_cannot_be_imported_has_a_traceback(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "their_broken_bots.py").write_text("import nowhere\n")

    (said,) = answered(monkeypatch, "their_broken_bots:Bot")

    assert said["error"].startswith("Traceback")
    assert "their_broken_bots.py" in said["error"]


def answered(monkeypatch: pytest.MonkeyPatch, path: str) -> list[dict[str, Any]]:
    """What the program of this class answers when a game begins."""
    program = Program({})
    seated(monkeypatch, program).warm()
    lines = "".join(json.dumps(each) + "\n" for each in program.asked)
    answers = io.StringIO()
    external_runner.run(path, io.StringIO(lines), answers)
    return [json.loads(line) for line in answers.getvalue().splitlines()]


@pytest.mark.process
@pytest.mark.usefixtures("folder")
def test_a_game_with_bots_that_fail_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that plays on wins; the others share the last place."""
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    lineup = ("their_bots:Dies", "their_bots:Raises", "uniform")
    this = contest("mauer", setup_of(mauer, 3), seed=1)

    with collect_faults() as failures:
        played = play_fixture(this, next(rotations(lineup, range(1))), with_record=True)

    seat = played.result.bots.index("uniform")
    assert played.result.ranks[seat] == 1
    assert set(played.result.forfeits) == {0, 1, 2} - {seat}
    why = {word: (line, trace) for word, line, trace in failures}
    assert why["their_bots:Raises"][0] == "RuntimeError: oh no"
    assert why["their_bots:Dies"] == ("it ended with status 3", "farewell")
    assert "failed, and lost" in (played.record_text or "")


def test_in_a_study_too_a_bot_that_fails_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = setup_of(mauer, 3)
    others = [Uniform(mauer, setup, draws()) for _ in range(2)]
    bots: list[Bot] = [seated(monkeypatch, Program({}, {"word": "nonsense"})), *others]
    players = [Player(bot, 1.0) for bot in bots]

    row = row_of(mauer, setup, play(mauer, setup, players, draws()), players)

    assert row["rank/0"] == 3


@pytest.mark.process
def test_a_program_that_hangs_is_stopped() -> None:
    program = BotProcess([sys.executable, "-c", "import time; time.sleep(60)"])
    with pytest.raises(BotFault, match=r"no answer within 0\.2 s"):
        program.ask({"type": "game"}, 0.2)
    assert not program.runs


@pytest.mark.process
@pytest.mark.parametrize("said", ["'hello'", "[]", "'[' * 90_000"])
def test_nonsense_is_a_fault(said: str) -> None:
    program = BotProcess([sys.executable, "-c", f"input(); print({said}); input()"])
    with pytest.raises(BotFault, match="not a JSON object"):
        program.ask({"type": "game"}, 20)
    assert not program.runs


@pytest.mark.process
@pytest.mark.parametrize("command", [["node", "lines_bot.mjs"], [sys.executable, "lines_bot.py"]])
def test_the_examples_play(command: list[str]) -> None:
    """In JavaScript and in Python."""
    if shutil.which(command[0]) is None:
        pytest.skip("there is no Node here")
    program = (command[0], str(EXAMPLES / command[1]))
    bot = ExternalBot(program, "run", mauer, setup_of(mauer, 3), draws())
    sight = sight_of_start()

    chosen = {mauer.write(bot.act(sight, 20.0)) for _ in range(20)}

    assert bot.fault is None
    assert len(chosen) > 1
    assert "-" not in chosen


# --- Secrets and nonsense --------------------------------------------------------------------


@pytest.mark.process
def test_the_key_to_language_models_is_for_no_other_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(external.LLM_KEY, "sk-secret")
    program = tmp_path / "bot.py"
    program.write_text("import json, os; input(); print(json.dumps({'env': dict(os.environ)}))")

    process = BotProcess((sys.executable, str(program)))
    said = process.ask({}, 30)["env"]
    process.stop()

    assert "PATH" in said
    assert "sk-secret" not in said.values()


def test_what_no_program_can_spend_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums stay numbers that can be written down."""
    spent = {"tokens": 5, "cost": 1e308, "seconds": -1, "requests": "many", "retries": 10**400}
    bot = seated(monkeypatch, Program({}, {"word": "T", "spent": spent}))

    bot.act(sight_of_start(), 1.0)

    assert dict(bot.spent) == {"tokens": 5}


@pytest.mark.process
def test_what_an_answer_that_loses_has_cost_is_counted() -> None:
    """As with any other answer."""
    said = json.dumps({"error": "no move", "spent": {"tokens": 5}})
    program = f"input(); print('{{}}', flush=True); input(); print({said!r}); input()"
    bot = ExternalBot((sys.executable, "-c", program), "run", mauer, setup_of(mauer, 3), draws())

    bot.act(sight_of_start(), 20.0)

    assert bot.fault is not None
    assert (bot.fault.why, dict(bot.spent)) == ("no move", {"tokens": 5})
