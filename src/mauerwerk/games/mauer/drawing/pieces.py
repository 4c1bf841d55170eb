"""Die Mauer, the symbols that its drawings use."""

from typing import Final

from mauerwerk.core.svg import with_signs

PIECES: Final = with_signs("mauerwerk.games.mauer.drawing")
