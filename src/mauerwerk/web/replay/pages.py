"""The page of a position, and the page that brings a record."""

from typing import Final

from mauerwerk.bots.levels import LEVELS
from mauerwerk.core.faults import explained
from mauerwerk.core.game import NATURE, IllegalMoveError, MoveError
from mauerwerk.core.record import RecordError
from mauerwerk.core.tongue import Tongue
from mauerwerk.core.words import sentence
from mauerwerk.web.pages.page import Form, Visitor
from mauerwerk.web.pages.refusals import Refusal
from mauerwerk.web.pages.shelf import MIDDLE
from mauerwerk.web.replay import codes
from mauerwerk.web.replay.analysing import analysing
from mauerwerk.web.replay.film import Film, NotOverError, film_of, wound
from mauerwerk.web.replay.frame import frame
from mauerwerk.web.replies import Reply, redirect

PLAIN: Final = b"text/plain; charset=utf-8"


async def show(visitor: Visitor) -> Reply:
    """A position: `?at=` so many moves, `&seat=` as this seat saw it, or `all`."""
    try:
        film = await film_of(visitor)
    except NotOverError:
        return visitor.paint("replay/not_over.html", 409, table=visitor.call.table)
    return _page_of(visitor, film)


def _page_of(visitor: Visitor, film: Film) -> Reply:
    """The whole page, or what is morphed into it where the script asks."""
    at, eyes = film.wanted(*(visitor.query.get(name, "") for name in ("at", "seat", "to")))
    shown = frame(film.reel, at, eyes, film.people, visitor.tongue)
    return visitor.paint(
        "replay/live.html" if visitor.morphs else "replay/page.html",
        film=film,
        shown=shown,
        analysis=analysing(visitor, film, shown),
        levels=levels_in(visitor.tongue),
        level=MIDDLE,
        symbols=shown.symbols,
    )


def levels_in(tongue: Tongue) -> list[tuple[str, str]]:
    """The levels of bots, in words."""
    return [(name, tongue(level.title)) for name, level in LEVELS.items()]


# --- Bringing a record -----------------------------------------------------------------------


async def ask(visitor: Visitor) -> Reply:
    """The form for a record."""
    return visitor.paint("replay/bring.html", text="", refusal=None)


async def bring(visitor: Visitor, form: Form) -> Reply:
    """Read a record, and lead to where it is shown."""
    text = form.get("record", "")
    try:
        code = await wound(visitor, _code_of, text)
    except (RecordError, codes.LongLinkError) as fault:
        refusal = Refusal(422, sentence(_why_not(fault, visitor.tongue)))
        return visitor.paint("replay/bring.html", 422, text=text, refusal=refusal)
    return redirect(f"/replay/{code}")


def _code_of(text: str) -> str:
    return codes.written(codes.from_text(text))


def _why_not(fault: RecordError | codes.LongLinkError, tongue: Tongue) -> str:
    """What is wrong with a record: where, and in the reader's language why, if that is known."""
    if isinstance(fault, codes.LongLinkError):
        return tongue("this record is too long to be shown here")
    match fault.__cause__:
        case IllegalMoveError(seat=seat) as cause:
            # A record counts seats from 0, and so does what is said of it.
            who = tongue("nature") if seat == NATURE else tongue("seat {number}", number=seat)
            why = explained(cause, tongue, who)
        case MoveError() as cause:
            why = explained(cause, tongue)
        case _:
            why = str(fault).removeprefix(f"line {fault.line}: ")
    return tongue("line {number} of the record: {why}", number=fault.line, why=why)


async def copy(visitor: Visitor) -> Reply:
    """The record of a game that was brought, as a file."""
    film = await film_of(visitor)
    brought = codes.Brought(film.reel.record, film.reel.names)
    return Reply(codes.to_text(brought).encode(), PLAIN)
