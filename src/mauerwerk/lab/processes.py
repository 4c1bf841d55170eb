"""Games on several cores: a process each, as bots that think need one of their own."""

import multiprocessing
import signal
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice

from mauerwerk.lab.contest import Contest, Finished, Fixture, play_fixture


def play_all(
    contest: Contest, fixtures: Iterable[Fixture], jobs: int, *, papers: bool = False
) -> Generator[Finished, None, None]:
    """Play these games, so many at once, and yield each as it is finished, in whatever order.

    Whoever has enough closes the iterator; games that are not finished then are given up.
    """
    if jobs == 1:
        for fixture in fixtures:
            yield play_fixture(contest, fixture, paper=papers)
        return
    # Spawned, not forked: a compiled search brings threads, and those do not survive a fork.
    spawn = multiprocessing.get_context("spawn")
    strangers = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(jobs, mp_context=spawn, initializer=_leave_signals_to_the_parent)
    try:
        # Few are waiting at any time, so that rotations are finished about in order.
        left = iter(fixtures)
        running: set[Future[Finished]] = set()
        while True:
            with _held_back_signals():
                running |= {
                    pool.submit(play_fixture, contest, fixture, paper=papers)
                    for fixture in islice(left, 2 * jobs - len(running))
                }
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - strangers:
            child.terminate()


@contextmanager
def _held_back_signals() -> Generator[None, None, None]:
    """A process that is started here hears no Ctrl-C while it wakes up; this one does so later."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_signals_to_the_parent() -> None:
    """Ctrl-C reaches every process of a terminal; the parent alone decides what it means."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
