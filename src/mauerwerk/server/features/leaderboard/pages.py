"""The leaderboard: people who joined it and bots, on one scale for each game, with their doubt."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from mauerwerk.bots.rooms import rated_levels
from mauerwerk.core.language import ENGLISH, Language
from mauerwerk.games import GAMES
from mauerwerk.server.features.accounts import store
from mauerwerk.server.features.accounts.pages import known_on_this_device
from mauerwerk.server.features.leaderboard.store import Leader, leaders
from mauerwerk.server.features.results import pages, ratings
from mauerwerk.server.features.results.ratings import Skill
from mauerwerk.server.games import web_games
from mauerwerk.server.http.response import Response, redirect
from mauerwerk.server.ui.names import apart, level_named
from mauerwerk.server.ui.page import Form, PageRequest


async def show(request: PageRequest) -> Response:
    """The boards of all games, and whether the reader is on them."""
    guest, language = request.guest, request.language
    database = request.host.store
    found = {
        name: told_apart(await leaders(database, name), name, language) for name in web_games()
    }
    person = await store.person_of(database, guest.id) if guest else None
    boards = [(room.box, _lines(name, found[name], request)) for name, room in web_games().items()]
    return request.render(
        "leaderboard/page.html",
        boards=boards,
        unrated=not any(line["mine"] for _, lines in boards for line in lines),
        joined=bool(person and person.listed),
        symbols=tuple(dict.fromkeys(room.box.thumb for room in web_games().values())),
    )


def told_apart(
    listed: Sequence[Leader], game: str, language: Language = ENGLISH
) -> tuple[Leader, ...]:
    """The same people under names of which none is taken for another's, or for a bot's."""
    bots = [level_named(level, language, GAMES[game]) for level in rated_levels(game)]
    names = apart([*bots, *(each.name for each in listed)])[len(bots) :]
    return tuple(replace(each, name=name) for each, name in zip(listed, names, strict=True))


def _lines(game: str, listed: tuple[Leader, ...], request: PageRequest) -> list[dict[str, Any]]:
    """People in the order of what is sure about them, and bots where they belong between them."""
    own = request.guest.id if request.guest else ""
    lines: list[dict[str, Any]] = [
        {"place": place, "name": each.name, "games": each.games, "mine": each.guest == own}
        | _rated(each.skill, request.language)
        for place, each in enumerate(listed, start=1)
    ]
    for level, anchor in rated_levels(game).items():
        bot = level_named(level, request.language, GAMES[game])
        nobody = {"place": None, "name": bot, "games": 0, "mine": False}
        lines.append(nobody | _rated(Skill(*anchor), request.language))
    return sorted(lines, key=lambda line: -line["low"])


def _rated(skill: Skill, language: Language) -> dict[str, Any]:
    band, likely = pages.rating_band(skill, language)
    rating = ratings.shown(skill)
    low = rating.low or 0.0
    return {"rating": round(rating.mean), "low": low, "likely": likely, "band": band}


async def join(request: PageRequest, form: Form) -> Response:
    """Be listed from now on, or no longer."""
    guest = request.required_guest()
    headers = await known_on_this_device(request, guest)
    await store.set_listed(request.host.store, guest, listed=form.get("listed") == "1")
    return redirect("/leaderboard", headers)
