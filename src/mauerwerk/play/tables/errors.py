"""What a table answers when it does not do what was asked. Nothing has changed then."""

from mauerwerk.core.game import StaleMoveError


class NoTableError(LookupError):
    """There is no such table, or not for you."""

    def __init__(self) -> None:
        """One answer for all of them, so that nobody learns which links exist."""
        super().__init__("there is no such table")


class OtherRulesError(LookupError):
    """The table was played by other rules than this program has."""

    def __init__(self, game: str, rules: int, here: int | None) -> None:
        """Name both; None where this program does not have the game."""
        has = f"{game}/{here}" if here is not None else f"no {game}"
        super().__init__(f"this table was played by {game}/{rules}; this program has {has}")


class NotYoursError(PermissionError):
    """The seat belongs to somebody else, or to nobody."""


class RequestError(ValueError):
    """It cannot be done as the table stands."""


class KeyReusedError(RequestError):
    """The key was given before, with something else."""

    def __init__(self) -> None:
        """Tell the caller to choose another."""
        super().__init__("this key was used for another request; choose a new one each time")


class StaleError(StaleMoveError):
    """The table has moved on since the number that the request answers."""

    def __init__(self, version: int, number: int) -> None:
        """Name both numbers."""
        super().__init__(f"the table is at {number}; what answers {version} came too late")
        self.number = number


class TooManyError(RuntimeError):
    """The house has no room for more."""


class LaggingError(RuntimeError):
    """A viewer who reads too slowly is cut off, and can come back to read the rest."""
