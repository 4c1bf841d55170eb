"""Whatever a program sends, to a table in any state and as anybody, is answered as documented."""

from importlib import import_module
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from tests.web.hosting import Player, Running

from mauerwerk.web import api

# Without types: what it passes around is generic in ways that no caller can name.
schemathesis: Any = import_module("schemathesis")
checks: Any = import_module("schemathesis.specs.openapi.checks")

DOCUMENT: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(api.whole_document()))
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)

NOT_FOR_US = (
    # A request may be good without being possible: somebody else has the seat.
    checks.positive_data_acceptance,
    # Who shows a wrong token is told so only where it matters who they are.
    checks.ignored_auth,
)


class Guests:
    """Who asks, and about which tables."""

    def __init__(self, site: Running) -> None:
        """Somebody with a table that waits, one that goes on and one that is over; and others."""
        ada = site.guest("Ada")
        options = {"rounds": "1", "stall": "1"}
        self.tables = [
            ada.open("hoo", mine=[0], public=True)["table"],
            ada.open("hhh", mine=[0, 1, 2])["table"],
            ada.open("hhh", mine=[0, 1, 2], options=options)["table"],
        ]
        for seat in range(3):
            assert ada.move(self.tables[2], "-", seat=seat).status_code == 200
        assert ada.scene(self.tables[2], seat=0)["status"] == "over"
        opened = ada.open("hhh", mine=[0, 1])
        self.tables.append(opened["table"])
        by_link = site.bearer(opened["seats"][0]["token"])
        self.askers = [ada, site.guest("Bob"), by_link, site.anybody()]
        self._turn = 0

    def next(self) -> tuple[Player, str]:
        """Another one each time, so that all meet all."""
        self._turn += 1
        place, who = self._turn % len(self.tables), self._turn // len(self.tables)
        return self.askers[who % len(self.askers)], self.tables[place]


@pytest.fixture(scope="module")
def guests(site: Running) -> Guests:
    """At the server of this module."""
    return Guests(site)


@SCHEMA.exclude(path_regex="/(stream|hints)$").parametrize()  # type: ignore[untyped-decorator]
@settings(
    max_examples=16,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_every_answer_is_one_that_the_document_describes(
    case: Any,  # noqa: ANN401 - one of schemathesis
    guests: Guests,
    site: Running,
) -> None:
    """With every check there is: no 500, no status, type or body that is not in the document."""
    asker, table = guests.next()
    if "table" in case.path_parameters:
        case.path_parameters["table"] = table
    said = asker.client.headers.get("authorization")
    headers = {"authorization": said} if said else {}
    case.call_and_validate(
        base_url=site.address, headers=headers, excluded_checks=list(NOT_FOR_US), timeout=20
    )
