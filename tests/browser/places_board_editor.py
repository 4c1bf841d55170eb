"""The workshop's kinds of pages, for tests that hold for each of them."""

from collections.abc import Callable, Mapping
from typing import Final
from urllib.parse import urlencode

from tests.support.people import Person

TORN: Final = "www...eee/www...eee/www...eee"
"""Land in two pieces."""


def bench(board: str, brush: str = "w") -> Callable[[Person], None]:
    """The workshop with a board on it."""
    return lambda person: person.go(f"/workshop?{urlencode({'board': board, 'brush': brush})}")


PLACES: Final[Mapping[str, Callable[[Person], None]]] = {
    "workshop-coast": bench("large", "coast"),
    "workshop-torn": bench(TORN),
}
"""How to get to each kind of page."""
