"""What Python lacks in a browser: packages with which a server reaches people elsewhere.

Modules of the server import them at their top. Here each of their names is an exception that nobody
raises, so that `except httpx.HTTPError` has something to name; nothing here calls the rest.
"""

import sys
import time
from types import ModuleType
from typing import Any, Final

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
    if not hasattr(time, "thread_time"):
        time.thread_time = time.perf_counter  # there is one thread
