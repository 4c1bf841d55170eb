"""All tables of a database, those first that others refer to.

A module that describes tables is imported here, so that backups have them.
"""

from typing import Final

from mauerwerk.server.database.schema import METADATA
from mauerwerk.server.features.accounts import schema as people_tables
from mauerwerk.server.features.evenings import schema
from mauerwerk.server.features.matchmaking import schema as finding_tables
from mauerwerk.server.features.moderation import schema as ruling_tables
from mauerwerk.server.features.notifications import schema as call_tables
from mauerwerk.server.features.results import schema as result_tables

MODULES: Final = (
    call_tables,
    schema,
    finding_tables,
    people_tables,
    result_tables,
    ruling_tables,
)
EVERYTHING: Final = tuple(METADATA.sorted_tables)
