"""What Python lacks in a browser: threads, NumPy, and the time that a thread took."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from mauerwerk.kernels.wasm import small_numpy


def install() -> None:
    """Make up for it, in a browser alone."""
    small_numpy.install()
    ThreadPoolExecutor.submit = _submit  # type: ignore[assignment, method-assign]
    if not hasattr(time, "thread_time"):
        time.thread_time = time.perf_counter  # there is one thread


def _submit(
    _pool: ThreadPoolExecutor,
    work: Callable[..., Any],
    /,
    *given: Any,  # noqa: ANN401 - what `submit` takes
    **named: Any,  # noqa: ANN401 - as above
) -> "Future[Any]":
    """Do a piece of work soon: there are no threads, so the event loop does it."""
    future: Future[Any] = Future()

    def do() -> None:
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work(*given, **named))
            except Exception as fault:  # noqa: BLE001 - it is for whoever waits
                future.set_exception(fault)

    asyncio.get_running_loop().call_soon(do)
    return future
