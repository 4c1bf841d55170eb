"""From the log to the table: what each entry changes.

table = fold(charter, entries)          # or begin(charter), then after(table, entry)

A request applies its move once, to check it (`applied`), and hands the result to `after` together
with the entry. Entries that are read from a store come alone, and their moves are applied here.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, assert_never

import msgspec

from mauerwerk.core import options
from mauerwerk.core.game import NATURE, Seat, Setup, Step
from mauerwerk.games import GAMES, game_of
from mauerwerk.server.tables import clocks, errors
from mauerwerk.server.tables.charter import Charter
from mauerwerk.server.tables.clocks import with_item
from mauerwerk.server.tables.log import Entry, Kind, Log
from mauerwerk.server.tables.table import Logged, Occupant, Play, Player, Proposal, Table


class Applied(NamedTuple):
    """A move and what it leads to, before it is in the log."""

    behind: tuple[Play, ...]
    """The plays before it."""

    step: Step[Any, Any]


def begin(charter: Charter) -> Table:
    """An empty table, as it was set up. Raises OtherRulesError."""
    game = game_of(charter.game, charter.rules)
    if game is None:
        present = GAMES.get(charter.game)
        here = None if present is None else present.RULES
        raise errors.OtherRulesError(charter.game, charter.rules, here)
    seats = len(charter.chairs)
    setup = Setup(seats, options.from_words(game.OPTIONS, charter.options))
    empty = (0,) * seats
    return Table(
        charter=charter,
        game=game,
        setup=setup,
        occupants=(Occupant(),) * seats,
        state=None,
        log=Log(seats),
        changes=empty,
        asked=empty,
    )


def fold(charter: Charter, entries: Iterable[Entry]) -> Table:
    """The table to which these entries lead."""
    return more(begin(charter), entries)


def more(table: Table, entries: Iterable[Entry]) -> Table:
    """The table with these entries at the end of its log."""
    for entry in entries:
        table = after(table, entry)
    return table


def after(table: Table, entry: Entry, move: Applied | None = None) -> Table:
    """The table once this entry is in its log; `move` is what it plays, if that is known."""
    if entry.seq != table.seq:
        raise ValueError(f"entry {entry.seq} does not follow {table.seq} others")
    match entry.kind:
        case Kind.SIT | Kind.STAND | Kind.BOT:
            changed = _with_entry(table, entry, **_seated(table, entry))
            if table.proposal is not None and table.proposal.seat == entry.seat:
                changed = msgspec.structs.replace(changed, proposal=None)
        case Kind.AWAY | Kind.FORFEIT:
            changed = _with_entry(table, entry, **_seated(table, entry))
        case Kind.BACK:
            at = entry.at if _ran_out(table, entry) else table.asked_at
            changed = _with_entry(table, entry, **_seated(table, entry), asked_at=at)
        case Kind.START:
            begun = clocks.started(table.charter.clock, table.setup.seats)
            start = table.game.start(table.setup)
            changed = _with_entry(table, entry, start=start, state=start, clocks=begun)
            changed = _asked(changed, entry.at)
        case Kind.MOVE:
            assert entry.seat is not None
            if move is None:
                before = None if entry.number is None else _play_of(table, entry)
                move = applied(table, entry.seat, entry.word, before)
            changed = (_moved if entry.number is None else _changed)(table, entry, move)
        case Kind.UNDO:
            changed = _undone(table, entry)
        case Kind.ASK | Kind.AGREE | Kind.REFUSE:
            changed = _questioned(table, entry)
        case Kind.REST | Kind.PAUSE:
            changed = _rested(table, entry)
        case Kind.REMATCH:
            changed = _with_entry(table, entry, rematch=entry.word)
        case Kind.RENAME:
            assert entry.seat is not None
            changed = _with_entry(renamed(table, entry.seat, entry.word), entry)
        case Kind.END:
            changed = _with_entry(table, entry, ended=entry.word, waiting=(), proposal=None)
        case _:
            assert_never(entry.kind)
    return changed


def _questioned(table: Table, entry: Entry) -> Table:
    """A seat asks whether it may take back a move, or another one answers."""
    assert entry.seat is not None
    if entry.kind is Kind.ASK:
        assert entry.number is not None
        back_to = first_undone(table, _play_of(table, entry))
        proposal = Proposal(entry.seat, entry.number, back_to, entry.at)
        return _with_entry(table, entry, back_to=back_to, proposal=proposal)
    assert table.proposal is not None
    asked, at = table.proposal, entry.at
    if entry.kind is Kind.AGREE:
        agreed = (*asked.agreed, entry.seat)
        return _with_entry(table, entry, proposal=msgspec.structs.replace(asked, agreed=agreed))
    if entry.seat == asked.seat:  # a question that is withdrawn gains no time
        at = table.asked_at + entry.at - asked.at
    still = _clocks_after_question(table, asked, entry.at)
    return _with_entry(table, entry, proposal=None, refused=asked.number, asked_at=at, clocks=still)


def _seated(table: Table, entry: Entry) -> dict[str, Any]:
    """The occupants after a player or a bot came or went, and the clocks."""
    assert entry.seat is not None
    occupant = table.occupants[entry.seat]
    match entry.kind:
        case Kind.SIT:
            tenure = occupant.tenure + (entry.guest != occupant.guest)
            changed = Occupant(guest=entry.guest, name=entry.word, tenure=tenure)
        case Kind.BOT:
            # A player who leaves may change their mind.
            former, left = (occupant.guest, entry.at) if occupant.guest else ("", 0)
            tenure = occupant.tenure + 1
            changed = Occupant(level=entry.word, tenure=tenure, former=former, left=left)
        case Kind.AWAY:
            changed = msgspec.structs.replace(occupant, level=entry.word)
        case Kind.BACK:
            changed = msgspec.structs.replace(occupant, level="")
        case Kind.FORFEIT:
            changed = msgspec.structs.replace(occupant, forfeited=True)
        case _:
            changed = Occupant(tenure=occupant.tenure + 1)
    return {
        "occupants": with_item(table.occupants, entry.seat, changed),
        "clocks": _clocks_after_seating(table, entry),
    }


def _ran_out(table: Table, entry: Entry) -> bool:
    """Whether the time of the seat that comes back was up: it gets new time, once a question."""
    up = table.asked_at + 1_000 * table.charter.seconds_per_move
    if entry.seat not in table.waiting or not table.charter.seconds_per_move or entry.at < up:
        return False
    began = table.plays[table.stage - 1].seq if table.stage else 0
    later = table.log.noticed(None, after=table.number_of(began, None))
    since = (logged.entry for logged in later)
    return not any(each.kind is Kind.BACK and each.seat == entry.seat for each in since)


def _asked(table: Table, at: int) -> Table:
    """Everybody is asked anew, since the position is another."""
    numbers = tuple(table.number(Seat(seat)) for seat in range(table.setup.seats))
    return msgspec.structs.replace(
        table,
        asked=numbers,
        asked_at=at,
        turn=at,
        stage=len(table.plays),
        clocks=clocks.asked(table.clocks, at),
    )


def applied(table: Table, seat: Seat, word: str, chosen: Play | None = None) -> Applied:
    """Play a word at this table, or in place of what the seat chose, which nobody has seen yet.

    Raises NotAWordError, IllegalMoveError or StaleMoveError.
    """
    action = table.game.parse(word)
    behind, state = table.plays, table.state
    if chosen is not None:
        others = [play for play in table.plays[table.stage :] if play is not chosen]
        again = replayed(table, table.plays[: table.stage], others)
        behind, state = again.plays, again.state
    return Applied(behind, table.game.apply(state, seat, action))


def _moved(table: Table, entry: Entry, move: Applied) -> Table:
    """A move. While others still choose, what they are asked stays the same.

    A move that was given is behind everybody, even while others still choose: it stands.
    """
    assert entry.seat is not None
    spent, gained = _clocks_after_move(table, entry)
    play = Play(
        seq=entry.seq,
        seat=entry.seat,
        word=entry.word,
        step=move.step,
        stage=table.stage,
        first=entry.seq,
        asked_at=table.asked_at,
        by=entry.guest,
        gained=gained,
    )
    others = [seat for seat in table.waiting if seat != entry.seat]
    changed = _with_entry(
        table,
        entry,
        move.step.events,
        state=move.step.state,
        plays=(*move.behind, play),
        clocks=spent,
        proposal=table.proposal if entry.seat == NATURE and not entry.guest else None,
    )
    is_given = len(table.plays) < table.charter.given
    if others and not is_given:
        return _answered(changed, entry.seat)
    return _asked(changed, entry.at)


def _answered(table: Table, seat: Seat) -> Table:
    """This seat has chosen: whatever else it says from now on is a change."""
    return msgspec.structs.replace(table, asked=with_item(table.asked, seat, table.number(seat)))


def _changed(table: Table, entry: Entry, move: Applied) -> Table:
    """Another choice in place of one that nobody has seen; their order does not matter."""
    assert entry.seat is not None
    before = _play_of(table, entry)
    play = msgspec.structs.replace(before, seq=entry.seq, word=entry.word, step=move.step)
    changed = _with_entry(
        table,
        entry,
        move.step.events,
        state=move.step.state,
        plays=(*move.behind, play),
        changes=with_item(table.changes, entry.seat, table.changes[entry.seat] + 1),
    )
    return _answered(changed, entry.seat)


def _undone(table: Table, entry: Entry) -> Table:
    """Without this move and what followed from it.

    Choices of others that nobody has seen yet are kept. If they were seen, all choose again.
    """
    undone = _play_of(table, entry)
    back_to = first_undone(table, undone)
    if is_hidden(table, undone):
        kept = [play for play in table.plays[table.stage :] if play is not undone]
        again = replayed(table, table.plays[: table.stage], kept)
        changed = _with_entry(
            table,
            entry,
            back_to=back_to,
            state=again.state,
            plays=again.plays,
            proposal=None,
            clocks=clocks.restarted(table.clocks, undone.seat, entry.at, undone.gained),
        )
        return _answered(changed, undone.seat)
    cut = replayed(table, table.plays[: undone.stage], ())
    changed = _with_entry(
        table, entry, back_to=back_to, state=cut.state, plays=cut.plays, proposal=None
    )
    # A player who takes back a step of their own continues with the time they had then.
    since = {play.seat for play in table.plays[undone.stage :]} - {undone.seat, NATURE}
    own = table.proposal is None and not since
    again = _asked(changed, undone.asked_at if own else entry.at)
    still = _clocks_after_undo(again, table.plays[undone.stage :], entry.at)
    return msgspec.structs.replace(again, clocks=still)


def _play_of(table: Table, entry: Entry) -> Play:
    """The play that an entry changes or takes back."""
    return next(play for play in reversed(table.plays) if play.seq == entry.number)


def is_hidden(table: Table, play: Play) -> bool:
    """Whether others still choose, so that nobody has seen this yet."""
    return play.stage == table.stage


def first_undone(table: Table, play: Play) -> int:
    """The first entry that is taken back with this play."""
    if is_hidden(table, play):
        return play.first
    return min(each.first for each in table.plays[play.stage :] if each.stage == play.stage)


def replayed(table: Table, behind: tuple[Play, ...], plays: Sequence[Play]) -> Table:
    """The table with these plays behind it, and then these again."""
    state = table.before(len(behind))
    for play in plays:
        step = table.game.apply(state, play.seat, table.game.parse(play.word))
        behind = (*behind, msgspec.structs.replace(play, step=step))
        state = step.state
    return msgspec.structs.replace(table, state=state, plays=behind)


# --- One more entry ----------------------------------------------------------------------------


def _with_entry(
    table: Table,
    entry: Entry,
    events: tuple[Any, ...] = (),
    back_to: int | None = None,
    **changes: Any,  # noqa: ANN401 - fields of a table
) -> Table:
    """The table with one more entry, and whatever that changes."""
    if "state" in changes:
        changes["waiting"] = table.game.to_act(changes["state"])
    log = table.log
    occupants = changes.get("occupants", table.occupants)
    known = bool(log) and log[-1].occupants is occupants
    players = log[-1].players if known else _players(occupants)
    changed = changes.get("changes", table.changes)
    logged = Logged(entry, occupants, players, changed, events, back_to)
    return msgspec.structs.replace(table, log=log.followed_by(logged), **changes)


def _players(occupants: Sequence[Occupant]) -> tuple[Player, ...]:
    return tuple(Player(each.name, each.level) for each in occupants)


def renamed(table: Table, seat: int, name: str) -> Table:
    """The table with another name for the player at a seat, from the beginning on.

    Nobody is to read the old name, in what was told before either.
    """
    before = table.occupants[seat].name

    def retold(logged: Logged) -> Logged:
        if logged.players[seat].name != before:
            return logged
        players = with_item(logged.players, seat, Player(name, logged.players[seat].level))
        return msgspec.structs.replace(logged, players=players)

    occupant = msgspec.structs.replace(table.occupants[seat], name=name)
    return msgspec.structs.replace(
        table,
        log=table.log.retold(retold),
        occupants=with_item(table.occupants, seat, occupant),
    )


# --- Clocks ------------------------------------------------------------------------------------


def _clocks_after_seating(table: Table, entry: Entry) -> clocks.Clocks:
    """The clocks after somebody came or went: a seat's own runs only while a person must act."""
    seat = entry.seat
    if seat is None or seat not in table.waiting or not table.clocks:
        return table.clocks
    at = table.proposal.at if table.proposal else entry.at
    if table.occupants[seat].person:
        return clocks.stopped(table.clocks, seat, at)
    return clocks.restarted(table.clocks, seat, at)


def _clocks_after_question(table: Table, question: Proposal, at: int) -> clocks.Clocks:
    """The clocks after a question whether a move may be taken back, for which they stood still."""
    return clocks.shifted(table.clocks, at - question.at)


def _clocks_after_move(table: Table, entry: Entry) -> tuple[clocks.Clocks, int]:
    """The clocks after a decision of a person, and what they gained with it."""
    seat, still = entry.seat, table.clocks
    if seat is None or seat == NATURE or not table.occupants[seat].person:
        return still, 0
    if table.proposal is not None:  # a move drops it
        still = _clocks_after_question(table, table.proposal, entry.at)
    given = len(table.plays) < table.charter.given
    gained = 0 if given else 1_000 * table.charter.clock.increment
    return clocks.stopped(still, seat, entry.at, gained), gained


def _clocks_after_undo(table: Table, undone: tuple[Play, ...], at: int) -> clocks.Clocks:
    """The clocks after these plays were taken back, of which all in them are asked again.

    Nothing of the time for the whole game comes back, neither what was spent nor what was gained.
    What others began to think about is gone, and so is their time for it.
    """
    still = clocks.asked(table.clocks, at)
    for play in undone:
        if play.seat != NATURE:
            still = clocks.restarted(still, play.seat, at, play.gained)
    return still


def _rested(table: Table, entry: Entry) -> Table:
    """The table after a day off of one seat, or a while in which no server ran for anybody."""
    if entry.seat is not None:
        return _with_entry(table, entry, clocks=clocks.rested(table.clocks, entry.seat))
    pause, proposal = entry.number or 0, table.proposal
    if proposal is not None:
        proposal = msgspec.structs.replace(proposal, at=proposal.at + pause)
    return _with_entry(
        table,
        entry,
        asked_at=table.asked_at + pause,
        clocks=clocks.shifted(table.clocks, pause),
        proposal=proposal,
    )


def is_up(table: Table, seat: Seat) -> bool:
    """Whether a player has used up the time for the whole game."""
    return bool(table.clocks and table.charter.clock.total) and not table.clocks[seat].left
