"""A server for the tests of a module."""

from collections.abc import Iterator

import pytest
from tests.support.web_server import Running, serving


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server without limits."""
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running
