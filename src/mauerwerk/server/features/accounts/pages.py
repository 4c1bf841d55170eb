"""A visitor's own page: games that run, finished games, figures and settings."""

import math
import time
from collections.abc import Sequence
from typing import Final

from mauerwerk.core.language.translation import Language, message
from mauerwerk.games import GAMES
from mauerwerk.server.features.accounts.sign_in import person_here
from mauerwerk.server.features.results import store
from mauerwerk.server.features.results.figures import figures
from mauerwerk.server.features.results.pages import finished_games
from mauerwerk.server.features.spectating.pages import followed_games
from mauerwerk.server.games.table_lines import TableLine, line_of
from mauerwerk.server.http.response import Response
from mauerwerk.server.ui.dates import day_of
from mauerwerk.server.ui.page import ACCOUNT, PageRequest, Panels

ICONS: Final = ("i-pen", "i-key", "i-film", "i-chev")

NEWS: Final = {
    "kept": message("Your games are kept."),
    "alone": message("Only this browser is signed in now."),
    "joined": message("The other device has access now."),
}


async def show(request: PageRequest) -> Response:
    """The page of the guest; without one, how to become one."""
    if request.guest is None:
        return request.render("accounts/nobody.html")
    guest, host = request.guest, request.host
    running = await running_games(request)
    done = await finished_games(request, guest)
    with_people = request.query.get("against") != "bots"
    lines = await store.lines_of(host.store, guest.id)
    skills = await store.skills_of(host.store, guest.id)
    since = await store.first_seen(host.store, guest.id)
    shown = figures(lines, skills, request.language, people=with_people)
    person = await person_here(request, guest)
    panels = request.app.service(Panels)
    sections = await panels.gather(request, ACCOUNT)
    followed = await followed_games(request)
    boxes = (*(line.box for line in (*running, *followed)), *done.games)
    return request.render(
        "accounts/my_page.html",
        running=running,
        followed=followed,
        done=done,
        figures=shown,
        with_people=with_people,
        kept=bool(person and person.passkeys),
        news=_news(request),
        about=_about(since, done.total if not done.filtered else 0, running, request.language),
        sections=sections,
        symbols=(
            *ICONS,
            *panels.symbols(ACCOUNT),
            *dict.fromkeys(box.thumb for box in boxes),
        ),
    )


def _news(request: PageRequest) -> str:
    """What has just been done, as the query says."""
    if request.query.get("alone") == "mail":
        return request.language(
            "Only this browser is signed in now. If you want e-mail, enter your address again."
        )
    for word, said in NEWS.items():
        if word in request.query:
            return request.language(said)
    return ""


def _about(
    since: int | None, finished: int, running: Sequence[TableLine], language: Language
) -> str:
    """Since when somebody plays here, and how many games they have."""
    now = int(time.time() * 1_000)
    said = [
        language("Playing here since {day}.", day=day_of(since, now, language)) if since else "",
        language.many(finished, "{number} game finished", "{number} games finished")
        if finished
        else "",
        language.many(len(running), "{number} game running", "{number} games running")
        if running
        else "",
    ]
    counts = ", ".join(each for each in said[1:] if each)
    if not counts and since is None:
        counts = language("No games yet")
    return " ".join(each for each in (said[0], f"{counts}." if counts else "") if each)


async def running_games(request: PageRequest) -> list[TableLine]:
    """The games that wait for somebody: first for the reader, then for others, by time left."""
    guest, host = request.guest, request.host
    if guest is None:
        return []
    found = await store.unfinished_of(host.store, guest.id)
    cards = [card for card in found if card.game in GAMES]
    seats = await host.seats_of(guest, cards)
    now = int(time.time() * 1_000)
    lines = [
        line_of(card, seats.get(card.id, ()), now, request.language, others=True) for card in cards
    ]
    return sorted(lines, key=lambda line: (not line.mine, line.due or math.inf))
