"""What can go wrong with a database."""


class OvertakenError(Exception):
    """Somebody else's entry has this sequence number already. Nothing was written."""


class StorageError(Exception):
    """The database did not do what was asked, be it gone or full.

    Nothing may be told. If the connection broke in the last moment the entries can be on disk
    nevertheless; loading the table again shows it.
    """


class SchemaError(StorageError):
    """The database is not one that this program can use; the message says why."""

    def __init__(self, message: str, found: str | None = None) -> None:
        """`found` is the schema that the database has; None where it has none."""
        super().__init__(message)
        self.found = found


class InUseError(StorageError):
    """Another server has the database file."""
