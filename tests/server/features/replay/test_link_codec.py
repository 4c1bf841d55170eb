"""A record in a link: it comes back as it was, and nothing else is taken for it."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from zlib import crc32

import msgspec
import pytest
from tests.server.features.replay.worlds import RECORDS, a_game, text_of

from mauerwerk.core.record import RecordError
from mauerwerk.server.features.replay import link_codec
from mauerwerk.server.features.replay.link_codec import (
    MOST,
    LongLinkError,
    NamedRecord,
    encode,
    from_text,
    to_text,
)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_record_comes_back_from_its_link(path: Path) -> None:
    """Whole, in less than a kilobyte, and as the same text."""
    text = path.read_text(encoding="utf-8")
    code = encode(from_text(text))

    assert link_codec.decode(code) == from_text(text)
    assert len(code) < 700
    assert code.replace("-", "").replace("_", "").isalnum()
    assert from_text(to_text(link_codec.decode(code))) == from_text(text)


def test_a_game_can_be_brought_before_it_is_over() -> None:
    """At any point, also before the first move and while some have yet to choose."""
    played = a_game("mauer", 1)
    for moves in range(30):
        begun = msgspec.structs.replace(played, moves=played.moves[:moves])

        assert link_codec.decode(encode(NamedRecord(begun))).record == begun


def test_a_remark_names_the_players() -> None:
    """Seat by seat; names that nobody may have here, or too few of them, are left out."""
    text = text_of("mauer-1/seats-3")

    def named(names: str) -> tuple[str, ...]:
        return link_codec.decode(encode(from_text(f"{text}# names {names}\n"))).names

    assert named("Ada, Bo Ek,  Çem ") == ("Ada", "Bo Ek", "Çem")
    assert named("Ada, Bo") == ()
    assert named("Ada, Bo, \u202ecem") == ()
    assert named(f"Ada, Bo, {'m' * 33}") == ()
    assert to_text(from_text(f"{text}# names Ada, Bo, Cem\n")) == f"{text}# names Ada, Bo, Cem\n"


def test_a_link_that_was_cut_off_or_changed_is_none() -> None:
    """It is not taken for another game."""
    code = encode(from_text(text_of("mauer-1/seats-3")))
    changed = [code[:-1], code[1:], f"{code}A", code.swapcase(), f"{code[:40]}AA{code[42:]}"]

    for each in ["", "A", "Ada", "é", *changed]:
        with pytest.raises(ValueError, match=r"."):
            link_codec.decode(each)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"mauer/1 seats=3\n\n",
        b"mauer/1 seats=3\n\nmany\n",
        b"mauer/1 seats=3\n\n-1\n",
        b"mauer/1 seats=3\n\n999999\n",
        b"mauer/9 seats=3\n\n0\n",
        b"chess/1 seats=2\n\n0\n",
        b"mauer/1 seats=30\n\n0\n",
        b"mauer/1 seats=3 rounds=1 stall=1 pieces=1 first=0\n\n3000\n",
        b"\xff\n\n0\n",
    ],
)
def test_what_is_no_game_is_refused(content: bytes) -> None:
    """However well it is signed: another game, other rules, more moves than there can be."""
    packed = crc32(content).to_bytes(4, "little") + content
    with pytest.raises(ValueError, match=r"."):
        link_codec.decode(urlsafe_b64encode(packed).decode().rstrip("="))


def test_too_long_a_game_is_refused() -> None:
    """As text, and as a link."""
    rest = " ".join(f"{turn % 2}:a1 ~:9 {turn % 2}:-" for turn in range(MOST // 3 + 1))
    with pytest.raises(LongLinkError, match="at most 3000 moves, not 3003"):
        from_text(f"burgbaumeister/1 seats=2 first=0 stall=no\n{rest}")
    with pytest.raises(ValueError, match="no link is as long"):
        link_codec.decode("A" * (link_codec.LONGEST + 1))


def test_a_fault_names_its_line() -> None:
    """As everywhere."""
    with pytest.raises(RecordError, match="line 3: "):
        from_text("mauer/1 seats=3 first=0\n0:T 1:T 2:T\n0:?\n")


def test_the_head_is_readable_in_the_link() -> None:
    """For whoever wonders what is in it."""
    code = encode(from_text("mauer/1 seats=3 first=0\n# names A, B, C\n0:T"))
    head, names, count, _ = urlsafe_b64decode(f"{code}==").split(b"\n", 3)

    assert b"mauer/1 seats=3" in head
    assert (names, count) == (b"A,B,C", b"1")
