"""Open tables as the home page lists them, with filters."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from mauerwerk.core.game import Value
from mauerwerk.core.language import TITLES, Language, capital, message
from mauerwerk.games import GAMES
from mauerwerk.server.games import web_game, web_games
from mauerwerk.server.http.request import whole_number
from mauerwerk.server.tables.table import Card
from mauerwerk.server.ui import dates, page
from mauerwerk.server.ui.names import names_on

MOST: Final = 6
"""The most open tables that the page lists."""
LOOKED_AT: Final = 100
"""The number of open tables among which those are looked for that fit."""

CLOCKS: Final[Mapping[str, str]] = {
    "live": message("a few minutes per move"),
    "days": message("days per move"),
    "none": message("no time limit"),
}


class Seek(Value, tag=False):
    """What somebody is looking for."""

    game: str = ""
    """Empty: any."""
    seats: int = 0
    clock: str = ""
    """`live` (`sitting` or `steady`), `days` or `none`; empty: any."""
    language: str = ""
    rated: bool = False
    """Whether only rated games will do."""
    fun: bool = False
    """Whether only games for fun will do."""
    others: tuple[str, ...] = ()
    """Further games that will do."""

    def takes(self, game: str) -> bool:
        """Whether this game will do."""
        return not self.game or game == self.game or game in self.others


LIVE: Final = 3_600
"""Seconds for a decision below which people stay at the table."""


def kind_of_clock(seconds: int, total: int = 0) -> str:
    """Which kind of clock a table has, by the seconds for a decision and for the whole game.

    >>> kind_of_clock(0), kind_of_clock(120), kind_of_clock(86_400), kind_of_clock(0, 600)
    ('none', 'live', 'days', 'live')
    """
    return "live" if total or 0 < seconds < LIVE else "days" if seconds else "none"


def clocks_of(card: Card) -> frozenset[str]:
    """All words for the clock of a table; with one for the whole game, it is one sitting."""
    kind = kind_of_clock(card.seconds_per_move, card.clock.total)
    exact = {"live": "sitting" if card.clock.total else "steady"}
    return frozenset({"", kind, exact.get(kind, kind)})


def fits(card: Card, seek: Seek) -> bool:
    """Whether a table is what somebody is looking for."""
    return (
        seek.takes(card.game)
        and seek.seats in {0, card.seats}
        and seek.clock in clocks_of(card)
        and seek.language in {"", card.language}
        and (card.rated or not seek.rated)
        and not (card.rated and seek.fun)
    )


def seek_in(fields: Mapping[str, str]) -> Seek:
    """What somebody is looking for; what makes no sense is ignored."""
    game, clock, language = (fields.get(name, "") for name in ("game", "clock", "spoken"))
    seats = whole_number(fields.get("seats", "")) or 0
    return Seek(
        game=game if game in GAMES else "",
        seats=seats,
        clock=clock if clock in CLOCKS else "",
        language=language if language in TITLES else "",
        rated=fields.get("rated") == "1",
    )


def lobby_of(
    cards: Sequence[Card], seek: Seek, language: Language, taken: str = "", looking: int = 0
) -> dict[str, Any]:
    """The open tables among these that fit, and how many people are looking for a game."""
    known = [card for card in cards if card.game in GAMES]
    fitting = [card for card in known if fits(card, seek) or card.id == taken]
    return {
        "lines": [_line(card, language, taken=card.id == taken) for card in fitting[:MOST]],
        "filters": _filters(seek, language) if known else (),
        "filtered": seek != Seek(),
        "seek": seek,
        "looking_said": language.many(
            looking,
            "{number} person is looking for a game",
            "{number} people are looking for a game",
        )
        if looking
        else language("Nobody is waiting for a game right now. We'll let you know."),
    }


def _line(card: Card, language: Language, *, taken: bool) -> dict[str, Any]:
    names = names_on(card, language)
    sitting = [
        f"{name} ({language('bot')})" if level else language.called(name)
        for name, own, level in zip(names, card.names, card.levels, strict=True)
        if own or level
    ]
    free = card.seats - len(sitting)
    seats = language.many(free, "{number} free seat", "{number} free seats")
    timed = card.seconds_per_move or card.clock.total
    about = [
        dates.clock_of(card.seconds_per_move, card.clock, language)
        if timed
        else language(CLOCKS["none"])
    ]
    if card.rated:
        about.append(language("rated"))
    if card.language and card.language != language.code:
        about.append(TITLES.get(card.language, ""))
    return {
        "table": card.id,
        "box": web_game(card.game).box,
        "people": " · ".join([*([", ".join(sitting)] if sitting else []), seats]),
        "about": capital(", ".join(filter(None, about))),
        # Whether the reader has just tried to sit down, and came too late.
        "taken": taken,
    }


Filter = tuple[str, str, tuple[page.Chip, ...]]


def _filters(seek: Seek, language: Language) -> tuple[Filter, ...]:
    """Each is a field with a few choices: its name, its label, and these."""
    games = [(name, game.box.title) for name, game in web_games().items()]
    every = sorted({seats for game in GAMES.values() for seats in game.SEATS})
    players = [
        (f"{seats}", language.many(seats, "{number} player", "{number} players")) for seats in every
    ]
    clocks = [(word, language(said)) for word, said in CLOCKS.items()]
    rated = [("1", language("rated"))]
    return (
        _filter("game", language("Game"), language("All games"), games, seek.game),
        _filter(
            "seats", language("Players"), language("any number"), players, f"{seek.seats or ''}"
        ),
        _filter("clock", language("Clock"), language("any clock"), clocks, seek.clock),
        _filter(
            "spoken",
            language("Language"),
            language("any language"),
            list(TITLES.items()),
            seek.language,
        ),
        _filter(
            "rated", language("Rated?"), language("rated or not"), rated, "1" if seek.rated else ""
        ),
    )


def _filter(
    name: str, label: str, every: str, choices: Sequence[tuple[str, str]], chosen: str
) -> Filter:
    chips = (page.Chip(word, capital(said), word == chosen) for word, said in choices)
    return name, label, (page.Chip("", capital(every), chosen=not chosen), *chips)
