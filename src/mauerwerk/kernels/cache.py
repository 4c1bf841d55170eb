"""Where compiled code is kept: in files named after the content that they were compiled from.

`MAUERWERK_CACHE` names the folder; without it, it is in the user's folder for caches. One file
holds one function for one signature and one kind of processor, and is complete when it appears. So
any number of processes and checkouts can share the folder, and losing a file costs time and nothing
else. Files that were not used for `OLD` seconds are removed.
"""

import hashlib
import os
import pickle  # the files are this user's own
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from mauerwerk.kernels.inner import rebuilt

VARIABLE: Final = "MAUERWERK_CACHE"

TOLD: Final = "MAUERWERK_CACHE_TOLD"
"""Set for the processes that this one starts, once the user knows where compiled code is kept."""

OLD: Final = 30 * 24 * 3600.0
"""After how many seconds without use compiled code is removed."""
FRESH: Final = 24 * 3600.0
"""A use is noted in a file's time if the last note is older than this."""

SUFFIX: Final = ".compiled"
UNFINISHED: Final = ".unfinished"
CUDA: Final = "cuda-"
"""How the names of our files end, and those of our folders begin."""


def tell(words: str) -> None:
    """Write one line for the user."""
    sys.stderr.write(f"mauerwerk: {words}\n")
    sys.stderr.flush()


# --- The folder ------------------------------------------------------------------------------


@cache
def folder() -> Path | None:
    """Where this process keeps compiled code; None where no place can be written.

    If it is not the place that the user expects, one line says so, once for all processes that
    this one starts.
    """
    try:
        wanted = _wanted()
    except RuntimeError:  # neither HOME nor an entry in the list of users
        fault = "there is no home folder for a cache"
    else:
        if not _is_writable(wanted):
            fault = f"the cache {wanted} cannot be written"
        elif not _is_private(wanted):
            fault = f"others can write the cache {wanted}"
        else:
            return wanted
    spare = _private()
    if not os.environ.get(TOLD):
        os.environ[TOLD] = "yes"
        kept = "not kept" if spare is None else f"kept in {spare}"
        tell(f"{fault}: what is compiled is {kept}")
    return spare


def _wanted() -> Path:
    """The folder that the user chose, or is for caches. Raises RuntimeError without a home."""
    if chosen := os.environ.get(VARIABLE):
        return Path(chosen) / "kernels"
    match sys.platform:
        case "darwin":
            caches = Path.home() / "Library" / "Caches"
        case "win32":
            caches = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        case _:
            caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "mauerwerk" / "kernels"


def _private() -> Path | None:
    """A temporary folder that is this user's alone: code is run that is found there."""
    user = getattr(os, "getuid", lambda: None)()
    try:
        place = Path(tempfile.gettempdir()) / ("mauerwerk" if user is None else f"mauerwerk-{user}")
        place.mkdir(mode=0o700, exist_ok=True)
    except OSError:
        return None
    inside = place / "kernels"
    return inside if _is_private(place) and _is_writable(inside) else None


def _is_private(place: Path) -> bool:
    """Whether this user alone can put files there: code is run that is found in them."""
    user = getattr(os, "getuid", lambda: None)()
    try:
        found = place.lstat()
    except OSError:
        return False
    ours = user is None or (found.st_uid == user and not stat.S_IMODE(found.st_mode) & 0o022)
    return ours and stat.S_ISDIR(found.st_mode)


def _is_writable(place: Path) -> bool:
    """Whether files can be written there; makes the folder if it can be made."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=place).close()
    except OSError:
        return False
    return True


def sweep(place: Path) -> None:
    """Remove files that were not used for long; another process may be doing the same."""
    for path in place.iterdir():
        ours = path.suffix in {SUFFIX, UNFINISHED} or path.name.startswith(CUDA)
        with suppress(OSError):
            if ours and path.stat().st_mtime < time.time() - OLD:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


@cache
def _sweep_once(place: Path) -> None:
    with suppress(OSError):
        sweep(place)


def note_use(path: Path) -> None:
    """Note in the time of a file or folder that it was used, for `sweep`."""
    with suppress(OSError):
        if path.stat().st_mtime < time.time() - FRESH:
            os.utime(path)


def folder_for_cuda(name: str, key: str) -> Path | None:
    """Where numba-cuda, which keeps files of its own, keeps those of one function."""
    place = folder()
    if place is None:
        return None
    ours = place / f"{CUDA}{name}-{key[:32]}"
    note_use(ours)
    _sweep_once(place)
    return ours


# --- One function ----------------------------------------------------------------------------


class CodeCache:
    """The compiled forms of one function on disk: what a dispatcher of Numba asks and tells.

    Numba's own cache keeps an index beside the files, in which two processes that save at the same
    time can mistake one signature for another. Here the name of a file says what is in it.
    """

    def __init__(self, name: str, key: Callable[[], str], before: Callable[[], None]) -> None:
        """The key is computed when it is needed; `before` is called before compiling."""
        self._name = name
        self._key = key
        self._before = before

    def load_overload(self, signature: Any, context: Any) -> Any:  # noqa: ANN401 - Numba's
        """The compiled function for these types of arguments; None if it has to be compiled."""
        context.refresh()
        path = self._path(signature, context.codegen())
        found = None if path is None else self._loaded(path, signature, context)
        if found is None:
            self._before()
        return found

    def _loaded(self, path: Path, signature: Any, context: Any) -> Any:  # noqa: ANN401
        try:
            whose, payload = pickle.loads(path.read_bytes())  # noqa: S301 - see `_private`
            if whose != signature:
                return None
            found = rebuilt(context, payload)
        except Exception:  # noqa: BLE001 - whatever is wrong with a file, compiling mends it
            return None
        note_use(path)
        return found

    def save_overload(self, signature: Any, result: Any) -> None:  # noqa: ANN401 - Numba's
        """Keep what was compiled. Without success nothing is lost but time."""
        path = self._path(signature, result.codegen)
        if path is None or result.library.has_dynamic_globals:
            return
        dumps = import_module("numba.core.serialize").dumps
        try:
            write_at_once(path, dumps((signature, result._reduce())))  # noqa: SLF001 - as Numba does
        except OSError as error:
            _tell_of_loss(str(path.parent), error.strerror)
        _sweep_once(path.parent)

    def _path(self, signature: Any, codegen: Any) -> Path | None:  # noqa: ANN401 - Numba's
        place = folder()
        if place is None:
            return None
        # Imported here: NumPy takes long to load, and a server only asks for the folder.
        from mauerwerk.kernels.source_hash import described_signature  # noqa: PLC0415

        rest = repr((described_signature(signature), codegen.magic_tuple()))
        variant = hashlib.sha256(rest.encode()).hexdigest()[:16]
        return place / f"{self._name}-{self._key()[:32]}-{variant}{SUFFIX}"


def write_at_once(path: Path, content: bytes) -> None:
    """Write a file so that no process ever sees a part of it. Raises OSError."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = path.with_name(f"{uuid4().hex}{UNFINISHED}")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


@cache
def _tell_of_loss(place: str, why: str | None) -> None:
    tell(f"{why or 'a fault'} in the cache {place}: what is compiled is not kept")
