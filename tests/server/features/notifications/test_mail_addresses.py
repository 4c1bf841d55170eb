"""What is taken for an e-mail address: whatever is, a letter to it can be written."""

from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.amounts import amount

from mauerwerk.server.features.notifications.delivery import ADDRESS, WHOLE_LINES, is_address


@pytest.mark.parametrize(
    "said",
    [
        "ada@post.example",
        "Ada.Love+walls@Post.Example",
        "a@b.co",
        "o'neil@xn--pst-sna.example",
        "ada@a-b.c1.example",
        f"{'a' * 64}@post.example",
    ],
)
def test_addresses_that_people_have(said: str) -> None:
    """Capitals, dots, a plus and other signs."""
    assert is_address(said)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "ada",
        "@post.example",
        "ada@",
        "ada@post",
        "ada@post.example.",  # which was an internal error
        "ada@.post.example",
        "ada@post..example",
        ".ada@post.example",
        "ada.@post.example",
        "a..da@post.example",
        "ada@[192.0.2.1]",
        "ada@192.0.2.1",
        "ada@-post.example",
        "ada lovelace@post.example",
        '"ada"@post.example',
        "ada@post.example, eve@post.example",
        "Ada <ada@post.example>",
        "ada@post.example\r\nBcc: eve@post.example",
        "ada@post.example\0",
        "ad\u00e4@post.example",
        f"{'a' * 300}@post.example",
    ],
)
def test_what_is_none(said: str) -> None:
    """It is said beside the field, and is no fault of the server."""
    assert not is_address(said)


@settings(max_examples=amount(50, 200, 5_000), deadline=None)
@given(st.from_regex(ADDRESS, fullmatch=True).filter(is_address))
def test_a_letter_can_be_written_to_each(said: str) -> None:
    """With this address in its head, and nothing else."""
    letter = EmailMessage(WHOLE_LINES)
    letter["To"] = said
    letter.set_content("Hello")

    assert [each.addr_spec for each in letter["To"].addresses] == [said]
    assert f"To: {said}\r\n".encode() in letter.as_bytes()
