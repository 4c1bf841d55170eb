"""How names, numbers and lists come together in a sentence.

Whoever reads a sentence can be called `you` in it. A verb in the past tense suits every name: `Ada
built`, `you built`. What belongs to somebody is `whose`; the rest of a sentence needs no case of
its own.
"""

from collections.abc import Sequence
from typing import Final

YOU: Final = "you"


def listed(words: Sequence[str], joint: str = "and") -> str:
    """Words in a row, the last one joined by a word.

    >>> listed(["Ada"]), listed(["Ada", "Bo"]), listed(["1", "2", "off"], "or")
    ('Ada', 'Ada and Bo', '1, 2 or off')
    """
    return f" {joint} ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def counted(number: int, thing: str, things: str = "") -> str:
    """So many of a thing.

    >>> counted(1, "card"), counted(4, "card"), counted(0, "city", "cities")
    ('1 card', '4 cards', '0 cities')
    """
    return f"{number} {thing}" if number == 1 else f"{number} {things or thing + 's'}"


def capital(words: str) -> str:
    """The words as they begin a sentence.

    >>> capital("you and Ada")
    'You and Ada'
    """
    return f"{words[:1].upper()}{words[1:]}"


def sentence(words: str) -> str:
    """The words with a capital and a full stop.

    >>> sentence("you built a 4")
    'You built a 4.'
    """
    return f"{capital(words)}."


def whose(name: str) -> str:
    """Who something belongs to, before its name.

    >>> whose("Ada"), whose("you")
    ("Ada's", 'your')
    """
    return "your" if _is_you(name) else f"{name}'s"


def signed(name: str, *, own: bool) -> str:
    """The name on a drawing; the viewer is told which one is theirs.

    >>> signed("Ada", own=False), signed("Ada", own=True), signed("you", own=True)
    ('Ada', 'Ada (you)', 'you')
    """
    return f"{name} ({YOU})" if own and not _is_you(name) else name


def won(winners: Sequence[str], points: str) -> str:
    """Who won, alone or together.

    >>> won(["you"], "7 points")
    'You won with 7 points.'
    >>> won(["you", "Ada"], "7 points")
    'You and Ada share the win with 7 points each.'
    """
    if winners[1:]:
        return sentence(f"{listed(winners)} share the win with {points} each")
    return sentence(f"{listed(winners)} won with {points}")


def _is_you(name: str) -> bool:
    return name.casefold() == YOU
