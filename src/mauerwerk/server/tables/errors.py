"""How a table refuses a request. Nothing has changed then.

An error is an English sentence, for programs and for the server's log. Pages say the same in the
reader's language (`server.ui.error_texts`), from the reason and its values.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from mauerwerk.core.errors import SetupError, StaleMoveError
from mauerwerk.core.language import message


class Reason(StrEnum):
    """Why a request was refused, in a sentence that may name a seat or a number."""

    NOT_BEGUN = "the game has not begun"
    NO_FREE_SEAT = "there is no free seat at this table"
    SEAT_TAKEN = "seat {seat} is not free"
    BOT_SEAT = "seat {seat} is a bot's"
    EMPTY_SEAT = "nobody sits at seat {seat}"
    SEAT_LEFT = "you have left this seat already"
    LEAVING_AFTER_END = "the game is over; nobody needs to leave"
    NOT_RUNNING = "a bot can take over while the game goes on"
    NO_BOT_PLAYS = "no bot plays for seat {seat}"
    NOTHING_TO_ENTER = "there is nothing to roll, to draw or to deal now"
    NOTHING_TO_TAKE_BACK = "there is nothing to take back"
    CONSENT_NOT_ASKED = "nobody asks seat {seat} whether a move may be taken back"
    REMATCH_BEFORE_END = "a rematch comes after the game"
    RECORD_BEFORE_END = "the record is written when the game is over"
    NO_HINTS = "this table plays without hints"
    NOTHING_TO_DECIDE = "seat {seat} has nothing to decide"
    BACK_AND_FORTH = "too much back and forth; play on"
    TOO_MANY_SITTINGS = "you have come and gone too often at this table"
    TOO_LONG = "after {moves} moves nobody plays on"
    KEY_REUSED = "this key was used for another request; choose a new one each time"
    SEAT_CHANGED_HANDS = "seat {seat} is somebody else's by now"
    OPENER_ENTERS = "who set up this table enters its cards and dice"
    NO_ROOM = "your tables take up all the space that a guest has here, {kilobytes} kB"
    PLAYABLE = "this game can be played on; you can leave it"
    NOT_AT_TABLE = "you do not sit at this table"
    CHAT_OFF = "chat is off at this table"
    NO_FREE_TEXT = "at this table there are faces and phrases, but no free text"
    NOT_SAID_LIKE_THIS = "this is no face or phrase, or a text that is empty or too long"
    NOTHING_SAID = "there is no such message"
    TOO_FAST = "one moment: five things in ten seconds are enough"
    NO_DAYS_OFF = "you have no days off left at this table"
    TIME_IS_UP = "your time for this game is up; a bot plays on"


class Obstacle(StrEnum):
    """Why a table cannot be set up as it was ordered; what pages tell can be translated."""

    NO_SUCH_GAME = "there is no game {game}, only {games}"
    NO_SUCH_LEVEL = "there is no level {level}, only {levels}"
    SEATS = message("{game} is for {least} to {most} seats, not {seats}")
    NOT_A_FREE_SEAT = "seat {seat} is not one to take"
    BOTS_WITHOUT_END = message("bots can play alone only if the game is sure to end")
    BOTS_WITH_DICE = message("bots cannot roll dice: somebody has to sit there and enter them")
    NOT_LISTED = message(
        "a table with real dice or a given beginning is not listed: send invitations instead"
    )
    CLOCKS = message(
        "choose one clock: a total with an increment, or a time for each decision; "
        "days off and nights need at least a day for each decision"
    )
    SCRIBE_WITHOUT_SEAT = message(
        "if you enter all cards and dice, take a seat at the table yourself"
    )
    HOUSE_RULES = message("this server plays the games as printed, without {options}")
    RATED_WITH_HINTS = message("a rated game has no hints: switch them off")
    RATED_HOUSE_RULES = message("a game with house rules is not rated: play it for fun")
    RATED_BY_HAND = message(
        "a game with real dice or a given beginning is not rated: play it for fun"
    )
    TOO_MANY_GIVEN = "a table begins with at most {most} moves, not {moves}"
    GIVEN_UNREADABLE = "move {move} to begin with: {because}"
    GIVEN_NOT_WORDS = "moves to begin with are single words of a record, such as 0:T"
    GIVEN_TO_THE_END = message("after these moves the game is over; there is nothing left to play")


def _counted(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a sentence: its readers count seats from 1."""
    return {name: value + 1 if name == "seat" else value for name, value in values.items()}


class NoTableError(LookupError):
    """There is no such table, or not for you: one answer, so that nobody learns which exist."""

    def __str__(self) -> str:
        return "there is no such table"


class OtherRulesError(LookupError):
    """The table was played by other rules than this program has."""

    def __init__(self, game: str, rules: int, here: int | None) -> None:
        """Name both revisions; None where this program does not have the game."""
        has = f"no {game}" if here is None else f"{game}/{here}"
        super().__init__(f"this table was played by {game}/{rules}; this program has {has}")


class RefusedError(Exception):
    """A table refuses a request for a reason."""

    def __init__(self, reason: Reason, **values: int) -> None:
        """The values are those that the sentence names, such as a seat."""
        super().__init__(reason.format_map(_counted(values)))
        self.reason = reason


class OrderError(SetupError):
    """A table cannot be set up as it was ordered."""

    def __init__(self, obstacle: Obstacle, **values: str | int) -> None:
        """The values are those that the sentence names."""
        super().__init__(obstacle.value, **_counted(values))
        self.obstacle = obstacle


class NotYoursError(RefusedError, PermissionError):
    """The seat belongs to another player, or to nobody."""


class RequestError(RefusedError, ValueError):
    """It cannot be done as the table stands."""


class KeyReusedError(RequestError):
    """The key was given before, with another request."""

    def __init__(self) -> None:
        """The caller has to choose another."""
        super().__init__(Reason.KEY_REUSED)


class StaleError(StaleMoveError):
    """The table has moved on since the number that the request answers, or never was at it."""

    def __init__(self, version: int, number: int) -> None:
        late = f"at {number}; what answers {version} came too late"
        early = f"only at {number}; nothing can answer {version} yet"
        super().__init__(f"the table is {late if version <= number else early}")


class GameOverError(StaleMoveError):
    """The game ended before the request came."""

    def __str__(self) -> str:
        return "the game is over"


class ClosedError(RuntimeError):
    """The people who run the server take no new tables at the moment."""

    def __str__(self) -> str:
        return "this server takes no new tables at the moment"


class TooManyError(RuntimeError):
    """The host has no room for more."""


class WarmingUpError(RuntimeError):
    """What was asked for waits until the server has compiled it."""

    def __str__(self) -> str:
        return "the server is still warming up; ask again in a minute"


class LaggingError(RuntimeError):
    """A viewer who reads too slowly is cut off, and can come back to read the rest."""


class FeatureError(ValueError):
    """A feature of the server refuses a request. Nothing has changed then."""

    def __init__(self, template: str, status: int = 422, code: str = "request") -> None:
        """Say why in a sentence that can be translated; the rest is for programs."""
        super().__init__(template)
        self.template = template
        self.status = status
        self.code = code
