"""What may be said at a table, how often, and who hears it."""

import pytest

from mauerwerk.core.game import Seat
from mauerwerk.server.features.chat import messages
from mauerwerk.server.features.chat.messages import Form, Message, Side, Speaker
from mauerwerk.server.tables.charter import ChatRule, stricter
from mauerwerk.server.tables.errors import Reason, RequestError

ADA = Speaker("ada", "Ada", Seat(0))
MIA = Speaker("mia", "Mia")


def said(*speakers: Speaker, at: int = 1_000) -> tuple[Message, ...]:
    """A smile of each of them, one after the other, at the same time."""
    return tuple(
        who.says(number, at, Form.FACE, "smile") for number, who in enumerate(speakers, start=1)
    )


@pytest.mark.parametrize(
    ("form", "word", "allowed"),
    [
        (Form.FACE, "smile", "off"),
        (Form.FACE, "well-built", "free"),
        (Form.PHRASE, "smile", "free"),
        (Form.TEXT, "Hello", "phrases"),
        (Form.TEXT, "", "free"),
        (Form.TEXT, "x" * (messages.LONGEST_TEXT + 1), "free"),
    ],
)
def test_what_a_table_does_not_allow_is_refused(form: Form, word: str, allowed: ChatRule) -> None:
    """Free text needs leave, and faces and phrases are those of the list."""
    with pytest.raises(RequestError):
        messages.check((), ADA.says(9, 1_000, form, word), allowed)
    messages.check((), ADA.says(9, 1_000, Form.PHRASE, "well-built"), "phrases")


def test_five_in_ten_seconds_are_enough() -> None:
    """The sixth has to wait; what others say does not count, and neither does what is long ago."""
    for at, before in ((10_999, said(*[ADA] * 5)), (1_000, said(*[MIA] * 5))):
        quiet = ADA if before[0].guest == "mia" else MIA
        messages.check(before, quiet.says(9, at, Form.FACE, "smile"), "phrases")
    with pytest.raises(RequestError, match=Reason.TOO_FAST):
        messages.check(said(*[ADA] * 5), ADA.says(9, 10_999, Form.FACE, "smile"), "phrases")
    messages.check(said(*[ADA] * 5), ADA.says(9, 11_000, Form.FACE, "smile"), "phrases")


def test_a_crowd_of_spectators_has_to_wait_but_no_player() -> None:
    """Many spectators together cannot fill the chat; players are not held up by them."""
    crowd = said(*(Speaker(f"guest {number}", "") for number in range(messages.ALL_AT_ONCE)))
    with pytest.raises(RequestError, match=Reason.TOO_FAST):
        messages.check(crowd, MIA.says(9, 2_000, Form.FACE, "smile"), "phrases")
    messages.check(crowd, ADA.says(9, 2_000, Form.FACE, "smile"), "phrases")


def test_players_hear_spectators_after_the_end() -> None:
    """Until then what spectators say cannot help anybody."""
    both = said(ADA, MIA)
    assert messages.audible(both, player=True, over=False) == both[:1]
    assert messages.audible(both, player=False, over=False) == both
    assert messages.audible(both, player=True, over=True) == both


def test_a_report_has_the_message_and_four_before_it() -> None:
    """Of the same side: a player's report tells nothing of what spectators said."""
    people = (MIA, ADA, ADA, MIA, ADA, ADA, ADA, ADA, ADA)
    chatted = tuple(
        who.says(number, 100 * number, Form.FACE, "smile") for number, who in enumerate(people, 1)
    )
    assert [each.number for each in messages.with_context(chatted, 800)] == [3, 5, 6, 7, 8]
    assert messages.with_context(chatted, 99) == ()


def test_only_so_much_is_kept() -> None:
    """Of each side, so that spectators do not displace what players said."""
    crowd = said(ADA, *[MIA] * 500)
    kept = messages.trimmed(crowd)
    assert kept[0].guest == "ada"
    assert len(kept) == 1 + messages.KEPT[Side.SPECTATORS]


def test_the_stricter_rule_counts() -> None:
    """The server and the table both have to allow what is said."""
    assert stricter("free", "phrases") == "phrases"
    assert stricter("off", "free") == "off"
