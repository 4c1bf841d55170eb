"""One process that works for this one, and can be killed at any moment.

>>> worker = Worker()
>>> worker.ask(abs, -3)
Done(answer=3, failures=())
>>> worker.close()
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mauerwerk.lab.workers.mapping import End, WorkerDiedError, attempt, failed

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


class Worker:
    """A process with a pipe. It does one piece of work at a time, and ends with its parent."""

    def __init__(self, nice: int = 0) -> None:
        """Start the process; the higher `nice`, the more it lets other processes go first."""
        # It is spawned, not forked, because compiled code may have started threads here.
        spawn = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_serve, args=(theirs, nice), daemon=True)
        with _sigint_blocked():
            self._process.start()
        theirs.close()  # so that the pipe ends when the process does

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.is_alive()

    def ask(self, work: Callable[[Any], Any], task: Any) -> End:  # noqa: ANN401 - any task
        """Have a piece of work done, wait for it, and say how it ended.

        Work and task can be pickled, as in `map_unordered`.
        """
        try:
            self._pipe.send((work, task))
            end: End = self._pipe.recv()
        except (EOFError, OSError):
            return WorkerDiedError("the worker died")
        except Exception as fault:  # noqa: BLE001 - what cannot be pickled, or unpickled here
            return failed(fault)
        return end

    def kill(self) -> None:
        """End the process, whatever it does. A thread that waits in `ask` hears that it died."""
        self._process.kill()
        self._process.join()

    def close(self) -> None:
        """End the process, and close the pipe, which no other thread may be using."""
        self.kill()
        self._pipe.close()


@contextmanager
def _sigint_blocked() -> Generator[None, None, None]:
    """Keep Ctrl-C from a process that is just starting; here it takes effect afterwards."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- In the process --------------------------------------------------------------------------


def _serve(pipe: "Connection[Any, Any]", nice: int) -> None:
    """Do the work that comes through the pipe until the pipe is closed."""
    _end_with_parent()
    if hasattr(os, "nice"):  # not on every system
        os.nice(nice)
    while True:
        try:
            work, task = pipe.recv()
        except (EOFError, OSError):
            return
        except Exception as fault:  # noqa: BLE001 - work or a task that cannot be unpickled here
            end: End = failed(fault)
        else:
            end = attempt(work, task)
        try:
            pipe.send(end)
        except OSError:
            return
        except Exception as fault:  # noqa: BLE001 - an answer that cannot be pickled
            pipe.send(failed(fault))


def _end_with_parent() -> None:
    """End this process when its parent has ended, in whatever way, and leave Ctrl-C to the parent.

    Ctrl-C reaches every process of a terminal; the parent alone decides what it means.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait_and_end() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait_and_end, daemon=True).start()
