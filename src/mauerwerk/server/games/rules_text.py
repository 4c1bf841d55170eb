"""The rules of a game as plain text, for programs that read them: every clause with its number."""

import re
import tomllib
from collections.abc import Callable
from typing import Final

from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Value
from mauerwerk.core.language import ENGLISH, Language
from mauerwerk.server.games import web_game
from mauerwerk.server.games.room import text_in

_PLACE: Final = re.compile(r"\{([A-Z]{2,}-\d+)\}")
_PICTURE: Final = re.compile(r"^!\[([^\]]*)\]\([^)]*\)$", re.MULTILINE)


def rules_text(game: AnyGame, language: Language = ENGLISH) -> str:
    """The rulebook as Markdown; without one, the clauses for which a move can be refused.

    Pictures are told in words. Each clause begins with its number: `DM-5: Plan first. …`.
    """
    folder = web_game(game.NAME, game.RULES).rulebook
    if folder is None:
        listed = (f"{number}: {language(gist)}" for number, gist in game.CLAUSES.items())
        return f"# {game.TITLE}\n\n" + "\n\n".join(listed) + "\n"
    _, _, body = text_in(folder, language.code).partition("\n\n")
    told = _PICTURE.sub(lambda found: f"({found[1]})", body)
    return f"# {game.TITLE}\n\n{_PLACE.sub(lambda found: f'{found[1]}:', told)}"


def clause_text(game: AnyGame, number: str, language: Language = ENGLISH) -> str:
    """The paragraph or the line of a table that holds a clause; empty where there is none."""
    for paragraph in rules_text(game, language).split("\n\n"):
        for line in (paragraph, *paragraph.splitlines()):
            held = re.match(rf"\W*{re.escape(number)}:", line)
            if held and (line is not paragraph or not paragraph.startswith("|")):
                return line.strip()
    return ""


# --- In other words -------------------------------------------------------------------------------


class Disguise(Value, tag=False):
    """Other words for a game and its pieces, so that nobody knows it by its published name.

    A rulebook may have them in a file `disguise.toml`. The same words are replaced everywhere in
    the same way, so the rules stay whole.
    """

    words: dict[str, str]
    """Which word stands for which."""
    leave_out: tuple[str, ...] = ()
    """Sentences with one of these are left out, such as the one that names the author."""


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
