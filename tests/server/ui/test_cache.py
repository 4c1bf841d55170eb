"""Drawings are made once, and the oldest are forgotten."""

from collections import Counter

from mauerwerk.server.ui.cache import GROWN, UNUSED, Drawings


def test_a_drawing_is_made_once() -> None:
    """The next request for it gets the same drawing."""
    made: Counter[str] = Counter()
    drawings = Drawings()

    def draw(key: str) -> str:
        made[key] += 1
        return key.upper()

    found = [drawings.once(("kind", key), lambda key=key: draw(key)) for key in "abab"]  # type: ignore[misc]

    assert found == ["A", "B", "A", "B"]
    assert made == {"a": 1, "b": 1}


def test_what_was_not_asked_for_longest_is_forgotten() -> None:
    """Only a limited number is kept."""
    drawings = Drawings(most=2)
    for key in "abac":
        drawings.once(("kind", key), key.upper)

    assert drawings.once(("kind", "a"), lambda: "again") == "A"
    assert drawings.once(("kind", "b"), lambda: "again") == "again"


def test_what_nobody_asked_for_lately_is_forgotten() -> None:
    """However much room there is: nobody comes back to a table that was left long ago."""
    now = 0.0
    drawings = Drawings(clock=lambda: now)

    def story(table: str, new: str) -> str:
        def grow(known: str | None) -> str:
            return known or new

        return drawings.grown(table, grow)

    for table in ("left", "watched"):
        drawings.once(("kind", table), lambda: "drawn")
        story(table, "told")
    now = UNUSED / 2
    drawings.once(("kind", "watched"), lambda: "again")
    story("watched", "again")
    now = UNUSED
    drawings.once(("kind", "new"), lambda: "drawn")
    story("new", "told")

    assert [drawings.once(("kind", each), lambda: "again") for each in ("left", "watched")] == [
        "again",
        "drawn",
    ]
    assert [story(each, "again") for each in ("left", "watched")] == ["again", "told"]


def test_each_kind_has_room_of_its_own() -> None:
    """Many previews displace no table."""
    drawings = Drawings(most=2)
    drawings.once(("table", 1), "drawn".upper)
    for number in range(5):
        drawings.once(("preview", number), lambda: "preview")

    assert drawings.once(("table", 1), lambda: "again") == "DRAWN"


def test_a_drawing_can_grow() -> None:
    """A new part is added to the drawing that exists."""
    drawings = Drawings()
    found = [
        drawings.grown(("story", 1), lambda known: f"{known or 'once'} more") for _ in range(2)
    ]

    assert found == ["once more", "once more more"]


def test_what_grows_has_room_by_its_length() -> None:
    """Long histories of a few games displace those of many; they take up memory."""
    drawings = Drawings()
    long = "line" * (GROWN // 8)

    def kept(number: int, new: str) -> str:
        def grow(known: str | None) -> str:
            return known or new

        return drawings.grown(number, grow)

    for number in range(5):
        kept(number, long)
    assert [kept(4, "new"), kept(0, "new")] == [long, "new"]
