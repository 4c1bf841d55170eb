"""Running a server: one process, one event loop, until it is stopped."""

import asyncio
import contextlib
import errno
import gc
import logging
import signal
import socket
import threading
from collections.abc import Callable, Generator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

import uvicorn

from mauerwerk.bots import why_no_search
from mauerwerk.server import heap
from mauerwerk.server.app import App
from mauerwerk.server.database.connect import is_url, store_at
from mauerwerk.server.engine.host import Host
from mauerwerk.server.engine.limits import HostLimits
from mauerwerk.server.http import connection, log, metrics
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.ui import render

BACKLOG: Final = 2048
FINISH: Final = 10.0
"""Seconds that requests under way have left when the server is stopped."""
UNREAD: Final = 30_000
"""Milliseconds after which a connection whose client takes nothing is closed."""
COLLECT_AFTER: Final = 20_000
"""New objects after which the collector looks for cycles. Requests and tables hardly have any."""


class Server(uvicorn.Server):
    """Ends streams first when it stops, and does not raise a signal again that stopped it."""

    def __init__(self, app: App) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=partial(connection.TimeoutProtocol, guard=app.connections),  # type: ignore[arg-type] # makes one
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                ws="none",
                timeout_graceful_shutdown=int(FINISH),
            )
        )
        self.app = app

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Stop at a signal, and at once at the second. In a thread there are no signals."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {
            number: signal.signal(number, self.handle_exit)
            for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then finish the other requests."""
        await self.app.streams.close()
        await super().shutdown(sockets)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens for clients. Raises OSError if the port cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with _opened(family) as waiting:
        waiting.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            # Connections inherit this, so that one whose client takes nothing is not kept for ever.
            waiting.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREAD)
        waiting.bind((host, port))
    return waiting


def listen_at_path(path: Path) -> socket.socket:
    """A Unix socket at this path, for a proxy on this machine. Raises OSError if it is in use."""
    if path.is_socket():
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
            if probe.connect_ex(str(path)) == 0:
                raise OSError(errno.EADDRINUSE, "another server listens there")
        path.unlink()  # left over from a server that was killed
    with _opened(socket.AF_UNIX) as waiting:
        waiting.bind(str(path))
        path.chmod(0o660)
    return waiting


@contextlib.contextmanager
def _opened(family: socket.AddressFamily) -> Generator[socket.socket, None, None]:
    """A socket that listens once it is bound, and is closed where it cannot be."""
    waiting = socket.socket(family, socket.SOCK_STREAM)
    try:
        yield waiting
        waiting.listen(BACKLOG)
    except BaseException:
        waiting.close()
        raise
    waiting.setblocking(False)  # noqa: FBT003 - as sockets take it


FIRST_PASSED: Final = 3
"""The file descriptor of the first socket that systemd passes on."""


def passed_socket(environment: Mapping[str, str], pid: int) -> socket.socket | None:
    """The socket that systemd listens on for this process (`sd_listen_fds`); None without one."""
    if environment.get("LISTEN_PID") != str(pid) or environment.get("LISTEN_FDS") != "1":
        return None
    waiting = socket.socket(fileno=FIRST_PASSED)
    waiting.setblocking(False)  # noqa: FBT003 - as sockets take it
    return waiting


def say_ready(environment: Mapping[str, str]) -> None:
    """Tell systemd, if it wants to know, that the server is up (`sd_notify`)."""
    if place := environment.get("NOTIFY_SOCKET"):
        with (
            contextlib.suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager,
        ):
            manager.sendto(b"READY=1", f"\0{place[1:]}" if place.startswith("@") else place)


def address_of(waiting: socket.socket) -> str:
    """The address for a browser; on the network's address, if it listens on all of them."""
    name = waiting.getsockname()
    if isinstance(name, str):
        return f"unix:{name}"
    host, port = name[:2]
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - recognised here, not bound
        host = _own_address()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _own_address() -> str:
    """This machine's address in its network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def own_names() -> tuple[str, ...]:
    """The names of this machine in its network."""
    name = socket.gethostname().lower()
    return (name, f"{name.partition('.')[0]}.local")


def host_at(place: str | Path, bot_workers: int = 1, limits: HostLimits | None = None) -> Host:
    """The host of the tables in a folder, or at a PostgreSQL address. Raises StorageError."""
    if not is_url(place):
        Path(place).mkdir(parents=True, exist_ok=True)
    if not why_no_search():
        import_module("mauerwerk.kernels.cache").folder()  # or else each worker tells where it is
    return Host(store_at(place), bot_workers=bot_workers, limits=limits)


def serve(
    host: Host, settings: Settings, waiting: socket.socket, ready: Callable[[], None]
) -> None:
    """Serve until stopped; `ready` is called when serving begins. Raises StorageError."""
    heap.share()
    # The log has clients' mistakes by their status; reported here are errors of the program only.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    logging.basicConfig(
        handlers=[log.LogHandler(log.write_to_stderr)], level=logging.WARNING, force=True
    )
    server = Server(App(host, settings))
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(run(server, host, waiting, ready))


async def run(
    server: Server, host: Host, waiting: socket.socket, ready: Callable[[], None]
) -> None:
    """Open the host, serve, and close it again."""
    await host.open()
    gc.freeze()  # what exists now stays, so the collector need not look at it again
    gc.set_threshold(COLLECT_AFTER)
    beside = [
        asyncio.create_task(metrics.measure_lag(server.app.metrics.observe_lag)),
        asyncio.create_task(render.compile_templates()),
        asyncio.create_task(heap.keep_small()),
    ]
    try:
        ready()
        await server.serve([waiting])
    finally:
        for each in beside:
            each.cancel()
        await host.close()
