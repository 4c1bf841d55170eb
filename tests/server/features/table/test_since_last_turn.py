"""Following others: what they did since one's own turn, and where on the board."""

import random
import re
from collections.abc import Iterator

import pytest
from tests.support.amounts import amount
from tests.support.driven_table import DrivenTable, start_table

from mauerwerk.core.game import Seat
from mauerwerk.core.language import ENGLISH
from mauerwerk.server.features.table.view_model import last_turn, located, since_turn
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import Recap, WebGame
from mauerwerk.server.ui.history import History, HistoryLine

GAMES = {
    "mauer": {"first": "0"},
    "burgbaumeister": {"first": "0", "variant": "yes"},
    "mauerbauer": {"first": "0", "board": "small"},
}
NAMES = ("you", "Bo", "Cleo")


def since(laid: DrivenTable, seat: int = 0, room: WebGame | None = None) -> tuple[Recap, ...]:
    """What is told again to a seat."""
    view = laid.table_view(seat)
    room = room or web_game(laid.table.charter.game)
    return since_turn(room, laid.table, view, laid.history(seat), NAMES, ENGLISH)


def played(game: str, moves: int, seed: int = 5) -> Iterator[DrivenTable]:
    """A game with random moves, after each of them."""
    chance = random.Random(seed)
    laid = start_table(game, options=GAMES[game])
    for _ in range(moves):
        if not laid.table.deciding:
            return
        seat = laid.table.deciding[0]
        laid.move(seat, chance.choice(laid.legal(seat)))
        yield laid


@pytest.mark.parametrize("game", GAMES)
def test_all_that_is_numbered_is_on_the_board(game: str) -> None:
    """Every place is the id of an element, unless the piece has left the board since."""
    room = web_game(game)
    assert room.places
    gone = 0
    found = 0
    for laid in played(game, amount(40, 40, 1000)):
        view = laid.table_view(0)
        parts = room.board.parts(view.view, view.legal, NAMES, ENGLISH)
        ids = set(re.findall(r'id="([^"]+)"', f"{parts.stage}{parts.tray}{parts.aside}"))
        places = [place for line in since(laid) for place in line.places]
        found += len(places)
        gone += len([place for place in places if place not in ids])
    assert found
    assert gone <= found / 5
    if game == "mauer":
        assert gone == 0


def test_stones_are_counted_from_the_wall_that_stands() -> None:
    """At the left end they have names of their own; those of another round have none."""
    laid = start_table("mauer", options={"first": "0", "rounds": "2"})
    laid.play("0:4 1:4 2:4 1:>")
    room = web_game("mauer")
    assert room.places
    story = laid.history(0)
    events = [event for notice in story for event in notice.events]
    where = dict(zip(map(repr, events), room.places(laid.table_view(0).view, events), strict=True))
    stones = [places for event, places in where.items() if event.startswith("Built")]
    assert stones
    assert stones[0] == ("wall-0",)


def test_what_others_did_is_told_in_order_and_not_ones_own() -> None:
    """Everything since one's last turn, in short: a wall with what stands beside it."""
    seen = 0
    for laid in played("mauerbauer", 200):
        told = since(laid)
        assert all(line.seat != 0 for line in told)
        assert not any(re.search(r"\byou (built|closed)", each.sentence) for each in told)
        walls = [each for each in told if "built a wall" in each.sentence]
        assert len(walls) <= 2
        if len(walls) == 2:
            seen += 1
            assert [each.seat for each in walls] == [1, 2]
            assert all(each.places[0].startswith("wall-") for each in walls)
    assert seen


def test_a_card_in_anothers_turn_is_no_turn() -> None:
    """What happened before it is still told when it is one's turn."""
    answered = 0
    for laid in played("mauerbauer", 300, seed=2):
        plays = laid.table.plays
        last = last_turn(laid.table, Seat(0))
        own = [play for play in plays if play.seat == 0]
        if own and last is not None and last.seq < own[-1].seq:
            answered += 1
            word = laid.table.game.parse(own[-1].word)
            assert type(word).__name__ in {"Play", "Discard", "Done", "Swap", "Choose"}
    assert answered


def test_what_was_taken_back_is_not_told() -> None:
    """Nor does it move the names of the stones."""
    laid = start_table("mauer", options={"first": "0"})
    laid.play("0:4 1:4 2:T 1:>")
    assert [line for line in since(laid) if "Bo built" in line.sentence]
    laid.take_back(1)
    for seat in (0, 2):
        laid.consent(seat)
    assert not [line for line in since(laid) if "Bo built" in line.sentence]


def test_a_game_that_says_nothing_of_places_is_told_by_its_sentences() -> None:
    """Then nothing is numbered on the board."""
    room = web_game("burgbaumeister")
    plain = WebGame(room.box, room.board)
    told = [since(laid, room=plain) for laid in played("burgbaumeister", 40)]
    lines = [line for each in told for line in each]
    assert lines
    assert all(line.seat in {1, 2} and not line.places for line in lines)


def test_nothing_is_left_out_where_much_has_happened() -> None:
    """A page tells the end of the story, but all that happened since one's turn."""
    room = web_game("mauerbauer")
    found = 0
    for laid in played("mauerbauer", 60):
        view, last = laid.table_view(0), laid.history(0)[-3:]
        told = since_turn(room, laid.table, view, last, NAMES, ENGLISH)
        assert told == since(laid)
        found += bool(told)
    assert found


def test_the_depot_is_nobodys_to_point_at() -> None:
    """Which cards were turned is memory (BB-9): no place of the depot is ever named."""
    for laid in played("burgbaumeister", 120):
        for seat in (0, None):
            view = laid.table_view(seat)
            notices = laid.history(seat)
            lines = tuple(HistoryLine(notice.number, 0, ()) for notice in notices)
            story = located(web_game("burgbaumeister"), view.view, History(notices, lines))
            places = {place for line in story.lines for place in line.places}
            assert not any(place.startswith("place-") for place in places)


def test_spectators_and_others_turns_have_nothing_numbered() -> None:
    """Only a seat that is asked in its own turn is told what it missed."""
    for laid in played("mauerbauer", 60):
        assert (
            since_turn(
                web_game("mauerbauer"),
                laid.table,
                laid.table_view(None),
                laid.history(None),
                NAMES,
                ENGLISH,
            )
            == ()
        )
