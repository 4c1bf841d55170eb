"""Why a request was refused, in words."""

import pytest

from mauerwerk.server.tables.errors import (
    NoTableError,
    NotYoursError,
    Obstacle,
    OrderError,
    OtherRulesError,
    Reason,
    RequestError,
)


@pytest.mark.parametrize("obstacle", Obstacle)
def test_why_a_table_cannot_be_set_up_can_be_translated(obstacle: Obstacle) -> None:
    """The error has a template and values."""
    names = ("seat", "seats", "least", "most", "moves", "move")
    words = {"game": "chess", "games": "go", "level": "genius", "levels": "easy", "because": "no"}
    words["options"] = "walls=20"
    error = OrderError(obstacle, **dict.fromkeys(names, 2), **words)

    assert error.template == obstacle
    assert str(error) == error.template.format(**error.values)
    assert "{" not in str(error)


@pytest.mark.parametrize("reason", Reason)
def test_a_sentence_names_what_the_error_carries(reason: Reason) -> None:
    """The sentence contains the seat, as people count them, or the number of moves."""
    said = str(RequestError(reason, seat=2, moves=7, kilobytes=9))

    assert "{" not in said
    assert said == reason.format(seat=3, moves=7, kilobytes=9)


def test_no_two_reasons_are_the_same() -> None:
    """Each has a sentence of its own, or it would be another name of the first."""
    assert len(Reason.__members__) == len(Reason)
    assert len(Obstacle.__members__) == len(Obstacle)


def test_errors_speak_for_themselves() -> None:
    """Also those without a reason."""
    assert str(NoTableError()) == "there is no such table"
    said = str(NotYoursError(Reason.SEAT_CHANGED_HANDS, seat=1))
    assert said == "seat 2 is somebody else's by now"
    assert str(OtherRulesError("go", 2, 1)).endswith("by go/2; this program has go/1")
    assert str(OtherRulesError("go", 2, None)).endswith("by go/2; this program has no go")
