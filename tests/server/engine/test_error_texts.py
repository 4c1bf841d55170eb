"""Why a request was refused, in words."""

import pytest

from mauerwerk.server.engine.error_texts import OBSTACLES, SENTENCES, sentence_for, setup_error
from mauerwerk.server.tables.errors import (
    NoTableError,
    NotYoursError,
    Obstacle,
    OrderError,
    Reason,
    RequestError,
)


def test_every_reason_has_a_sentence() -> None:
    """Every reason has one sentence, and there is no sentence without a reason."""
    assert set(SENTENCES) == set(Reason)
    assert set(OBSTACLES) == set(Obstacle)


@pytest.mark.parametrize("obstacle", Obstacle)
def test_why_a_table_cannot_be_set_up_can_be_translated(obstacle: Obstacle) -> None:
    """The error has a template and values."""
    numbers = dict.fromkeys(("seat", "seats", "least", "most", "moves", "move"), 2)
    values: dict[str, str | int] = {
        **numbers,
        "game": "chess",
        "level": "genius",
        "because": "no word",
    }
    error = setup_error(OrderError(obstacle, **values))

    assert error.template == OBSTACLES[obstacle]
    assert str(error) == sentence_for(OrderError(obstacle, **values))
    assert "{" not in str(error)


@pytest.mark.parametrize("reason", Reason)
def test_a_sentence_names_what_the_error_carries(reason: Reason) -> None:
    """The sentence contains the seat, as people count them, or the number of moves."""
    said = sentence_for(RequestError(reason, seat=2, moves=7, kilobytes=9))

    assert "{" not in said
    assert said == SENTENCES[reason].format(seat=3, moves=7, kilobytes=9)


def test_other_errors_speak_for_themselves() -> None:
    """Errors of other layers keep their own message."""
    assert sentence_for(ValueError("no such piece")) == "no such piece"
    assert sentence_for(NoTableError()) == "there is no such table"
    said = sentence_for(NotYoursError(Reason.SEAT_CHANGED_HANDS, seat=1))
    assert said == "seat 2 is somebody else's by now"
