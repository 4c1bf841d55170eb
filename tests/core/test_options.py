"""The kinds of options: what a form or a command needs to know about them."""

from typing import Annotated, Literal

import pytest
from msgspec import Meta

from mauerwerk.core import options
from mauerwerk.core.game import AnyGame, Value
from mauerwerk.core.language import language_of
from mauerwerk.games import GAMES


class Options(Value):
    """One option of each kind."""

    turns: Annotated[int, Meta(ge=1, le=9)] = 3
    stall: Annotated[int, Meta(ge=1, le=9)] | Literal["off"] = "off"
    aid: bool = False
    depot: Literal["rectangle", "chaotic"] = "rectangle"
    pieces: str = "TC"
    first: Annotated[
        Annotated[int, Meta(ge=0, le=3)] | Literal["lot"], Meta(extra=options.SEAT)
    ] = "lot"
    board: Annotated[
        str,
        Meta(
            extra=options.FILE
            | options.LATER
            | options.named([("default", "the usual board")], "A board of your own")
        ),
    ] = "default"


def test_a_kind_follows_from_the_type_unless_it_is_marked() -> None:
    """Numbers are counts, words choices, strings texts; seats and files are marked."""
    kinds = {field.name: field.kind for field in options.offered(Options)}

    assert kinds == {
        "turns": "count",
        "stall": "count",
        "aid": "choice",
        "depot": "choice",
        "pieces": "text",
        "first": "seat",
        "board": "file",
    }


def test_words_are_offered_with_their_names_in_the_readers_language() -> None:
    """Literals, yes and no, and named texts."""
    german = language_of("de")
    fields = {field.name: field for field in options.offered(Options, german)}

    assert fields["aid"].words == (("yes", "ja"), ("no", "nein"))
    assert fields["board"].words == (("default", "der übliche Spielplan"),)
    assert fields["board"].other == "Ein eigener Spielplan"
    assert [fields["pieces"].words, fields["pieces"].other] == [(), ""]


def test_marks_can_be_combined() -> None:
    """A file that was added later is left out of a record's head where it is the default."""
    assert "board" not in options.in_head(Options())
    assert options.in_head(Options(board="wm"))["board"] == "wm"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_each_file_has_a_reader(game: AnyGame) -> None:
    """`FILES` has a function for just the options of kind `file`."""
    files = {field.name for field in options.offered(game.OPTIONS) if field.kind == "file"}

    assert files == set(game.FILES)
