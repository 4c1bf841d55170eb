"""Having a game analysed, and how far that is."""

from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.words import sentence
from mauerwerk.play.errors import TooManyError
from mauerwerk.web.faults import Fault
from mauerwerk.web.pages.page import Form, Visitor
from mauerwerk.web.replay.film import Film, NotOverError, film_of
from mauerwerk.web.replay.frame import ALL, Frame, link_to
from mauerwerk.web.replay.judging import Judgement, judged
from mauerwerk.web.replies import Reply, redirect


class Analysing(Value):
    """An analysis for the page: not asked for, on its way, failed, or there."""

    judged: Judgement | None = None
    running: bool = False
    percent: int = 0
    fault: str = ""


BUSY: Final = "&busy=1"
"""What a link adds that leads back from an analysis which nobody has time for."""


def analysing(visitor: Visitor, film: Film, shown: Frame) -> Analysing:
    """How far the analysis of a game is, and what it says of this position."""
    job = visitor.call.house.analyses.known(film.reel.record)
    tongue = visitor.tongue
    if job is not None and job.result is not None:
        return Analysing(judged(job.result, film.reel, shown, tongue))
    if job is not None and job.under_way:
        return Analysing(running=True, percent=round(100 * job.progress))
    if visitor.query.get("busy"):
        busy = tongue("bots look at other games right now; ask again in a few minutes")
        return Analysing(fault=sentence(busy))
    if job is not None:
        return Analysing(fault=sentence(tongue("the bot did not get to the end of it; try again")))
    return Analysing()


async def analyse(visitor: Visitor, form: Form) -> Reply:
    """Let a bot look at the whole game, and go back to where it was asked for."""
    try:
        film = await film_of(visitor)
    except NotOverError:
        raise Fault(409, "the game goes on where it is", word="request") from None
    at, eyes = film.wanted(form.get("at", ""), form.get("seat", ""))
    back = f"{film.path}{link_to(at, ALL if eyes is None else str(eyes))}"
    whose = visitor.guest.id if visitor.guest else visitor.visit.client
    try:
        visitor.call.house.analyses.ask(film.reel.record, whose=whose)
    except TooManyError:
        return redirect(f"{back}{BUSY}")
    return redirect(back)
