"""A table as a page: everything on it, drawn for one viewer in one language."""

from collections.abc import Sequence
from typing import Any

from mauerwerk.bots.hints import Hint
from mauerwerk.core.game import Seat, Value
from mauerwerk.core.language.translation import Language
from mauerwerk.core.language.words import capital
from mauerwerk.play.tables.chance import is_by_hand, scribes
from mauerwerk.play.tables.entries import Status
from mauerwerk.play.tables.sights import TableView
from mauerwerk.play.tables.table import Table
from mauerwerk.web.api.lobby import hands_out_links, link_to
from mauerwerk.web.api.operation import Call
from mauerwerk.web.games import Button, Parts, web_game
from mauerwerk.web.games.box import Box
from mauerwerk.web.http.replies import Reply
from mauerwerk.web.pages.chance_form import ChanceForm, chance_form_at
from mauerwerk.web.pages.page import Visitor
from mauerwerk.web.pages.people import level_named, names_for
from mauerwerk.web.pages.refusals import Refusal
from mauerwerk.web.pages.story import MOST, StoryLine, story_of
from mauerwerk.web.pages.viewpoint import Viewpoint, free_seats, viewpoint_at


class SeatRow(Value):
    """A seat in the list of seats."""

    seat: Seat
    name: str
    points: str
    note: str
    """What they are about in the game."""

    tags: tuple[str, ...]
    """What else there is to know: a bot of some level, away, not here."""

    now: bool
    you: bool
    free: bool
    link: str = ""
    """The personal link, where whoever looks may hand it on."""

    sits: str = ""
    """How whoever looks can take this seat: `sit` where it is open, `claim` by its link."""


class Advice(Value):
    """A hint, in words."""

    word: str
    said: str
    reason: str
    chance: int


class Sure(Value):
    """A move that is asked about twice."""

    word: str
    said: str


class Rank(Value):
    """A line of the result."""

    rank: int
    seat: Seat
    name: str
    points: int


class Extra(Value):
    """What is shown once, in answer to a request."""

    refusal: Refusal | None = None
    sure: Sure | None = None
    advice: tuple[Advice, ...] = ()
    plain: bool = True
    """Whether every choice is a button, for browsers without the script."""


class TablePage(Value):
    """A table, ready for the template."""

    table_view: TableView
    number: int
    """How many things whoever's page it is was told; it never goes down."""

    viewpoint: Viewpoint
    box: Box
    look: str
    seated: bool
    parts: Parts | None
    title: str
    where: str
    ask: str
    lines: tuple[SeatRow, ...]
    choices: tuple[Button, ...]
    """Every legal choice, in the order of the rules."""

    story: tuple[StoryLine, ...]
    result: tuple[Rank, ...]
    asker: str
    """Who asks whether a move may be taken back, where the viewer has to answer."""

    curtain: str
    """To whom the device is to be handed."""

    chance_form: ChanceForm | None
    """The form for what was rolled or dealt, where whoever looks may enter it."""

    awaited: str
    """Who enters it, where somebody else does."""

    @property
    def asked(self) -> bool:
        """Whether the viewer has something to decide."""
        return (
            self.table_view.seat is not None and self.table_view.places[self.table_view.seat].asked
        )

    @property
    def symbols(self) -> tuple[str, ...]:
        """What the drawings are made of."""
        return web_game(self.box.name).board.SYMBOLS


async def table_page(call: Call, viewpoint: Viewpoint, language: Language) -> TablePage:
    """The table as these eyes see it now."""
    host = call.host
    table = await host.table(call.table)
    table_view = await host.table_view(call.table, viewpoint.viewer)
    back_to = 0 if table_view.status is Status.OVER else max(0, table_view.number - MOST)
    notices = await host.story(call.table, viewpoint.viewer, after=back_to)
    present = await host.present(call.table)
    names = names_for(table.occupants, viewpoint.viewer, language)
    legal = [table.game.parse(choice.word) for choice in table_view.legal]
    before = [event for notice in notices for event in notice.events]
    room = web_game(table_view.game)
    board, box = room.board, room.box
    tags = [_tags(table, table_view, Seat(seat), present, language) for seat in range(len(names))]
    parts = None
    ask = ""
    if table_view.view is not None:
        notes = [", ".join(each) for each in tags]
        parts = board.parts(table_view.view, legal, names, language, before, notes)
        ask = capital(table.game.ask(table_view.view, names, language))
    where = parts.when if parts else language("waiting for players")
    mine = table_view.seat is not None and table_view.places[table_view.seat].asked
    title = f"{language('Your turn')} · {box.title}" if mine else box.title
    question = table_view.question
    return TablePage(
        table_view=table_view,
        number=table.number(viewpoint.seat),
        viewpoint=viewpoint,
        box=box,
        look=board.LOOK,
        seated=board.SEATED and parts is not None,
        parts=parts,
        title=title,
        where=where,
        ask=ask or language("The game begins when every seat is taken."),
        lines=_lines(call, table, table_view, viewpoint, names, parts, tags, language),
        choices=_choices(table, legal, language),
        story=story_of(table, notices, viewpoint.viewer, language),
        result=_result(table_view, names, language),
        asker=names[question.seat] if question and table_view.seat in question.waits_for else "",
        curtain="" if viewpoint.curtain is None else names[viewpoint.curtain],
        chance_form=chance_form_at(table, viewpoint, language),
        awaited=_awaited(table, names, language),
    )


def _awaited(table: Table, names: Sequence[str], language: Language) -> str:
    """Who enters what was rolled or dealt."""
    if not is_by_hand(table):
        return ""
    who = [language.called(names[seat]) for seat in scribes(table)]
    return (
        language("Waiting for what {who} will enter.", who=language.listed(who, "or"))
        if who
        else ""
    )


def _tags(
    table: Table, table_view: TableView, seat: Seat, present: Sequence[Seat], language: Language
) -> tuple[str, ...]:
    """What there is to know of a seat besides the game."""
    place = table_view.places[seat]
    tags: list[str] = []
    if place.away:
        tags.append(language("away, a bot plays"))
    elif place.level and not table.occupants[seat].guest:
        tags.append(level_named(place.level, language))
    elif (
        table_view.status is Status.RUNNING
        and place.asked
        and seat not in {*present, table_view.seat}
    ):
        tags.append(language("not here"))
    return tuple(tags)


def _lines(  # noqa: PLR0913, PLR0917 - all that is known of the seats
    call: Call,
    table: Table,
    table_view: TableView,
    viewpoint: Viewpoint,
    names: Sequence[str],
    parts: Parts | None,
    tags: Sequence[tuple[str, ...]],
    language: Language,
) -> tuple[SeatRow, ...]:
    lines: list[SeatRow] = []
    claims = free_seats(call, table)
    for seat, place in enumerate(table_view.places):
        free = not table.occupants[seat].taken
        handed_on = free and place.kind == "human" and hands_out_links(table, viewpoint.own)
        lines.append(
            SeatRow(
                seat=Seat(seat),
                name=capital(language.called(names[seat])),
                points=parts.seats[seat].points if parts else "",
                note=parts.seats[seat].note
                if parts
                else _kept(place.kind, free=free, language=language),
                tags=tags[seat],
                now=place.asked,
                you=seat == table_view.seat,
                free=free,
                link=link_to(call, table, Seat(seat)).link if handed_on else "",
                sits=_way_in(table, table_view, Seat(seat), claims),
            )
        )
    return tuple(lines)


def _kept(kind: str, *, free: bool, language: Language) -> str:
    if not free:
        return ""
    return language("for whoever comes") if kind == "open" else language("for whoever has the link")


def _way_in(table: Table, table_view: TableView, seat: Seat, claims: Sequence[Seat]) -> str:
    """How whoever looks can take this seat, if nobody has it."""
    if table.occupants[seat].guest or table_view.status is Status.OVER:
        return ""
    if seat in claims:
        return "claim"
    return "sit" if table_view.places[seat].kind == "open" else ""


def _choices(table: Table, legal: Sequence[Any], language: Language) -> tuple[Button, ...]:
    return tuple(
        Button(table.game.write(action), capital(table.game.say(action, language)))
        for action in legal
    )


def _result(table_view: TableView, names: Sequence[str], language: Language) -> tuple[Rank, ...]:
    if table_view.outcome is None:
        return ()
    ranks = [
        Rank(rank, Seat(seat), capital(language.called(names[seat])), points)
        for seat, (rank, points) in enumerate(
            zip(table_view.outcome.ranks, table_view.outcome.points, strict=True)
        )
    ]
    return tuple(sorted(ranks, key=lambda each: each.rank))


def advised(table: Table, hints: Sequence[Hint], language: Language) -> tuple[Advice, ...]:
    """Hints, in words."""
    return tuple(
        Advice(
            table.game.write(hint.action),
            capital(table.game.say(hint.action, language)),
            hint.reason,
            round(100 * hint.value),
        )
        for hint in hints
    )


# --- The page --------------------------------------------------------------------------------


async def show(visitor: Visitor) -> Reply:
    """The page of a table."""
    table = await visitor.call.host.table(visitor.call.table)
    viewpoint = viewpoint_at(visitor.call, table, visitor.query.get("seat", ""))
    return await page_of(visitor, viewpoint, Extra())


async def page_of(visitor: Visitor, viewpoint: Viewpoint, extra: Extra, status: int = 200) -> Reply:
    """The whole page, or what is morphed into it where the script asks."""
    seen = await table_page(visitor.call, viewpoint, visitor.language)
    template = "table_live.html" if visitor.morphs else "table.html"
    return visitor.paint(template, status, seen=seen, extra=extra, symbols=seen.symbols)
