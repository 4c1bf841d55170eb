"""A table as a page: everything on it, drawn for one viewer in one language."""

from collections.abc import Sequence
from typing import Any

from mauerwerk.bots.hints import Hint
from mauerwerk.core.game import Seat, Value
from mauerwerk.core.tongue import Tongue
from mauerwerk.core.words import capital
from mauerwerk.play.chance import is_by_hand, scribes
from mauerwerk.play.entries import Status
from mauerwerk.play.sights import Scene
from mauerwerk.play.table import Table
from mauerwerk.web.boards import BOARDS, Button, Parts
from mauerwerk.web.lobby import hands_out_links, link_to
from mauerwerk.web.operation import Call
from mauerwerk.web.pages.entering import Entering, entering_at
from mauerwerk.web.pages.eyes import Eyes, eyes_at, free_seats
from mauerwerk.web.pages.page import Visitor
from mauerwerk.web.pages.people import level_named, names_for
from mauerwerk.web.pages.refusals import Refusal
from mauerwerk.web.pages.shelf import BOXES, Box
from mauerwerk.web.pages.story import MOST, Told, story_of
from mauerwerk.web.replies import Reply


class Line(Value):
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


class Shown(Value):
    """A table, ready for the template."""

    scene: Scene
    number: int
    """How many things whoever's page it is was told; it never goes down."""

    eyes: Eyes
    box: Box
    look: str
    seated: bool
    parts: Parts | None
    title: str
    where: str
    ask: str
    lines: tuple[Line, ...]
    choices: tuple[Button, ...]
    """Every legal choice, in the order of the rules."""

    story: tuple[Told, ...]
    result: tuple[Rank, ...]
    asker: str
    """Who asks whether a move may be taken back, where the viewer has to answer."""

    curtain: str
    """To whom the device is to be handed."""

    entering: Entering | None
    """The form for what was rolled or dealt, where whoever looks may enter it."""

    awaited: str
    """Who enters it, where somebody else does."""

    @property
    def asked(self) -> bool:
        """Whether the viewer has something to decide."""
        return self.scene.seat is not None and self.scene.places[self.scene.seat].asked

    @property
    def symbols(self) -> tuple[str, ...]:
        """What the drawings are made of."""
        return BOARDS[self.box.name].SYMBOLS


async def shown(call: Call, eyes: Eyes, tongue: Tongue) -> Shown:
    """The table as these eyes see it now."""
    house = call.house
    table = await house.table(call.table)
    scene = await house.scene(call.table, eyes.viewer)
    back_to = 0 if scene.status is Status.OVER else max(0, scene.number - MOST)
    notices = await house.story(call.table, eyes.viewer, after=back_to)
    present = await house.present(call.table)
    names = names_for(table.sitters, eyes.viewer, tongue)
    legal = [table.game.parse(choice.word) for choice in scene.legal]
    before = [event for notice in notices for event in notice.events]
    board = BOARDS[scene.game]
    tags = [_tags(table, scene, Seat(seat), present, tongue) for seat in range(len(names))]
    parts = None
    ask = ""
    if scene.view is not None:
        notes = [", ".join(each) for each in tags]
        parts = board.parts(scene.view, legal, names, tongue, before, notes)
        ask = capital(table.game.ask(scene.view, names, tongue))
    box = BOXES[scene.game]
    where = parts.when if parts else tongue("waiting for players")
    mine = scene.seat is not None and scene.places[scene.seat].asked
    title = f"{tongue('Your turn')} · {box.title}" if mine else box.title
    question = scene.question
    return Shown(
        scene=scene,
        number=table.number(eyes.seat),
        eyes=eyes,
        box=box,
        look=board.LOOK,
        seated=board.SEATED and parts is not None,
        parts=parts,
        title=title,
        where=where,
        ask=ask or tongue("The game begins when every seat is taken."),
        lines=_lines(call, table, scene, eyes, names, parts, tags, tongue),
        choices=_choices(table, legal, tongue),
        story=story_of(table, notices, eyes.viewer, tongue),
        result=_result(scene, names, tongue),
        asker=names[question.seat] if question and scene.seat in question.waits_for else "",
        curtain="" if eyes.curtain is None else names[eyes.curtain],
        entering=entering_at(table, eyes, tongue),
        awaited=_awaited(table, names, tongue),
    )


def _awaited(table: Table, names: Sequence[str], tongue: Tongue) -> str:
    """Who enters what was rolled or dealt."""
    if not is_by_hand(table):
        return ""
    who = [tongue.called(names[seat]) for seat in scribes(table)]
    return tongue("Waiting for what {who} will enter.", who=tongue.listed(who, "or")) if who else ""


def _tags(
    table: Table, scene: Scene, seat: Seat, present: Sequence[Seat], tongue: Tongue
) -> tuple[str, ...]:
    """What there is to know of a seat besides the game."""
    place = scene.places[seat]
    tags: list[str] = []
    if place.away:
        tags.append(tongue("away, a bot plays"))
    elif place.level and not table.sitters[seat].guest:
        tags.append(level_named(place.level, tongue))
    elif scene.status is Status.RUNNING and place.asked and seat not in {*present, scene.seat}:
        tags.append(tongue("not here"))
    return tuple(tags)


def _lines(  # noqa: PLR0913, PLR0917 - all that is known of the seats
    call: Call,
    table: Table,
    scene: Scene,
    eyes: Eyes,
    names: Sequence[str],
    parts: Parts | None,
    tags: Sequence[tuple[str, ...]],
    tongue: Tongue,
) -> tuple[Line, ...]:
    lines: list[Line] = []
    claims = free_seats(call, table)
    for seat, place in enumerate(scene.places):
        free = not table.sitters[seat].taken
        handed_on = free and place.kind == "human" and hands_out_links(table, eyes.own)
        lines.append(
            Line(
                seat=Seat(seat),
                name=capital(tongue.called(names[seat])),
                points=parts.seats[seat].points if parts else "",
                note=parts.seats[seat].note
                if parts
                else _kept(place.kind, free=free, tongue=tongue),
                tags=tags[seat],
                now=place.asked,
                you=seat == scene.seat,
                free=free,
                link=link_to(call, table, Seat(seat)).link if handed_on else "",
                sits=_way_in(table, scene, Seat(seat), claims),
            )
        )
    return tuple(lines)


def _kept(kind: str, *, free: bool, tongue: Tongue) -> str:
    if not free:
        return ""
    return tongue("for whoever comes") if kind == "open" else tongue("for whoever has the link")


def _way_in(table: Table, scene: Scene, seat: Seat, claims: Sequence[Seat]) -> str:
    """How whoever looks can take this seat, if nobody has it."""
    if table.sitters[seat].guest or scene.status is Status.OVER:
        return ""
    if seat in claims:
        return "claim"
    return "sit" if scene.places[seat].kind == "open" else ""


def _choices(table: Table, legal: Sequence[Any], tongue: Tongue) -> tuple[Button, ...]:
    return tuple(
        Button(table.game.write(action), capital(table.game.say(action, tongue)))
        for action in legal
    )


def _result(scene: Scene, names: Sequence[str], tongue: Tongue) -> tuple[Rank, ...]:
    if scene.outcome is None:
        return ()
    ranks = [
        Rank(rank, Seat(seat), capital(tongue.called(names[seat])), points)
        for seat, (rank, points) in enumerate(
            zip(scene.outcome.ranks, scene.outcome.points, strict=True)
        )
    ]
    return tuple(sorted(ranks, key=lambda each: each.rank))


def advised(table: Table, hints: Sequence[Hint], tongue: Tongue) -> tuple[Advice, ...]:
    """Hints, in words."""
    return tuple(
        Advice(
            table.game.write(hint.action),
            capital(table.game.say(hint.action, tongue)),
            hint.reason,
            round(100 * hint.value),
        )
        for hint in hints
    )


# --- The page --------------------------------------------------------------------------------


async def show(visitor: Visitor) -> Reply:
    """The page of a table."""
    table = await visitor.call.house.table(visitor.call.table)
    eyes = eyes_at(visitor.call, table, visitor.query.get("seat", ""))
    return await page_of(visitor, eyes, Extra())


async def page_of(visitor: Visitor, eyes: Eyes, extra: Extra, status: int = 200) -> Reply:
    """The whole page, or what is morphed into it where the script asks."""
    seen = await shown(visitor.call, eyes, visitor.tongue)
    template = "table_live.html" if visitor.morphs else "table.html"
    return visitor.paint(template, status, seen=seen, extra=extra, symbols=seen.symbols)
