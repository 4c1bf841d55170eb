"""A server with new rules and no longer the old ones: tables of the old ones are unsupported."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fourth_game.game import BREACH
from tests.fourth_game.test_revisions import ForgetfulBreach, SecondBreach, playing
from tests.support.web_pages import look
from tests.support.web_server import Player, Running, serving

from mauerwerk.server.features.table.store import log_text
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.log import Entry, Kind


class Before:
    """What was left from before: a server's folder, its tables, and who sat there."""

    def __init__(
        self, folder: Path, running: str, given_up: str, over: str, tokens: dict[str, str]
    ) -> None:
        """Know where they are. One of those that run is for the test that ends it."""
        self.folder = folder
        self.running = running
        self.given_up = given_up
        self.over = over
        self.tokens = tokens


@pytest.fixture(scope="module")
def before(_installed: None, tmp_path_factory: pytest.TempPathFactory) -> Before:
    """Games that go on and one that is over, all under the first rules."""
    folder = tmp_path_factory.mktemp("data")
    with serving(folder) as site:
        ada, bob = site.guest("Ada"), site.guest("Bob")
        running, given_up = _opened(ada), _opened(ada)
        for table in (running, given_up):
            for seat, word in enumerate("65"):
                assert ada.move(table, word, seat=seat).status_code == 200
        over = _opened(ada)
        for seat, word in enumerate("601"):
            assert ada.move(over, word, seat=seat).status_code == 200
        assert ada.table_view(over, seat=0)["status"] == "over"
        return Before(folder, running, given_up, over, {"ada": _token(ada), "bob": _token(bob)})


def _opened(ada: Player) -> str:
    table = ada.open("hhh", game="breach", options={"rounds": "1"}, mine=[0, 1, 2])
    return str(table["table"])


def _token(player: Player) -> str:
    return str(player.client.headers["authorization"]).removeprefix("Bearer ")


@pytest.fixture(scope="module")
def site(before: Before) -> Iterator[Running]:
    """The same server with other rules."""
    with playing(ForgetfulBreach()), serving(before.folder) as running:
        yield running


def test_its_page_says_why(site: Running, before: Before) -> None:
    """And who played, but nothing of what they hold."""
    page = look(site.anybody(), f"/t/{before.running}")
    assert "begun with revision 1 of the rules. This server has revision 2." in page.main
    assert "nobody can play on here" in page.main
    assert "Ada" in page.main
    assert "3 moves were made." in page.main
    assert "0:6" not in page.main
    assert "End it" not in page.main


def test_a_finished_one_can_be_read(site: Running, before: Before) -> None:
    """Its record and its result are stored."""
    for path in (f"/t/{before.over}", f"/t/{before.over}/replay"):
        page = look(site.anybody(), path)
        assert "breach/1 seats=3" in page.main
        assert "place 1" in page.main
    record = site.anybody().get(f"/api/tables/{before.over}/record")
    assert record.text.startswith("breach/1 seats=3")


def test_nothing_else_can_be_done(site: Running, before: Before) -> None:
    """Programs get one word and one line."""
    ada = site.bearer(before.tokens["ada"])
    for answer in (
        ada.get(f"/api/tables/{before.running}"),
        ada.post(f"/api/tables/{before.running}/moves", move="1", version=9, seat=2),
        ada.get(f"/api/tables/{before.running}/record"),
    ):
        assert (answer.status_code, answer.json()["error"]) == (410, "rules")
    assert len(ada.get("/api/guests/me/tables").json()["tables"]) == 3


def test_a_player_ends_it(site: Running, before: Before) -> None:
    """Nobody else can; then everybody can read the moves as they are stored."""
    path = f"/api/tables/{before.given_up}/end"
    assert site.anybody().post(path).status_code == 401
    assert site.bearer(before.tokens["bob"]).post(path).status_code == 403
    ada = site.bearer(before.tokens["ada"])
    assert "End it without a winner" in look(ada, f"/t/{before.given_up}").main
    assert ada.post(path).status_code == 200

    page = look(site.anybody(), f"/t/{before.given_up}")
    assert "The game was ended without a winner. The rules had changed meanwhile." in page.main
    assert "0:6  # 5" in page.main
    assert "no winner" in site.bearer(before.tokens["ada"]).get("/").text


def test_a_table_that_can_be_played_is_not_ended(site: Running) -> None:
    """A player leaves it instead."""
    ada = site.guest("Ada")
    refused = ada.post(f"/api/tables/{_opened(ada)}/end")
    assert (refused.status_code, refused.json()["error"]) == (422, "request")


def test_with_the_old_rules_it_is_played_on(tmp_path: Path) -> None:
    """By these rules, on a plain board, at a server whose new tables have the new ones."""
    with playing(BREACH), serving(tmp_path) as first:
        ada = first.guest("Ada")
        going, token = _opened(ada), _token(ada)
    with playing(SecondBreach()), serving(tmp_path) as second:
        ada = second.bearer(token)
        for seat, word in enumerate("601"):
            assert ada.move(going, word, seat=seat).status_code == 200
        over = ada.table_view(going, seat=0)
        assert (over["rules"], over["outcome"]["ranks"][0]) == (1, 1)
        assert look(ada, f"/t/{going}").answer.status_code == 200
        assert look(ada, f"/t/{going}/replay").answer.status_code == 200
        assert ada.table_view(_opened(ada), seat=0)["rules"] == 2


def test_the_text_of_a_log_says_what_was_taken_back() -> None:
    """With the numbers of the entries, and without guessing what else went with it."""
    charter = Charter("t", "breach", 1, {"rounds": "1"}, (), False, 0, 0, False, "", 0)  # noqa: FBT003
    log = (
        Entry(0, 0, Kind.START),
        Entry(1, 0, Kind.MOVE, None, "x"),
        Entry(2, 0, Kind.UNDO, number=1),
    )
    assert log_text(charter, log) == (
        "breach/1 seats=0 rounds=1\n# 2: 1 was taken back, and what followed\n"
    )
