"""What Python lacks in a browser: packages with which a server reaches people elsewhere.

Modules of the server import them at their top. Here each of their names is an exception that nobody
raises, so that `except httpx.HTTPError` has something to name; nothing here calls the rest.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import ModuleType
from typing import Any, Final

from mauerwerk.kernels.wasm import small_numpy

ABSENT: Final = (
    "cryptography",
    "cryptography.exceptions",
    "cryptography.hazmat",
    "cryptography.hazmat.primitives",
    "cryptography.hazmat.primitives.asymmetric",
    "http_ece",
    "httpx",
    "py_vapid",
)


class AbsentModule(ModuleType):
    """A package that is not there."""

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever is imported
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (Exception,), {})


def install() -> None:
    """Put them where imports find them, in a browser alone."""
    for name in ABSENT:
        sys.modules.setdefault(name, AbsentModule(name))
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
