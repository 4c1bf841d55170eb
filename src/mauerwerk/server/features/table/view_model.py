"""What the page of a table shows, ready for the templates."""

from collections.abc import Sequence
from itertools import groupby, islice
from typing import Any, Final

import msgspec

from mauerwerk.core.game import NATURE, Ephemeral, Seat, Value
from mauerwerk.core.language import Language, capital
from mauerwerk.games import game_of
from mauerwerk.server.features.lobby.api import link_to
from mauerwerk.server.games import plain_board, room, web_game, web_game_at
from mauerwerk.server.games.viewpoint import Viewpoint, free_seats
from mauerwerk.server.http.request import Request
from mauerwerk.server.http.seats import hands_out_links
from mauerwerk.server.tables import charter, log, table_views, undo
from mauerwerk.server.tables.notices import Notice
from mauerwerk.server.tables.notices import notices as all_notices
from mauerwerk.server.tables.table import (
    KEPT,
    Play,
    Status,
    Table,
    Viewer,
    is_by_hand,
    is_choice,
    scribes,
)
from mauerwerk.server.ui import dates, error_texts
from mauerwerk.server.ui.history import History, HistoryLine, merged
from mauerwerk.server.ui.names import SeatRow, level_named, names_for
from mauerwerk.server.ui.page import Form

# --- A seat that the reader has left ------------------------------------------------------------


class LeftSeat(Value):
    """A seat that is kept for the visitor."""

    seat: Seat
    until: int
    """When it is free for others, in milliseconds since 1970."""


def reserved_seats(request: Request, table: Table) -> tuple[Seat, ...]:
    """The seats that are kept for somebody who left, so that nobody else can take them."""
    now = request.host.now()
    return tuple(
        Seat(seat)
        for seat, occupant in enumerate(table.occupants)
        if occupant.is_kept(occupant.former, now)
    )


def left_seat(request: Request, table: Table) -> LeftSeat | None:
    """The seat that the visitor left and may take back now."""
    guest = request.identity.guest
    if guest is None or table.status is not Status.RUNNING:
        return None
    for seat, occupant in enumerate(table.occupants):
        if occupant.is_kept(guest.id, request.host.now()):
            return LeftSeat(Seat(seat), occupant.left + KEPT)
    return None


# --- Moves that play themselves -----------------------------------------------------------------

PAUSE: Final = 600
"""Milliseconds until a forced move plays itself, so that people see what happens."""
LOOK: Final = 4_000
"""The same where something lies open that is shown only once."""


class ForcedMove(Value):
    """A move of a seat that has nothing to decide."""

    word: str
    after: int
    """Milliseconds until the page plays it, unless its reader wants to do that."""


def forced_move(table: Table, table_view: table_views.TableView) -> ForcedMove | None:
    """The move that the viewer's page plays by itself; None if there is something to decide.

    That a seat has no other move may be a secret, as when it depends on a hand: only for the
    actions that a room names is it plain to all. Choices that several make together are secret.
    """
    legal, forced = table_view.legal, web_game(table_view.game, table_view.rules).forced
    known = legal and all(isinstance(action, forced) for action in legal)
    if not known or table.proposal is not None:
        return None
    alone = table.deciding == (table_view.seat,) and len(table.plays) == table.stage
    if not alone or is_choice(table.game, table.state, table.deciding[0]):
        return None
    last = table.plays[-1].step.events if table.plays else ()
    after = LOOK if any(isinstance(event, Ephemeral) for event in last) else PAUSE
    return ForcedMove(table.game.write(legal[0]), after)


# --- The form for what was rolled or dealt ------------------------------------------------------

WORD: Final = "word-"
"""Fields each of which is a word of its own, in the order of their numbers."""
MOST_WORDS: Final = 12


class ChanceForm(Value):
    """A form for one seat."""

    seat: Seat
    """The seat for which it is entered."""
    number: int
    """The number of notices that this seat has been told."""
    fields: room.ChanceFields


def chance_form_at(table: Table, viewpoint: Viewpoint, language: Language) -> ChanceForm | None:
    """The form for this viewer; None where there is nothing to enter, or not for them."""
    if not is_by_hand(table):
        return None
    may = [seat for seat in viewpoint.own if seat in scribes(table)]
    if not may:
        return None
    seat = viewpoint.seat if viewpoint.seat in may else may[0]
    assert seat is not None
    return ChanceForm(seat, table.number(seat), _fields(table, language))


def awaited(table: Table, names: Sequence[str], language: Language) -> str:
    """Who enters what was rolled or dealt."""
    if not is_by_hand(table):
        return ""
    who = [language.called(names[seat]) for seat in scribes(table)]
    return (
        language("Waiting for what {who} will enter.", who=language.listed(who, "or"))
        if who
        else ""
    )


def _fields(table: Table, language: Language) -> room.ChanceFields:
    """The game's own fields, or a list of all that nature may do."""
    own = web_game_at(table).chance_form
    names = names_for(table.players, None, language)
    fields = own(table.state, names, language) if own else None
    return fields or plain_board.plain_chance_form(table.game, table.state, language)


def words_in(form: Form) -> tuple[str, ...]:
    """The words that a form enters, one after the other."""
    if word := form.get("word", "").strip():
        return (word,)
    parts = [form.get(f"{room.PART}{place}", "") for place in range(MOST_WORDS)]
    if any(parts):
        return (form.get("begin", "") + "".join(parts),)
    several = (form.get(f"{WORD}{place}", "").strip() for place in range(MOST_WORDS))
    return tuple(word for word in several if word)


# --- The whole page -----------------------------------------------------------------------------


class SeatClock(Value):
    """The time of a seat, as the page shows it."""

    until: int | None
    """When it is up, while it runs."""
    left: int | None
    """The milliseconds that are left, while it does not."""
    low: int
    """Below this many milliseconds it is marked."""
    said: str
    """The time for readers without a script."""


class TableRow(SeatRow):
    """A seat in the list of seats, with all that a running table shows of it."""

    tags: tuple[str, ...] = ()
    """What else there is to know: a bot of some level, away, not here."""
    free: bool = False
    link: str = ""
    """The personal link, where the visitor may hand it on."""
    clock: SeatClock | None = None
    sits: str = ""
    """How the visitor can take this seat: `sit` where it is open, `claim` by its link."""


class Advice(Value):
    """A hint, in words."""

    word: str
    said: str
    reason: str
    chance: int | None


class TakeBack(Value):
    """A question before a move is taken back after which others moved or something was revealed."""

    asks: str
    reasons: tuple[str, ...]
    agree: str
    """Who has to agree; empty where nobody has to."""


def take_back_question(
    table: Table, seat: Seat, names: Sequence[str], language: Language
) -> TakeBack | None:
    """The question for a seat that wants to take back its last move; None where it need not be."""
    play = undo.last_move(table, seat)
    if play is None or undo.way(table, seat) is undo.Way.NO or undo.is_free(table, play):
        return None
    seen, others = undo.since(table, play)
    reasons = [language("You have seen how it turned out.")] if seen else []
    if others:
        who = language.listed([names[each] for each in others])
        reasons.append(
            capital(
                language.many(
                    len(others), "{who} has moved since.", "{who} have moved since.", who=who
                )
            )
        )
    to_ask = undo.asks(table, seat)
    agree = (
        language.many(
            len(to_ask),
            "{who} has to agree.",
            "{who} have to agree.",
            who=language.listed([names[each] for each in to_ask]),
        )
        if to_ask
        else ""
    )
    move = table.game.say(table.game.parse(play.word), language)
    asks = language("Take back your move: {move}?", move=move)
    return TakeBack(asks, tuple(reasons), capital(agree))


class Extra(Value):
    """What is shown once, in answer to a request."""

    refusal: error_texts.ErrorText | None = None
    sure: room.Button | None = None
    """A move that is asked about twice."""
    take_back: TakeBack | None = None
    advice: tuple[Advice, ...] = ()
    plain: bool = True
    """Whether every choice is a button, for browsers without the script."""


UNADORNED: Final = Extra(plain=False)
"""The table alone, for pages with the script."""


class FreeSeats(Value):
    """A table before its game: seats are free, and somebody may come."""

    waits: str
    """Whether anybody can still come, and the players may start with bots: `soon` or `now`."""
    terms: str
    """What the table has agreed on: how many play, how fast, and whether it counts."""
    welcome: dict[str, Any] | None
    """The welcome of a visitor who was invited and has not sat down yet."""
    links_opened: tuple[Seat, ...]
    """Free seats whose links somebody has opened."""


class TablePage(Value):
    """A table, ready for the template."""

    table_view: table_views.TableView
    number: int
    """How many notices the owner of the page was told; it never goes down."""
    moves: int
    """How many moves stand, by which a gate remembers when it was opened."""
    viewpoint: Viewpoint
    box: room.Box
    look: str
    seated: bool
    parts: room.Parts | None
    title: str
    where: str
    ask: str
    lines: tuple[TableRow, ...]
    choices: tuple[room.Button, ...]
    """Every legal choice, in the order of the rules."""
    history: tuple[str, ...]
    """The lines of the history, drawn, the last first."""
    since: tuple[room.Recap, ...]
    """What the others did since the viewer's last turn, while the viewer is asked."""
    end: dict[str, Any] | None
    evening: str
    """The way back to the evening to which the table belongs, for its players."""
    free_seats: FreeSeats | None
    """What there is to know while the game has not begun."""
    asker: str
    """The player who asks whether a move may be taken back, where the viewer has to answer."""
    curtain: str
    """The player to whom the device is to be handed."""
    tray: str
    """What the viewer holds, or a cover over what nobody else may see."""
    gate: str
    """What the game shows on the gate that is shut before them."""
    chance_form: ChanceForm | None
    """The form for what was rolled or dealt, where the visitor may enter it."""
    awaited: str
    """The players who enter it, where others do."""
    forced: ForcedMove | None
    """The move that the page plays by itself, if there is no other."""
    may_ask: bool
    """Whether the viewer can ask for a hint, or for a move in a first game."""
    left: LeftSeat | None
    """A seat that the visitor has left, and may take back."""
    has_chat: bool
    """Whether anything may be said at the table."""
    goal: str = ""
    """What one plays for, in the first turns of the viewer."""

    @property
    def days_off(self) -> int:
        """The days off that the viewer can take now."""
        seat, times = self.table_view.seat, self.table_view.times
        return times[seat].off if times and seat is not None and self.asked else 0

    @property
    def is_out_of_time(self) -> bool:
        """Whether the viewer has used up the time for the whole game."""
        seat, times = self.table_view.seat, self.table_view.times
        return bool(times) and seat is not None and times[seat].left == 0

    @property
    def asked(self) -> bool:
        """Whether the viewer has something to decide."""
        return self.table_view.asked

    @property
    def question(self) -> str:
        """What is asked, without what is said before it."""
        return self.ask.removeprefix(self.fact).lstrip()

    @property
    def fact(self) -> str:
        """What is said before the question: `It is your turn.`; may be empty."""
        told, dot, question = self.ask.rpartition(". ")
        return f"{told}." if dot and question.endswith("?") else ""

    @property
    def opened(self) -> str:
        """When the gate of a shared device was opened, as forms and links say it."""
        return "" if self.viewpoint.opened is None else str(self.viewpoint.opened)

    @property
    def symbols(self) -> tuple[str, ...]:
        """What the drawings are made of."""
        return web_game(self.box.name).board.SYMBOLS


def tab_title(game: str, asked: bool, deciding: Sequence[str], language: Language) -> str:  # noqa: FBT001 - a fact
    """What a table's tab says: whether it is the reader's turn, or whose it is."""
    if asked:
        return f"{language('Your turn')} · {game}"
    if len(deciding) == 1:
        whose = language("{who}'s turn", who=deciding[0])
        return f"{game} · {whose}"
    return game


# --- The list of seats --------------------------------------------------------------------------

LOW: Final = 10_000
"""Milliseconds below which a time is marked, however short it was from the beginning."""


def tags_of(
    table_view: table_views.TableView, seat: Seat, present: Sequence[Seat], language: Language
) -> tuple[str, ...]:
    """What there is to know of a seat apart from the game."""
    place = table_view.seats[seat]
    tags: list[str] = []
    if place.away:
        tags += [language("away, a bot plays")] if table_view.status is Status.RUNNING else []
    elif place.level:
        tags.append(level_named(place.level, language, game_of(table_view.game, table_view.rules)))
    elif (
        table_view.status is Status.RUNNING
        and place.asked
        and seat not in {*present, table_view.seat}
    ):
        tags.append(language("not here"))
    return tuple(tags)


def seat_rows(  # noqa: PLR0913, PLR0917 - all that is known of the seats
    request: Request,
    table: Table,
    table_view: table_views.TableView,
    viewpoint: Viewpoint,
    names: Sequence[str],
    parts: room.Parts | None,
    tags: Sequence[tuple[str, ...]],
    language: Language,
) -> tuple[TableRow, ...]:
    """A line for each seat, with how the visitor can take it."""
    lines: list[TableRow] = []
    claims = free_seats(request, table)
    by_link = language("for anyone with the link")
    open_for = {"open": language("for anyone"), "human": by_link, "bot": by_link}
    for seat, place in enumerate(table_view.seats):
        free = not table.occupants[seat].taken
        note = open_for[place.kind] if free else ""
        if parts:  # where a game was ended in the middle, nobody does anything any more
            note = "" if table.ended else parts.seats[seat].note
        handed_on = free and place.kind == "human" and hands_out_links(table, viewpoint.own)
        lines.append(
            TableRow(
                seat=Seat(seat),
                name=capital(language.called(names[seat])),
                points=parts.seats[seat].points if parts else "",
                note=note,
                tags=tags[seat],
                now=place.asked,
                you=seat == table_view.seat,
                free=free,
                link=link_to(request, table, Seat(seat)).link if handed_on else "",
                clock=clock_at(table_view, seat),
                sits=_way_in(request, table, Seat(seat), claims),
            )
        )
    return tuple(lines)


def clock_at(table_view: table_views.TableView, seat: int) -> SeatClock | None:
    """The time of a seat, if it has any to show: it runs, or is left for the rest of the game."""
    if table_view.status is not Status.RUNNING or not table_view.times:
        return None
    if not table_view.seats[seat].name:  # a bot does not use its time
        return None
    time, total = table_view.times[seat], table_view.clock.total
    if time.until is None and time.left is None:
        return None
    limit = total or table_view.seconds_per_move
    low = dates.SOON if limit >= charter.SLOW else max(LOW, 100 * limit)
    shown = time.left if time.left is not None else 1_000 * table_view.seconds_per_move
    return SeatClock(
        until=time.until,
        left=time.left if time.until is None else None,
        low=low,
        said=f"{shown // dates.MINUTE}:{shown // 1_000 % 60:02}",
    )


def _way_in(request: Request, table: Table, seat: Seat, claims: Sequence[Seat]) -> str:
    guest = request.identity.guest.id if request.identity.guest else ""
    free = table.occupants[seat].is_free(guest, request.host.now())
    if not free or table.status is Status.OVER:
        return ""
    if seat in claims:
        return "claim"
    return "sit" if table.charter.chairs[seat].kind == "open" else ""


# --- What happened where, and what others did since one's own turn -------------------------------


def located(web: room.WebGame, view: Any, history: History) -> History:  # noqa: ANN401 - the game's own
    """The history, with the places of what stands of it."""
    where = {notice.number: each for notice, each in _standing(web, view, history.notices)}
    lines = tuple(
        msgspec.structs.replace(
            line,
            places=tuple(dict.fromkeys(at for each in where[line.number] for at in each.places)),
        )
        if line.number in where
        else line
        for line in history.lines
    )
    return msgspec.structs.replace(history, lines=lines)


def folded_history(  # noqa: PLR0913, PLR0917 - a table as one viewer sees it
    web: room.WebGame,
    table: Table,
    viewer: Viewer,
    history: History,
    names: Sequence[str],
    language: Language,
) -> tuple[HistoryLine, ...]:
    """The history, the last first; a turn that is over is one line, with the others inside."""
    if web.digest is None or table.state is None or not history.lines:
        return tuple(reversed(merged(history.lines, language)))
    first = history.lines[0].number
    turns: dict[int, int] = {}
    for place in range(len(table.plays) - 1, -1, -1):
        number = table.number_of(table.plays[place].first, viewer)
        if number < first:
            break
        turns[number] = table.game.turn(table.before(place))
    told = {notice.number: notice.events for notice in history.notices}
    here = None if table.status is Status.OVER else table.game.turn(table.state)
    folded: list[HistoryLine] = []
    for turn, group in groupby(history.lines, lambda line: turns.get(line.number)):
        lines = merged(some := [*group], language)
        events = [event for line in some for event in told[line.number]]
        if turn is not None and turn != here and lines[1:]:
            lines = _folded(lines, web.digest(events, names, language)) or lines
        folded += lines
    return tuple(reversed(folded))


def _folded(lines: Sequence[HistoryLine], said: str) -> list[HistoryLine]:
    """One line for all of these, if anything is to be said of them."""
    if not said:
        return []
    mark = next((line.mark for line in lines if line.mark), 0)
    places = dict.fromkeys(place for line in lines for place in line.places)
    return [HistoryLine(lines[0].number, mark, (said,), places=tuple(places), inside=tuple(lines))]


GOAL_TURNS: Final = 3
"""For so many turns of a seat its page says what the game is about."""


def goal_at(table: Table, seat: Seat | None, box: room.Box, language: Language) -> str:
    """What one plays for, for a seat in its first turns; readers who know that do not see it."""
    if seat is None or not box.goal or table.status is not Status.RUNNING:
        return ""
    turns: set[int] = set()
    for place, play in enumerate(table.plays):
        if play.seat == seat:
            turns.add(table.game.turn(table.before(place)))
            if len(turns) >= GOAL_TURNS:
                return ""
    house = box.house_goal if charter.house_rules_of(table.charter) else ""
    return language(house or box.goal)


def since_turn(  # noqa: PLR0913, PLR0917 - a table as one seat sees it
    web: room.WebGame,
    table: Table,
    table_view: table_views.TableView,
    notices: Sequence[Notice],
    names: Sequence[str],
    language: Language,
) -> tuple[room.Recap, ...]:
    """What the others did since the last turn of a seat that is asked now, in order."""
    seat, view = table_view.seat, table_view.view
    if seat is None or not table_view.asked or seat not in _whose_turn(table, len(table.plays)):
        return ()
    last = last_turn(table, seat)
    first = 0 if last is None else table.number_of(last.seq, seat)
    if notices and notices[0].number > max(1, first):
        notices = all_notices(table, seat, after=max(0, first - 1))
    told = [
        (notice, touched)
        for notice, touched in _standing(web, view, notices)
        if notice.number >= first
    ]
    if web.recap:
        touched = [each for _, some in told for each in some]
        return tuple(web.recap(view, touched, names, language))
    return tuple(
        room.Recap(notice.seat, said, each.places)
        for notice, some in told
        if notice.seat not in {None, NATURE, seat}
        for each in some
        if (said := table.game.tell(each.event, names, language))
    )


def last_turn(table: Table, seat: Seat) -> Play | None:
    """The last move of a seat in a turn of its own; playing a card in another's is none."""
    own = [place for place, play in enumerate(table.plays) if play.seat == seat]
    turns = (place for place in reversed(own) if seat in _whose_turn(table, place))
    return next((table.plays[place] for place in turns), None)


def _whose_turn(table: Table, place: int) -> Sequence[Seat]:
    """Whose turn it is after so many moves: that of the players who were asked first in it."""
    game = table.game
    turn = game.turn(table.before(place))
    asked: Sequence[Seat] = ()
    for earlier in range(place, -1, -1):
        state = table.before(earlier)
        if game.turn(state) != turn:
            break
        if NATURE not in (waiting := game.to_act(state)):
            asked = waiting
    return asked


def _standing(
    web: room.WebGame,
    view: Any,  # noqa: ANN401 - the game's own
    notices: Sequence[Notice],
) -> list[tuple[Notice, list[room.Touched]]]:
    """The notices of moves that were not taken back, with what each event touched."""
    kept: list[Notice] = []
    for notice in notices:
        if notice.kind is log.Kind.UNDO and notice.back_to is not None:
            kept = [each for each in kept if each.number < notice.back_to]
        elif notice.events:
            kept.append(notice)
    events = [event for notice in kept for event in notice.events]
    where = web.places(view, events) if web.places else [()] * len(events)
    touched = iter([room.Touched(event, at) for event, at in zip(events, where, strict=True)])
    return [(notice, [*islice(touched, len(notice.events))]) for notice in kept]
