"""Tries mutants in a process that has imported all tests, as a plugin of pytest.

Each mutant has a process of its own, forked after the tests were collected, so that nothing is
imported again. There the code of the changed function is put into all function objects that have
it, wrapped ones and methods included, and every cache of the package is cleared. Then the tests run
that reach the changed lines, until one fails. Which tests reach a line is measured before, by
coverage with one context per test. A test that fails for the first time is run once more at once,
alone and without any mutant; if it fails then too, it counts for nothing, and the others are tried.

Tests that start processes do not see a mutant there.
"""

import asyncio
import functools
import gc
import hashlib
import importlib
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Any, Final, NamedTuple

import coverage
import msgspec
import pytest
from _pytest.runner import runtestprotocol
from bench.mutants_make import SOURCE, Mutant, codes

KILLED: Final = "killed"
SURVIVED: Final = "survived"
TIMED_OUT: Final = "timed out"
UNREACHED: Final = "unreached"

CPU_SECONDS: Final = 10
WALL_SECONDS: Final = 120
SLOWER: Final = 10
"""A test may take this many seconds, and this many times what it took without a mutant."""
MEMORY: Final = 8 << 30
"""The bytes that a mutant may use."""


class Result(NamedTuple):
    """What became of a mutant: the test that killed it, and how many were run."""

    name: str
    outcome: str
    test: str = ""
    tests: int = 0
    seconds: float = 0.0


class Notes(msgspec.Struct):
    """What is noted beside the lines that tests reach, and from which files all this comes."""

    costs: dict[str, float] = {}
    modules: dict[str, str] = {}
    source: str = ""


class Reach:
    """Which tests reach a line, and what each test costs in seconds."""

    def __init__(self, path: Path) -> None:
        """Read what is there."""
        self.path = path
        self.data = coverage.CoverageData(str(path))
        notes = path.with_suffix(".json")
        self.notes = Notes()
        if notes.exists() and path.exists():
            self.data.read()
            self.notes = msgspec.json.decode(notes.read_bytes(), type=Notes)
        self._known: dict[str, dict[int, list[str]]] = {}

    def cost(self, test: str) -> float:
        """The CPU time of a test, in seconds."""
        return self.notes.costs.get(test, 1.0)

    def tests(self, mutant: Mutant) -> set[str]:
        """The tests that run one of the lines of a mutant."""
        file = mutant.file
        if file not in self._known:
            self._known[file] = self.data.contexts_by_lineno(str(SOURCE / file))
        lines = range(mutant.first, mutant.last + 1)
        return {test for line in lines for test in self._known[file].get(line, ()) if test}

    def lacking(self, items: Sequence[pytest.Item], *, measured: bool) -> list[pytest.Item]:
        """The tests that must be measured: new and edited ones, or all where the source is new."""
        now = {item: _module(item.path) for item in items}
        stale = not measured and self.notes.source != fingerprint(sorted(SOURCE.rglob("*.py")))
        if stale or not self.notes.costs:
            self.data.erase()
            self.path.with_suffix(".json").unlink(missing_ok=True)
            return list(items)
        known = self.notes.modules
        return [item for item in items if known.get(str(item.path)) != now[item]]

    def add(self, parts: Iterable[Path], costs: dict[str, float], items: list[pytest.Item]) -> None:
        """Take over what was measured."""
        for path in parts:
            part = coverage.CoverageData(str(path))
            part.read()
            self.data.update(part)
            part.erase()
        self.data.write()
        self.notes.costs |= costs
        self.notes.modules |= {str(item.path): _module(item.path) for item in items}
        self.notes.source = fingerprint(sorted(SOURCE.rglob("*.py")))
        self.path.with_suffix(".json").write_bytes(msgspec.json.encode(self.notes))


@functools.cache
def _module(path: Path) -> str:
    return fingerprint([path])


def fingerprint(paths: Iterable[Path]) -> str:
    """A hash of what these files say."""
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()


# --- In the process of a mutant --------------------------------------------------------------


def install(file: str, mutant: Mutant | None) -> None:
    """Put the mutant's code into all functions of its module."""
    importlib.import_module(".".join(("mauerwerk", *Path(file).with_suffix("").parts)))
    new = codes(file, mutant)
    path = str(SOURCE / file)
    put = 0
    for each in everything(FunctionType):
        code = each.__code__
        if code.co_filename == path:
            other = new.get((code.co_qualname, code.co_firstlineno))
            if other is not None and other.co_freevars == code.co_freevars:
                each.__code__ = other
                put += other != code
    if mutant and not put:
        raise RuntimeError(f"{file} has changed meanwhile; start again")
    clear_caches()


def everything(kind: type[Any]) -> list[Any]:
    """All objects of a kind, those included that are kept out of garbage collection."""
    gc.unfreeze()
    found = [each for each in gc.get_objects() if type(each) is kind]
    gc.freeze()
    return found


@functools.cache
def _caches() -> list[Any]:
    kind = type(_caches)
    return [
        each
        for each in everything(kind)
        if (getattr(each, "__module__", "") or "").startswith("mauerwerk.")
    ]


def clear_caches() -> None:
    """Forget what functions of the package have kept."""
    for each in _caches():
        each.cache_clear()


def failing(items: Sequence[pytest.Item], cost: Callable[[str], float]) -> list[str]:
    """The first test that fails, if any does."""
    for item, following in zip(items, (*items[1:], None), strict=True):
        usual = cost(item.nodeid)
        signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS + SLOWER * usual)
        signal.setitimer(signal.ITIMER_REAL, WALL_SECONDS + SLOWER * usual)
        reports = runtestprotocol(item, nextitem=following, log=False)
        if any(report.failed for report in reports):
            return [item.nodeid]
    return []


def quieten(folder: Path) -> None:
    """Make this process one of its own: silent, with its own files, and with limits."""
    os.setpgrp()  # not a session, to which Linux gives CPU time however `nice` it is
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nothing, number)
    os.environ.update(TMPDIR=str(folder), PYTEST_DEBUG_TEMPROOT=str(folder))
    tempfile.tempdir = str(folder)
    for kind in (signal.SIGALRM, signal.SIGPROF):
        signal.signal(kind, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A failing example is enough; to find a smaller one, and which lines matter, takes long.
    engine: Any = importlib.import_module("hypothesis.internal.conjecture.engine")
    engine.ConjectureRunner.shrink_interesting_examples = lambda _: None
    core: Any = importlib.import_module("hypothesis.core")
    core.StateForActualGivenExecution._should_trace = lambda _: False  # noqa: SLF001 - it has no other


# --- Processes -------------------------------------------------------------------------------


class Child(NamedTuple):
    """A process, and the folder for its files."""

    folder: Path
    began: float
    done: Callable[[Any, float], None]


class Pool:
    """A few forked processes at a time, each with something to do."""

    def __init__(self, most: int) -> None:
        """Run at most this many."""
        self._most = most
        self._running: dict[int, Child] = {}

    def start(self, work: Callable[[], object], done: Callable[[Any, float], None]) -> None:
        """Do some work in a process as soon as one is free, and then say what came of it."""
        while len(self._running) >= self._most:
            self._wait()
        folder = Path(tempfile.mkdtemp(prefix="mutant"))
        folder.chmod(0o755)  # some tests drop their rights
        pid = os.fork()
        if not pid:
            try:
                quieten(folder)
                answer = json.dumps(work())
                (folder / "answer").write_text(answer, encoding="utf-8")
            except BaseException as fault:  # noqa: BLE001 - nothing may get out of here
                (folder / "fault").write_text(repr(fault), encoding="utf-8")
            finally:
                os._exit(0)
        self._running[pid] = Child(folder, time.monotonic(), done)

    def finish(self) -> None:
        """Wait for all of them."""
        while self._running:
            self._wait()

    def _wait(self) -> None:
        pid, _ = os.wait()
        child = self._running.pop(pid, None)
        if child is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)  # what its tests have left behind
        fault = child.folder / "fault"
        if fault.exists():
            raise RuntimeError(fault.read_text(encoding="utf-8"))
        path = child.folder / "answer"
        answer = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
        child.done(answer, time.monotonic() - child.began)
        shutil.rmtree(child.folder, ignore_errors=True)


# --- The plugin ------------------------------------------------------------------------------


class Trials:
    """The plugin: measures which tests reach a line, and tries mutants, instead of the tests."""

    def __init__(  # noqa: PLR0913 - what is to be done
        self,
        mutants: Iterable[Mutant],
        reach: Path,
        *,
        measured: bool,
        jobs: int,
        budget: float,
        found: Callable[[Result], None],
    ) -> None:
        """Try these mutants, each only with tests that stay within this time."""
        self._mutants = list(mutants)
        self._path = reach
        self._measured = measured
        self._pool = Pool(jobs)
        self._jobs = jobs
        self._budget = budget
        self._found = found
        self._killers: dict[str, Counter[str]] = {}
        self._sound: set[str] = set()
        self._unsound: set[str] = set()
        """Tests that killed a mutant, and what they did without any: passed, or failed as well."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do this instead of running the tests."""
        asyncio.set_event_loop(None)
        _caches()
        items = {item.nodeid: item for item in session.items}
        reach = Reach(self._path)
        self._measure(reach, reach.lacking(session.items, measured=self._measured))
        for mutant in self._mutants:
            self._try(mutant, items, reach)
        self._pool.finish()
        return True

    def _measure(self, reach: Reach, items: list[pytest.Item]) -> None:
        """Run these tests once, with coverage; those of one module in one process."""
        modules: dict[Path, list[pytest.Item]] = {}
        for item in items:
            modules.setdefault(item.path, []).append(item)
        parts: list[list[pytest.Item]] = [[] for _ in range(min(len(modules), self._jobs * 8))]
        for module in sorted(modules.values(), key=len, reverse=True):
            min(parts, key=len).extend(module)
        reach.path.parent.mkdir(parents=True, exist_ok=True)
        costs: dict[str, float] = {}
        paths = [
            reach.path.with_name(f"{reach.path.name}.{os.getpid()}.{n}") for n in range(len(parts))
        ]

        def done(answer: dict[str, float] | None, seconds: float) -> None:
            if answer is None:
                raise RuntimeError("the tests ended before their time")
            costs.update(answer)
            sys.stdout.write(f"measured {len(costs)} of {len(items)} tests, {seconds:.0f} s\n")
            sys.stdout.flush()

        for part, path in zip(parts, paths, strict=True):
            path.unlink(missing_ok=True)
            self._pool.start(partial(measure, part, path), done)
        self._pool.finish()
        if parts:
            reach.add(paths, costs, items)

    def _try(self, mutant: Mutant, items: dict[str, pytest.Item], reach: Reach) -> None:
        killers = self._killers.setdefault(mutant.file, Counter())
        tests = sorted(
            reach.tests(mutant) & items.keys() - self._unsound,
            key=lambda test: (-killers[test], reach.cost(test), test),
        )
        chosen: list[pytest.Item] = []
        left = self._budget
        for test in tests:
            left -= reach.cost(test)
            if left < 0:
                break
            chosen.append(items[test])
        if not chosen:
            self._found(Result(mutant.name, UNREACHED))
            return

        def work() -> list[str]:
            install(mutant.file, mutant)
            return failing(chosen, reach.cost)

        def done(failed: list[str] | None, seconds: float) -> None:
            outcome = TIMED_OUT if failed is None else KILLED if failed else SURVIVED
            test = failed[0] if failed else ""
            result = Result(mutant.name, outcome, test, len(chosen), round(seconds, 1))
            if not test or test in self._sound:
                killers[test] += bool(test)
                self._found(result)
                return

            def control() -> list[str]:
                install(mutant.file, None)
                return failing([items[test]], reach.cost)

            def compare(failed: list[str] | None, _: float) -> None:
                if failed == []:
                    self._sound.add(test)
                    killers[test] += 1
                    self._found(result)
                    return
                sys.stdout.write(f"fails without a mutant, and is left out: {test}\n")
                self._unsound.add(test)
                self._try(mutant, items, reach)

            self._pool.start(control, compare)

        self._pool.start(work, done)


def measure(items: Sequence[pytest.Item], path: Path) -> dict[str, float]:
    """Run tests with coverage, one context for each; what each costs, in seconds."""
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, signal.SIG_IGN)
    meter = coverage.Coverage(
        data_file=str(path), config_file=False, include=[f"{SOURCE}/games/*", f"{SOURCE}/server/*"]
    )
    meter.set_option("run:disable_warnings", ["no-data-collected"])  # these may run elsewhere
    costs: dict[str, float] = {}
    meter.start()
    for item, following in zip(items, (*items[1:], None), strict=True):
        clear_caches()
        meter.switch_context(item.nodeid)
        began = time.process_time()
        reports = runtestprotocol(item, nextitem=following, log=False)
        spent = time.process_time() - began
        if not any(report.failed for report in reports):
            costs[item.nodeid] = round(spent, 4)
    meter.stop()
    meter.save()
    return costs
