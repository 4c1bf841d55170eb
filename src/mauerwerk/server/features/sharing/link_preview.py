"""What a link says of itself before it is opened, for the programs that show links to people."""

from collections.abc import Callable
from typing import Final

from mauerwerk.core.game import Outcome, Seat, Value
from mauerwerk.core.language.translation import TITLES, Language, language_of
from mauerwerk.core.language.words import capital, sentence
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.features.sharing.pictures import HIGH, WIDE, Row, can_draw
from mauerwerk.server.games import web_game
from mauerwerk.server.http import errors, response
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui.names import names_for
from mauerwerk.server.ui.page import PageRequest

PNG: Final = b"image/png"

FOR_AN_HOUR: Final[response.Header] = (b"cache-control", b"public, max-age=3600")
"""A finished game does not change, except for names that are forgotten."""


class LinkPreview(Value):
    """What is shown of a page where its link is passed on. It is the same for every reader."""

    title: str
    told: str
    address: str
    picture: str = ""
    """The address of the picture; empty where this server cannot draw one."""

    wide: int = WIDE
    high: int = HIGH


def preview_of_table(request: PageRequest, snapshot: Snapshot) -> LinkPreview:
    """The preview of a table, as anybody may see it who does not sit there."""
    table = snapshot.table
    path = f"/t/{table.charter.id}"
    title = web_game(table.charter.game, table.charter.rules).box.title
    told = told_at(snapshot, request.language)
    return preview(request, title, told, path, f"{path}/picture.png")


def told_at(snapshot: Snapshot, language: Language) -> str:
    """What there is to say of a table, in a sentence or two."""
    table, names = snapshot.table, names_at(snapshot, language)
    if table.status is Status.OPEN:
        hosts = [
            name
            for name, each in zip(names, table.occupants, strict=True)
            if each.guest and each.guest == table.charter.opener
        ]
        if hosts:
            return sentence(language("{who} invites you to play", who=hosts[0]))
        return sentence(language("a seat is free"))
    people = language.listed([language.called(name) for name in names])
    if table.status is Status.RUNNING:
        return sentence(language("{people} are playing", people=people))
    return result_of(table.outcome, names, language) or sentence(people)


def names_at(snapshot: Snapshot, language: Language) -> tuple[str, ...]:
    """The names of the seats as a spectator reads them."""
    return names_for(snapshot.table.players, None, language)


def result_of(outcome: Outcome | None, names: tuple[str, ...], language: Language) -> str:
    """Who came where, such as `1. Clara 58, 2. Ada 51`; empty where nobody did."""
    rows = rows_of(outcome, names, language) if outcome else ()
    return ", ".join(f"{row.place}. {row.name} {row.points}" for row in rows)


def rows_of(outcome: Outcome | None, names: tuple[str, ...], language: Language) -> tuple[Row, ...]:
    """The players of a card: by place after the end, otherwise by seat."""
    rows = [Row(Seat(seat), capital(language.called(name))) for seat, name in enumerate(names)]
    if outcome is None:
        return tuple(rows)
    placed = [
        Row(row.seat, row.name, f"{rank}", f"{points}")
        for row, rank, points in zip(rows, outcome.ranks, outcome.points, strict=True)
    ]
    return tuple(sorted(placed, key=lambda row: int(row.place)))


def preview(request: PageRequest, title: str, told: str, path: str, picture: str) -> LinkPreview:
    """Addresses are those that people use outside, and the picture speaks the page's language."""
    joined = "&" if "?" in picture else "?"
    drawn = f"{picture}{joined}language={request.language.code}"
    return LinkPreview(
        title=title,
        told=told,
        address=request.address(path),
        picture=request.address(drawn) if can_draw() else "",
    )


# --- Pictures --------------------------------------------------------------------------------


def check_pixels() -> None:
    """Raises HttpError where this server draws no pixels."""
    if not can_draw():
        raise errors.HttpError(404, "this server draws no pictures")


def language_in(request: PageRequest) -> Language:
    """The language that the address asks for: a program that fetches pictures says none."""
    said = request.query.get("language", "")
    return language_of(said) if said in TITLES else request.language


def counted(request: PageRequest, times: int = 1) -> Callable[[], None]:
    """Counts a picture that is drawn for this visitor, as often as `times` says."""
    return lambda: request.app.limiter.picture(request.client, times)
