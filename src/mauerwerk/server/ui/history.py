"""The history of a table: what happened, in sentences, as one viewer was told it."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec

from mauerwerk.core.game import NATURE, AnyGame, Value
from mauerwerk.core.language import Language, message, sentence
from mauerwerk.server.engine.snapshot import Snapshot
from mauerwerk.server.tables.log import Ending, Kind
from mauerwerk.server.tables.notices import Notice
from mauerwerk.server.tables.table import Status, Viewer
from mauerwerk.server.ui.names import level_named, names_for

MOST: Final = 80
"""The number of notices that the page of a running game shows."""


class HistoryLine(Value):
    """A few sentences about one thing that happened."""

    number: int
    mark: int
    """The mason's mark of the player who did it, from 1; 0 for nobody."""
    sentences: tuple[str, ...]
    times: int = 1
    """How often in a row, as when cards are dealt."""
    clauses: tuple[str, ...] = ()
    """The clauses of the rules behind it."""
    places: tuple[str, ...] = ()
    """What it touched on the board: ids of elements."""
    series: tuple[str, ...] = ()
    """For an event of which several are told in one sentence: who, and the two forms of that."""
    inside: tuple["HistoryLine", ...] = ()
    """The lines that this one stands for, as those of a turn, the first first."""


class History(Value):
    """What a viewer was told, as it may be told again: notices, and a line for each."""

    notices: tuple[Notice, ...] = ()
    lines: tuple[HistoryLine, ...] = ()

    def __len__(self) -> int:
        return len(self.lines)


def history_at(
    snapshot: Snapshot, viewer: Viewer, language: Language, known: History | None = None
) -> History:
    """A table's history for this viewer, of which a page shows the end; what is known is reused."""
    table = snapshot.table
    number = table.number(viewer)
    first = 0 if table.status is Status.OVER else max(0, number - MOST)
    kept = (
        [
            (notice, line)
            for notice, line in zip(known.notices, known.lines, strict=True)
            if first < notice.number <= number
        ]
        if known is not None
        else []
    )
    last = kept[-1][0].number if kept else first
    kept += [
        (notice, _history_line(table.game, notice, viewer, language))
        for notice in snapshot.history(viewer, after=last)
    ]
    return History(tuple(notice for notice, _ in kept), tuple(line for _, line in kept))


def merged(told: Iterable[HistoryLine], language: Language | None = None) -> list[HistoryLine]:
    """The same history, with repeated lines told once, and a series in one sentence."""
    kept: list[HistoryLine] = []
    for each in told:
        if not each.sentences:
            continue
        before = kept[-1] if kept else None
        if before and (each.mark, each.sentences) == (before.mark, before.sentences):
            kept[-1] = msgspec.structs.replace(each, times=before.times + 1)
        elif before and language and each.series and each.series == before.series:
            kept[-1] = _in_series(before, each, language)
        else:
            kept.append(each)
    return kept


def _in_series(before: HistoryLine, each: HistoryLine, language: Language) -> HistoryLine:
    """One more of a series: the sentences of all are inside it."""
    inside = (*(before.inside or (before,)), each)
    name, one, several = each.series
    told = sentence(language.many(len(inside), one, several, name=name))
    return msgspec.structs.replace(each, sentences=(told,), inside=inside)


def _history_line(game: AnyGame, notice: Notice, viewer: Viewer, language: Language) -> HistoryLine:
    names = names_for(notice.players, viewer, language)
    seat = notice.seat
    mark = seat + 1 if seat is not None and seat != NATURE else 0
    told = history_line(game, notice.events, names, language, number=notice.number, mark=mark)
    own = None if viewer is None else notice.players[viewer].name
    if told and seat == NATURE and notice.name not in {"", own}:  # rolled by another, and entered
        entered = sentence(language("{who} entered it", who=notice.name))
        return msgspec.structs.replace(told, sentences=(*told.sentences, entered))
    return told or HistoryLine(notice.number, mark, _about_table(notice, names, language))


def history_line(  # noqa: PLR0913 - a line of the history
    game: AnyGame,
    events: Sequence[Any],
    names: Sequence[str],
    language: Language,
    *,
    number: int,
    mark: int,
) -> HistoryLine | None:
    """What happened in the game; None where it all goes without saying."""
    said = [(event, words) for event in events if (words := game.tell(event, names, language))]
    if not said:
        return None
    clauses = dict.fromkeys(filter(None, (game.clause(event) for event, _ in said)))
    first: Value = said[0][0]
    forms = game.SERIES.get(type(first)) if len(said) == 1 else None
    return HistoryLine(
        number,
        mark,
        tuple(words for _, words in said),
        clauses=tuple(clauses),
        series=(names[mark - 1], *forms) if forms and mark else (),
    )


AROUND: Final = {
    Kind.SIT: message("{name} sat down"),
    Kind.STAND: message("a seat is free again"),
    Kind.BOT: message("{who} sat down, a bot: {level}"),
    Kind.AWAY: message("{name} handed over to a bot for now: {level}"),
    Kind.BACK: message("{name} came back"),
    Kind.START: message("The game begins"),
    Kind.UNDO: message("{name} took back a move"),
    Kind.ASK: message("{name} asked whether a move may be taken back"),
    Kind.AGREE: message("{name} agreed"),
    Kind.REFUSE: message("{name} refused"),
    Kind.REST: message("{name} took a day off"),
    Kind.PAUSE: message("The server was down for a while; the clocks stood still"),
    Kind.REMATCH: message("There is a rematch"),
    Kind.RENAME: message("The host of this server gave {name} this name"),
}


def _about_table(notice: Notice, names: Sequence[str], language: Language) -> tuple[str, ...]:
    name = "" if notice.seat is None or notice.seat == NATURE else names[notice.seat]
    match notice.kind:
        case Kind.MOVE:
            return ()
        case Kind.SIT | Kind.BOT if notice.before and notice.seat is not None:
            words = _taken_over(notice, name, notice.seat, language)
        case Kind.END:
            return (ended_words(notice.ended, language),)
        case Kind.FORFEIT if notice.seat is not None and notice.players[notice.seat].name:
            words = language("{name} ran out of time: the seat comes last", name=name)
        case Kind.FORFEIT:
            words = language("{who} failed and comes last; another bot plays on", who=name)
        case kind:
            level = level_named(notice.level, language)
            words = language(AROUND[kind], name=name, who=name, level=level)
    return (sentence(words),)


def _taken_over(notice: Notice, name: str, seat: int, language: Language) -> str:
    """That somebody sat down at a bot's seat, or left theirs to one, in the middle of a game."""
    former = names_for(notice.before, None, language)[seat]
    if notice.kind is Kind.SIT:
        return language("{name} took over from {bot}", name=name, bot=former)
    level = level_named(notice.level, language)
    return language("{who} left; {bot} plays on, a bot: {level}", who=former, bot=name, level=level)


def ended_words(why: str, language: Language) -> str:
    """That a game was ended without a winner, and why, in one or two sentences."""
    ended = sentence(language("The game was ended without a winner"))
    match why:
        case Ending.ABANDONED:
            return f"{ended} {sentence(language('Nobody had played for a long time'))}"
        case Ending.HOST:
            return sentence(language("The host of this server ended the game; nobody has won"))
        case Ending.RULES:
            return f"{ended} {sentence(language('The rules had changed meanwhile'))}"
        case _:
            return ended


def announced(
    game: AnyGame, notices: Sequence[Notice], viewer: Viewer, language: Language
) -> tuple[str, ...]:
    """What is told now, in sentences, in order; also that a player has chosen in secret."""
    lines: list[HistoryLine] = []
    for notice in notices:
        told = _history_line(game, notice, viewer, language)
        if notice.kind is Kind.MOVE and told.mark and not told.sentences:
            name = names_for(notice.players, viewer, language)[told.mark - 1]
            chose = (sentence(language("{name} chose", name=name)),)
            told = msgspec.structs.replace(told, sentences=chose)
        lines.append(told)
    once = merged(lines, language)
    return tuple(words for line in once for _ in range(line.times) for words in line.sentences)
