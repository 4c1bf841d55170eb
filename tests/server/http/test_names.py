"""Names of guests."""

from itertools import permutations

import pytest
from tests.support.web_server import Running

from mauerwerk.core.language import language_of
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.identity import cleaned, named
from mauerwerk.server.ui.error_texts import refusal_of
from mauerwerk.server.ui.names import apart

NAMES = [
    ("  Ada   Lovelace ", "Ada Lovelace"),
    ("Žofie Ångström", "Žofie Ångström"),
    ("李白", "李白"),
    ("A" * 32, "A" * 32),
    ("A" * 33, None),
    ("", None),
    ("  ", None),
    ("Ada\x00", None),
    ("Ada\u202eadA", None),
    ("A\u200bda", None),
    ("A\u2066da", None),
    ("Z\u0335\u0321\u0327\u0322algo", None),
    ("\ue000", None),
    ("\u3164", None),
    ("Ada\u3164", None),
    ("A\u034fda", None),
    ("Ada\u2800", None),
    ("\u115f\u1160", None),
    ("Ada \u2764\ufe0f", "Ada \u2764"),
    ("\U0001f469\u200d\U0001f467 Zoe", None),
    ("\u0e01\u0e47\u0e47\u0e47\u0e47", None),
    ("\u0e19\u0e49\u0e33", "\u0e19\u0e49\u0e33"),
    ("\u0416\u0488\u0488\u0488", None),
]


@pytest.mark.parametrize(("wish", "name"), NAMES)
def test_a_name_can_be_seen(site: Running, wish: str, name: str | None) -> None:
    """A name is one line without invisible characters or changes of direction."""
    answer = site.client().post("/api/guests", json={"name": wish})

    if name is None:
        assert answer.status_code == 422
    else:
        assert answer.json()["name"] == name


def test_no_two_names_look_alike() -> None:
    """Also where somebody is called as a namesake would be."""
    for called in permutations(["Ada", "Ada 2", "ADA", "Ada2"]):
        looks = {name.casefold().replace(" ", "") for name in apart(called)}
        assert len(looks) == len(called), called


def test_what_is_said_hides_nothing() -> None:
    """Neither letters without a shape, nor piles of marks."""
    assert cleaned("\u3164Ada\u034f\u2800: hi\ufe0f", 50) == "Ada: hi"
    assert cleaned("\u0e01" + "\u0e47" * 9, 50) == "\u0e01\u0e47\u0e47"


@pytest.mark.parametrize("wish", [wish for wish, name in NAMES if name is None])
def test_whoever_chooses_a_name_is_told_why_not(wish: str) -> None:
    """The form says so beside the name, and the API by a code."""
    with pytest.raises(HttpError, match="a name has ") as refused:
        named(wish)
    assert (refused.value.status, refused.value.code) == (422, "name")
    said = refusal_of(refused.value, language_of("de")).words
    assert "zusammengesetzte Emojis gehen nicht" in said
