"""The rules of a game as plain text, for programs that read them: every clause with its number."""

import re
from typing import Final

from mauerwerk.core.game import AnyGame
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
