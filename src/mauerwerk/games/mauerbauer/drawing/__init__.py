"""Mauerbauer drawn: as a picture, and as text for a terminal."""

from typing import Final

from mauerwerk.core.svg import with_signs

PIECES: Final = with_signs("mauerwerk.games.mauerbauer.drawing")
