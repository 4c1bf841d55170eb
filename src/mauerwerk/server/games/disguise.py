"""Other words for a game and its pieces, so that nobody knows it by its published name.

A rulebook may have a `disguise.toml`: `words` says which word stands for which, and sentences with
one of `leave_out` are left out, such as the one that names the author. The same words are replaced
everywhere in the same way, so the rules stay whole.
"""

import re
import tomllib
from collections.abc import Callable

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Value
from mauerwerk.server.games import web_game


class Disguise(Value, tag=False):
    """What a file says."""

    words: dict[str, str]
    leave_out: tuple[str, ...] = ()


def disguise_of(game: AnyGame) -> Callable[[str], str]:
    """Replaces the words of a game in a text. Raises SetupError where it has no other words."""
    folder = web_game(game.NAME, game.RULES).rulebook
    file = folder.joinpath("disguise.toml") if folder else None
    if file is None or not file.is_file():
        raise SetupError(f"{game.NAME} has no disguise: a file disguise.toml beside its rules")
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    said = Disguise(found["words"], tuple(found.get("leave_out", ())))
    others = {name.lower(): other for name, other in said.words.items()}
    names = "|".join(re.escape(name) for name in sorted(others, key=len, reverse=True))
    word = re.compile(rf"\b({names})(s?)\b", re.IGNORECASE)
    sentence = re.compile(
        rf"[^.\n|]*(?:\n[^.\n|]+)*(?:{'|'.join(map(re.escape, said.leave_out))})[^.]*\."
    )

    def replaced(match: re.Match[str]) -> str:
        other = others[match[1].lower()]
        capital = match[1][0].isupper()
        return (other[0].upper() + other[1:] if capital else other) + match[2]

    def disguised(text: str) -> str:
        left = sentence.sub("", text) if said.leave_out else text
        return re.sub(r"\b[A-Z]{2,}-(\d+)\b", r"R-\1", word.sub(replaced, left))

    return disguised
