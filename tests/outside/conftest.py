"""Two games of other people, added by entry points that Python finds."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from tests.fourth_game.packages import put_on_path

INSTALLED: Final = Path(__file__).parent / "installed"
"""A folder as `pip` leaves it, with the entry points of a package."""


@pytest.fixture(autouse=True, scope="module")
def _installed() -> Iterator[None]:
    """Python finds the package with the games."""
    with pytest.MonkeyPatch.context() as patch:
        put_on_path(patch, INSTALLED)
        yield
