"""What viewers are told: everybody what they may know, in order, and some of it only once."""

import random

import pytest
from tests.support.driven_table import ADA, LEVEL, DrivenTable, bytes_of, start_table

from mauerwerk.core.game import NATURE, Ephemeral, Seat
from mauerwerk.games import GAMES
from mauerwerk.server.api.table_messages import NoticeMessage, notice_messages
from mauerwerk.server.tables import requests
from mauerwerk.server.tables.log import Kind
from mauerwerk.server.tables.table import Status, Viewer
from mauerwerk.server.tables.table_views import sight

QUICK = {"mauer": {"rounds": "1"}, "burgbaumeister": {}, "mauerbauer": {"board": "small"}}


def play_by_chance(driven: DrivenTable, rng: random.Random, most: int = 10_000) -> None:
    """Anything legal, now and then another choice, at most so many moves."""
    for _ in range(most):
        if driven.table.status is Status.OVER:
            return
        seat = rng.choice(driven.table.waiting)
        chosen = [
            each
            for each in range(driven.table.setup.seats)
            if driven.table_view(each).replaces_choice
        ]
        if chosen and rng.random() < 0.3:
            seat = Seat(rng.choice(chosen))
        driven.move(seat, rng.choice(driven.legal(seat)))


@pytest.mark.parametrize("name", GAMES)
def test_what_is_told_again_is_what_was_told(name: str) -> None:
    """It is the same without what is told once; after the game it is complete."""
    driven = start_table(name, "hhh", options=QUICK[name])
    rng = random.Random(name)
    play_by_chance(driven, rng, 40)
    for viewer in driven.viewers:
        heard, again = driven.heard[viewer], driven.history(viewer)
        assert [notice.number for notice in heard] == list(range(1, len(heard) + 1))
        assert len(again) == len(heard) == driven.number(viewer)
        for first, second in zip(heard, again, strict=True):
            kept = [event for event in first.events if not isinstance(event, Ephemeral)]
            assert list(second.events) == kept
        assert driven.history(viewer, after=7) == again[7:]
    play_by_chance(driven, rng)
    driven.check_log()
    for viewer in driven.viewers:
        assert bytes_of(driven.history(viewer)) == bytes_of(driven.heard[viewer])


def test_only_its_owner_sees_what_is_in_a_fist() -> None:
    """The others see it when all open together (DM-5)."""
    driven = start_table()
    driven.play("0:T")

    plans = [driven.last(viewer).events[0].plan for viewer in driven.viewers]
    assert [plan and plan.piece.value for plan in plans] == [None, "T", None, None]


def test_a_gift_is_a_secret_of_two() -> None:
    """Notices, sentences and scenes of the others do not say what was given (DM-19)."""
    driven = start_table()
    driven.play("0:- 2:- 1:T 2:*C")

    gifts = [driven.last(viewer).events[0].piece for viewer in driven.viewers]
    assert [gift and gift.value for gift in gifts] == [None, "C", None, "C"]
    assert "gate" in driven.text(0)
    assert "gate" not in driven.text(1)


def test_what_is_told_once_is_told_live_and_never_again() -> None:
    """Where remembering is the game (BB-9); after the end it is all open."""
    driven = start_table("burgbaumeister", "hh", guests=(ADA, ADA))
    driven.play("0:c3")
    number = next(event.card.number for event in driven.last(1).events if hasattr(event, "card"))
    assert driven.last(1).seat == NATURE
    assert f"{number}" in driven.text(1)
    driven.play("0:-")

    for viewer in driven.viewers:
        told = [event for notice in driven.history(viewer) for event in notice.events]
        assert not [event for event in told if isinstance(event, Ephemeral)]
        assert not [text for notice in _messages(driven, viewer)[:-1] for text in notice.text]
    play_by_chance(driven, random.Random(2))
    for viewer in driven.viewers:
        told = [event for notice in driven.history(viewer) for event in notice.events]
        assert [event for event in told if isinstance(event, Ephemeral)]


def _messages(driven: DrivenTable, viewer: Viewer) -> tuple[NoticeMessage, ...]:
    """The story as programs get it."""
    return notice_messages(driven.table.game, driven.history(viewer))


def test_a_table_view_says_all_that_a_page_needs() -> None:
    """It says who is asked, what may be done, and how the game ended."""
    driven = start_table(options={"rounds": "1", "stall": "1"}, seconds_per_move=60)
    driven.play("0:-")
    table_view = driven.table_view(1)

    assert [place.asked for place in table_view.seats] == [False, True, True]
    assert table_view.deadline == driven.now + 60_000
    message = driven.view_message(1)
    assert message.names == ("Ada", "Bob", "Cleo")
    assert [choice.move for choice in message.legal] == ["T", "C", "1", "2", "3", "4", "6", "-"]
    assert message.prompt
    assert driven.table_view(None).legal == ()
    driven.play("1:- 2:-")
    over = driven.table_view(1)
    assert over.outcome is not None
    assert (over.status, over.outcome.reason, over.deadline) == (Status.OVER, "stall", None)


def test_a_player_is_away_while_a_bot_plays_for_them_and_a_bot_never_is() -> None:
    """Bob's seat is his; the third has nobody to come back to."""
    driven = start_table(letters="hhb")
    driven.do(requests.hand_over, Seat(1), LEVEL)

    seats = [(place.level, place.away) for place in driven.table_view(None).seats]
    assert seats == [("", False), (LEVEL, True), (LEVEL, False)]


def test_a_bot_is_given_what_its_seat_knows() -> None:
    """It is given the moves that stand, and nothing that was taken back."""
    driven = start_table(letters="hbb")
    driven.play("0:T")
    driven.take_back(0)
    driven.play("0:4")

    told = sight(driven.table, Seat(1)).told
    assert [(event.seat, event.plan) for event in told] == [(0, None)]
    assert sight(driven.table, Seat(0)).told[0].plan.piece.value == "4"


def test_notices_say_who_came_and_went() -> None:
    """They contain names and levels that a page can use."""
    driven = start_table(letters="hbo", guests=(ADA,))
    sat, bot = driven.history(None)

    assert (sat.kind, sat.seat, sat.name) == (Kind.SIT, 0, "Ada")
    assert (bot.kind, bot.seat, bool(bot.level)) == (Kind.BOT, 1, True)
