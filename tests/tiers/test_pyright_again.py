"""Which files pyright checks again."""

from tests.support.pyright_again import affected, imported

IMPORTS = {
    "game": set[str](),
    "rules": {"game", "game.Seat"},
    "table": {"rules"},
    "page": {"table", "json"},
    "elsewhere": {"json"},
}


def test_whoever_imports_what_has_changed_is_checked_again() -> None:
    """Directly or by others; nobody else is, and a circle has an end."""
    assert affected(["rules"], IMPORTS) == {"rules", "table", "page"}
    assert affected(["page"], IMPORTS) == {"page"}
    assert affected([], IMPORTS) == set()
    assert affected(["game"], {**IMPORTS, "game": {"page"}}) == set(IMPORTS) - {"elsewhere"}


def test_a_module_that_is_gone_is_missed_by_those_who_import_it() -> None:
    """So they are checked."""
    assert affected(["dice"], {**IMPORTS, "roll": {"dice"}}) == {"dice", "roll"}


def test_a_name_in_a_module_may_be_a_module() -> None:
    """Nobody can tell from the text; imports in functions count as well."""
    text = "import json\nfrom games import mauer\n\ndef play():\n    from bots.bot import Bot\n"
    assert imported(text) == {"json", "games", "games.mauer", "bots.bot", "bots.bot.Bot"}
