"""Names of guests."""

import pytest
from tests.support.web_server import Running

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
]


@pytest.mark.parametrize(("wish", "name"), NAMES)
def test_a_name_can_be_seen(site: Running, wish: str, name: str | None) -> None:
    """A name is one line without invisible characters or changes of direction."""
    answer = site.client().post("/api/guests", json={"name": wish})

    if name is None:
        assert answer.status_code == 422
    else:
        assert answer.json()["name"] == name
