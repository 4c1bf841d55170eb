"""Burgbaumeister as the home page shows it."""

from typing import Final

from mauerwerk.core.language.translation import message
from mauerwerk.games.burgbaumeister import NAME
from mauerwerk.server.games.box import Box

BOX: Final = Box(
    name=NAME,
    title="Burgbaumeister",
    line=message("Remember where the cards lie and raise a wall of nine rising numbers."),
    minutes=message("15 min"),
    moves=65,
    age=6,
    seats=3,
    tempo=1_800,
    secrets=False,
    thumb="fig-queen",
    symbols=("fig-knight", "fig-queen", "fig-king", "fig-wizard", "fig-damsel", "fig-raven"),
)
