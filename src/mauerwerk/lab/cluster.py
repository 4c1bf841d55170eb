"""A Ray cluster as workers for `map_unordered`, with the same results as on one machine.

Ray schedules the work on free cores. `map_unordered` decides what is repeated, and how often, as it
does for processes; Ray itself is told to retry nothing.
"""

import os
import socket
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.util import find_spec
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic
from typing import IO, Any, Final, TypeAlias

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import shown
from mauerwerk.lab.fingerprint import BuildFingerprint, build_fingerprint, difference
from mauerwerk.lab.workers import End, WorkerDiedError, WorkError, Workers, attempt, failed

# Ray reads its settings once, when it is imported.
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # no reports to others
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # or else Ray warns of a change
# Ray prints what happens to workers on stdout, where only the answer belongs; it skips lines that
# match this.
os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")

from ray import exceptions
from ray._private.services import canonicalize_bootstrap_address
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

ray: Final[Any] = import_module("ray")  # its own types say little about what is used here
Piece: TypeAlias = Any
"""A reference to the answer of a call, which may still be on its way."""
LOCAL: Final = "local"
"""The address that starts a cluster on this machine."""
FOUND: Final = "auto"
"""The address of the cluster that this machine is part of, or that `RAY_ADDRESS` names."""
CLIENT: Final = "ray://"
"""The start of an address of a cluster that this machine is not part of."""
RESPONSE_TIMEOUT: Final = 5.0
"""Seconds in which a cluster must respond."""
START_TIMEOUT: Final = 30.0
"""Seconds in which its machines must report their versions; each has to start a process."""
RECOUNT_SECONDS: Final = 5.0
"""Seconds after which its cores are counted again, since machines join and leave."""
SHARED: Final = 80 * 2**20
"""The object store of a cluster that is started here, in bytes."""

DEAD: Final = (
    exceptions.WorkerCrashedError,
    exceptions.NodeDiedError,
    exceptions.ObjectLostError,
    exceptions.OutOfMemoryError,
)
"""What Ray raises for work whose process, machine or answer is lost."""

SHORT: Final = "/tmp" if os.path.isdir("/tmp") else None  # noqa: S108, PTH112 - see there
"""The folder for the files of a cluster that is started here: socket names must be short."""
STDERR: Final = 2
HTTP2_PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
"""How a client starts an HTTP/2 connection, which the parts of Ray use among each other."""
HTTP2_SETTINGS: Final = b"\0\0\0\4"
"""How a server answers: three bytes of length, and the type of the frame."""


@contextmanager
def cluster(address: str, jobs: int | None = None) -> Generator[Workers, None, None]:
    """The workers of the cluster at this address, at most `jobs` of them at once.

    An address is `auto`, `HOST:PORT`, `ray://HOST:PORT`, or `local`, which starts a cluster here
    that ends with the context. With `auto`, an existing connection is used and left open. Raises
    SetupError if there is no cluster, or if its machines have another Mauerwerk or Python.
    """
    if address == FOUND:
        address = os.environ.get("RAY_ADDRESS") or FOUND
    with ExitStack() as stack:
        if not (ray.is_initialized() and address == FOUND):
            if address == LOCAL:
                home = stack.enter_context(
                    TemporaryDirectory("-ray", dir=SHORT, ignore_cleanup_errors=True)
                )
                few = {"num_cpus": jobs, "object_store_memory": SHARED, "include_dashboard": False}
                _connect(address, **few, _temp_dir=home)
            else:
                _probe(address)
                _connect(address)
            stack.callback(ray.shutdown)
        _check(build_fingerprint())
        yield Cluster(None if address == LOCAL else jobs)


class Cluster:
    """The workers of the cluster that this process is connected to."""

    def __init__(self, jobs: int | None) -> None:
        self._jobs = jobs
        self._do = ray.remote(max_retries=0, num_cpus=1)(_do).options(name="mauerwerk")
        self._running: set[Piece] = set()
        self._cores = 0
        self._counted = -RECOUNT_SECONDS

    @property
    def size(self) -> int:
        """The number of cores, or of jobs if that is smaller."""
        if monotonic() - self._counted > RECOUNT_SECONDS:
            self._cores = int(ray.cluster_resources().get("CPU", 0))
            self._counted = monotonic()
        return max(min(self._cores, self._jobs or self._cores), 1)

    @property
    def places(self) -> int:
        """Two pieces per core, one that runs and one that waits, but at most `jobs`."""
        return min(2 * self.size, self._jobs or 2 * self.size)

    def begin(self, work: Callable[[Any], Any], task: Any, /) -> Piece:  # noqa: ANN401 - any task
        """Submit it to Ray."""
        with _connected():
            piece = self._do.remote(build_fingerprint(), work, task)
        self._running.add(piece)
        return piece

    def ended(self) -> Sequence[tuple[Piece, End]]:
        """Wait for one, and also take all others that have ended."""
        everything = list(self._running)
        with _connected():
            ray.wait(everything)
            done, _ = ray.wait(everything, num_returns=len(everything), timeout=0)
            self._running.difference_update(done)
            return [(each, _end_of(each)) for each in done]

    def drop(self) -> None:
        """Forget them; their processes end with the connection. Cancelling can make Ray crash."""
        self._running.clear()


@contextmanager
def _connected() -> Generator[None, None, None]:
    """Raise WorkError, in one line, if the connection to the cluster is lost."""
    try:
        yield
    except ConnectionError as fault:
        raise WorkError(f"the Ray cluster is gone: {' '.join(str(fault).split())}") from None


def _do(here: BuildFingerprint, work: Callable[[Any], Any], task: Any) -> End:  # noqa: ANN401
    """Do a piece of work, on a machine that may have joined after the others were checked."""
    if other := difference(here, build_fingerprint()):
        return WorkError(f"a machine has {other}")
    return attempt(work, task)


def _fingerprint_there() -> BuildFingerprint:
    return build_fingerprint()


def _end_of(piece: Piece) -> End:
    try:
        end: End = ray.get(piece)
    except DEAD:
        return WorkerDiedError("the worker died")
    except exceptions.RayError as fault:
        return failed(fault)
    return end


# --- Connecting ------------------------------------------------------------------------------


def _probe(address: str) -> None:
    """Refuse an address where no Ray answers; Ray itself would retry for minutes."""
    if address.startswith(CLIENT) and find_spec("grpc") is None:
        raise SetupError(f"an address like {CLIENT}HOST:PORT needs: pip install 'ray[client]'")
    place = address.removeprefix(CLIENT)
    if place == address:
        try:
            place = canonicalize_bootstrap_address(address) or ""
        except ConnectionError:
            none = "none runs on this machine, and RAY_ADDRESS names none"
            raise _no_cluster(address, none) from None
        except ValueError:
            place = ""
    host, _, port = place.rpartition(":")
    if not port.isdecimal():
        raise _no_cluster(address, f"say {FOUND}, {LOCAL}, HOST:PORT or {CLIENT}HOST:PORT")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), RESPONSE_TIMEOUT) as line:
            line.sendall(HTTP2_PREFACE)
            heard = line.makefile("rb").read(len(HTTP2_SETTINGS))
    except (OSError, OverflowError, UnicodeError) as fault:
        raise _no_cluster(address, getattr(fault, "strerror", None) or fault) from None
    if heard[-1:] != HTTP2_SETTINGS[-1:] and os.environ.get("RAY_USE_TLS") != "1":
        raise _no_cluster(address, "what answers there is something else")


def _connect(address: str, **options: Any) -> None:  # noqa: ANN401 - as Ray takes them
    if address != LOCAL:
        os.environ.setdefault("RAY_gcs_server_port_wait_time_s", f"{RESPONSE_TIMEOUT:.0f}")
    with TemporaryFile() as said:
        try:
            with _stderr_to(said):
                ray.init(address, log_to_driver=False, logging_level="CRITICAL", **options)
        except (exceptions.RayError, OSError, RuntimeError, ValueError) as fault:
            said.seek(0)
            if b"InvalidAuthToken" in said.read():
                wanted = "it wants a token, and RAY_AUTH_MODE=token and RAY_AUTH_TOKEN=… to send it"
                raise _no_cluster(address, wanted) from None
            raise _no_cluster(address, fault) from None


@contextmanager
def _stderr_to(file: IO[bytes]) -> Generator[None, None, None]:
    """Hide what the parts of Ray that are not Python print, one message up to twenty times."""
    sys.stderr.flush()
    before = os.dup(STDERR)
    os.dup2(file.fileno(), STDERR)
    try:
        yield
    finally:
        os.dup2(before, STDERR)
        os.close(before)


def _no_cluster(address: str, why: object) -> SetupError:
    return SetupError(f"no Ray cluster at {shown(address)}: {' '.join(str(why).split())}")


def _check(here: BuildFingerprint) -> None:
    """Refuse machines on which the games would differ. Raises SetupError."""
    ask = ray.remote(num_cpus=0)(_fingerprint_there)
    asked: dict[Piece, str] = {}
    for node in ray.nodes():
        if node["Alive"] and node["Resources"].get("CPU"):
            there = NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)
            question = ask.options(scheduling_strategy=there).remote()
            asked[question] = node["NodeManagerAddress"]
    if not asked:
        return  # machines may still join
    # A machine that does not answer, or leaves meanwhile, is checked again before it plays.
    answered, _ = ray.wait(list(asked), num_returns=len(asked), timeout=START_TIMEOUT)
    if not answered:
        raise SetupError(
            f"no machine of the Ray cluster has answered for {START_TIMEOUT:.0f} seconds"
        )
    for question in answered:
        name = asked[question]
        try:
            other = difference(here, ray.get(question))
        except (*DEAD, exceptions.TaskUnschedulableError):
            continue
        except exceptions.RayError as fault:
            [*_, last] = str(fault).strip().splitlines()
            raise SetupError(f"the machine {name} has no mauerwerk to play with: {last}") from None
        if other:
            raise SetupError(f"the machine {name} has {other}")
