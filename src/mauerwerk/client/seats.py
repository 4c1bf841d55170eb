"""The client: become a guest, open a table, take a seat, play, or let a bot play."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import msgspec

from mauerwerk.bots.bot import Player
from mauerwerk.client import values
from mauerwerk.client.http import Http, Stream, TooLateError
from mauerwerk.core.errors import SetupError
from mauerwerk.core.game import AnyGame, Seat, Sight


class SeatAtTable:
    """A seat that this program plays."""

    def __init__(self, http: Http, table: str, seat: int) -> None:
        self.table = table
        self.seat = Seat(seat)
        self._http = http
        self._path = f"/api/tables/{table}"
        self._notices: dict[int, values.Notice] = {}
        """What it was told, by number."""

    @property
    def token(self) -> str:
        """The token of the seat; anybody who has it can play here."""
        return self._http.token

    @property
    def link(self) -> str:
        """The link to this seat, for another time; it holds the token."""
        return f"{self._http.site}/t/{self.table}/s/{self.seat}/{self.token}"

    def look(self) -> values.TableView:
        """The table as this seat sees it now."""
        return values.table_view(self._http.get(self._path))

    def history(self, after: int = 0) -> tuple[values.Notice, ...]:
        """All that this seat was told after that number."""
        told: list[values.Notice] = []
        more = True
        while more:
            said = self._http.get(f"{self._path}/history?after={after}")
            told += [values.notice(self._rules, each) for each in said["notices"]]
            more = said["more"] and bool(said["notices"])
            after = told[-1].number if told else after
        return tuple(told)

    def follow(self, after: int) -> "Following":
        """What this seat is told after that number, as it comes; connects again by itself."""
        return Following(self._stream, self._heard, after)

    def _stream(self, after: int) -> Stream:
        return self._http.events(f"{self._path}/stream?after={after}")

    def _heard(self, said: Mapping[str, Any]) -> values.Notice:
        """The notice in an event of a stream, which is remembered."""
        told = values.notice(self._rules, said)
        self._remember(told)
        return told

    @cached_property
    def _rules(self) -> AnyGame:
        return self.look().rules_of

    def sight(self, seen: values.TableView) -> Sight[Any, Any, Any]:
        """What a bot at this seat is given: the view, the choices, and all that it was told."""
        if seen.view is None:
            raise SetupError("the game has not begun")
        numbers = range(1, seen.number + 1)
        if missed := next((number for number in numbers if number not in self._notices), None):
            for each in self.history(missed - 1):
                self._remember(each)
        told = values.told_by(self._notices[number] for number in numbers)
        return Sight(seat=self.seat, view=seen.view, told=told, legal=seen.legal)

    def _remember(self, told: values.Notice) -> None:
        """Remember a notice; if it comes again, it may lack what is told only once."""
        known = self._notices.get(told.number)
        if known is None or len(known.events) < len(told.events):
            self._notices[told.number] = told

    def why_not(self, move: str) -> values.Verdict:
        """Whether a move is allowed at this seat now, and if not, which clause forbids it."""
        said = self._http.get(f"{self._path}/why?move={quote(move, safe='')}")
        return msgspec.convert(said, values.Verdict)

    def play(self, action: Any, version: int, idempotency_key: str = "") -> int:  # noqa: ANN401
        """Make a move, based on the table view of that number; the number of its notice.

        If there is no answer, the move is sent again with the same key, so it is made once. Raises
        TooLateError if the table has moved on, ApiError if the move is not allowed.
        """
        move = action if isinstance(action, str) else self._rules.write(action)
        said = self._http.post(
            f"{self._path}/moves",
            move=move,
            version=version,
            idempotency_key=idempotency_key or uuid4().hex,
        )
        return int(said["number"])

    def away(self, level: str = "journeyman") -> None:
        """Let a bot of the server play on, until `back`."""
        self._http.post(f"{self._path}/away", level=level)

    def back(self) -> None:
        """Play again."""
        self._http.post(f"{self._path}/back")

    def say(self, content: str, form: str = "phrase") -> values.ChatMessage:
        """Say a phrase, a `face` or a `text` to the table. Raises ApiError."""
        said = self._http.post(f"{self._path}/chat", form=form, content=content, seat=self.seat)
        return msgspec.convert(said, values.ChatMessage)

    def chat(self, after: int = 0) -> tuple[values.ChatMessage, ...]:
        """What was said at the table after that number."""
        heard = self._http.get(f"{self._path}/chat?after={after}")["messages"]
        return msgspec.convert(heard, tuple[values.ChatMessage, ...])

    def rest(self) -> None:
        """Take a day off, at a table that has some."""
        self._http.post(f"{self._path}/rest", seat=self.seat)

    def record(self) -> str:
        """The record of the finished game."""
        return self._http.text(f"{self._path}/record")


class Following(Iterator[values.Notice]):
    """What a seat is told, from the moment on when this is made, until it is closed."""

    def __init__(
        self,
        connect: Callable[[int], Stream],
        heard: Callable[[Mapping[str, Any]], values.Notice],
        after: int,
    ) -> None:
        self._connect = connect
        self._heard = heard
        self._after = after
        self._stream = connect(after)
        self._is_closed = False

    def __next__(self) -> values.Notice:
        """The next notice."""
        while not self._is_closed:
            if said := next(self._stream, None):
                told = self._heard(said)
                self._after = told.number
                return told
            if not self._is_closed:
                self._stream = self._connect(self._after)
        raise StopIteration

    def close(self) -> None:
        """End it, also while another thread waits for the next notice."""
        self._is_closed = True
        self._stream.hang_up()


class Client:
    """A guest at a server."""

    def __init__(self, site: str, token: str = "") -> None:
        """The address of the server, and the token of a guest if there is one already."""
        self._http = Http(site, token)

    @property
    def token(self) -> str:
        """The token of this guest, for another time."""
        return self._http.token

    def games(self) -> Any:  # noqa: ANN401 - JSON, as the API describes it
        """The games of the server, with their options and levels."""
        return self._http.get("/api/games")["games"]

    def ratings(self, game: str) -> Any:  # noqa: ANN401 - as above
        """The leaderboard of a game: people who joined it, and bots. Raises ApiError."""
        return self._http.get(f"/api/ratings?game={quote(game)}")

    def results(self, before: str = "") -> Any:  # noqa: ANN401 - as above
        """This guest's finished games, newest first; `next` begins the next page."""
        return self._http.get(f"/api/guests/me/results?before={quote(before)}")

    def become(self, name: str) -> None:
        """Become a guest of this name."""
        self._http.token = self._http.post("/api/guests", name=name)["token"]

    def renew(self) -> None:
        """Get a new token, which is valid for a year from now. Raises ApiError."""
        self._http.token = self._http.post("/api/guests/me/token")["token"]

    def open(
        self,
        game: str,
        bots: Sequence[str],
        options: Mapping[str, str] | None = None,
        bot_delay_ms: int = 0,
    ) -> SeatAtTable:
        """Set up a table against bots of these levels, and take the first seat."""
        said = self._http.post(
            "/api/tables",
            game=game,
            chairs=[{"kind": "human"}, *({"kind": "bot", "level": level} for level in bots)],
            mine=[0],
            options=dict(options or {}),
            bot_delay_ms=bot_delay_ms,
        )
        return SeatAtTable(Http(self._http.site, said["seats"][0]["token"]), said["table"], 0)

    def sit(self, table: str, seat: int | None = None) -> SeatAtTable:
        """Take an open seat, or the first that is free."""
        path = f"/api/tables/{table}"
        if seat is None:
            seats = self._http.get(path)["seats"]
            free = [
                number
                for number, each in enumerate(seats)
                if each["kind"] == "open" and not each["name"] and not each["level"]
            ]
            if not free:
                raise SetupError("no seat is free at this table")
            seat = free[0]
        said = self._http.post(f"{path}/sit", seat=seat)
        return SeatAtTable(Http(self._http.site, said["token"]), table, seat)

    def claim(self, table: str, secret: str, name: str) -> SeatAtTable:
        """Take the seat of a personal link."""
        said = self._http.post(f"/api/tables/{table}/claim", token=secret, name=name)
        return SeatAtTable(Http(self._http.site, said["token"]), table, said["seat"])


def table_at(link: str) -> values.TableView:
    """The table that a link leads to, as a spectator sees it. Raises SetupError, as `seat_at`."""
    site, table, _ = _read_link(link)
    return values.table_view(Http(site).get(f"/api/tables/{table}"))


def seat_at(link: str, name: str) -> SeatAtTable:
    """The seat of a personal link, or a free one of the table that a link leads to.

    Raises SetupError for another address.
    """
    site, table, secret = _read_link(link)
    client = Client(site)
    if secret is not None:
        return client.claim(table, secret, name)
    client.become(name)
    return client.sit(table)


def _read_link(link: str) -> tuple[str, str, str | None]:
    """The server, the table, and the secret of a seat if the link is to one. Raises SetupError."""
    site, found, rest = link.partition("/t/")
    match rest.rstrip("/").split("/"):
        case [table, "s", _, secret] if found:
            return site, table, secret
        case [table] if found and table:
            return site, table, None
        case _:
            # It may hold the token of a seat, so it is not shown.
            raise SetupError("this is not the link to a seat or to a table")


def play_seat(seat: SeatAtTable, player: Player) -> values.TableView:
    """Let a bot of this machine play the seat until the game is over; the last table view."""
    seen = seat.look()
    notices = seat.follow(seen.number)
    while not seen.is_over:
        if seen.is_asked and seen.legal:
            action = player.bot.act(seat.sight(seen), player.seconds)
            with suppress(TooLateError):  # then there is news
                seat.play(seen.rules_of.write(action), seen.number)
        told = next(notices)
        seen = seat.look()
        while told.number < seen.number:  # all of them are in this view
            told = next(notices)
    return seen
