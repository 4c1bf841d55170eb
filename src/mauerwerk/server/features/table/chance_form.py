"""The form in which people enter what they rolled, drew or dealt at their own table."""

from collections.abc import Sequence
from typing import Final

from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.server.games import plain_board, room, web_game
from mauerwerk.server.games.viewpoint import Viewpoint
from mauerwerk.server.tables.table import Table, is_by_hand, scribes
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.names import names_for

WORD: Final = "word-"
"""Fields each of which is a word of its own, in the order of their numbers."""

MOST_WORDS: Final = 12


class ChanceForm(Value):
    """A form for one seat."""

    seat: Seat
    """The seat for which it is entered."""

    number: int
    """The number of notices that this seat has been told."""

    fields: room.ChanceFields


def chance_form_at(table: Table, viewpoint: Viewpoint, language: Language) -> ChanceForm | None:
    """The form for this viewer; None where there is nothing to enter, or not for them."""
    if not is_by_hand(table):
        return None
    may = [seat for seat in viewpoint.own if seat in scribes(table)]
    if not may:
        return None
    seat = viewpoint.seat if viewpoint.seat in may else may[0]
    assert seat is not None
    return ChanceForm(seat, table.number(seat), _fields(table, language))


def awaited(table: Table, names: Sequence[str], language: Language) -> str:
    """Who enters what was rolled or dealt."""
    if not is_by_hand(table):
        return ""
    who = [language.called(names[seat]) for seat in scribes(table)]
    return (
        language("Waiting for what {who} will enter.", who=language.listed(who, "or"))
        if who
        else ""
    )


def _fields(table: Table, language: Language) -> room.ChanceFields:
    """The game's own fields, or a list of all that nature may do."""
    own = web_game(table.charter.game, table.charter.rules).chance_form
    names = names_for(table.players, None, language)
    fields = own(table.state, names, language) if own else None
    return fields or plain_board.plain_chance_form(table.game, table.state, language)


def words_in(form: Form) -> tuple[str, ...]:
    """The words that a form enters, one after the other."""
    if word := form.get("word", "").strip():
        return (word,)
    parts = [form.get(f"{room.PART}{place}", "") for place in range(MOST_WORDS)]
    if any(parts):
        return (form.get("begin", "") + "".join(parts),)
    several = (form.get(f"{WORD}{place}", "").strip() for place in range(MOST_WORDS))
    return tuple(word for word in several if word)
