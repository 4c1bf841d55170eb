"""The document says what the server does, all of it and nothing else."""

import json
from functools import cache
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from tests.server.features.table.test_api import play_on
from tests.support.operations import DOCUMENT, OPERATIONS
from tests.support.web_server import Running

from mauerwerk.bots.hints import Hint
from mauerwerk.core.record import read
from mauerwerk.games import GAMES


@cache
def document() -> dict[str, Any]:
    """The document, as it is served."""
    whole: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(DOCUMENT.read()))
    return whole


@cache
def checker(operation: str, status: int) -> Any:  # noqa: ANN401 - a compiled schema
    """What checks the body of an answer."""
    for item in document()["paths"].values():
        for described in item.values():
            if described["operationId"] == operation:
                content = described["responses"][str(status)]["content"]
                return validated_by(content["application/json"]["schema"])
    raise KeyError(operation)


def validated_by(schema: dict[str, Any]) -> Any:  # noqa: ANN401 - a compiled schema
    """What checks a value by a schema of the document."""
    return jsonschema_rs.validator_for({**schema, "components": document()["components"]})


def test_the_document_is_served(site: Running) -> None:
    """It is OpenAPI 3.1, at a fixed address."""
    served = site.client().get("/api/openapi.json").json()

    assert served.pop("servers") == [{"url": site.address}]
    assert served == document()
    assert served["openapi"].startswith("3.1")


def test_answers_that_are_no_json_are_described() -> None:
    """A record is text that replays, as it is served; a stream has notices."""
    record = document()["paths"]["/api/tables/{table}/record"]["get"]["responses"]["200"]
    (media, described), *_ = record["content"].items()

    assert media == "text/plain; charset=utf-8"
    assert read(described["example"], GAMES).game == "mauer"
    for item in document()["paths"].values():
        for each in item.values():
            for status, answer in each["responses"].items():
                for kind, content in answer["content"].items():
                    if status.startswith("2") and kind != "application/json":
                        assert content["schema"]["description"]


def test_every_type_is_described() -> None:
    """And its fields, where a sentence in the source says what they mean."""
    types = document()["components"]["schemas"]
    table_view, notice = types["TableMessage"]["properties"], types["NoticeMessage"]["properties"]

    assert all(each["description"] for each in types.values())
    assert table_view["prompt"]["description"] == "What the table waits for, as a question."
    assert table_view["number"]["description"].startswith("How many entries this viewer")
    assert "taken back" in notice["back_to"]["description"]
    assert types["SeatView"]["properties"]["asked"]["description"]


def test_every_operation_is_documented() -> None:
    """Each operation has a name of its own, a summary, and an example."""
    described = [each for item in document()["paths"].values() for each in item.values()]

    assert len(described) == len(OPERATIONS)
    assert len({each["operationId"] for each in described}) == len(OPERATIONS)
    assert all(each["summary"] for each in described)
    assert all(
        each["requestBody"]["content"]["application/json"]["example"] is not None
        for each in described
        if "requestBody" in each
    )


@pytest.mark.parametrize(
    "operation",
    [each for each in OPERATIONS if each.example is not None],
    ids=lambda each: each.name,
)
def test_examples_can_be_sent(operation: Any) -> None:  # noqa: ANN401 - an operation
    """Each example is a valid request for its operation, and one that the document allows."""
    body = document()["paths"][operation.path]["post"]["requestBody"]["content"]

    assert msgspec.convert(operation.example, operation.ask)
    validated_by(body["application/json"]["schema"]).validate(operation.example)


def test_a_request_may_leave_out_types() -> None:
    """What the server takes, the document allows: a chair or a clock without its `type`."""
    order = {"game": "mauer", "chairs": [{"kind": "human"}] * 3, "clock": {"total": 600}}
    typed = {**order, "clock": {"type": "clock", "total": 600}}
    new_table = validated_by({"$ref": "#/components/schemas/NewTable"})

    assert new_table.is_valid(order)
    assert new_table.is_valid(typed)
    assert not new_table.is_valid({**order, "clock": {"type": "chair", "total": 600}})
    assert not new_table.is_valid({**order, "chairs": [{}] * 3})
    assert "type" in document()["components"]["schemas"]["TableMessage"]["required"]


def test_every_reference_leads_somewhere() -> None:
    """Every type that is named is described, and none is named after a module."""
    schemas = document()["components"]["schemas"]
    text = json.dumps(document())
    named = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}

    assert named <= set(schemas)
    assert "mauer.View" in schemas
    assert not [name for name in schemas if name.startswith("mauerwerk")]


@pytest.mark.parametrize("game", ["mauer", "burgbaumeister", "mauerbauer"])
def test_table_views_and_notices_are_as_described(site: Running, game: str) -> None:
    """This holds for each game, for a seat and for spectators."""
    ada = site.guest()
    table = ada.open(game=game, mine=[0, 1, 2])["table"]
    is_a_scene = checker("look", 200).validate
    is_a_scene(ada.table_view(table, seat=0))
    play_on(ada, table, seats=3, moves=60)

    seen = ada.table_view(table, seat=0)
    is_a_scene(seen)
    is_a_scene(ada.table_view(table, seat="none"))
    story = ada.get(f"/api/tables/{table}/history", seat=0).json()
    assert len(story["notices"]) > 50 or seen["status"] == "over"
    checker("get_history", 200).validate(story)


def test_advice_is_as_described(site: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Advice has words, values and reasons."""

    async def hints(*_: object) -> tuple[Hint, ...]:
        return (Hint(GAMES["mauer"].parse("T"), 0.5, "It is dear."),)

    monkeypatch.setattr(site.app.state.host, "hints", hints)
    ada = site.guest()
    table = ada.open(mine=[0, 1, 2])["table"]
    answer = ada.get(f"/api/tables/{table}/hints", seat=0)

    assert answer.json()["hints"] == [
        {"move": "T", "say": "plan the tower", "value": 0.5, "reason": "It is dear."}
    ]
    checker("advise", 200).validate(answer.json())


def test_answers_are_as_described(site: Running) -> None:
    """This covers everything that a guest does in an evening."""
    ada = site.guest()
    table = ada.open("hho", mine=[0, 1], public=True)["table"]
    path = f"/api/tables/{table}"
    order = {"game": "mauer", "chairs": [{"kind": "human"}] * 3}
    asked = [
        ("list_games", 200, ada.get("/api/games")),
        ("become_guest", 201, ada.post("/api/guests", name="Bob")),
        ("who_am_i", 200, ada.get("/api/guests/me")),
        ("list_tables", 200, ada.get("/api/tables")),
        ("list_own_tables", 200, ada.get("/api/guests/me/tables")),
        ("open_table", 201, ada.post("/api/tables", **order)),
        ("sit", 200, site.guest("Bob").post(f"{path}/sit")),
        ("see_link", 200, ada.get(f"{path}/seats/0/link")),
        ("move", 200, ada.move(table, "T", seat=0)),
        ("move", 409, ada.move(table, "T", seat=0, version=0)),
        ("move", 422, ada.move(table, "*C", seat=1)),
        ("move", 403, ada.post(f"{path}/moves", move="T", version=1, seat=2)),
        ("move", 415, ada.client.post(f"{path}/moves", content="T")),
        ("look", 401, site.anybody().get(path, seat=0)),
        ("look", 404, ada.get("/api/tables/nowhere")),
    ]

    for operation, status, answer in asked:
        assert (operation, answer.status_code) == (operation, status)
        checker(operation, status).validate(answer.json())
