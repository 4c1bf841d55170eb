"""The page of an evening, and what its host and the others can do on it."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, cast

from msgspec.structs import replace

from mauerwerk.games import GAMES
from mauerwerk.server.features.evenings import service, values, view_model
from mauerwerk.server.features.evenings.store import evenings_of
from mauerwerk.server.features.sharing.pages import LinkPreview
from mauerwerk.server.games import room, web_games
from mauerwerk.server.http import identity
from mauerwerk.server.http.errors import HttpError
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.tables.errors import NoTableError, OtherRulesError
from mauerwerk.server.tables.table import Status
from mauerwerk.server.ui.error_texts import ErrorText, refusal_of
from mauerwerk.server.ui.page import Chip, Form, PageRequest

PACES: Final = (60, 300, 0)
ICONS: Final = ("i-share", "i-eye", "i-swap", "i-plus", "i-check", "i-copy", "i-x", "i-bot")
SIZES: Final = 6
"""The largest table that can be asked for."""


def _id(request: PageRequest) -> str:
    return request.path_params["evening"]


def _way(said: str) -> values.Way:
    return cast("values.Way", said) if said in {"mixed", "swiss"} else "mixed"


def _pace(form: Form) -> int:
    pace = form.number("seconds_per_move")
    return PACES[1] if pace not in PACES else pace


# --- A new one -------------------------------------------------------------------------------


async def ask(request: PageRequest) -> Response:
    """The form for a new evening, and those in which the visitor takes part."""
    return await _form(request, Form())


async def _form(request: PageRequest, form: Form, refusal: ErrorText | None = None) -> Response:
    """The form as it is filled in so far."""
    language, chosen = request.language, _pace(form)
    mine = await evenings_of(request.host.store, request.guest.id) if request.guest else ()
    return request.render(
        "evenings/new.html",
        refusal.status if refusal else 200,
        form=form,
        refusal=refusal,
        ways=ways(request, _way(form.get("format", ""))),
        paces=tuple(
            Chip(
                f"{pace}",
                language.many(pace // 60, "{number} minute", "{number} minutes")
                if pace
                else language("never"),
                pace == chosen,
            )
            for pace in PACES
        ),
        evenings=[view_model.evening_line(*each, language) for each in mine],
    )


def ways(request: PageRequest, chosen: str) -> tuple[Chip, ...]:
    """How tables can be made up."""
    language = request.language
    said = (
        ("mixed", language("Everybody meets everybody")),
        ("swiss", language("People with similar points meet (Swiss system)")),
    )
    return tuple(Chip(word, words, word == chosen) for word, words in said)


async def begin(request: PageRequest, form: Form) -> Response:
    """Begin an evening; the visitor is its host."""
    try:
        guest, headers = request.known(form.get("name") or None)
        request.app.limiter.table(request.client)
    except HttpError as error:
        return await _form(request, form, refusal_of(error, request.language))
    evening = values.Evening(
        title=identity.cleaned(form.get("title", ""), values.LONGEST_TITLE),
        way=_way(form.get("format", "")),
        seconds_per_move=_pace(form),
        level=room.MIDDLE,
    )
    id_ = await service.create(request.host, evening, guest)
    return redirect(f"/e/{id_}", headers)


# --- The page --------------------------------------------------------------------------------


async def show(
    request: PageRequest,
    refusal: ErrorText | None = None,
    beside: str = "",
    form: Form | None = None,
) -> Response:
    """The page; to a page that asks again, only what changes.

    Where something was refused, its form is as it was filled in, and the reason stands `beside` it.
    """
    loaded = await service.load(request.host, _id(request))
    own = loaded.evening.person_of(request.guest.id) if request.guest else None
    if own and request.guest and not own.left and own.name != request.guest.name:
        await service.join(request.host, loaded.id, request.guest)
        loaded = await service.load(request.host, loaded.id)
    path = f"/e/{loaded.id}"
    address = request.address(path)
    big = request.query.get("screen") == "big"
    # Everybody looks at a big screen: nobody is `you` there.
    guest = request.guest.id if request.guest and not big else ""
    numbers = await _numbers(request, loaded)
    page = view_model.EveningPage(loaded, guest, request.language, numbers).page(address)
    boxes = [game.box for game in web_games().values()]
    any_size = request.language("as many as possible")
    sizes = sorted({seats for game in GAMES.values() for seats in game.SEATS})
    filled_in = {"game": boxes[0].name, "size": "0", **(form or {})}
    return request.render(
        "evenings/live.html" if request.morphs else "evenings/page.html",
        refusal.status if refusal else 200,
        page=page,
        at=path,
        big=big,
        refusal=refusal,
        beside=beside,
        form=filled_in,
        games=tuple(Chip(box.name, box.title, box.name == filled_in["game"]) for box in boxes),
        sizes=tuple(
            Chip(word, any_size if word == "0" else word, word == filled_in["size"])
            for word in ("0", *map(str, sizes))
        ),
        ways=ways(request, loaded.evening.way),
        symbols=(*ICONS, *(box.thumb for box in boxes)),
        preview=LinkPreview(page["title"], page["told"], address),
    )


async def _numbers(request: PageRequest, loaded: service.LoadedEvening) -> dict[str, int]:
    """How many things spectators were told at each table that is being played.

    The length of a log would tell them more: whether somebody has changed their mind.
    """
    found: dict[str, int] = {}
    for table, card in loaded.cards.items():
        if card.status is Status.RUNNING:
            with suppress(NoTableError, OtherRulesError):
                found[table] = (await request.host.table(table)).number(None)
    return found


# --- What can be done ------------------------------------------------------------------------


async def join(request: PageRequest, form: Form) -> Response:
    """Take part."""
    headers: list[Header] = []

    async def change() -> None:
        guest, cookies = request.known(form.get("name", ""))
        await service.join(request.host, _id(request), guest)
        headers.extend(cookies)

    return await _done(request, change(), "join", headers, form)


async def leave(request: PageRequest, form: Form) -> Response:
    """Go home; the host can let somebody go who is not there any more."""
    person = form.number("person")
    change = service.leave(request.host, _id(request), request.required_guest(), person)
    return await _done(request, change, "next")


async def add_game(request: PageRequest, form: Form) -> Response:
    """Put a game at the end of the programme."""
    game, size = form.get("game", ""), min(form.number("size") or 0, SIZES)
    work = partial(values.with_game, game=game, options={}, size=size)
    return await _changed(request, work, "games", form)


async def drop_game(request: PageRequest, form: Form) -> Response:
    """Take a game off the programme that was not started."""
    number, seen = _number(form, "round"), form.get("programme", "").split()
    work = partial(values.without_game, number=number, programme=seen)
    return await _changed(request, work, "drop")


async def swap(request: PageRequest, form: Form) -> Response:
    """Let two people change places in the next round."""
    work = partial(values.swapped, one=_number(form, "one"), other=_number(form, "other"))
    return await _changed(request, work, "swap")


async def arrange(request: PageRequest, form: Form) -> Response:
    """Say how the next tables are made up."""
    work = partial(replace, way=_way(form.get("format", "")))
    return await _changed(request, work, "swap")


async def start(request: PageRequest, form: Form) -> Response:
    """Start the next round."""
    number, game = _number(form, "round"), form.get("game", "")
    guest = request.required_guest()

    async def change() -> None:
        request.app.limiter.table(request.client)
        await service.start(request.host, _id(request), guest, number, game)

    return await _done(request, change(), "next")


def _number(form: Form, name: str) -> int:
    """A number in a form; one that nobody and nothing has, where there is none."""
    number = form.number(name)
    return -1 if number is None else number


async def _changed(
    request: PageRequest,
    work: Callable[[values.Evening], values.Evening],
    beside: str,
    form: Form | None = None,
) -> Response:
    """The page after what only the host may change."""
    change = service.change(request.host, _id(request), request.required_guest(), work)
    return await _done(request, change, beside, form=form)


async def _done(
    request: PageRequest,
    change: Awaitable[object],
    beside: str,
    headers: Sequence[Header] = (),
    form: Form | None = None,
) -> Response:
    """The page after a change; if it is refused, with the reason beside what was pressed."""
    try:
        await change
    except Exception as error:
        refusal = refusal_of(error, request.language)
        if refusal.status == 404:  # noqa: PLR2004 - there is no page to show
            raise
        return await show(request, refusal, beside, form)
    return redirect(f"/e/{_id(request)}", [*headers])
