"""The tiers of the tests as a pytest plugin: `--tier quick`, `test` (the default) or `thorough`.

A test without a mark is fast: it may use one second of CPU time, and starts no process. All others
say by a mark what they need. `quick` leaves out every marked test, and does not even import a
module of which all tests are marked; `test` leaves out what is marked `thorough`.
"""

import doctest
import gc
import json
import os
import random
import re
import sys
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from _pytest.doctest import DoctestModule
from tests.support.amounts import TIERS, Tier, choose, tier

COSTLY: Final = {
    "slow": "takes more than one second of CPU time",
    "browser": "drives a browser",
    "postgres": "needs a PostgreSQL server, which the tests start themselves",
    "process": "starts other processes",
    "kernels": "runs compiled kernels",
    "foreign": "imports a large package: Ray, OpenSpiel, PettingZoo, Gymnasium, PyTorch …",
    "thorough": "is for a night or a release: `make thorough` runs it",
}
"""The marks that keep a test out of `make quick`, and what they say."""

FIXTURES: Final = {"browser": "browser", "postgresql_server": "postgres"}
"""A test that asks for one of these is marked."""

TESTS: Final = Path(__file__).parents[1]

SECONDS: Final = 2.0
"""CPU time at which a test without a mark fails in `make quick`: twice what it may use, since a
core that has much else to do counts more for the same work."""

BUSY: Final = 3
"""In `make test`, browsers and compilers run beside it, and it fails at this many times as much."""

MODULES: Final = {
    "ray": "foreign",
    "pyspiel": "foreign",
    "open_spiel": "foreign",
    "pettingzoo": "foreign",
    "gymnasium": "foreign",
    "torch": "foreign",
    "mauerwerk.adapters": "foreign",
    "mauerwerk.kernels": "kernels",
    "mauerwerk.lab": "kernels",
}
"""What an example in a text imports, and how it is marked therefore."""

STARTED: Final = {"subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn"}
"""The interpreter's own names for the start of a process."""

COMPILED: Final = ".compiled"
"""How the names of files with compiled kernels end. Where there is none yet, one is looked for."""

TRACKER: Final = "resource_tracker"
"""A helper of `multiprocessing` that lives as long as the process it helps."""


# --- Options ---------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Add the options of the tiers, and choose the tier at once.

    Next, pytest imports the `conftest.py` of each folder that is named, and those take amounts.
    """
    group = parser.getgroup("tiers")
    group.addoption("--tier", choices=TIERS, default="test", help="how much is tested")
    group.addoption("--costs", type=Path, help="write what each test took into this JSON file")
    group.addoption("--shuffle", type=int, help="run modules and tests in this random order")
    config = pluginmanager.get_plugin("pytestconfig")
    assert isinstance(config, pytest.Config)
    choose(parser.parse_known_args(config.invocation_params.args).tier)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the tier, which the environment may have changed, and register the marks."""
    chosen: Tier = config.option.tier
    choose(chosen)
    for name, meaning in COSTLY.items():
        config.addinivalue_line("markers", f"{name}: {meaning}")


# --- What is collected -----------------------------------------------------------------------


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out texts without examples, and what the tier leaves out as a whole."""
    if collection_path.is_dir():
        # Not even the conftest of such a folder is imported, which may bring a browser's driver.
        below = TESTS in collection_path.parents
        marks = _module_marks(collection_path / "conftest.py") if below else set[str]()
        return True if _left_out(config) & marks else None
    if collection_path.suffix not in {".py", ".md"}:
        return None
    in_tests = collection_path.is_relative_to(TESTS)
    if not in_tests and ">>>" not in _text(collection_path):
        return True
    left_out = _left_out(config)
    marks = _module_marks(collection_path) if in_tests else _example_marks(collection_path)
    return True if left_out & marks else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples only where there are any."""
    found = yield
    return [
        each for each in found if not isinstance(each, DoctestModule) or ">>>" in _text(file_path)
    ]


@cache
def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _left_out(config: pytest.Config) -> set[str]:
    match config.getoption("tier"):
        case "quick":
            return set(COSTLY)
        case "test":
            return {"thorough"}
        case _:
            return set()


PYTESTMARK: Final = re.compile(r"^pytestmark = (\[[^]]*\]|.*?$)", re.MULTILINE)


@cache
def _module_marks(path: Path) -> frozenset[str]:
    """The marks that a test module, or its folder's conftest, gives to all tests in it.

    They are read from the text, so that nothing is imported that a tier leaves out.
    """
    said = PYTESTMARK.search(_text(path)) if path.exists() else None
    named: list[str] = re.findall(r"\bmark\.(\w+)", said[1]) if said else []
    own = frozenset(named) & frozenset(COSTLY)
    if path.parent == TESTS:
        return own
    folder = path.parent.parent if path.name == "conftest.py" else path.parent
    return own | _module_marks(folder / "conftest.py")


@cache
def _example_marks(path: Path) -> frozenset[str]:
    """The marks of the examples of a text, by what they import."""
    examples = doctest.DocTestParser().get_examples(_text(path))
    named = {name for example in examples for name in _imported(example.source)}
    if path.suffix == ".py":  # an example in a module uses the module itself
        named |= set(_imported(_text(path)))
        parts = path.with_suffix("").parts
        named.add(".".join(parts[parts.index("src") + 1 :]) if "src" in parts else "")
    return frozenset(
        mark
        for prefix, mark in MODULES.items()
        if any(name == prefix or name.startswith(f"{prefix}.") for name in named)
    )


IMPORT: Final = re.compile(
    r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|[^\n#]*)|import ([^\n#]*))", re.MULTILINE
)


def _imported(text: str) -> Iterator[str]:
    """What a text imports; it is not parsed, which takes ten times as long."""
    for module, names, modules in IMPORT.findall(text):
        for each in (names or modules).strip("()").split(","):
            if name := each.partition(" as ")[0].strip():
                yield f"{module}.{name}" if module else name


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test by its folder and the fixtures it asks for, an example by what it imports."""
    in_tests = item.path.is_relative_to(TESTS)
    for mark in _module_marks(item.path) if in_tests else _example_marks(item.path):
        item.add_marker(mark)
    for fixture, mark in FIXTURES.items():
        if fixture in getattr(item, "fixturenames", ()):
            item.add_marker(mark)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what the tier leaves out; put what needs compiled kernels last."""
    left_out = _left_out(config)
    kept = [item for item in items if not left_out & _marks(item)]
    config.hook.pytest_deselected(items=[item for item in items if left_out & _marks(item)])
    items[:] = sorted(kept, key=_needs_kernels)
    if (seed := config.getoption("shuffle")) is not None:
        items[:] = _shuffled(items, random.Random(seed))


def _marks(item: pytest.Item) -> set[str]:
    return {mark.name for mark in item.iter_markers()} & set(COSTLY)


def _needs_kernels(item: pytest.Item) -> bool:
    """Whether this test waits for kernels, which are compiled while the others run."""
    return "kernels" in _marks(item)


def _shuffled(items: Sequence[pytest.Item], chance: random.Random) -> list[pytest.Item]:
    """Modules in any order, the tests of each in any order, so that fixtures are still shared."""
    modules: dict[Path, list[pytest.Item]] = {}
    for item in items:
        modules.setdefault(item.path, []).append(item)
    order = list(modules.values())
    chance.shuffle(order)
    for module in order:
        chance.shuffle(module)
    return [item for module in order for item in module]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while everything is imported, nor later in what was collected.

    Nor in between: of a million objects a tenth is garbage, and to find it takes half a second.
    """
    gc.disable()
    collected = yield
    gc.freeze()
    gc.enable()
    return collected


# --- What a test may do ----------------------------------------------------------------------

_started: list[str] = []
"""The processes that the running test has started."""

_kernels: list[str] = []
"""The compiled kernels that it has asked for, itself and not by a thread of a server."""


def _note(event: str, details: tuple[object, ...]) -> None:
    if event in STARTED:
        _started.append(f"{event} {details[0] if details else ''}")
    elif event == "open" and str(details[0]).endswith(COMPILED) and _is_main():
        _kernels.append(Path(str(details[0])).name)


def _is_main() -> bool:
    return threading.current_thread() is threading.main_thread()


sys.addaudithook(_note)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a test that costs more than its marks say."""
    _started.clear()
    _kernels.clear()
    before = time.process_time()
    result = yield
    spent = time.process_time() - before
    if not _marks(item):
        if _started:
            pytest.fail(f"starts a process ({_started[0]}), and is not marked `process`")
        if _kernels:  # which takes a minute where it is not compiled yet
            pytest.fail(f"runs a compiled kernel ({_kernels[0]}), and is not marked `kernels`")
        limit = SECONDS if tier() == "quick" else BUSY * SECONDS
        if spent > limit and tier() != "thorough":  # where amounts are large
            pytest.fail(f"took {spent:.1f} s of CPU time, and is not marked `slow`")
    return result


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where a test has left a process behind."""
    left = _children() if hasattr(session.config, "workerinput") else []
    if left:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        raise pytest.UsageError(f"processes left behind: {'; '.join(left)}")


def _children() -> list[str]:
    """The command lines of our children that still run, where /proc tells."""
    found: list[str] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
        except OSError:  # it has ended meanwhile
            continue
        if int(status[1]) == os.getpid() and status[0] != "Z" and TRACKER not in command:
            found.append(command)
    return found


# --- What tests cost -------------------------------------------------------------------------


class Cost(NamedTuple):
    """What a test took, with its fixtures, in seconds."""

    cpu: float
    wall: float


_costs: dict[str, Cost] = {}
_measured = [0.0]
"""The CPU time up to the last report."""
TICKS: Final = os.sysconf("SC_CLK_TCK")


TRIES: Final = 5
"""How often processes are looked at that seem to have used less than before: while one of them
ends, Linux leaves out others that it has not come to yet."""


def _spent(config: pytest.Config) -> float:
    """The CPU time of this process; where costs are asked for, of all that it has started, too."""
    if not config.getoption("costs") or tier() == "quick":  # where no test starts anything
        return time.process_time()
    spent = 0.0
    for _ in range(TRIES):
        spent = max(spent, _tree(os.getpid()))
        if spent >= _measured[0]:
            break
    return spent


def _tree(process: int) -> float:
    """The CPU time of a process and its children, also of those that have ended."""
    folder = Path("/proc") / str(process)
    try:
        told = (folder / "stat").read_text().rpartition(")")[2].split()
        children = [
            child
            for thread in (folder / "task").iterdir()
            for child in (thread / "children").read_text().split()
        ]
    except OSError:  # it has ended meanwhile
        return 0.0
    own = sum(map(int, told[11:15]))  # in user and system mode, by itself and by what has ended
    return own / TICKS + sum(_tree(int(child)) for child in children)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure from here."""
    _measured[0] = _spent(item.config)
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add the CPU time of a phase to its report, which is sent to the collecting process."""
    report = yield
    before, _measured[0] = _measured[0], _spent(item.config)
    vars(report)["cpu"] = max(0.0, _measured[0] - before)  # nobody has counted what a browser ended
    return report


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up what a test took."""
    cpu, wall = _costs.get(report.nodeid, Cost(0, 0))
    _costs[report.nodeid] = Cost(cpu + vars(report).get("cpu", 0.0), wall + report.duration)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Write down what all tests took, if asked to."""
    path: Path | None = config.getoption("costs")
    if path and not hasattr(config, "workerinput"):
        path.write_text(json.dumps(_costs, indent=0), encoding="utf-8")
