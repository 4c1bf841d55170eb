"""An evening as a page shows it to one reader."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any, Final

from mauerwerk.core.game import Value
from mauerwerk.core.language import Language, capital, local, message, sentence
from mauerwerk.games import GAMES
from mauerwerk.server.features.evenings import values
from mauerwerk.server.features.evenings.service import LoadedEvening
from mauerwerk.server.games import room, web_game
from mauerwerk.server.tables.log import ANONYMOUS
from mauerwerk.server.tables.table import Card
from mauerwerk.server.ui.names import apart


class Mark(Value):
    """A person as they are shown beside others: a name and a mason's mark."""

    name: str
    mark: int
    number: int = -1
    you: bool = False
    bot: bool = False
    """Whether a bot plays, for itself or for the person."""


MOST: Final = 95
"""The per cent after which a game is said to be nearly over, however long it takes."""
LITTLE: Final = 5
DAY: Final = 86_400_000

PARTS: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
}
"""What can be left when people share points, as far as it has a sign."""


def points_said(points: Fraction | None, language: Language) -> str:
    """Points in a cell; halves, thirds and quarters as such, and a dot where there are none yet.

    >>> from mauerwerk.core.language import ENGLISH
    >>> [points_said(each, ENGLISH) for each in (None, Fraction(3), Fraction(5, 2), Fraction(1, 3))]
    ['·', '3', '2½', '⅓']
    """
    if points is None:
        return "·"
    whole, rest = divmod(points, 1)
    if not rest:
        return f"{whole}"
    if rest in PARTS:
        return f"{whole or ''}{PARTS[rest]}"
    return local(f"{float(points):.1f}", language)


def box_of(played: values.Round) -> room.Box | None:
    """The box of a game, if this server still has it."""
    return web_game(played.game).box if played.game in GAMES else None


def title_of(played: values.Round) -> str:
    """The title of a game; its name, if this server does not have it any more."""
    box = box_of(played)
    return box.title if box else played.game


def lasts_of(played: values.Round, language: Language) -> str:
    """How long a whole game takes, as `about 40 min`; empty where its options may change that."""
    box = box_of(played)
    if box is None or (played.options and box.usual_minutes):
        return ""
    time = box.usually_lasts(language)
    return language("about {time}", time=time) if time else ""


def percent_of(box: room.Box | None, table: values.RoundTable, number: int) -> int:
    """How much of a game is played, about, by how many things spectators were told."""
    if table.over:
        return 0 if table.is_deleted else 100
    if box is None or not box.moves or not number:
        return 0
    return max(LITTLE, min(MOST, 100 * number // (box.moves * len(table.people))))


def is_done(evening: values.Evening, now: int) -> bool:
    """Whether an evening is of yesterday, or all of it is played."""
    return evening.is_over or now - evening.created > DAY


MARKS: Final = 6
"""The number of mason's marks; with more people some have the same."""
COLUMNS: Final = 5
"""The rounds that the ranking shows beside the sum, at most."""
UNNAMED: Final = message("An evening")
FINISHED: Final = message("finished")
DELETED: Final = message("deleted")


class EveningPage:
    """An evening for one reader."""

    def __init__(
        self,
        loaded: LoadedEvening,
        guest: str,
        language: Language,
        numbers: Mapping[str, int] | None = None,
    ) -> None:
        """Know who reads, and how many things spectators of each table were told."""
        self._numbers = numbers or {}
        self.loaded = loaded
        self.evening = loaded.evening
        self.language = language
        own = self.evening.person_of(guest)
        self.own = own.number if own else None
        self._names = self._shown_names()

    def page(self, address: str) -> dict[str, Any]:
        """The whole page, for its template."""
        evening, language = self.evening, self.language
        lines = values.ranking(evening)
        here = self.own is not None and self.own in evening.here
        columns = columns_of(evening)
        return {
            "title": evening.title or language(UNNAMED),
            "where": self._where(),
            "told": self.told(),
            "address": address,
            "programme": " ".join(evening.programme),
            "steps": [self._step(number) for number in range(len(evening.rounds))],
            "now": self._now(),
            "rows": [self._row(line, columns) for line in lines] if evening.rounds else [],
            "columns": [number + 1 for number in columns],
            "lead": self._lead(lines),
            "following": self._next(),
            "past": self._past(),
            "host": here and self.own == evening.host,
            "takes_part": here,
            "plays": any(self.own in table.people for table in evening.under_way),
            "was_there": self.own is not None and not here,
            "host_name": "" if evening.host is None else self._names[evening.host],
            "here": [self._mark(person) for person in evening.here],
            "others": [self._mark(person) for person in self._others()],
            "over": evening.is_over,
        }

    # --- People ------------------------------------------------------------------------------

    def _shown_names(self) -> tuple[str, ...]:
        language = self.language
        names = [
            language("anonymous") if each.name == ANONYMOUS else each.name
            for each in self.evening.people
        ]
        return tuple(
            capital(language("you")) if number == self.own else name
            for number, name in enumerate(apart(names))
        )

    def _mark(self, person: int, *, bot: bool = False) -> Mark:
        if person == values.BOT:
            return Mark(self.language("Bot"), MARKS, bot=True)
        own = person == self.own
        return Mark(self._names[person], person % MARKS + 1, person, own, bot=bot)

    def _others(self) -> list[int]:
        """The people whom the host can let go: all for whom somebody may wait."""
        seated = {
            person
            for table in self.evening.under_way
            if (known := self.loaded.cards.get(table.id))
            for person, level in zip(table.people, known.levels, strict=True)
            if not level
        }
        return sorted(seated.union(self.evening.here) - {self.own})

    # --- The programme -----------------------------------------------------------------------

    def _where(self) -> str:
        evening = self.evening
        at = evening.current if evening.current is not None else evening.following
        if at is None:
            return ""
        return self.language("round {number} of {all}", number=at + 1, all=len(evening.rounds))

    def told(self) -> str:
        """How many take part, how many games there are, and which one comes next."""
        evening, language = self.evening, self.language
        people = language.many(len(evening.here), "{number} person", "{number} people")
        games = language.many(len(evening.rounds), "{number} game", "{number} games")
        said = [sentence(f"{people}, {games}" if evening.rounds else people)]
        last = len(evening.rounds)
        if (at := evening.current) is not None:
            playing = language("Round {number} of {all} is being played.", number=at + 1, all=last)
            said.append(playing)
        elif at := evening.following:
            said.append(language("Round {number} of {all} is next.", number=at + 1, all=last))
        elif evening.is_over:
            said.append(language("All games are played."))
        return " ".join(said)

    def _step(self, number: int) -> dict[str, Any]:
        played, language = self.evening.rounds[number], self.language
        box = box_of(played)
        title = language("Round {number}: {game}", number=number + 1, game=title_of(played))
        following = values.next_tables(self.evening) if number == self.evening.following else ()
        tables = played.tables or following
        several = language.many(len(tables), "{number} table", "{number} tables")
        parts = [several if tables[1:] else language("all at one table")] if tables else []
        at = 0
        if played.is_over:
            at = max(table.ended for table in played.tables)
            parts.append(language(FINISHED))
        elif played.tables:
            at = played.started
            parts.append(language("since"))
        elif lasts := lasts_of(played, language):
            parts.append(lasts)
        return {
            "thumb": box.thumb if box else "logo",
            "title": title,
            "told": ", ".join(parts),
            "state": "done" if played.is_over else "now" if played.tables else "next",
            "at": at,
            # For a page without a script.
            "clock": f"{datetime.fromtimestamp(at / 1_000, UTC):%H:%M} UTC" if at else "",
        }

    # --- Tables ------------------------------------------------------------------------------

    def _now(self) -> list[dict[str, Any]]:
        if self.evening.current is None:
            return []
        played = self.evening.rounds[self.evening.current]
        tables = [self._table(played, number) for number in range(len(played.tables))]
        return sorted(tables, key=lambda table: not table["mine"])

    def _table(self, played: values.Round, number: int) -> dict[str, Any]:
        table = played.tables[number]
        known = self.loaded.cards.get(table.id)
        levels = known.levels if known else ("",) * len(table.people)
        box = box_of(played)
        return {
            "number": number + 1,
            "thumb": box.thumb if box else "logo",
            "told": self._turn(table, known),
            "link": f"/t/{table.id}",
            "people": [
                self._mark(person, bot=bool(level))
                for person, level in zip(table.people, levels, strict=True)
            ],
            "mine": self.own is not None and self.own in table.people and not table.over,
            "over": table.over,
            "deleted": table.is_deleted,
            "percent": percent_of(box, table, self._numbers.get(table.id, 0)),
        }

    def _turn(self, table: values.RoundTable, known: Card | None) -> str:
        language = self.language
        if table.over:
            return language(DELETED if table.is_deleted else FINISHED)
        people = [table.people[seat] for seat in known.waiting if seat >= 0] if known else []
        if self.own is not None and self.own in people:
            return language("Your turn")
        if len(people) != 1:
            return language("everybody chooses") if people else language("being set up")
        return language("{who}'s turn", who=self._mark(people[0]).name)

    # --- The ranking -------------------------------------------------------------------------

    def _row(self, line: values.RankingLine, columns: Sequence[int]) -> dict[str, Any]:
        language = self.language
        rounds = language.listed([str(number + 1) for number in line.stand_ins])
        notes = [
            language("a bot played in round {rounds}", rounds=rounds) if rounds else "",
            language("went home") if line.person not in self.evening.here else "",
        ]
        return {
            "place": line.place,
            "person": self._mark(line.person),
            "cells": [points_said(line.points[number], language) for number in columns],
            "total": points_said(line.total, language),
            "note": ", ".join(filter(None, notes)),
        }

    def _lead(self, lines: Sequence[values.RankingLine]) -> str:
        """Who is first; empty as long as nobody has points."""
        first = [self._names[line.person] for line in lines if line.place == 1 and line.total]
        if not first:
            return ""
        if len(first) > 1:
            people = self.language.listed(first)
            return self.language("{people} are now first together.", people=people)
        if self.own is not None and first == [self._names[self.own]]:
            return self.language("You are now first.")
        return self.language("{who} is now first.", who=first[0])

    # --- What comes and what was -------------------------------------------------------------

    def _next(self) -> dict[str, Any] | None:
        """The round that comes next, and what the host has to know before it starts."""
        evening, language = self.evening, self.language
        number = evening.following
        if number is None:
            return None
        following = evening.rounds[number]
        about = language("round {number}", number=number + 1)
        lasts = lasts_of(following, language)
        ready = evening.current is None and len(evening.here) > 1
        return {
            "number": number,
            "game": following.game,
            "title": title_of(following),
            "more": ", ".join(filter(None, [about, lasts])),
            "tables": [[*map(self._mark, table)] for table in values.next_tables(evening)],
            "ready": ready and box_of(following) is not None,
            "why": self._why(),
        }

    def _why(self) -> str:
        evening, language = self.evening, self.language
        said: list[str] = []
        if len(evening.here) < 2:  # noqa: PLR2004 - alone there is no ranking
            said.append(language("At least two people have to take part."))
        elif evening.current is not None:
            said.append(language("You start the round when all tables are done."))
        if evening.seconds_per_move:
            bots = language.many(
                evening.seconds_per_move // 60,
                "A bot plays for people who are away longer than {number} minute.",
                "A bot plays for people who are away longer than {number} minutes.",
            )
            said.append(bots)
        return " ".join(said)

    def _past(self) -> list[dict[str, Any]]:
        """Rounds that are over, the last first."""
        done = [(at, each) for at, each in enumerate(self.evening.rounds, 1) if each.is_over]
        return [
            {
                "number": at,
                "title": self.language("Round {number}: {game}", number=at, game=title_of(played)),
                "told": " · ".join(self._result(played, at) for at in range(len(played.tables))),
                "links": [
                    (number, f"/t/{table.id}")
                    for number, table in enumerate(played.tables, 1)
                    if not table.is_deleted
                ],
            }
            for at, played in reversed(done)
        ]

    def _result(self, played: values.Round, number: int) -> str:
        """`Table 1: Clara 58, Mia 51, Ben 40`."""
        table, language = played.tables[number], self.language
        title = language("Table {number}", number=number + 1)
        if table.is_deleted:
            return f"{title}: {language(DELETED)}"
        if not table.ranks:
            return f"{title}: {language('no winner')}"
        seats = sorted(range(len(table.people)), key=lambda seat: table.ranks[seat])
        points = table.points or ("",) * len(table.people)
        told = (f"{self._mark(table.people[seat]).name} {points[seat]}".rstrip() for seat in seats)
        return f"{title}: {', '.join(told)}"


def columns_of(evening: values.Evening) -> range:
    """The rounds that the ranking shows: those around the one that is being played."""
    last = len(evening.rounds)
    at = evening.current if evening.current is not None else evening.following
    end = min(last, max(COLUMNS, (last if at is None else at) + 2))
    return range(max(0, end - COLUMNS), end)


def evening_line(id_: str, evening: values.Evening, language: Language) -> tuple[str, str, str]:
    """An evening in a list: its link, its title, and how far it is."""
    page = EveningPage(LoadedEvening(id_, evening, {}), "", language)
    return f"/e/{id_}", evening.title or language(UNNAMED), page.told()
