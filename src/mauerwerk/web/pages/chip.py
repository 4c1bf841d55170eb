"""Chips: a choice among a few, as the template `chips.html` shows it."""

from mauerwerk.core.game import Value


class Chip(Value):
    """One of the choices."""

    word: str
    said: str
    chosen: bool
