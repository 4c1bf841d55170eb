"""All tables of a database, those first that others refer to, and which of them name people.

A module that describes tables is imported here, so that backups have them.
"""

from typing import Final

from mauerwerk.play.storage import (
    call_tables,
    evening_tables,
    finding_tables,
    people_tables,
    result_tables,
    ruling_tables,
)
from mauerwerk.play.storage.schema import METADATA, TALK

MODULES: Final = (
    call_tables,
    evening_tables,
    finding_tables,
    people_tables,
    result_tables,
    ruling_tables,
)
EVERYTHING: Final = tuple(METADATA.sorted_tables)

NAMED: Final = (
    TALK.c.guest,
    evening_tables.EVENING_PEOPLE.c.guest,
    finding_tables.INVITATIONS.c.inviter,
    finding_tables.UNINVITED.c.other,
    people_tables.PEOPLE.c.guest,
)
"""The guests whose names are in the column `name` beside them, and change with them."""
