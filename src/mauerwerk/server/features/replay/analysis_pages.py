"""Starting the analysis of a game, and its progress."""

import math
from typing import Final

from mauerwerk.core.game import Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import sentence
from mauerwerk.server.features.replay.analyses import Analyses
from mauerwerk.server.features.replay.evaluation import Judgement, judged
from mauerwerk.server.features.replay.frame import ALL, Frame, link_to
from mauerwerk.server.features.replay.replay_page import ReplayPage, Replays
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.tables.errors import TooManyError
from mauerwerk.server.ui.forms import Form
from mauerwerk.server.ui.page import PageRequest


class Analysing(Value):
    """An analysis for the page: not asked for, running, failed, or done."""

    judged: Judgement | None = None
    running: bool = False
    percent: int = 0
    left: str = ""
    """How long it will still take, once that is known."""

    fault: str = ""


MINUTE: Final = 60

BUSY: Final = "&busy=1"
"""Added to the link back to a position when the server has no time for an analysis."""


def analysing(request: PageRequest, page: ReplayPage, shown: Frame) -> Analysing:
    """The progress of a game's analysis, and what it says about this position."""
    job = request.host.service(Analyses).known(page.replay.record)
    language = request.language
    if job is not None and job.result is not None:
        return Analysing(judged(job.result, page.replay, shown, language))
    if job is not None and job.under_way:
        left = job.seconds_left
        words = "" if left is None else _left(left, language)
        return Analysing(running=True, percent=round(100 * job.progress), left=words)
    if request.query.get("busy"):
        busy = language("bots look at other games right now; ask again in a few minutes")
        return Analysing(fault=sentence(busy))
    if job is not None:
        return Analysing(fault=sentence(language("the bot did not finish; try again")))
    return Analysing()


def _left(seconds: float, language: Language) -> str:
    """How long it still takes, in steps that do not jump about."""
    if seconds > MINUTE:
        minutes = math.ceil(seconds / MINUTE)
        return language.many(minutes, "about {number} minute left", "about {number} minutes left")
    return language("about {number} seconds left", number=max(5, 5 * math.ceil(seconds / 5)))


async def analyse(replays: Replays, request: PageRequest, form: Form) -> Response:
    """Have the whole game analysed, and go back to the position where it was asked for."""
    page = await replays.finished_page_of(request)
    at, viewpoint = page.wanted(form.get("at", ""), form.get("seat", ""))
    back = f"{page.path}{link_to(at, ALL if viewpoint is None else str(viewpoint))}"
    client = request.client
    whose = request.guest.id if request.guest else client
    times = request.app.limiter.times(client)
    try:
        request.host.service(Analyses).ask(
            page.replay.record, whose=whose, client=client, times=times
        )
    except TooManyError:
        return redirect(f"{back}{BUSY}")
    return redirect(back)
