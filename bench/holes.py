"""Faults that tests did not see before, and do now: `python -m bench.holes`.

    python -m bench.holes                  tries all, and writes them into bench/results-mutants.md
    python -m bench.holes --only 4         tries those of one hole, and prints what came of them
    python -m bench.holes --after          leaves out the earlier revision
    python -m bench.holes --write          writes what was found before, hole by hole

Each is one changed line. It is tried twice: in the source of an earlier revision, with the tests
that this revision had for that part, and in today's source, with today's. A line that is gone since
has the nearest one that could do the same harm.
"""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click
from bench.size import table
from bench.tests import replace_part

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = Path(__file__).with_name("results-mutants.md")
KEPT: Final = ROOT / "build" / "holes.json"
EARLIER: Final = "0b5c3a11"
"""The revision at which these faults were found."""

VENDOR: Final = "server/ui/static/vendor"
VENDOR_THEN: Final = "web/static/vendor"
"""Scripts from npm, which are not in the repository; they had another place then."""


class Fault(NamedTuple):
    """A line, and what it is changed to."""

    file: str
    line: str
    changed: str
    tests: tuple[str, ...]
    """Those that are tried."""


class Hole(NamedTuple):
    """A fault then and now."""

    number: int
    harm: str
    then: Fault
    now: Fault


_HTTP_THEN: Final = (
    "tests/web/http/test_blocked.py",
    "tests/web/http/test_limits.py",
    "tests/web/http/test_stream.py",
    "tests/web/http/test_security.py",
)
_TABLES_THEN: Final = (
    "tests/play/tables",
    "tests/play/storage/test_upkeep.py",
    "tests/web/http/test_blocked.py",
    "tests/web/pages/test_watching.py",
)
_HOST_THEN: Final = (
    "tests/play/host/test_host.py",
    "tests/play/host/test_host_seats.py",
    "tests/play/host/test_host_streams.py",
    "tests/play/host/test_clocks.py",
    "tests/play/host/test_holds.py",
    "tests/web/pages/test_game_end.py",
)
_FINDING_THEN: Final = ("tests/play/finding", "tests/web/pages/test_finding.py")
_BURGBAUMEISTER: Final = ("tests/games/burgbaumeister", "tests/laws")
_MAUERBAUER: Final = ("tests/games/mauerbauer",)
_BLOCKED: Final = ("tests/server/http/test_blocked.py",)
_LIMITS: Final = ("tests/server/http/test_limits.py",)
_FINDING: Final = ("tests/server/features/matchmaking",)
_AT_TABLE: Final = "tests/server/bystanders/test_acts.py::test_at_a_table"
_BY_HOSTS: Final = "tests/server/bystanders/test_acts.py::test_by_those_who_run_the_server"
_BEGINNING: Final = "isinstance(state, values.Drawing | values.Spreading)"

HOLES: Final = (
    Hole(
        1,
        "a blocked guest's open streams go on",
        Fault("web/http/identity.py", "        check_block(host, visit, caller)", "", _HTTP_THEN),
        Fault("server/http/identity.py", "        check_block(request, caller)", "", _BLOCKED),
    ),
    Hole(
        1,
        "a decision about one guest ends everybody's streams",
        Fault(
            "web/http/identity.py",
            "    return caller.guest is None and (",
            "    return True or (",
            _HTTP_THEN,
        ),
        Fault(
            "server/http/identity.py",
            "    return caller.guest is None and (",
            "    return True or (",
            _BLOCKED,
        ),
    ),
    Hole(
        2,
        "blocking a guest hands everybody at the table to bots",
        Fault(
            "play/tables/requests.py",
            "elif occupant.guest == guest and table.status is Status.RUNNING and",
            "elif table.status is Status.RUNNING and",
            _TABLES_THEN,
        ),
        Fault(
            "server/tables/requests.py",
            "elif occupant.guest == guest and table.status is Status.RUNNING and",
            "elif table.status is Status.RUNNING and",
            (f"{_BY_HOSTS}[block a guest]",),
        ),
    ),
    Hole(
        3,
        "a watcher of a delayed table gets live notices",
        Fault(
            "play/host/host.py",
            "        seen = live.table if watcher is None else live.outside\n        missed",
            "        seen = live.table\n        missed",
            _HOST_THEN,
        ),
        Fault(
            "server/engine/host.py",
            "seen = live.snapshot() if watcher is None else live.snapshot().from_outside()",
            "seen = live.snapshot()",
            (
                "tests/server/engine/test_host_streams.py",
                f"{_AT_TABLE}[hand over at a late table]",
                f"{_AT_TABLE}[leave a late table]",
            ),
        ),
    ),
    Hole(
        3,
        "a new player's name appears in the delayed past",
        Fault(
            "play/tables/watching.py",
            "if known.guest == occupant.guest and known.name",
            "if known.name",
            _TABLES_THEN,
        ),
        Fault(
            "server/tables/table_views.py",
            "if known.guest == occupant.guest and known.name",
            "if known.name",
            (
                "tests/server/tables/test_spectators.py",
                f"{_AT_TABLE}[take the seat of somebody who left a late table]",
            ),
        ),
    ),
    Hole(
        4,
        "a client with two streams counts as having none when it closes one",
        Fault(
            "web/http/limits.py",
            "        if not self._held[client]:",
            "        if True:",
            _HTTP_THEN,
        ),
        Fault("server/http/limits.py", "    if not counts[what]:", "    if True:", _LIMITS),
    ),
    *(
        Hole(
            4,
            f"`--rate 0` limits {what} all the same",
            Fault("web/http/limits.py", line, changed, _HTTP_THEN),
            Fault("server/http/limits.py", line, changed, _LIMITS),
        )
        for what, line, changed in (
            (
                "a client's streams",
                "unlimited if self._off else limits.streams",
                "limits.streams",
            ),
            ("all streams", "unlimited if self._off else limits.all_streams", "limits.all_streams"),
        )
    ),
    Hole(
        5,
        "somebody who wants one game is sent to a table of another",
        Fault(
            "play/storage/finding.py",
            'for row in rows if wish.game in {"", row.game}',
            "for row in rows",
            _FINDING_THEN,
        ),
        Fault(
            "server/features/matchmaking/store.py",
            "for row in rows if seek.takes(row.game)",
            "for row in rows",
            _FINDING,
        ),
    ),
    Hole(
        5,
        "people are sent to the emptiest table",
        Fault("play/storage/finding.py", "(-sum(map(bool,", "(sum(map(bool,", _FINDING_THEN),
        Fault(
            "server/features/matchmaking/store.py", "(-sum(map(bool,", "(sum(map(bool,", _FINDING
        ),
    ),
    *(
        Hole(
            6,
            f"Burgbaumeister's view before the first turn: {what}",
            Fault(
                "games/burgbaumeister/views.py",
                line,
                changed,
                _BURGBAUMEISTER,
            ),
            Fault(
                "games/burgbaumeister/views.py",
                today,
                today_changed,
                _BURGBAUMEISTER,
            ),
        )
        for what, line, changed, today, today_changed in (
            (
                "points",
                "            points=(0,) * state.seats,",
                "            points=(1,) * state.seats,",
                "        points=rules.scores(table),",
                f"        points=(1,) * state.seats if {_BEGINNING} else rules.scores(table),",
            ),
            (
                "idle turns",
                "            idle=0,",
                "            idle=1,",
                "        idle=table.idle,",
                f"        idle=1 if {_BEGINNING} else table.idle,",
            ),
            (
                "turns",
                "            turns=0,",
                "            turns=1,",
                "        turns=table.turns,",
                f"        turns=1 if {_BEGINNING} else table.turns,",
            ),
            (
                "the memory aid",
                "            seen=() if state.options.memory_aid else None,",
                "            seen=(),",
                "        seen=_seen(table, faces) if table.options.memory_aid else None,",
                (
                    f"        seen=() if {_BEGINNING} else _seen(table, faces)\n"
                    "        if table.options.memory_aid\n        else None,"
                ),
            ),
        )
    ),
    Hole(
        6,
        "a lot falls on an empty seat",
        Fault(
            "games/burgbaumeister/legality.py",
            'return "" if asked and 0 <= first < seats else "BB-4"',
            'return "" if asked else "BB-4"',
            _BURGBAUMEISTER,
        ),
        Fault(
            "games/burgbaumeister/legality.py",
            "    if action in legal(state, seat):",
            "    if action in legal(state, seat) or isinstance(action, values.Appoint):",
            _BURGBAUMEISTER,
        ),
    ),
    *(
        Hole(
            6,
            harm,
            Fault(f"games/mauerbauer/{file}", line, changed, _MAUERBAUER),
            Fault(f"games/mauerbauer/{file}", line, changed, _MAUERBAUER),
        )
        for harm, file, line, changed in (
            (
                "Mauerbauer's end is announced twice",
                "building.py",
                "    if after.ending is None or before.ending is after.ending:",
                "    if after.ending is None:",
            ),
            (
                "the last turn is not counted",
                "cards.py",
                "Ending.NO_LINE:\n        table = replace(table, turns=table.turns + 1)",
                "Ending.NO_LINE:\n        table = replace(table, turns=table.turns)",
            ),
        )
    ),
    Hole(
        7,
        "every notice carries a name",
        Fault(
            "play/tables/notices.py",
            "    if entry.kind in {Kind.SIT, Kind.RENAME} and entry.seat is not None:",
            "    if entry.seat is not None and entry.seat >= 0:",
            _TABLES_THEN,
        ),
        Fault(
            "server/tables/notices.py",
            "    if entry.kind in {Kind.SIT, Kind.RENAME} and entry.seat is not None:",
            "    if entry.seat is not None and entry.seat >= 0:",
            ("tests/server/tables/test_table_views.py", f"{_AT_TABLE}[move]"),
        ),
    ),
    Hole(
        7,
        "a clock runs for a bot's seat",
        Fault(
            "play/tables/sights.py",
            "seat in table.waiting and table.occupants[seat].person",
            "seat in table.waiting",
            _TABLES_THEN,
        ),
        Fault(
            "server/tables/table_views.py",
            "seat in table.waiting and table.occupants[seat].person",
            "seat in table.waiting",
            ("tests/server/tables/test_clocks.py",),
        ),
    ),
    Hole(
        7,
        "a proposal survives a lot that people draw",
        Fault(
            "play/tables/folding.py",
            "table.proposal if entry.seat == NATURE and not entry.guest else None",
            "table.proposal if entry.seat == NATURE else None",
            _TABLES_THEN,
        ),
        Fault(
            "server/tables/folding.py",
            "table.proposal if entry.seat == NATURE and not entry.guest else None",
            "table.proposal if entry.seat == NATURE else None",
            ("tests/server/tables/test_dice_by_hand.py",),
        ),
    ),
    Hole(
        7,
        "a thinned log has lost its end",
        Fault(
            "play/tables/keeping.py",
            "for each in log if each.kind in AFTERWARDS}",
            "for each in log if each.kind not in AFTERWARDS}",
            _TABLES_THEN,
        ),
        Fault(
            "server/tables/thinning.py",
            "last = {each.kind: each for each in log}",
            "last = {each.kind: each for each in log if each.kind not in AFTERWARDS}",
            (
                "tests/server/tables/test_thinning.py",
                "tests/server/features/retention/test_maintenance.py",
            ),
        ),
    ),
    Hole(
        7,
        "nobody looks again whether the time is up",
        Fault(
            "play/host/attendant.py",
            "if deadline is not None and deadline + late <= int(self._clock() * 1_000):",
            "if deadline is not None:",
            _HOST_THEN,
        ),
        Fault(
            "server/tables/requests.py",
            "table.occupants[seat].person and up is not None and up + late <= pending.at:",
            "table.occupants[seat].person and up is not None:",
            ("tests/server/tables/test_clocks.py", "tests/server/engine/test_clocks.py"),
        ),
    ),
    Hole(
        7,
        "a rematch seats nobody's guest",
        Fault(
            "play/host/host.py",
            "            for seat, guest in enumerate(old.owners)\n            if guest\n",
            "            for seat, guest in enumerate(old.owners)\n",
            _HOST_THEN,
        ),
        Fault(
            "server/engine/host.py",
            "            for seat, guest in enumerate(old.owners)\n            if guest\n",
            "            for seat, guest in enumerate(old.owners)\n",
            ("tests/server/features/retention/test_service.py",),
        ),
    ),
    Hole(
        7,
        "links of open chairs are handed out",
        Fault(
            "web/acting.py",
            'kept = table.charter.chairs[seat].kind == "human" and not',
            "kept = not",
            ("tests/web/api/test_access.py", "tests/web/api/test_links.py"),
        ),
        Fault(
            "server/http/seats.py",
            'kept = table.charter.chairs[seat].kind == "human" and not',
            "kept = not",
            ("tests/server/features/invitations/test_links.py",),
        ),
    ),
    Hole(
        7,
        "a page takes any seat, whichever was pressed",
        Fault(
            "web/pages/playing.py",
            "    wanted = None if seat is None else Seat(seat)",
            "    wanted = None",
            ("tests/web/pages/test_pages_table.py", "tests/web/pages/test_pages_opening.py"),
        ),
        Fault(
            "server/features/table/actions.py",
            "    wanted = None if seat is None else Seat(seat)",
            "    wanted = None",
            ("tests/server/features/table", f"{_AT_TABLE}[sit down on the page]"),
        ),
    ),
)


class Outcome(NamedTuple):
    """What tests said to a fault: the one that failed, or how many passed."""

    failed: str
    said: str
    seconds: float

    @property
    def word(self) -> str:
        """The outcome in a table."""
        if self.failed:
            return f"killed by `{self.failed}`"
        return f"survives {self.said} tests"


def tried(tree: Path, faults: Sequence[Fault]) -> Outcome:
    """Change these lines, run their tests until one fails, and put the lines back."""
    package = tree / "src" / "mauerwerk"
    before = {fault.file: (package / fault.file).read_text(encoding="utf-8") for fault in faults}
    began = time.monotonic()
    try:
        for fault in faults:
            text = (package / fault.file).read_text(encoding="utf-8")
            if text.count(fault.line) != 1:
                raise click.ClickException(f"{fault.file} does not have this once: {fault.line}")
            changed = text.replace(fault.line, fault.changed)
            (package / fault.file).write_text(changed, encoding="utf-8")
        said = pytest(tree, faults[0].tests)
    finally:
        for file, text in before.items():
            (package / file).write_text(text, encoding="utf-8")
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", said, re.MULTILINE)
    passed = re.search(r"(\d+) passed", said)
    if not failed and not passed:
        raise click.ClickException(said)
    name = failed[1].rpartition("/")[2] if failed else ""
    return Outcome(name, passed[1] if passed else "0", time.monotonic() - began)


THEN, NOW = "then", "now"


class Known:
    """What came of faults: in the earlier revision, which does not change, and last in today's."""

    def __init__(self, path: Path) -> None:
        """Read what is there."""
        self._path = path
        text = path.read_text(encoding="utf-8") if path.exists() else "{}"
        found: dict[str, list[Any]] = json.loads(text)
        self._outcomes = {key: Outcome(*outcome) for key, outcome in found.items()}

    def get(self, when: str, fault: Fault) -> Outcome | None:
        """What is known."""
        return self._outcomes.get(f"{when} {fault}")

    def keep(self, when: str, fault: Fault, outcome: Outcome) -> Outcome:
        """Write it down."""
        self._outcomes[f"{when} {fault}"] = outcome
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._path.write_text(json.dumps(self._outcomes, indent=1), encoding="utf-8")
        return outcome


def all_tried(tree: Path, faults: Sequence[Fault], known: Known) -> dict[Fault, Outcome]:
    """Try faults that have the same tests at once: if nobody notices them all, nobody notices one.

    Otherwise each is tried alone.
    """
    found = {fault: outcome for fault in faults if (outcome := known.get(THEN, fault))}
    left = [fault for fault in faults if fault not in found]
    if left:
        together = tried(tree, left)
        alone = bool(together.failed) and len(left) > 1
        for fault in left:
            found[fault] = known.keep(THEN, fault, tried(tree, [fault]) if alone else together)
    return found


def pytest(tree: Path, words: Sequence[str]) -> str:
    """What the tests of a tree say, up to the first that fails; its own source is imported."""
    marks = "not (browser or postgres or thorough or kernels or foreign or slow or process)"
    command = [
        *(sys.executable, "-m", "pytest", "-q", "-x", "--tb=no", "-p", "no:cacheprovider"),
        *("--tier", "test", "-m", marks, "--no-header"),
    ]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    ran = subprocess.run(  # noqa: S603 - our own tests
        [*command, *words],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return ran.stdout + ran.stderr


def copied(folder: Path, revision: str, vendor: str) -> Path:
    """A revision of the project in a folder of its own, with the scripts that pages load."""
    archive = subprocess.run(  # noqa: S603 - git
        ["git", "archive", revision],  # noqa: S607 - git
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(folder, filter="data")
    package = folder / "src" / "mauerwerk"
    shutil.copytree(ROOT / "src" / "mauerwerk" / VENDOR, package / vendor, dirs_exist_ok=True)
    return folder


def rows(holes: Sequence[Hole], *, after: bool, write: bool) -> list[Sequence[object]]:
    """Try them all, then and now; if they are only to be written, those that were not tried yet."""
    before: dict[Fault, Outcome] = {}
    known = Known(KEPT)
    found: list[Sequence[object]] = []
    with tempfile.TemporaryDirectory() as name:
        if not after:
            then = copied(Path(name) / "then", EARLIER, VENDOR_THEN)
            groups: dict[tuple[str, ...], list[Fault]] = {}
            for hole in holes:
                groups.setdefault(hole.then.tests, []).append(hole.then)
            for faults in groups.values():
                before |= all_tried(then, faults, known)
        now = copied(Path(name) / "now", "HEAD", VENDOR)
        for hole in holes:
            earlier = before[hole.then].word if before else ""
            today = known.get(NOW, hole.now) if write else None
            today = today or known.keep(NOW, hole.now, tried(now, [hole.now]))
            row = (hole.number, hole.harm, earlier, today.word)
            found.append(row)
            click.echo(" | ".join(map(str, row)))
    return found


@click.command()
@click.option("--only", type=int, multiple=True, help="The number of a hole.")
@click.option("--after", is_flag=True, help="Only today's source and tests.")
@click.option("--write", is_flag=True, help="Write what was found before, and try only the rest.")
def main(*, only: tuple[int, ...], after: bool, write: bool) -> None:
    """Try each fault before and after."""
    chosen = [hole for hole in HOLES if not only or hole.number in only]
    found = rows(chosen, after=after, write=write)
    if not only and not after:
        head = ("hole", "harm", f"with the tests of {EARLIER}", "with today's tests")
        replace_part("holes", table(head, *found), PAGE)


if __name__ == "__main__":
    main()
