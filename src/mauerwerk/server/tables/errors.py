"""How a table refuses a request. Nothing has changed then.

An error carries a reason and its values; the sentence is made where it is shown
(`server.engine.error_texts`).
"""

from enum import StrEnum

from mauerwerk.core.errors import SetupError, StaleMoveError


class Reason(StrEnum):
    """Why a request was refused."""

    NOT_BEGUN = "not-begun"
    NO_FREE_SEAT = "no-free-seat"
    SEAT_TAKEN = "seat-taken"
    BOT_SEAT = "bot-seat"
    EMPTY_SEAT = "empty-seat"
    SEAT_LEFT = "seat-left"
    LEAVING_AFTER_END = "leaving-after-end"
    NOT_RUNNING = "not-running"
    NO_BOT_PLAYS = "no-bot-plays"
    NOTHING_TO_ENTER = "nothing-to-enter"
    NOTHING_TO_TAKE_BACK = "nothing-to-take-back"
    CONSENT_NOT_ASKED = "consent-not-asked"
    REMATCH_BEFORE_END = "rematch-before-end"
    RECORD_BEFORE_END = "record-before-end"
    NO_HINTS = "no-hints"
    NOTHING_TO_DECIDE = "nothing-to-decide"
    BACK_AND_FORTH = "back-and-forth"
    TOO_MANY_SITTINGS = "too-many-sittings"
    TOO_LONG = "too-long"
    KEY_REUSED = "key-reused"
    SEAT_CHANGED_HANDS = "seat-changed-hands"
    OPENER_ENTERS = "opener-enters"
    NO_ROOM = "no-room"
    PLAYABLE = "playable"
    NOT_AT_TABLE = "not-at-table"
    CHAT_OFF = "chat-off"
    NO_FREE_TEXT = "no-free-text"
    NOT_SAID_LIKE_THIS = "not-said-like-this"
    NOTHING_SAID = "nothing-said"
    TOO_FAST = "too-fast"
    NO_DAYS_OFF = "no-days-off"
    TIME_IS_UP = "time-is-up"


class Obstacle(StrEnum):
    """Why a table cannot be set up as it was ordered."""

    NO_SUCH_GAME = "no-such-game"
    NO_SUCH_LEVEL = "no-such-level"
    SEATS = "seats"
    NOT_A_FREE_SEAT = "not-a-free-seat"
    BOTS_WITHOUT_END = "bots-without-end"
    BOTS_WITH_DICE = "bots-with-dice"
    NOT_LISTED = "not-listed"
    CLOCKS = "clocks"
    SCRIBE_WITHOUT_SEAT = "scribe-without-seat"
    RATED_WITH_HINTS = "rated-with-hints"
    RATED_BY_HAND = "rated-by-hand"
    TOO_MANY_GIVEN = "too-many-given"
    GIVEN_UNREADABLE = "given-unreadable"
    GIVEN_NOT_WORDS = "given-not-words"
    GIVEN_TO_THE_END = "given-to-the-end"


class NoTableError(LookupError):
    """There is no such table, or not for you: one answer, so that nobody learns which exist."""


class OtherRulesError(LookupError):
    """The table was played by other rules than this program has."""

    def __init__(self, game: str, rules: int, here: int | None) -> None:
        """Name both revisions; None where this program does not have the game."""
        super().__init__(game, rules, here)
        self.game = game
        self.rules = rules
        self.here = here


class RefusedError(Exception):
    """A table refuses a request for a reason."""

    def __init__(self, reason: Reason, **values: int) -> None:
        """The values are those that the sentence names, such as a seat."""
        super().__init__(" ".join([reason, *(f"{name}={each}" for name, each in values.items())]))
        self.reason = reason
        self.values = values


class OrderError(SetupError):
    """A table cannot be set up as it was ordered."""

    def __init__(self, obstacle: Obstacle, **values: str | int) -> None:
        """The values are those that the sentence names."""
        super().__init__(obstacle)
        self.obstacle = obstacle
        self.values = values


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
    """The table has moved on since the number that the request answers."""

    def __init__(self, version: int, number: int) -> None:
        """Name both numbers."""
        super().__init__(version, number)
        self.version = version
        self.number = number


class GameOverError(StaleMoveError):
    """The game ended before the request came."""


class ClosedError(RuntimeError):
    """The people who run the server take no new tables at the moment."""


class TooManyError(RuntimeError):
    """The host has no room for more."""


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
