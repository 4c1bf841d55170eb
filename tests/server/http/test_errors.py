"""Errors and cookies that a server of strangers has to expect."""

from typing import Any

import pytest
from tests.support.web_server import state_of

from mauerwerk.core.errors import MoveError
from mauerwerk.core.registry import RegistryError
from mauerwerk.server.http.identity import KEPT, kept_tokens
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import fault_of
from mauerwerk.server.http.settings import Settings
from mauerwerk.server.tables.table import Player
from mauerwerk.server.ui.names import BOTS, names_of


def test_a_game_may_refuse_a_move_by_the_plainest_error() -> None:
    """It is the player's mistake, and is answered as one."""
    fault = fault_of(MoveError("not now"))
    assert fault is not None
    assert (fault.status, fault.code, fault.message) == (422, "illegal", "not now")


def test_a_faulty_package_is_no_mistake_of_a_visitor() -> None:
    """Visitors are not told the names of packages."""
    assert fault_of(RegistryError("mauerwerk.games of spoilt 2.0")) is None


@pytest.mark.parametrize("value", [r'"x\015\012X-Evil: 1"', r'"x\073 Path=/"', "ü", "", "a b"])
def test_only_tokens_are_kept_from_a_cookie(value: str) -> None:
    """The content of the cookie goes back into a header, so it may hold nothing else."""
    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": "/",
        "headers": [(b"host", b"localhost"), (b"cookie", f"{KEPT}t={value}".encode("latin-1"))],
        "query_string": b"",
        "client": ("127.0.0.1", 1),
        "scheme": "http",
    }
    assert kept_tokens(Request(state_of(Settings()), scope), "t") == ()


def test_more_bots_than_names_are_told_apart() -> None:
    """A game may have more seats than there are names for bots."""
    called = names_of([Player("", "master")] * (len(BOTS) + 2))
    assert len(set(called)) == len(BOTS) + 2
