"""Whatever is stored about a person can be taken along and is deleted with them."""

from mauerwerk.server.database.personal_data import PersonalData
from mauerwerk.server.database.schema import ENTRIES, METADATA, OWNERS
from mauerwerk.server.features.registry import FEATURES


def _personal_data() -> list[PersonalData]:
    return [each for feature in FEATURES.values() for each in feature.personal_data]


def test_every_table_that_names_a_guest_is_in_the_list() -> None:
    """What stands at tables is dealt with table by table; all else is a belonging."""
    naming = {table.name for table in METADATA.tables.values() if "guest" in table.c}
    at_tables = {ENTRIES.name, OWNERS.name}

    assert naming - at_tables == {each.table.name for each in _personal_data()}


def test_names_in_the_file_are_different() -> None:
    """No belonging hides another, or what every file has."""
    names = [each.name for each in _personal_data()]
    assert len({*names, "guest", "name", "tables"}) == len(names) + 3
