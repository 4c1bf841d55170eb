"""Why a request was refused, as an English sentence: for programs and for the server's log.

Pages say the same in the reader's language (`server.ui.error_texts`), from the error itself.
"""

from collections.abc import Mapping
from typing import Any, Final

from mauerwerk.bots.levels import known_levels
from mauerwerk.core.errors import SetupError
from mauerwerk.core.language.translation import message
from mauerwerk.core.language.words import listed
from mauerwerk.games import GAMES
from mauerwerk.server.tables.errors import (
    ClosedError,
    FeatureError,
    GameOverError,
    NoTableError,
    Obstacle,
    OrderError,
    OtherRulesError,
    Reason,
    RefusedError,
    StaleError,
)

SENTENCES: Final[Mapping[Reason, str]] = {
    Reason.NOT_BEGUN: "the game has not begun",
    Reason.NO_FREE_SEAT: "there is no free seat at this table",
    Reason.SEAT_TAKEN: "seat {seat} is not free",
    Reason.BOT_SEAT: "seat {seat} is a bot's",
    Reason.EMPTY_SEAT: "nobody sits at seat {seat}",
    Reason.SEAT_LEFT: "you have left this seat already",
    Reason.LEAVING_AFTER_END: "the game is over; nobody needs to leave",
    Reason.NOT_RUNNING: "a bot can take over while the game goes on",
    Reason.NO_BOT_PLAYS: "no bot plays for seat {seat}",
    Reason.NOTHING_TO_ENTER: "there is nothing to roll, to draw or to deal now",
    Reason.NOTHING_TO_TAKE_BACK: "there is nothing to take back",
    Reason.CONSENT_NOT_ASKED: "nobody asks seat {seat} whether a move may be taken back",
    Reason.REMATCH_BEFORE_END: "a rematch comes after the game",
    Reason.RECORD_BEFORE_END: "the record is written when the game is over",
    Reason.NO_HINTS: "this table plays without hints",
    Reason.NOTHING_TO_DECIDE: "seat {seat} has nothing to decide",
    Reason.BACK_AND_FORTH: "too much back and forth; play on",
    Reason.TOO_MANY_SITTINGS: "you have come and gone too often at this table",
    Reason.TOO_LONG: "after {moves} moves nobody plays on",
    Reason.KEY_REUSED: "this key was used for another request; choose a new one each time",
    Reason.SEAT_CHANGED_HANDS: "seat {seat} is somebody else's by now",
    Reason.PLAYABLE: "this game can be played on; you can leave it",
    Reason.NOT_AT_TABLE: "you do not sit at this table",
    Reason.CHAT_OFF: "chat is off at this table",
    Reason.NO_FREE_TEXT: "at this table there are faces and phrases, but no free text",
    Reason.NOT_SAID_LIKE_THIS: "this is no face or phrase, or a text that is empty or too long",
    Reason.NO_DAYS_OFF: "you have no days off left at this table",
    Reason.TIME_IS_UP: "your time for this game is up; a bot plays on",
    Reason.TOO_FAST: "one moment: five things in ten seconds are enough",
    Reason.NOTHING_SAID: "there is no such message",
    Reason.NO_ROOM: "your tables take up all the space that a guest has here, {kilobytes} kB",
    Reason.OPENER_ENTERS: "who set up this table enters its cards and dice",
}


OBSTACLES: Final[Mapping[Obstacle, str]] = {
    Obstacle.NO_SUCH_GAME: "there is no game {game}, only {games}",
    Obstacle.NO_SUCH_LEVEL: "there is no level {level}, only {levels}",
    Obstacle.SEATS: message("{game} is for {least} to {most} seats, not {seats}"),
    Obstacle.NOT_A_FREE_SEAT: "seat {seat} is not one to take",
    Obstacle.BOTS_WITHOUT_END: message("bots can play alone only if the game is sure to end"),
    Obstacle.BOTS_WITH_DICE: message(
        "bots cannot roll dice: somebody has to sit there and enter them"
    ),
    Obstacle.NOT_LISTED: message(
        "a table with real dice or a given beginning is not listed: send invitations instead"
    ),
    Obstacle.CLOCKS: message(
        "choose one clock: a total with an increment, or a time for each decision; "
        "days off and nights need at least a day for each decision"
    ),
    Obstacle.SCRIBE_WITHOUT_SEAT: message(
        "if you enter all cards and dice, take a seat at the table yourself"
    ),
    Obstacle.RATED_WITH_HINTS: message("a rated game has no hints: switch them off"),
    Obstacle.RATED_BY_HAND: message(
        "a game with real dice or a given beginning is not rated: play it for fun"
    ),
    Obstacle.TOO_MANY_GIVEN: "a table begins with at most {most} moves, not {moves}",
    Obstacle.GIVEN_UNREADABLE: "move {move} to begin with: {because}",
    Obstacle.GIVEN_NOT_WORDS: "moves to begin with are single words of a record, such as 0:T",
    Obstacle.GIVEN_TO_THE_END: message(
        "after these moves the game is over; there is nothing left to play"
    ),
}


def setup_error(error: OrderError) -> SetupError:
    """The same error with a template to translate, as the games' own errors have."""
    values = _counted(error.values)
    match error.obstacle:
        case Obstacle.NO_SUCH_GAME:
            values |= {"game": repr(values["game"]), "games": listed(list(GAMES))}
        case Obstacle.NO_SUCH_LEVEL:
            values |= {"level": repr(values["level"]), "levels": listed(list(known_levels()))}
        case _:
            pass
    return SetupError(OBSTACLES[error.obstacle], **values)


def sentence_for(error: Exception) -> str:
    """What the error says; an error of another layer says it itself."""
    match error:
        case FeatureError(template=template):
            return template
        case RefusedError(reason=reason, values=values):
            return SENTENCES[reason].format_map(_counted(values))
        case OrderError():
            return str(setup_error(error))
        case StaleError(version=version, number=number):
            return f"the table is at {number}; what answers {version} came too late"
        case GameOverError():
            return "the game is over"
        case ClosedError():
            return "this server takes no new tables at the moment"
        case NoTableError():
            return "there is no such table"
        case OtherRulesError(game=game, rules=rules, here=here):
            has = f"{game}/{here}" if here is not None else f"no {game}"
            return f"this table was played by {game}/{rules}; this program has {has}"
        case _:
            return str(error)


def _counted(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a sentence: its readers count seats from 1."""
    return {name: value + 1 if name == "seat" else value for name, value in values.items()}
