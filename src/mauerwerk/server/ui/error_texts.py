"""Why a request was refused, as a sentence in the reader's language."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from mauerwerk.core.errors import IllegalMoveError, MoveError, SetupError, explained
from mauerwerk.core.game import Value
from mauerwerk.core.language import ENGLISH, Language, message, sentence
from mauerwerk.server.http import errors, identity
from mauerwerk.server.http.response import fault_of
from mauerwerk.server.tables.errors import FeatureError, NoTableError

SENTENCES: Final[Mapping[str, str]] = {
    "body": message("This form cannot be read"),
    "broken": message("Something broke here; it was not your fault"),
    "blocked_name": message("This name is not allowed here"),
    "blocked": message("The host of this server has blocked you"),
    "busy": message("Too many requests at once; try again in a while"),
    "closed": message("This server takes no new tables at the moment"),
    "forbidden": message("That is not your seat"),
    "guest": message("Play a game or give yourself a name first"),
    "host": message("This server does not go by that name"),
    "illegal": message("The rules do not allow that"),
    "invalid": message("That cannot be done like this"),
    "json": message("This form cannot be read"),
    "kept": message("Somebody else has opened this link and is about to sit down"),
    "idempotency_key": message("That has been done already"),
    "link": message("This link no longer works"),
    "media": message("This form cannot be read"),
    "method": message("That cannot be done here"),
    "missing": message("Page not found"),
    "moment": message("One moment: five messages in ten seconds are enough"),
    "name": message("A name has 1 to 32 visible characters; combined emoji are not possible"),
    "notation": message("That is not a move"),
    "off": message("The host of this server has not switched that on"),
    "origin": message("A page of another site may not change anything here"),
    "passkey": message("The passkey could not be created; try again, or use recovery codes"),
    "proof": message("Confirm first that it is you, on your page"),
    "query": message("This form cannot be read"),
    "request": message("That cannot be done right now"),
    "room": message(
        "Your tables take up all the space that a guest has here. "
        "Old games will take up less after a while"
    ),
    "rules": message("This table was played by rules that this server does not have"),
    "seat": message("Say which of your seats you mean"),
    "setup": message("A table cannot be set up like this"),
    "size": message("That was too long"),
    "slow": message("That took too long to arrive"),
    "stale": message("That came too late: the game has moved on"),
    "storage": message("Nothing can be stored right now; try again"),
    "chat": message("That cannot be said at this table"),
    "role": message("Your role does not allow that"),
    "token": message("This token is wrong"),
    "warming": message("The server is still warming up; ask for a hint again in a minute"),
    "unseen": message("Nobody can watch this game before it is over"),
    "unknown": message("Only the players at this table can do that"),
}
"""What each kind of fault means to a person."""


class ErrorText(Value):
    """What a page says when a request was refused."""

    status: int
    words: str
    clause: str = ""
    """The clause of the rules that forbids it."""
    note: str = ""
    """What else is known; of a ban, what somebody wrote about it in their own language."""
    detail: str = ""
    """What exactly, where that is known in English alone."""
    more: str = ""
    """What else to say where a page is missing or has broken."""

    @property
    def lost(self) -> bool:
        """Whether there is no page to go back to: it is missing, or it broke."""
        return bool(self.more)

    @property
    def title(self) -> str:
        """The words without a full stop, for a large title."""
        return self.words.removesuffix(".")


_HOLE: Final = message(
    "There is a hole in the wall here. The link may be old, or a letter is missing. "
    "Your games are safe."
)

LOST: Final[Mapping[int, str]] = {
    404: _HOLE,
    410: _HOLE,
    500: message("Something fell down here. Your games are safe."),
}
"""What is said beside the broken wall, by status."""


def refusal_of(error: Exception, language: Language) -> ErrorText:
    """An error in words; one for which the program itself is at fault is raised again."""
    fault = fault_of(error)
    if fault is None:
        raise error
    more = LOST.get(fault.status, "")
    said = _refusal(error, fault, language)
    return replace(said, more=language(more)) if more else said


def _refusal(error: Exception, fault: errors.HttpError, language: Language) -> ErrorText:
    match error:
        case MoveError():
            clause = error.clause if isinstance(error, IllegalMoveError) else ""
            return ErrorText(fault.status, sentence(explained(error, language)), clause)
        case identity.BlockedError(until=until, reason=reason):
            words = (
                language("The host of this server has blocked you until {time}", time=until)
                if until
                else language("The host of this server has blocked you")
            )
            return ErrorText(fault.status, sentence(words), note=reason)
        case NoTableError():
            words = language("There is no table here")
            note = language("It was deleted, or there never was one at this address.")
            return ErrorText(fault.status, sentence(words), note=note)
        case FeatureError(template=template):
            return ErrorText(fault.status, sentence(language(template)))
        case SetupError():
            return _of_setup(error, fault, language)
        case _:
            words = SENTENCES.get(fault.code, SENTENCES["request"])
            return ErrorText(fault.status, sentence(language(words)))


def _of_setup(error: SetupError, fault: errors.HttpError, language: Language) -> ErrorText:
    """Why a table cannot be set up; what there are no words for stays in English."""
    said = error.told(language)
    if said != str(error) or language.code == ENGLISH.code:
        return ErrorText(fault.status, sentence(said))
    return ErrorText(fault.status, sentence(language(SENTENCES["setup"])), detail=said)
