"""The workshop: boards for Mauerbauer, drawn by hand and studied; the address is the board."""

from typing import Final

from mauerwerk.server.games.mauerbauer.board_editor import pages, study
from mauerwerk.server.ui.page import PageRoute

PAGES: Final = (
    PageRoute("/workshop", get=pages.show, shared=True),
    PageRoute("/workshop/play", post=pages.play),
    PageRoute("/workshop/board.toml", get=pages.download),
    PageRoute("/workshop/study", get=study.show),
)
