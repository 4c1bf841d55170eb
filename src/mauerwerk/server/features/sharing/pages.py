"""A table as it is passed on: what a link to it says before it is opened, and its picture."""

from collections.abc import Callable, Sequence
from typing import Final

from mauerwerk.core.game import Outcome, Seat, Value
from mauerwerk.core.language import TITLES, Language, capital, language_of, sentence
from mauerwerk.core.svg import Drawing
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.sharing import pictures, posters
from mauerwerk.server.games import web_game_at
from mauerwerk.server.http import errors, response
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui.names import Place, names_for, places_of, places_said
from mauerwerk.server.ui.page import PageRequest

PNG: Final = b"image/png"
FOR_AN_HOUR: Final[response.Header] = (b"cache-control", b"public, max-age=3600")
"""A finished game does not change, except for names that are forgotten."""


class LinkPreview(Value):
    """What is shown of a page where its link is passed on. It is the same for every reader."""

    title: str
    description: str
    address: str
    picture: str = ""
    """The address of the picture; empty where this server cannot draw one."""
    wide: int = pictures.WIDE
    high: int = pictures.HIGH


def preview_of_table(request: PageRequest, snapshot: Snapshot) -> LinkPreview:
    """The preview of a table, as anybody may see it who does not sit there."""
    table = snapshot.table
    path = f"/t/{table.charter.id}"
    title = web_game_at(table).box.title
    description = description_of_table(snapshot, request.language)
    return preview(request, title, description, path, f"{path}/picture.png")


def description_of_table(snapshot: Snapshot, language: Language) -> str:
    """What there is to say of a table, in a sentence or two."""
    table, names = snapshot.table, names_at(snapshot, language)
    if table.status is Status.OPEN:
        if host := _host_at(snapshot, language):
            return sentence(language("{who} invites you to play", who=host))
        return sentence(language("a seat is free"))
    people = language.listed([language.called(name) for name in names])
    if table.status is Status.RUNNING:
        return sentence(language("{people} are playing", people=people))
    if table.outcome is None:
        return sentence(people)
    return places_said(places_of(table.outcome, names, language))


def _host_at(snapshot: Snapshot, language: Language) -> str:
    """The name of who set up the table and sits there; empty where nobody does."""
    table = snapshot.table
    opener = table.charter.opener
    named = zip(names_at(snapshot, language), table.occupants, strict=True)
    return next((name for name, each in named if each.guest and each.guest == opener), "")


def names_at(snapshot: Snapshot, language: Language) -> tuple[str, ...]:
    """The names of the seats as a spectator reads them."""
    return names_for(snapshot.table.players, None, language)


def rows_of(outcome: Outcome | None, names: Sequence[str], language: Language) -> tuple[Place, ...]:
    """The players of a card: by place after the end, otherwise by seat."""
    if outcome is not None:
        return places_of(outcome, names, language)
    return tuple(
        Place(0, Seat(seat), capital(language.called(name))) for seat, name in enumerate(names)
    )


def preview(
    request: PageRequest, title: str, description: str, path: str, picture: str
) -> LinkPreview:
    """Addresses are those that people use outside, and the picture speaks the page's language."""
    joined = "&" if "?" in picture else "?"
    drawn = f"{picture}{joined}language={request.language.code}"
    return LinkPreview(
        title=title,
        description=description,
        address=request.address(path),
        picture=request.address(drawn) if pictures.can_draw() else "",
    )


# --- Pictures --------------------------------------------------------------------------------


def check_pixels() -> None:
    """Raises HttpError where this server draws no pixels."""
    if not pictures.can_draw():
        raise errors.HttpError(404, "this server draws no pictures")


def language_in(request: PageRequest) -> Language:
    """The language that the address asks for: a program that fetches pictures says none."""
    said = request.query.get("language", "")
    return language_of(said) if said in TITLES else request.language


def counted(request: PageRequest, times: int = 1) -> Callable[[], None]:
    """Counts a picture that is drawn for this visitor, as often as `times` says."""
    return lambda: request.app.limiter.picture(request.client, times)


async def show(request: PageRequest) -> response.Response:
    """A table as a spectator sees it; when the game is over, with all that lay hidden."""
    check_pixels()
    snapshot = (await request.host.snapshot(request.table)).from_outside()
    language, table = language_in(request), snapshot.table
    key = ("table", table.charter.id, table.seq, names_at(snapshot, language), language.code)
    content = await request.host.service(pictures.Pictures).get(
        key,
        lambda: pictures.Still(table_card(snapshot, language), pictures.WIDE),
        counted(request),
    )
    over = table.status is Status.OVER
    return response.Response(content, PNG, headers=[FOR_AN_HOUR] if over else ())


def table_card(snapshot: Snapshot, language: Language) -> Drawing:
    """The poster of a table: the board of a finished game, otherwise a scene and who is there."""
    table = snapshot.table
    room = web_game_at(table)
    studio = posters.Studio(room, table.game, names_at(snapshot, language), language)
    if table.outcome is not None:
        half = table.plays[len(table.plays) // 2].step.state if table.plays else None
        return studio.final(table.state, half)
    host = _host_at(snapshot, language) if table.status is Status.OPEN else ""
    words = posters.Words(
        language("{who} is waiting for you", who=host)
        if host
        else description_of_table(snapshot, language).removesuffix("."),
        language(room.box.line) if room.box.line else "",
        rows_of(None, _seated(snapshot, language), language),
        language("this seat is yours") if table.status is Status.OPEN else "",
    )
    return studio.poster(posters.scene_of(table.charter.game), Seat(0), words)


def _seated(snapshot: Snapshot, language: Language) -> tuple[str, ...]:
    """The names of those who sit at a table already, and of bots."""
    names = names_at(snapshot, language)
    taken = snapshot.table.occupants
    return tuple(name for name, each in zip(names, taken, strict=True) if each.taken)
