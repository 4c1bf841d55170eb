"""Jobs of a server in other processes: each has its own, which can be killed at any moment."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.support.errands import (
    LONG,
    complain,
    die,
    hang,
    is_running,
    pid_of,
    started,
    wait_for_go,
)

from mauerwerk.lab.workers import AsyncWorkers, WorkerDiedError, WorkError

pytestmark = [pytest.mark.anyio, pytest.mark.process]


@pytest.fixture
def workers() -> Iterator[AsyncWorkers]:
    """Two of them, of whom nobody is left afterwards."""
    before = {*multiprocessing.active_children()}
    workers = AsyncWorkers(2)
    yield workers
    workers.close()
    assert {*multiprocessing.active_children()} <= before


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A folder for the signs of a second job."""
    folder = tmp_path / "other"
    folder.mkdir()
    return folder


async def test_a_job_has_a_process_of_its_own(workers: AsyncWorkers, tmp_path: Path) -> None:
    """Processes are started when they are needed, and kept for the next job."""
    before = {*multiprocessing.active_children()}
    waiting = asyncio.create_task(workers.run(wait_for_go, str(tmp_path), within=LONG))
    first = await started(tmp_path)
    second = await workers.run(pid_of, None)
    assert await workers.run(pid_of, None) == second != first
    assert len(multiprocessing.active_children()) == len(before) + 2
    (tmp_path / "go").touch()

    assert await waiting == first


async def killed(process: int) -> None:
    """Kill a process, and wait until it is gone."""
    os.kill(process, signal.SIGKILL)
    async with asyncio.timeout(LONG):
        while process in {each.pid for each in multiprocessing.active_children()}:  # noqa: ASYNC110 - the system tells nobody
            await asyncio.sleep(0.005)


async def test_work_goes_to_the_process_that_did_such_work_last(
    workers: AsyncWorkers, tmp_path: Path
) -> None:
    """If it is idle: what it has kept of it need not be made again."""
    waiting = asyncio.create_task(
        workers.run(wait_for_go, str(tmp_path), within=LONG, near="a table")
    )
    first = await started(tmp_path)
    second = await workers.run(pid_of, None, near="another table")
    assert await workers.run(pid_of, None, near="a table") == second  # the other one is busy
    (tmp_path / "go").touch()
    await waiting
    assert await workers.run(pid_of, None, near="a table") == second
    assert await workers.run(pid_of, None, near="a third table") == second != first
    await killed(second)

    assert await workers.run(pid_of, None, near="a table") == first


async def test_an_error_of_the_work_is_raised_here(workers: AsyncWorkers) -> None:
    """In one line that says where it happened, with all of it in a note; the process lives on."""
    before = await workers.run(pid_of, None)
    with pytest.raises(WorkError) as caught:
        await workers.run(complain, None)

    said = str(caught.value)
    assert said.startswith("ValueError: the bricks are wet (errands.py, line ")
    assert said.endswith(", in complain)")
    assert "in complain" in caught.value.__notes__[0]
    assert await workers.run(pid_of, None) == before


async def test_work_that_cannot_be_sent_is_an_error(workers: AsyncWorkers) -> None:
    """So is an answer that cannot be sent back."""
    with pytest.raises(WorkError, match=r"pickle|local object"):
        await workers.run(lambda _: 0, None)
    with pytest.raises(WorkError, match="pickle"):
        await workers.run(open, "/dev/null")

    assert await workers.run(abs, -1) == 1


async def test_a_process_that_dies_disturbs_no_other(workers: AsyncWorkers, other: Path) -> None:
    """The next job gets a new one."""
    waiting = asyncio.create_task(workers.run(wait_for_go, str(other), within=LONG))
    undisturbed = await started(other)
    with pytest.raises(WorkerDiedError):
        await workers.run(die, None, within=LONG)
    assert await workers.run(abs, -1) == 1
    (other / "go").touch()

    assert await waiting == undisturbed


async def test_a_process_that_died_while_idle_gets_no_job(workers: AsyncWorkers) -> None:
    """A new one takes its place, and the job does not notice."""
    idle = await workers.run(pid_of, None)
    await killed(idle)

    assert await workers.run(pid_of, None) != idle


async def test_a_job_that_is_late_disturbs_no_other(
    workers: AsyncWorkers, tmp_path: Path, other: Path
) -> None:
    """Its process alone is killed."""
    waiting = asyncio.create_task(workers.run(wait_for_go, str(other), within=LONG))
    undisturbed = await started(other)
    late = await workers.run(pid_of, None)
    with pytest.raises(TimeoutError):
        await workers.run(hang, str(tmp_path), within=0.05)
    assert not is_running(late)
    assert await workers.run(pid_of, None) != late
    (other / "go").touch()

    assert await waiting == undisturbed


async def test_a_job_that_is_cancelled_ends_its_process(
    workers: AsyncWorkers, tmp_path: Path
) -> None:
    """In the middle of whatever it does."""
    hanging = asyncio.create_task(workers.run(hang, str(tmp_path), within=LONG))
    pid = await started(tmp_path)
    hanging.cancel()
    with pytest.raises(asyncio.CancelledError):
        await hanging

    assert not is_running(pid)
    assert await workers.run(abs, -1) == 1


async def test_the_time_of_a_job_begins_when_it_has_a_process(tmp_path: Path) -> None:
    """A job without any time waits for its turn, and is late only then."""
    workers = AsyncWorkers(1)
    order: list[str] = []
    first = asyncio.create_task(workers.run(wait_for_go, str(tmp_path), within=LONG))
    first.add_done_callback(lambda _: order.append("first"))
    await asyncio.sleep(0)
    second = asyncio.create_task(workers.run(hang, str(tmp_path), within=0))
    second.add_done_callback(lambda _: order.append("second"))
    await started(tmp_path)
    assert order == []
    (tmp_path / "go").touch()
    await first
    with pytest.raises(TimeoutError):
        await second
    workers.close()

    assert order == ["first", "second"]


async def test_nothing_is_left_when_they_close(tmp_path: Path) -> None:
    """Jobs that run or wait are told so, and nothing can be started any more."""
    before = {*multiprocessing.active_children()}
    workers = AsyncWorkers(1)
    running = asyncio.create_task(workers.run(hang, str(tmp_path), within=LONG))
    await started(tmp_path)
    waiting = asyncio.create_task(workers.run(abs, -1))
    await asyncio.sleep(0)
    workers.close()

    assert {*multiprocessing.active_children()} <= before
    for job in (running, waiting, asyncio.create_task(workers.run(abs, -1))):
        with pytest.raises(WorkerDiedError):
            await job
    assert {*multiprocessing.active_children()} <= before


PARENT = """
import asyncio
from tests.support.errands import hang
from mauerwerk.lab.workers import AsyncWorkers

if __name__ == "__main__":
    asyncio.run(AsyncWorkers(1).run(hang, {folder!r}))
"""


async def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    """Also when it is killed: then nobody holds its output any longer."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT.format(folder=str(tmp_path)))
    found = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}  # the script stands elsewhere
    with subprocess.Popen(  # noqa: ASYNC220, S603 - it starts at once, and is our own
        [sys.executable, script],
        stdout=subprocess.PIPE,
        env=found,
    ) as parent:
        pid = await started(tmp_path)
        assert is_running(pid)
        parent.kill()
        assert parent.communicate(timeout=LONG)[0] == b""
