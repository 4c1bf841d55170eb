"""The list of features, in the order in which they start; other packages add theirs."""

from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Final

from mauerwerk.core.registry import Registry
from mauerwerk.server.database import personal_data
from mauerwerk.server.database.schema import know
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.accounts import feature as accounts
from mauerwerk.server.features.alerts import feature as alerts
from mauerwerk.server.features.chat import feature as chat
from mauerwerk.server.features.conditions import feature as conditions
from mauerwerk.server.features.ending import feature as ending
from mauerwerk.server.features.evenings import feature as evenings
from mauerwerk.server.features.host_pages import feature as host_pages
from mauerwerk.server.features.invitations import feature as invitations
from mauerwerk.server.features.leaderboard import feature as leaderboard
from mauerwerk.server.features.lessons import feature as lessons
from mauerwerk.server.features.lobby import feature as lobby
from mauerwerk.server.features.matchmaking import feature as matchmaking
from mauerwerk.server.features.mcp import feature as mcp
from mauerwerk.server.features.moderation import feature as moderation
from mauerwerk.server.features.notifications import feature as notifications
from mauerwerk.server.features.offline import feature as offline
from mauerwerk.server.features.proxy_login import feature as proxy_login
from mauerwerk.server.features.puzzles import feature as puzzles
from mauerwerk.server.features.real_table import feature as real_table
from mauerwerk.server.features.replay import feature as replay
from mauerwerk.server.features.results import feature as results
from mauerwerk.server.features.retention import feature as retention
from mauerwerk.server.features.rules import feature as rules
from mauerwerk.server.features.screen import feature as screen
from mauerwerk.server.features.setup import feature as setup
from mauerwerk.server.features.sharing import feature as sharing
from mauerwerk.server.features.spectating import feature as spectating
from mauerwerk.server.features.table import feature as table
from mauerwerk.server.http import static
from mauerwerk.server.ui import render

FEATURES: Final = Registry[Feature](
    "mauerwerk.server.features",
    {
        "moderation": moderation.FEATURE,
        "table": table.FEATURE,
        "screen": screen.FEATURE,
        "setup": setup.FEATURE,
        "lobby": lobby.FEATURE,
        "rules": rules.FEATURE,
        "sharing": sharing.FEATURE,
        "spectating": spectating.FEATURE,
        "chat": chat.FEATURE,
        "conditions": conditions.FEATURE,
        "ending": ending.FEATURE,
        "invitations": invitations.FEATURE,
        "accounts": accounts.FEATURE,
        "alerts": alerts.FEATURE,
        "proxy_login": proxy_login.FEATURE,
        "host_pages": host_pages.FEATURE,
        "results": results.FEATURE,
        "leaderboard": leaderboard.FEATURE,
        "notifications": notifications.FEATURE,
        "evenings": evenings.FEATURE,
        "matchmaking": matchmaking.FEATURE,
        "offline": offline.FEATURE,
        "replay": replay.FEATURE,
        "puzzles": puzzles.FEATURE,
        "lessons": lessons.FEATURE,
        "real_table": real_table.FEATURE,
        "retention": retention.FEATURE,
        "mcp": mcp.FEATURE,
    },
    fault=lambda _name, entry: "" if isinstance(entry, Feature) else "this is no Feature",
    strict=True,  # a feature may guard the server: without it none should start
)


def _folder(name: str) -> Traversable | None:
    """Where the templates of a feature are."""
    feature = FEATURES.get(name)
    return feature.folder.joinpath("templates") if feature else None


def _static_files(_found: Mapping[str, bytes]) -> Iterator[tuple[str, bytes]]:
    for feature in FEATURES.values():
        yield from static.files_in(feature.folder.joinpath("static"))


static.SOURCES.insert(0, _static_files)  # before the rooms, whose styles are added to these
for _feature in FEATURES.values():
    static.JOINED.update(_feature.joined)
render.TEMPLATES.append(render.Templates(_folder, lambda: iter(FEATURES)))
personal_data.SOURCES.append(
    lambda: (each for feature in FEATURES.values() for each in feature.personal_data)
)


def know_tables() -> None:
    """Describe the database tables of all features, also of other packages."""
    for feature in FEATURES.values():
        know(feature.tables)
