"""Whatever a program sends, to a table in any state and as anybody, is answered as documented."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest
from tests.support.amounts import amount
from tests.support.operations import OPERATIONS, document_for_hosts
from tests.support.web_server import TIMEOUT, Player, Running, serving

from mauerwerk.server.api.operation import Operation
from mauerwerk.server.features.moderation import api
from mauerwerk.server.http.settings import Admin, Limits, Settings

pytestmark = pytest.mark.foreign


ENDING = [each for each in OPERATIONS if not each.path.endswith("/stream")]
"""The operations whose answer ends."""

SHORT = [each for each in ENDING if not each.path.endswith("/hints")]
"""Those which make no bot think."""


def name_of(operation: Operation) -> str:
    """What a test of it is called."""
    return operation.name


class Fuzzer:
    """Sends what schemathesis thinks of.

    Its plugin for pytest would build all cases of all operations when tests are collected, in every
    process. Here they are built by the test that sends them, in the same way.
    """

    def __init__(self) -> None:
        """Read the document."""
        # Without types: what it passes around is generic in ways that no caller can name.
        self._building: Any = import_module("schemathesis.pytest._test_builder")
        self._hypothesis: Any = import_module("hypothesis")
        whole: Any = import_module("schemathesis")
        whole.checks.load_all_checks()
        self.named: Any = import_module("schemathesis.specs.openapi.checks")
        self.not_a_server_error: Any = whole.checks.not_a_server_error
        self._schema: Any = whole.openapi.from_dict(dict(document_for_hosts()))

    def send(self, operation: Operation, answer: Callable[[Any], None], most: int) -> None:
        """Let this answer the cases of an operation: those that the document names, and more."""
        hypothesis = self._hypothesis
        settings = hypothesis.settings(
            max_examples=most,
            deadline=None,
            derandomize=True,
            phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
            suppress_health_check=[
                hypothesis.HealthCheck.too_slow,
                hypothesis.HealthCheck.filter_too_much,
            ],
        )

        def asks(case: Any) -> None:  # noqa: ANN401 - one of schemathesis
            answer(case)

        self._building.build_operation_test(
            config=self._schema.config,
            operation=self._schema[operation.path][operation.method],
            test_func=asks,
            given_kwargs={},
            feedback=self._building.FeedbackSources(),
            explicit_settings=settings,
        )()


@pytest.fixture(scope="module")
def fuzzer() -> Fuzzer:
    """For all operations."""
    return Fuzzer()


# --- By all, at all tables -------------------------------------------------------------------


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
        assert ada.table_view(self.tables[2], seat=0)["status"] == "over"
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


@pytest.mark.parametrize("operation", SHORT, ids=name_of)
def test_every_answer_is_one_that_the_document_describes(
    operation: Operation, fuzzer: Fuzzer, guests: Guests, site: Running
) -> None:
    """No answer is a 500, or has a status, type or body that is not in the document."""
    not_for_us = [
        # A request may be good without being possible: somebody else has the seat.
        fuzzer.named.positive_data_acceptance,
        # Who shows a wrong token is told so only where it matters who they are.
        fuzzer.named.ignored_auth,
    ]

    def answer(case: Any) -> None:  # noqa: ANN401 - one of schemathesis
        asker, table = guests.next()
        if "table" in case.path_parameters:
            case.path_parameters["table"] = table
        said = asker.client.headers.get("authorization")
        headers = {"authorization": said} if said else {}
        case.call_and_validate(
            base_url=site.address, headers=headers, excluded_checks=not_for_us, timeout=TIMEOUT
        )

    fuzzer.send(operation, answer, most=amount(1, 1, 16))


# --- By one, at one table --------------------------------------------------------------------


@pytest.fixture(scope="module")
def somebody(site: Running) -> tuple[Player, str]:
    """A guest, with a table."""
    ada = site.guest()
    return ada, ada.open("hho", mine=[0, 1])["table"]


@pytest.mark.parametrize(
    "operation",
    [
        # The test above sends as much and checks more, but for what makes bots think.
        pytest.param(each, marks=pytest.mark.thorough) if each in SHORT else each
        for each in ENDING
    ],
    ids=name_of,
)
def test_nothing_that_is_sent_breaks_the_server(
    operation: Operation, fuzzer: Fuzzer, somebody: tuple[Player, str]
) -> None:
    """Every request gets an answer that the document describes."""
    ada, table = somebody
    headers = {"authorization": ada.client.headers["authorization"]}
    checks = [
        fuzzer.not_a_server_error,
        fuzzer.named.status_code_conformance,
        fuzzer.named.content_type_conformance,
        fuzzer.named.response_schema_conformance,
        fuzzer.named.negative_data_rejection,
    ]

    def answer(case: Any) -> None:  # noqa: ANN401 - one of schemathesis
        if "table" in case.path_parameters:
            case.path_parameters["table"] = table
        case.call_and_validate(
            base_url=str(ada.client.base_url), headers=headers, checks=checks, timeout=TIMEOUT
        )

    fuzzer.send(operation, answer, most=amount(1, 1, 6))


# --- By hosts --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server that can be managed over the network."""
    token = "t" * 20
    settings = Settings(limits=Limits(requests=0), admins=(Admin(token),))
    with serving(tmp_path_factory.mktemp("data"), settings) as site:
        yield site


@pytest.mark.parametrize(
    "operation",
    [
        pytest.param(each, marks=pytest.mark.thorough) if place % 4 else each
        for place, each in enumerate(api.OPERATIONS)
    ],
    ids=name_of,
)
def test_hosts_are_answered_as_documented(
    ruled: Running, fuzzer: Fuzzer, operation: Operation
) -> None:
    """Whatever they send, nothing breaks."""
    headers = {"authorization": f"Bearer {'t' * 20}"}

    def answer(case: Any) -> None:  # noqa: ANN401 - as above
        sent = case.call(base_url=ruled.address, headers=headers, timeout=TIMEOUT)
        case.validate_response(
            sent,
            checks=[fuzzer.not_a_server_error, fuzzer.named.status_code_conformance],
        )

    fuzzer.send(operation, answer, amount(1, 1, 60))
