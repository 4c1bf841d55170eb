"""Guided first games that teach the rules."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.lessons import pages as visiting
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="lessons",
    pages=(
        PageRoute("/learn/{game}", get=visiting.begin),
        PageRoute("/learn/{game}/play", post=visiting.play),
        PageRoute("/learn/{game}/{step}", get=visiting.show, post=visiting.answer),
    ),
)
