"""Counting finished games: once each, on whichever server, in one transaction.

A table that is over and not counted yet is found by an index. Its lines and the new ratings are
written with the mark that it is counted, so that no game counts twice and none is forgotten.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import isclose
from operator import attrgetter
from typing import Any, Final

import msgspec
import sqlalchemy as sa

from mauerwerk.core.game import Seat, Value
from mauerwerk.server.database.personal_data import of_guest
from mauerwerk.server.database.queries import command, query
from mauerwerk.server.database.schema import ENTRIES, METADATA, OWNERS, TABLES, UNCOUNTED
from mauerwerk.server.database.transaction import Transaction
from mauerwerk.server.features.results import ratings
from mauerwerk.server.tables import errors, folding, log
from mauerwerk.server.tables.table import Card, Status

RESULTS: Final = sa.Table(
    "results",
    METADATA,
    sa.Column("table_id", sa.Text, primary_key=True),  # which may be deleted by now
    sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.BigInteger, nullable=False),  # games are counted in this order
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("ended", sa.BigInteger, nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("people", sa.Integer, nullable=False),  # how many different ones played
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("guest", sa.Text, nullable=False),  # empty for a bot
    sa.Column("level", sa.Text, nullable=False),  # of a bot; empty for a person
    sa.Column("place", sa.Integer),  # none, where nobody won or the player had left
    sa.Column("points", sa.Integer),
    sa.Column("gone", sa.Boolean, nullable=False),  # left before the end
    sa.Column("mu_before", sa.Float),  # the rating, where the game was rated
    sa.Column("sigma_before", sa.Float),
    sa.Column("mu", sa.Float),  # and after it
    sa.Column("sigma", sa.Float),
    sa.Column("counts", sa.Text, nullable=False),  # JSON: what the game itself counts
    sa.Index("results_by_guest", "guest", "ended", "table_id"),
    sa.Index("results_by_number", "number"),
    sqlite_with_rowid=False,
)

RATINGS: Final = sa.Table(
    "ratings",
    METADATA,
    sa.Column("game", sa.Text, primary_key=True),
    sa.Column("guest", sa.Text, primary_key=True),
    sa.Column("mu", sa.Float, nullable=False),
    sa.Column("sigma", sa.Float, nullable=False),
    sa.Column("games", sa.Integer, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False),
    sa.Index("ratings_by_guest", "guest"),
)

RATING_TERMS: Final = sa.Table(
    "rating_terms",
    METADATA,
    sa.Column("table_id", sa.Text, primary_key=True),  # as in `results`, of rated games
    sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("helped", sa.Boolean, nullable=False),  # a bot decided something for them
    sa.Column("proven", sa.Boolean, nullable=False),  # they moved the ratings of others
    sa.Column("weight", sa.Float, nullable=False),  # how much it counted, from 0 to 1
    sqlite_with_rowid=False,
)

AT_ONCE: Final = 50
"""The most tables that are looked for at a time."""
_OF_PLAYER: Final = ("seat", "guest", "level", "place", "points", "gone")
"""Columns of a result that say what a player achieved."""


class FinishedGame(Value, tag=False):
    """A finished game, as it is to be counted."""

    table: str
    game: str
    ended: int
    seats: int
    players: tuple[ratings.PlayerResult, ...]
    counts: tuple[Mapping[str, float], ...] = ()
    """What the game itself counts, seat by seat; empty where it counts nothing."""
    rated: Mapping[int, int] = {}
    """The places by which players are rated, by their numbers among `players`."""


@query
def uncounted(transaction: Transaction, most: int = AT_ONCE) -> tuple[str, ...]:
    """Finished games that are not counted yet, those first that ended first."""
    wanted = sa.select(TABLES.c.id).where(UNCOUNTED).order_by(TABLES.c.changed, TABLES.c.id)
    return tuple(transaction.scalars(wanted.limit(most)))


@command(by="policy")
def skip_bot_games(transaction: Transaction) -> None:
    """Mark the games of bots among themselves as counted: nobody wants to know."""
    people = sa.exists().where(ENTRIES.c.table_id == TABLES.c.id, ENTRIES.c.kind == log.Kind.SIT)
    transaction.update(TABLES, UNCOUNTED, ~people, counted=transaction.now)


@command(by="policy")
def count(transaction: Transaction, finished: FinishedGame) -> bool:
    """Write down what everybody achieved, once; one server at a time holds the transaction."""
    if not mark_counted(transaction, finished.table):
        return False
    last = transaction.scalar(sa.select(sa.func.max(RESULTS.c.number))) or 0
    terms = _terms(transaction, finished)
    rated = _rated(transaction, finished, terms)
    rows = [
        {
            "table_id": finished.table,
            "line": line,
            "number": last + 1,
            "game": finished.game,
            "ended": finished.ended,
            "seats": finished.seats,
            "people": ratings.people_in(finished.players),
            **{name: getattr(each, name) for name in _OF_PLAYER},
            **_columns(rated.get(line)),
            "counts": _counts(finished, each),
        }
        for line, each in enumerate(finished.players)
    ]
    transaction.execute(sa.insert(RESULTS), rows)
    for line, on in terms.items():
        transaction.insert(RATING_TERMS, table_id=finished.table, line=line, **on._asdict())
    return True


def mark_counted(transaction: Transaction, table: str) -> bool:
    """Mark a finished game as counted; False if it was before, or is gone."""
    this = (TABLES.c.id == table, UNCOUNTED)
    return bool(transaction.update(TABLES, *this, counted=transaction.now))


def _counts(finished: FinishedGame, player: ratings.PlayerResult) -> str:
    known = player.guest and not player.gone and finished.counts
    return msgspec.json.encode(finished.counts[player.seat] if known else {}).decode()


# --- Ratings ---------------------------------------------------------------------------------


def _columns(rated: ratings.Rated | None) -> dict[str, float | None]:
    names = ("mu_before", "sigma_before", "mu", "sigma")
    return dict(zip(names, (*rated.before, *rated.after) if rated else (None,) * 4, strict=True))


def _terms(transaction: Transaction, finished: FinishedGame) -> dict[int, ratings.Terms]:
    """On what terms people are rated in a game, by their numbers."""
    people = {line: finished.players[line] for line in finished.rated}
    people = {line: each for line, each in people.items() if each.guest}
    return {
        line: ratings.Terms(
            helped=each.helped,
            proven=_games_of(transaction, finished.game, each.guest) >= ratings.PROVEN,
            weight=_weight(transaction, finished, each.guest),
        )
        for line, each in people.items()
    }


def _weight(transaction: Transaction, finished: FinishedGame, guest: str) -> float:
    """How much a game counts for a person: less, the more often they met one of the others."""
    others = {each.guest for each in finished.players} - {"", log.GONE, guest}
    own, with_them = RESULTS.alias(), RESULTS.alias()
    met = (
        sa.select(sa.func.count())
        .join(with_them, with_them.c.table_id == own.c.table_id)
        .where(own.c.guest == guest, own.c.game == finished.game, own.c.mu.is_not(None))
        .where(own.c.ended > finished.ended - ratings.LATELY, with_them.c.mu.is_not(None))
        .where(with_them.c.guest.in_(others))
        .group_by(with_them.c.guest)
    )
    return ratings.weight_of(max(transaction.scalars(met), default=0))


def _games_of(transaction: Transaction, game: str, guest: str) -> int:
    mine = (RATINGS.c.game == game, RATINGS.c.guest == guest)
    return transaction.scalar(sa.select(RATINGS.c.games).where(*mine)) or 0


def _rated(
    transaction: Transaction, finished: FinishedGame, terms: Mapping[int, ratings.Terms]
) -> dict[int, ratings.Rated]:
    """What a game did to the skills of its players, by their numbers; the new ones are stored."""
    if not finished.rated:
        return {}
    lines = sorted(finished.rated)
    players = [finished.players[line] for line in lines]
    held = [skill_of(transaction, finished.game, each.guest) for each in players]
    places = [finished.rated[line] for line in lines]
    on = [terms.get(line, ratings.Terms()) for line in lines]
    found = ratings.rate(finished.game, players, held, places, on)
    for each, rated in zip(players, found, strict=True):
        if rated and each.guest and each.guest != log.GONE:
            store_skill(transaction, finished.game, each.guest, rated.after, finished.ended)
    return {line: rated for line, rated in zip(lines, found, strict=True) if rated}


def skill_of(transaction: Transaction, game: str, guest: str) -> ratings.Skill | None:
    """How strong a guest is in a game; None before their first rated one."""
    mine = (RATINGS.c.game == game, RATINGS.c.guest == guest)
    row = transaction.execute(sa.select(RATINGS.c.mu, RATINGS.c.sigma).where(*mine)).first()
    return ratings.Skill(row.mu, row.sigma) if row and guest else None


def store_skill(
    transaction: Transaction, game: str, guest: str, skill: ratings.Skill, at: int
) -> None:
    """Keep the new skill of a guest, who has played one rated game more."""
    values = {**skill._asdict(), "games": _games_of(transaction, game, guest) + 1, "changed": at}
    mine = (RATINGS.c.game == game, RATINGS.c.guest == guest)
    if not transaction.update(RATINGS, *mine, **values):
        transaction.insert(RATINGS, game=game, guest=guest, **values)


CLOSE: Final = 1e-6
"""How exactly a rating is the same on another machine."""
Ratings = dict[tuple[str, str], tuple[ratings.Skill, int, int]]
"""ratings.Skill, number of games and time of the last one, by game and guest."""


def _replayed(connection: sa.Connection) -> "Iterator[tuple[sa.Row[Any], ratings.Rated]]":
    """Every rated line of the results, and what it does to a rating, in the order of counting."""
    found: dict[tuple[str, str], ratings.Skill] = {}
    terms = sa.and_(
        RATING_TERMS.c.table_id == RESULTS.c.table_id, RATING_TERMS.c.line == RESULTS.c.line
    )
    wanted = (
        sa.select(RESULTS, RATING_TERMS.c.helped, RATING_TERMS.c.proven, RATING_TERMS.c.weight)
        .join(RATING_TERMS, terms, isouter=True)
        .where(RESULTS.c.mu.is_not(None))
        .order_by(RESULTS.c.number, RESULTS.c.line)
    )
    for _, played in groupby(connection.execute(wanted).all(), lambda row: row.number):
        rows = [*played]
        game = rows[0].game
        players = [
            ratings.PlayerResult(*(getattr(row, name) for name in _OF_PLAYER)) for row in rows
        ]
        held = [
            ratings.Skill(row.mu_before, row.sigma_before)
            if row.guest == log.GONE
            else found.get((game, row.guest))
            for row in rows
        ]
        on = [
            ratings.Terms()
            if row.weight is None
            else ratings.Terms(row.helped, row.proven, row.weight)
            for row in rows
        ]
        places = [row.place or row.seats + 1 for row in rows]
        after = ratings.rate(game, players, held, places, on)
        for row, rated in zip(rows, after, strict=True):
            if rated:
                if row.guest not in {"", log.GONE}:
                    found[game, row.guest] = rated.after
                yield row, rated


def recomputed(connection: sa.Connection) -> Ratings:
    """The ratings that follow from the results."""
    found: Ratings = {}
    for row, rated in _replayed(connection):
        if row.guest not in {"", log.GONE}:
            games = found[row.game, row.guest][1] if (row.game, row.guest) in found else 0
            found[row.game, row.guest] = (rated.after, games + 1, row.ended)
    return found


def recompute_ratings(transaction: Transaction) -> int:
    """Write the ratings anew, also those before and after each game; how many people have one."""
    for row, rated in [*_replayed(transaction.connection)]:
        new = _columns(rated)
        if any(not isclose(getattr(row, name), new[name] or 0, abs_tol=CLOSE) for name in new):
            this = (RESULTS.c.table_id == row.table_id, RESULTS.c.line == row.line)
            transaction.update(RESULTS, *this, **new)
    found = recomputed(transaction.connection)
    transaction.execute(sa.delete(RATINGS))
    rows = [
        {"game": game, "guest": guest, **skill._asdict(), "games": games, "changed": changed}
        for (game, guest), (skill, games, changed) in found.items()
    ]
    if rows:
        transaction.execute(sa.insert(RATINGS), rows)
    return len(rows)


@query
def rated_among(transaction: Transaction, tables: Sequence[str]) -> frozenset[str]:
    """Those of these tables whose games count for ratings."""
    wanted = sa.select(RESULTS.c.table_id).where(
        RESULTS.c.table_id.in_(tables), RESULTS.c.mu.is_not(None)
    )
    return frozenset(transaction.scalars(wanted))


def void(transaction: Transaction, table: str) -> bool:
    """Take a game out of all ratings, as if it had not been rated; False if it was not."""
    if not transaction.update(
        RESULTS, RESULTS.c.table_id == table, RESULTS.c.mu.is_not(None), **_columns(None)
    ):
        return False
    transaction.remove(RATING_TERMS, RATING_TERMS.c.table_id == table)
    recompute_ratings(transaction)
    return True


def rating_faults(connection: sa.Connection) -> Iterator[str]:
    """Ratings that do not follow from the results."""
    right = recomputed(connection)
    kept = {
        (row.game, row.guest): (ratings.Skill(row.mu, row.sigma), row.games)
        for row in connection.execute(sa.select(RATINGS))
    }
    unrated = (ratings.Skill(0, 0), 0)
    for which in sorted({*right, *kept}):
        skill, games = right[which][:2] if which in right else unrated
        stored, played = kept.get(which, unrated)
        same = all(isclose(a, b, abs_tol=CLOSE) for a, b in zip(skill, stored, strict=True))
        if not same or games != played:
            yield f"the rating of a guest at {which[0]} does not follow from the results"


def result_faults(transaction: Transaction) -> Iterator[str]:
    """Results that do not follow from the log of their table, as far as it is kept whole."""
    whole = sa.select(TABLES.c.id).where(TABLES.c.counted.is_not(None), TABLES.c.thinned.is_(None))
    for table in transaction.scalars(whole.order_by(TABLES.c.id)).all():
        rows = transaction.execute(
            sa.select(RESULTS).where(RESULTS.c.table_id == table).order_by(RESULTS.c.line)
        ).all()
        stored = transaction.load(table, lock=False)
        if not rows or stored is None:
            continue  # a game of bots
        try:
            players = ratings.results_of(folding.fold(stored.charter, stored.entries))
        except errors.OtherRulesError:
            continue
        compared = attrgetter("seat", "level", "place", "points", "gone")
        said, right = [*map(compared, rows)], [*map(compared, players)]
        if said != right:
            yield f"{table}: the results are not those of the game"


MOST_SUMMED: Final = 5_000
"""The newest games from which figures are made."""
DIGITS: Final = 15
"""The most of a time in milliseconds."""
MOST_MET: Final = 400
"""The newest games in which people are looked for whom a guest has met."""


class OwnResult(Value, tag=False):
    """A finished game of a guest."""

    table: str
    game: str
    ended: int
    seats: int
    own: tuple[Seat, ...]
    """Where they sat; several, if they played for several."""
    place: int | None
    """The best place of theirs; None where nobody won, or they had left."""
    points: int | None
    gone: bool
    rated: bool
    card: Card | None
    """None, if the game is no longer kept."""

    @property
    def names(self) -> tuple[str, ...]:
        """The players; empty if the game is no longer kept."""
        return self.card.names if self.card else ()


class OwnLine(Value, tag=False):
    """What figures are made from: one seat in one finished game."""

    game: str
    seats: int
    people: int
    place: int | None
    points: int | None
    gone: bool
    counts: dict[str, float]


class Met(Value, tag=False):
    """Somebody whom a guest has played with."""

    guest: str
    """Not to be told."""
    name: str
    games: int


class Wanted(Value, tag=False):
    """Which finished games are asked for."""

    game: str = ""
    other: str = ""
    """The id of a guest who played, too."""
    since: int = 0
    before: tuple[int, str] | None = None
    """The game after which a page begins: when it ended, and its table."""


def place_in(said: str) -> tuple[int, str] | None:
    """Where a page begins, such as `1700000000000-TABLE`; None for anything else.

    >>> place_in("17-abc"), place_in("x-abc")
    ((17, 'abc'), None)
    """
    ended, _, table = said.partition("-")
    fine = ended.isascii() and ended.isdecimal() and len(ended) <= DIGITS
    return (int(ended), table) if fine else None


@query
def finished(
    transaction: Transaction, guest: str, wanted: Wanted, most: int
) -> tuple[tuple[OwnResult, ...], int]:
    """A page of a guest's finished games, newest first, and how many there are in all."""
    mine = (*_filters(guest, wanted),)
    games = sa.select(RESULTS.c.ended, RESULTS.c.table_id).where(*mine).distinct()
    total = transaction.scalar(sa.select(sa.func.count()).select_from(games.subquery())) or 0
    if wanted.before is not None:
        ended, table = wanted.before
        same = sa.and_(RESULTS.c.ended == ended, RESULTS.c.table_id < table)
        games = games.where(sa.or_(RESULTS.c.ended < ended, same))
    page = games.order_by(RESULTS.c.ended.desc(), RESULTS.c.table_id.desc()).limit(most)
    found = [row.table_id for row in transaction.execute(page)]
    lines = (
        sa.select(RESULTS, TABLES.c.card)
        .join(TABLES, TABLES.c.id == RESULTS.c.table_id, isouter=True)
        .where(RESULTS.c.guest == guest, RESULTS.c.table_id.in_(found))
        .order_by(RESULTS.c.line)
    )
    by_table: dict[str, list[sa.Row[Any]]] = {table: [] for table in found}
    for row in transaction.execute(lines):
        by_table[row.table_id].append(row)
    return tuple(_result(rows) for rows in by_table.values()), total


def _filters(guest: str, wanted: Wanted) -> "list[sa.ColumnElement[bool]]":
    filters = [RESULTS.c.guest == guest, RESULTS.c.ended >= wanted.since]
    if wanted.game:
        filters.append(RESULTS.c.game == wanted.game)
    if wanted.other:
        others = RESULTS.alias()
        theirs = sa.select(others.c.table_id).where(others.c.guest == wanted.other)
        filters.append(RESULTS.c.table_id.in_(theirs))
    return filters


def _result(rows: "list[sa.Row[Any]]") -> OwnResult:
    best = min(rows, key=lambda row: (row.place is None, row.place))
    return OwnResult(
        table=best.table_id,
        game=best.game,
        ended=best.ended,
        seats=best.seats,
        own=tuple(Seat(row.seat) for row in rows),
        place=best.place,
        points=best.points,
        gone=best.gone,
        rated=best.mu is not None,
        card=msgspec.json.decode(best.card, type=Card) if best.card else None,
    )


@query
def unfinished_of(transaction: Transaction, guest: str) -> tuple[Card, ...]:
    """The tables of a guest that are open or running, the last changed first."""
    theirs = sa.select(OWNERS.c.table_id).where(OWNERS.c.guest == guest)
    wanted = (
        sa.select(TABLES.c.card)
        .where(TABLES.c.id.in_(theirs), TABLES.c.status != Status.OVER)
        .order_by(TABLES.c.changed.desc(), TABLES.c.id.desc())
    )
    return transaction.cards(wanted)


@query
def lines_of(transaction: Transaction, guest: str) -> tuple[OwnLine, ...]:
    """What the figures of a guest are made from, the newest games."""
    wanted = sa.select(RESULTS).where(RESULTS.c.guest == guest)
    newest = wanted.order_by(RESULTS.c.ended.desc()).limit(MOST_SUMMED)
    return tuple(
        OwnLine(
            game=row.game,
            seats=row.seats,
            people=row.people,
            place=row.place,
            points=row.points,
            gone=row.gone,
            counts=msgspec.json.decode(row.counts, type=dict[str, float]),
        )
        for row in transaction.execute(newest)
    )


@query
def skills_of(transaction: Transaction, guest: str) -> dict[str, ratings.Skill]:
    """How strong a guest is, by game."""
    wanted = sa.select(RATINGS).where(RATINGS.c.guest == guest)
    return {row.game: ratings.Skill(row.mu, row.sigma) for row in transaction.execute(wanted)}


@query
def people_met(transaction: Transaction, guest: str) -> tuple[Met, ...]:
    """The people with whom a guest has finished games, those met last first."""
    mine = (
        sa.select(RESULTS.c.table_id)
        .where(RESULTS.c.guest == guest)
        .order_by(RESULTS.c.ended.desc())
        .limit(MOST_MET)
    )
    wanted = (
        sa.select(RESULTS.c.guest, RESULTS.c.seat, RESULTS.c.gone, TABLES.c.card)
        .join(TABLES, TABLES.c.id == RESULTS.c.table_id)
        .where(RESULTS.c.table_id.in_(mine), RESULTS.c.guest.not_in(["", log.GONE, guest]))
        .order_by(RESULTS.c.ended.desc(), RESULTS.c.table_id, RESULTS.c.seat)
    )
    met: dict[str, Met] = {}
    for row in transaction.execute(wanted):
        if (known := met.get(row.guest)) is not None:
            met[row.guest] = msgspec.structs.replace(known, games=known.games + 1)
        elif not row.gone:  # the table no longer names a player who left
            names = msgspec.json.decode(row.card, type=Card).names
            met[row.guest] = Met(guest=row.guest, name=names[int(row.seat)], games=1)
    return tuple(met.values())


@query
def first_seen(transaction: Transaction, guest: str) -> int | None:
    """When a guest's first game ended that is kept."""
    wanted = sa.select(sa.func.min(RESULTS.c.ended)).where(RESULTS.c.guest == guest)
    found: int | None = transaction.scalar(wanted)
    return found


def _forget_results(transaction: Transaction, guest: str) -> None:
    """The others keep theirs, and how they placed."""
    transaction.update(RESULTS, RESULTS.c.guest == guest, guest=log.GONE, counts="{}")


PERSONAL_DATA: Final = (
    of_guest("results", RESULTS, "line", "number")._replace(forget=_forget_results),
    of_guest("ratings", RATINGS),
)
