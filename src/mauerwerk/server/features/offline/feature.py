"""An app on the phone: what makes the site installable, and what works without a network."""

from mauerwerk.server.feature import Feature
from mauerwerk.server.features.offline import pages
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="offline",
    pages=(
        PageRoute("/manifest.webmanifest", get=pages.manifest),
        PageRoute("/worker.js", get=pages.worker),
        PageRoute("/offline", get=pages.offline),
        PageRoute("/learn/{game}/words.json", get=pages.words),
    ),
)
