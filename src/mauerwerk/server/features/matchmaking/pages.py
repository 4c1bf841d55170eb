"""A game for somebody who looks: with bots until a person comes, or at a table that waits."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from mauerwerk.core.game import Value
from mauerwerk.core.language import Language, capital, message
from mauerwerk.games import GAMES
from mauerwerk.server.features.lobby import looking, open_tables, pages
from mauerwerk.server.features.lobby.open_tables import Seek
from mauerwerk.server.features.matchmaking.service import PATIENCE, Matchmaking
from mauerwerk.server.features.matchmaking.store import waiting_for
from mauerwerk.server.games import room, web_game, web_game_at, web_games
from mauerwerk.server.http import errors, seats
from mauerwerk.server.http.identity import cookie_in, guest_in, set_cookie
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.response import Header, Response, redirect
from mauerwerk.server.tables.charter import Chair, Charter, Order
from mauerwerk.server.tables.clocks import Clock
from mauerwerk.server.tables.errors import Reason, RequestError
from mauerwerk.server.tables.table import Status, Table
from mauerwerk.server.ui import dates, names, page
from mauerwerk.server.ui.page import Form

COOKIE: Final = "mauerwerk-find"
UNTOLD: Final = 600_000
"""Milliseconds after which the page says that nobody came."""


class Pace(Value, tag=False):
    """How fast a game is played."""

    seconds: int = 0
    clock: Clock = Clock()
    title: str = ""
    about: str = ""


PACES: Final[Mapping[str, Pace]] = {
    "sitting": Pace(
        clock=Clock(total=600, increment=10),
        title=message("One sitting"),
        about=message("10 min each + 10 s a move"),
    ),
    "steady": Pace(120, title=message("Steady"), about=message("2 min a move")),
    "days": Pace(86_400, title=message("Over days"), about=message("1 day a move")),
    "none": Pace(title=message("No time limit"), about=message("as long as you like")),
}
"""How fast a new table is, by the clock that somebody wishes."""
USUAL: Final = "steady"
"""The pace of a table for somebody who did not say."""


# --- Looking for a game ---------------------------------------------------------------------------


class Wanted(Value, tag=False):
    """What somebody answered on the sheet."""

    games: tuple[str, ...]
    clock: str = "sitting"
    rated: bool = False

    @property
    def seek(self) -> Seek:
        """What is looked for."""
        game, *others = self.games
        return Seek(
            game=game,
            clock=self.clock,
            rated=self.rated,
            fun=not self.rated,
            others=tuple(others),
        )

    @property
    def fields(self) -> dict[str, str]:
        """The answers as fields of the form."""
        return {
            "games": " ".join(self.games),
            "clock": self.clock,
            "counts": "rated" if self.rated else "fun",
        }


def wanted_in(fields: Mapping[str, str], before: Wanted) -> Wanted:
    """What the fields say; what they leave open, or makes no sense, is as before."""
    ticked = [name for name in web_games() if f"game-{name}" in fields]
    named = [name for name in web_games() if name in fields.get("games", "").split()]
    clock, counts = fields.get("clock", ""), fields.get("counts", "")
    return Wanted(
        games=tuple(ticked or named) or before.games,
        clock=clock if clock in PACES else before.clock,
        rated=counts == "rated" if counts in {"rated", "fun"} else before.rated,
    )


def _remembered(request: Request) -> Wanted:
    """The last answers of this browser."""
    games, _, rest = cookie_in(request, COOKIE).partition(".")
    clock, _, counts = rest.partition(".")
    said = {"games": games.replace("-", " "), "clock": clock, "counts": counts}
    return wanted_in(said, Wanted(games=tuple(web_games())))


async def show_find(request: page.PageRequest) -> Response:
    """The sheet that asks which games, how fast, and whether it counts."""
    wanted = wanted_in(request.query, _remembered(request))
    language = request.language
    mine = request.guest.id if request.guest else ""
    waiting = await waiting_for(request.host.store, mine, wanted.seek)
    return request.render(
        "matchmaking/sheet.html" if request.morphs else "matchmaking/find.html",
        games=tuple(web_games().values()),
        wanted=wanted,
        paces=PACES,
        says=_summary(wanted, language),
        waiting=[language.called(name) for name in waiting],
        link=request.address(f"/find?{urlencode(wanted.fields)}"),
        symbols=(
            *("i-x", "i-link", "i-check"),
            *(symbol for game in web_games().values() for symbol in game.box.symbols),
        ),
    )


def _summary(wanted: Wanted, language: Language) -> tuple[str, str]:
    """The games, and the terms in words."""
    titles = [web_game(name).box.title for name in wanted.games]
    counts = language("rated") if wanted.rated else language("for fun")
    return language.listed(titles, "or"), f"{language(PACES[wanted.clock].about)}, {counts}"


async def find(request: page.PageRequest, form: Form) -> Response:
    """Seat the visitor at a table that fits: with bots at once, where it is for fun."""
    asked = "counts" in form
    wanted = wanted_in(form, _remembered(request))
    seek = wanted.seek if asked else open_tables.seek_in(form)
    guest, headers = request.known()
    request.app.limiter.table(request.client)
    game = seek.game or next(iter(web_games()))
    spoken = request.language.code
    table = await request.host.service(Matchmaking).find(
        guest, seek, lambda name: order_for(name, seek, spoken), game
    )
    if asked:
        kept = [wanted.fields[name].replace(" ", "-") for name in ("games", "clock", "counts")]
        headers = [*headers, set_cookie(request, COOKIE, ".".join(kept))]
    return redirect(f"/t/{table}", headers)


def order_for(game: str, seek: Seek, language: str) -> Order:
    """A listed table for people who are looking.

    It is rated, if it is played by the clock and not for fun. Then there are no hints.
    """
    box = web_game(game).box
    pace = PACES.get(seek.clock, PACES[USUAL])
    return Order(
        game=game,
        chairs=(Chair("open"),) * (seek.seats if seek.seats in GAMES[game].SEATS else box.seats),
        options={},
        public=True,
        seconds_per_move=pace.seconds,
        clock=pace.clock,
        bot_delay_ms=box.bot_delay_ms,
        hints=seek.fun,
        rated=False if seek.fun else True if seek.rated else None,
        language=language,
    )


async def join(request: page.PageRequest, form: Form) -> Response:
    """Sit down at a table in the list; where somebody was faster, its row says so."""
    guest, headers = request.known(form.get("name") or None)
    table = request.table
    try:
        await request.host.service(Matchmaking).join(table, guest)
    except RequestError:
        return await pages.show_again(request, table)
    return redirect(f"/t/{table}", headers)


# --- Waiting for people ---------------------------------------------------------------------------


async def fill(request: page.PageRequest, _form: Form) -> Response:
    """Start with bots, after some time in which nobody came."""
    table = await request.host.table(request.table)
    if not seats.own_seats(request, table):
        raise errors.HttpError(403, "this is for people who sit at the table")
    if waits_at(request, table) != "now":
        raise errors.HttpError(409, "wait a little: somebody may come", code="request")
    await request.host.service(Matchmaking).fill(request.table, room.usual_level(table.game))
    return redirect(f"/t/{request.table}")


def waits_at(request: Request, table: Table) -> str:
    """Whether people wait for anybody to come, and may start with bots: `soon` or `now`."""
    free = any(
        chair.kind == "open" and not occupant.taken
        for chair, occupant in zip(table.charter.chairs, table.occupants, strict=True)
    )
    if not free or not table.charter.public or table.status is not Status.OPEN:
        return ""
    return "now" if request.host.now() - table.charter.created >= PATIENCE else "soon"


def terms_of(charter: Charter, language: Language) -> str:
    """What a table has agreed on: how many play, how fast, and whether it counts."""
    web = web_game(charter.game, charter.rules)
    timed = charter.seconds_per_move or charter.clock.total
    parts = [
        language.many(len(charter.chairs), "{number} player", "{number} players"),
        dates.clock_of(charter.seconds_per_move, charter.clock, language)
        if timed
        else language("no time limit"),
        *(language(each) for each in room.unusual(web.questions, charter.options)),
        language("rated") if charter.rated else language("for fun"),
        language("hints allowed") if charter.hints else language("no hints"),
    ]
    return capital(" · ".join(parts))


# --- Playing with bots until somebody comes -------------------------------------------------------


def may_look(table: Table) -> bool:
    """Whether a person could take over a bot's seat in a game that runs or has just ended."""
    chairs = zip(table.charter.chairs, table.occupants, strict=True)
    return (
        table.charter.public
        and table.state is not None
        and any(chair.kind == "open" and not occupant.guest for chair, occupant in chairs)
    )


async def show_search(request: page.PageRequest) -> Response:
    """The band above a table: whether people are looked for, and who is about to come.

    A page asks for it now and then. The status 286 tells it that there is nothing to ask for.
    """
    search = await request.host.service(Matchmaking).search_at(request.table)
    table = await request.host.table(request.table)  # which may have given somebody a seat just now
    seen = seen_search(request, table, search)
    if seen is None and not may_look(table):
        return page.html_reply("", 286)
    at = request.query.get("seat", "")
    if seats.own_seats(request, table) and at == "watch":
        # Who came has a seat now: the page shows it.
        return page.html_reply("", headers=[(b"hx-refresh", b"true")])
    if seen is None:
        return page.html_reply("", 286)
    return request.render("matchmaking/band.html", band=seen)


def seen_search(
    request: page.PageRequest, table: Table, search: looking.Search
) -> dict[str, Any] | None:
    """What the band says to this reader; None: there is nothing to say."""
    language = request.language
    own = seats.own_seats(request, table)
    guest = request.identity.guest
    called = names.names_for(table.players, None, language)
    rounds = web_game_at(table).rounds
    over = table.status is Status.OVER
    coming = [
        {"who": each.name, "bot": called[each.seat], "seat": each.seat}
        for each in search.arrivals
        if each.seat < len(called)
    ]
    mine = next((each for each in search.arrivals if guest and each.guest == guest.id), None)
    free = [
        called[seat]
        for seat in looking.bot_seats(table.charter.chairs, table.card())
        if seat not in {each.seat for each in search.arrivals}
    ]
    if mine is None and not coming and (search.since is None or over):
        return None
    if mine is None and not own and (search.since is None or not free):
        return None
    return {
        "table": table.charter.id,
        "own": bool(own),
        "comes": called[mine.seat] if mine else "",
        "coming": coming,
        "since": search.since,
        "long": search.since is not None and request.host.now() - search.since > UNTOLD,
        "bot": free[0] if free else "",
        "later": rounds is None,
        "next_round": rounds(table.state) + 2 if rounds and table.state is not None else 1,
        "over": over,
        "link": request.address(f"/t/{table.charter.id}"),
    }


async def change_search(request: page.PageRequest, form: Form) -> Response:
    """Look for people, stop that, come at the next round or game, or not after all."""
    table = await request.host.table(request.table)
    store, what, headers = request.host.store, form.get("what", ""), list[Header]()
    if what in {"look", "stop"} and not seats.own_seats(request, table):
        raise errors.HttpError(403, "this is for people who sit at the table")
    match what:
        case "look":
            await request.host.service(Matchmaking).look(table, seats.player_of(request, table))
        case "stop":
            await looking.stop_looking(store, request.table)
        case "come":
            guest, headers = request.known()
            if await request.host.service(Matchmaking).come(request.table, guest) is None:
                raise RequestError(Reason.NO_FREE_SEAT)
        case "stay-away":
            await looking.stay_away(store, request.table, guest_in(request).id)
        case _:
            raise errors.HttpError(422, "say what to do: look, stop, come or stay-away")
    return redirect(f"/t/{request.table}", headers)
