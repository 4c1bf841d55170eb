"""Puzzles: what would you play? Three a day, cut from finished games."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.puzzles import pages
from mauerwerk.server.features.puzzles.service import Puzzles
from mauerwerk.server.features.replay.analyses import GameAnalysed
from mauerwerk.server.ui.page import HOME, PageRoute, Panel

FEATURE = Feature(
    name="puzzles",
    start=lambda host, _settings: Puzzles(host),
    on={GameAnalysed: lambda host, analysed: host.service(Puzzles).keep(analysed)},
    pages=(
        PageRoute("/puzzles", get=pages.show_today),
        PageRoute("/puzzles/{day}", get=pages.show_day, shared=True),
        PageRoute("/puzzles/{day}/{number}", get=pages.show, shared=True),
        PageRoute("/puzzles/{day}/{number}/preview", get=pages.preview),
        PageRoute("/puzzles/{day}/{number}/play", post=pages.play_on),
    ),
    panels=(Panel(HOME, "puzzles/panel.html", pages.panel, place=20),),
)
