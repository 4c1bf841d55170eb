"""What the page of an evening shows, worked out for one reader in one language."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from mauerwerk.core.language.translation import Language, message
from mauerwerk.core.language.words import capital, sentence
from mauerwerk.server.features.evenings import page_values, texts
from mauerwerk.server.features.evenings.changes import next_tables
from mauerwerk.server.features.evenings.ranking import Line, ranking
from mauerwerk.server.features.evenings.service import Looked, host_of
from mauerwerk.server.features.evenings.values import BOT, Evening, Round, RoundTable
from mauerwerk.server.tables.log import ANONYMOUS
from mauerwerk.server.tables.table import Card
from mauerwerk.server.ui.names import apart

MARKS: Final = 6
"""The number of mason's marks; with more people some have the same."""

COLUMNS: Final = 5
"""The rounds that the ranking shows beside the sum, at most."""

UNNAMED: Final = message("An evening")


class Drawing:
    """Draws an evening for one reader."""

    def __init__(
        self,
        looked: Looked,
        guest: str,
        language: Language,
        numbers: Mapping[str, int] | None = None,
    ) -> None:
        """Know who reads, and how many things spectators of each table were told."""
        self._numbers = numbers or {}
        self.looked = looked
        self.evening = looked.evening
        self.language = language
        own = self.evening.person_of(guest)
        self.own = own.number if own else None
        self._names = self._called()

    def page(self, address: str) -> page_values.EveningPage:
        """The whole page."""
        evening, language = self.evening, self.language
        lines = ranking(evening)
        host = host_of(evening)
        here = self.own is not None and self.own in evening.here
        last = len(evening.rounds)
        columns = columns_of(evening)
        return page_values.EveningPage(
            id=self.looked.id,
            title=evening.title or language(UNNAMED),
            where=self._where(),
            told=self.told(),
            address=address,
            steps=tuple(self._step(number) for number in range(last)),
            now=self._now(),
            rows=tuple(self._row(line, columns) for line in lines) if evening.rounds else (),
            columns=tuple(number + 1 for number in columns),
            lead=self._lead(lines),
            following=self._next(),
            past=self._past(),
            host=here and self.own == host,
            takes_part=here,
            was_there=self.own is not None and not here,
            host_name="" if host is None else self._names[host],
            here=tuple(self._mark(person) for person in evening.here),
            over=bool(evening.rounds) and evening.following is None and evening.current is None,
            way=evening.way,
        )

    # --- People ------------------------------------------------------------------------------

    def _called(self) -> tuple[str, ...]:
        language = self.language
        names = [
            language("anonymous") if each.name == ANONYMOUS else each.name
            for each in self.evening.people
        ]
        return tuple(
            capital(language("you")) if number == self.own else name
            for number, name in enumerate(apart(names))
        )

    def _mark(self, person: int, *, bot: bool = False) -> page_values.Mark:
        if person == BOT:
            return page_values.Mark(self.language("Bot"), MARKS, bot=True)
        own = person == self.own
        return page_values.Mark(self._names[person], person % MARKS + 1, person, own, bot=bot)

    # --- The programme -----------------------------------------------------------------------

    def _where(self) -> str:
        """Where we are in the programme: `round 2 of 3`."""
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
        numbers = {"all": len(evening.rounds)}
        if evening.current is not None:
            number = evening.current + 1
            told = language("Round {number} of {all} is being played.", number=number, **numbers)
            said.append(told)
        elif evening.following is not None and evening.following:
            number = evening.following + 1
            said.append(language("Round {number} of {all} is next.", number=number, **numbers))
        elif evening.rounds and evening.following is None:
            said.append(language("All games are played."))
        return " ".join(said)

    def _step(self, number: int) -> page_values.Step:
        played, language = self.evening.rounds[number], self.language
        box = texts.box_of(played)
        title = language("Round {number}: {game}", number=number + 1, game=texts.title_of(played))
        tables = played.tables or (next_tables(self.evening) if self._is_next(number) else ())
        parts = [self._tables_said(len(tables))] if tables else []
        at = 0
        if played.is_over:
            at = max(table.ended for table in played.tables)
            parts.append(language("finished"))
        elif played.tables:
            at = played.started
            parts.append(language("since"))
        elif lasts := texts.lasts_of(played, language):
            parts.append(lasts)
        told = ", ".join(parts)
        return page_values.Step(
            number=number + 1,
            thumb=box.thumb if box else "logo",
            title=title,
            told=told,
            state="done" if played.is_over else "now" if played.tables else "next",
            at=at,
            clock=f"{datetime.fromtimestamp(at / 1_000, UTC):%H:%M} UTC" if at else "",
        )

    def _is_next(self, number: int) -> bool:
        return number == self.evening.following

    def _tables_said(self, tables: int) -> str:
        if tables == 1:
            return self.language("all at one table")
        return self.language.many(tables, "{number} table", "{number} tables")

    # --- Tables ------------------------------------------------------------------------------

    def _now(self) -> tuple[page_values.TableNow, ...]:
        if self.evening.current is None:
            return ()
        played = self.evening.rounds[self.evening.current]
        tables = [self._table(played, number) for number in range(len(played.tables))]
        return tuple(sorted(tables, key=lambda table: not table.mine))

    def _table(self, played: Round, number: int) -> page_values.TableNow:
        table = played.tables[number]
        known = self.looked.cards.get(table.id)
        levels = known.levels if known else ("",) * len(table.people)
        box = texts.box_of(played)
        return page_values.TableNow(
            number=number + 1,
            thumb=box.thumb if box else "logo",
            told=self._turn(table, known),
            link=f"/t/{table.id}",
            people=tuple(
                self._mark(person, bot=bool(level))
                for person, level in zip(table.people, levels, strict=True)
            ),
            mine=self.own is not None and self.own in table.people and not table.over,
            over=table.over,
            percent=texts.percent_of(box, table, self._numbers.get(table.id, 0)),
        )

    def _turn(self, table: RoundTable, known: Card | None) -> str:
        """Whose turn it is."""
        language = self.language
        if table.over:
            return language("finished")
        people = [table.people[seat] for seat in known.waiting if seat >= 0] if known else []
        if self.own is not None and self.own in people:
            return language("Your turn")
        if len(people) != 1:
            return language("everybody chooses") if people else language("being set up")
        return language("{who}'s turn", who=self._mark(people[0]).name)

    # --- The ranking -------------------------------------------------------------------------

    def _row(self, line: Line, columns: Sequence[int]) -> page_values.RankRow:
        language = self.language
        rounds = language.listed([str(number + 1) for number in line.stand_ins])
        gone = line.person not in self.evening.here
        notes = [
            language("a bot played in round {rounds}", rounds=rounds) if rounds else "",
            language("went home") if gone else "",
        ]
        return page_values.RankRow(
            place=line.place,
            person=self._mark(line.person),
            cells=tuple(texts.points_said(line.points[number], language) for number in columns),
            total=texts.points_said(line.total, language),
            note=", ".join(filter(None, notes)),
            gone=gone,
        )

    def _lead(self, lines: Sequence[Line]) -> str:
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

    def _next(self) -> page_values.Next | None:
        evening, language = self.evening, self.language
        number = evening.following
        if number is None:
            return None
        following = evening.rounds[number]
        box = texts.box_of(following)
        about = language("round {number}", number=number + 1)
        lasts = texts.lasts_of(following, language)
        return page_values.Next(
            number=number,
            title=texts.title_of(following),
            more=", ".join(filter(None, [about, lasts])),
            tables=tuple(
                tuple(self._mark(person) for person in table) for table in next_tables(evening)
            ),
            ready=evening.current is None and len(evening.here) > 1 and box is not None,
            why=self._why(),
        )

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

    def _past(self) -> tuple[page_values.Past, ...]:
        done = [(at, each) for at, each in enumerate(self.evening.rounds) if each.is_over]
        return tuple(
            page_values.Past(
                at + 1,
                self.language("Round {number}: {game}", number=at + 1, game=texts.title_of(played)),
                " · ".join(self._result(played, number) for number in range(len(played.tables))),
                tuple(f"/t/{table.id}" for table in played.tables),
            )
            for at, played in reversed(done)
        )

    def _result(self, played: Round, number: int) -> str:
        """`Table 1: Clara 58, Mia 51, Ben 40`."""
        table, language = played.tables[number], self.language
        title = language("Table {number}", number=number + 1)
        if not table.ranks:
            return f"{title}: {language('no winner')}"
        seats = sorted(range(len(table.people)), key=lambda seat: table.ranks[seat])
        told = (f"{self._mark(table.people[seat]).name} {table.points[seat]}" for seat in seats)
        return f"{title}: {', '.join(told)}"


def columns_of(evening: Evening) -> range:
    """The rounds that the ranking shows: those around the one that is being played."""
    last = len(evening.rounds)
    at = evening.current if evening.current is not None else evening.following
    end = min(last, max(COLUMNS, (last if at is None else at) + 2))
    return range(max(0, end - COLUMNS), end)


def evening_line(kept: tuple[str, Evening], language: Language) -> page_values.EveningLine:
    """An evening in a list, by its id."""
    id_, evening = kept
    drawing = Drawing(Looked(id_, evening, {}), "", language)
    return page_values.EveningLine(f"/e/{id_}", evening.title or language(UNNAMED), drawing.told())
