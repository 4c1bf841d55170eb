"""Spectating: who watches, what they may see, and games that people follow."""

from mauerwerk.server.database.personal_data import of_guest
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.spectating import pages
from mauerwerk.server.features.spectating.store import FOLLOWS
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="spectating",
    personal_data=(of_guest("follows", FOLLOWS),),
    pages=(PageRoute("/t/{table}/follow", post=pages.follow),),
)
