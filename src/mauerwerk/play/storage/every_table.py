"""All tables of a database, those first that others refer to.

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
from mauerwerk.play.storage.schema import METADATA

MODULES: Final = (
    call_tables,
    evening_tables,
    finding_tables,
    people_tables,
    result_tables,
    ruling_tables,
)
EVERYTHING: Final = tuple(METADATA.sorted_tables)
