"""What a guest achieved: finished games with filters, page by page, and figures per game."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, Final

from msgspec.structs import replace

from mauerwerk.core.game import Value
from mauerwerk.core.language import Language, local, message
from mauerwerk.games import GAMES
from mauerwerk.lab.intervals import wilson
from mauerwerk.server.features.results import store
from mauerwerk.server.features.results.ratings import Skill, shown
from mauerwerk.server.features.results.store import OwnLine
from mauerwerk.server.games import web_game, web_games
from mauerwerk.server.games.room import Box, TallyLine, WebGame
from mauerwerk.server.tables.charter import Guest
from mauerwerk.server.ui import dates, names, page
from mauerwerk.server.ui.page import Chip

PAGE: Final = 10

SPANS: Final = {
    "": (0, message("Any time")),
    "30": (30, message("The last 30 days")),
    "365": (365, message("The last year")),
}
"""From when games are shown: days, by the word in the query; 0 for all."""


async def finished_games(request: page.PageRequest, guest: Guest) -> dict[str, Any]:
    """A page of finished games, as its query asks for them, and what can be asked for."""
    now = request.host.now()
    query, keys = request.query, request.host.keys
    database = request.host.store
    met = await store.people_met(database, guest.id)
    tokens = {keys.met_token(guest.id, each.guest): each.guest for each in met}
    since = query.get("since", "") if query.get("since") in SPANS else ""
    days, _ = SPANS[since]
    wanted = store.Wanted(
        game=query.get("game", "") if query.get("game") in GAMES else "",
        other=tokens.get(query.get("with", ""), ""),
        since=now - days * dates.DAY if days else 0,
        before=store.place_in(query.get("before", "")),
    )
    found, total = await store.finished(database, guest.id, wanted, PAGE + 1)
    known = [each for each in found[:PAGE] if each.game in GAMES]
    other = keys.met_token(guest.id, wanted.other) if wanted.other else ""
    filters = {"game": wanted.game, "with": other, "since": since}
    last = found[PAGE - 1] if len(found) > PAGE else None
    said = "&".join(f"{name}={word}" for name, word in filters.items() if word)
    return {
        "lines": [_line(each, now, request) for each in known],
        "total": total,
        "games": [room.box for room in web_games().values()],
        "game": wanted.game,
        "people": (
            Chip("", request.language("With anyone"), not wanted.other),
            *(
                Chip(
                    keys.met_token(guest.id, each.guest),
                    request.language("With {who}", who=each.name),
                    each.guest == wanted.other,
                )
                for each in met
            ),
        ),
        "spans": [
            Chip(word, request.language(words), word == since) for word, (_, words) in SPANS.items()
        ],
        # The query of the next page; empty on the last.
        "older": f"{said}&before={last.ended}-{last.table}".lstrip("&") if last else "",
        "filtered": bool(said),
    }


def _line(result: store.OwnResult, now: int, request: page.PageRequest) -> dict[str, Any]:
    return {
        "of": result,
        "date": dates.day_of(result.ended, now, request.language, short=True),
        "box": web_game(result.game).box,
        "about": names.company(result.card, result.own, request.language) if result.card else "",
        # Where to see it again, if it is still kept.
        "replay": f"/t/{result.table}/replay" if result.card else "",
    }


# --- A player's figures per game: none stands without its doubt, and few games say nothing --------


ENOUGH: Final = 10
"""With fewer games, a figure would say more about luck than about the player."""
LOWEST: Final = 800
HIGHEST: Final = 2300
"""The ends of the band on which a rating is drawn."""


class Band(Value):
    """An estimate and its interval on a band from 0 to 100."""

    low: float
    mid: float
    high: float
    words: str
    """What a screen reader says instead."""


class GameFigures(Value):
    """What a player achieved in one game."""

    box: Box
    games: int
    wins: int
    few: bool
    """Whether there are too few games to say more."""
    share: str = ""
    likely: str = ""
    band: Band | None = None
    points: str = ""
    fewest: bool = False
    more: tuple[TallyLine, ...] = ()
    rating: str = ""
    rating_likely: str = ""
    rating_band: Band | None = None


def figures(
    lines: Sequence[OwnLine], skills: Mapping[str, Skill], language: Language, *, people: bool
) -> list[GameFigures]:
    """The figures of each game in which there are any: of games with people, or with bots only."""
    found: list[GameFigures] = []
    for name, room in web_games().items():
        own = [
            line
            for line in lines
            if line.game == name
            and (line.people > 1) == people
            and (line.place is not None or line.gone)
        ]
        skill = skills.get(name) if people else None
        if own or skill:
            counted = _counted(room, own, language)
            if skill is not None:
                band, likely = rating_band(skill, language)
                rating = str(round(shown(skill).mean))
                counted = replace(counted, rating=rating, rating_likely=likely, rating_band=band)
            found.append(counted)
    return found


def _counted(room: WebGame, own: Sequence[OwnLine], language: Language) -> GameFigures:
    wins, games = sum(line.place == 1 for line in own), len(own)
    if games < ENOUGH:
        return GameFigures(box=room.box, games=games, wins=wins, few=True)
    share = wilson(wins / games, games, games)
    even = fmean(1 / line.seats for line in own)
    points = [line.points for line in own if line.points is not None]
    ends = {
        "low": round(100 * (share.low or 0.0)),
        "high": round(100 * (1.0 if share.high is None else share.high)),
    }
    percent = round(100 * share.mean)
    words = language(
        "{share} per cent won; the true share is most likely between {low} and {high} per cent",
        share=percent,
        **ends,
    )
    sums = Counter[str]()
    for line in own:
        sums.update(line.counts)
    return GameFigures(
        box=room.box,
        games=games,
        wins=wins,
        few=False,
        share=language("{number} %", number=percent),
        likely=language(
            "most likely {low} to {high} % · even share {even} %", **ends, even=round(100 * even)
        ),
        band=Band(**ends, mid=percent, words=words),
        points=local(f"{fmean(points):.1f}", language) if points else "",
        fewest=room.tally.fewest,
        more=tuple(room.tally.lines(sums, language)) if room.tally.lines else (),
    )


def rating_band(skill: Skill, language: Language) -> tuple[Band, str]:
    """A rating on its band, and between what it most likely is."""
    rating = shown(skill)
    said = {"low": round(rating.low or 0), "high": round(rating.high or 0)}
    band = Band(
        low=_on_band(said["low"]),
        mid=_on_band(rating.mean),
        high=_on_band(said["high"]),
        words=language(
            "rating {rating}, most likely between {low} and {high}",
            rating=round(rating.mean),
            **said,
        ),
    )
    return band, language("most likely {low} to {high}", **said)


def _on_band(rating: float) -> float:
    """Where a rating is on its band, in percent.

    >>> _on_band(1550), _on_band(100)
    (50.0, 0.0)
    """
    return min(max(100 * (rating - LOWEST) / (HIGHEST - LOWEST), 0.0), 100.0)
