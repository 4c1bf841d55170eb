"""Which names a blocked word keeps out, however they are written."""

import pytest

from mauerwerk.server.engine.blocklist import Block, Blocked, Blocklist


def refuses(word: str, name: str) -> bool:
    """Whether nobody may have a name where this word is blocked."""
    return Blocklist([Block(Blocked.NAME, word, "", 0)]).refuses_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "ADMIN",
        "  a d m i n ",
        "The \u00c0d-m\u00efn!",
        "4dm1n",
        "@dm|n",
        "\uff41\uff44\uff4d\uff49\uff4e",  # full width
        "\U0001d41a\U0001d41d\U0001d426\U0001d422\U0001d427",  # of mathematics
        "\u24d0dmin",  # in a circle
        "\u0430dmin",  # a Cyrillic a
        "\u0391dmin",  # a Greek Alpha
        "adm\u0131n",  # without its dot
        "ad\u043cin",  # a Cyrillic m
        "\u1d00\u1d05\u1d0d\u026a\u0274",  # small capitals
    ],
)
def test_letters_that_look_alike_make_no_difference(name: str) -> None:
    """Nor do case, accents, spaces, signs and digits for letters."""
    assert refuses("admin", name)


@pytest.mark.parametrize("name", ["ki1ler", "Ki|ler", "kI1IEr", "KiIIer", "k!ller", "kil\u04cfer"])
def test_a_stroke_is_read_as_it_suits(name: str) -> None:
    """As an i or an l."""
    assert refuses("killer", name)


def test_a_word_in_other_letters_is_blocked_in_both() -> None:
    """As it is, and mixed with letters that look like its own."""
    assert refuses("*\u043f\u043b\u043e\u0445\u043e*", "\u041f\u043b\u043e\u0445\u043e")
    assert refuses("*\u043f\u043b\u043e\u0445\u043e*", "\u043fl\u043exo") is False
    assert refuses("*\u043f\u043b\u043e\u0445\u043e*", "\u043f\u043box\u043e")


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("admin", "Badminton"),
        ("admin", "Damian"),
        ("*nil*", "Nlia"),
        ("kil", "Kii"),
        ("bom", "born"),
    ],
)
def test_other_names_are_free(word: str, name: str) -> None:
    """Without strokes, an i is no l; and a word without stars is the whole word."""
    assert not refuses(word, name)
