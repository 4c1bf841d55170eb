"""What players achieved: their places in a finished game, and ratings on one scale per game.

Ratings follow the Plackett-Luce model of openskill. People begin in the middle, in great doubt.
Bots do not learn, so theirs are given: a ladder rated them (`bots.ratings`), and what people do
against them does not change that.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from msgspec.structs import replace
from openskill.models import PlackettLuce

from mauerwerk.bots.rooms import rating_of
from mauerwerk.core.game import Seat, Value
from mauerwerk.lab.intervals import NORMAL, Estimate
from mauerwerk.lab.match.ratings import after_game
from mauerwerk.server.tables.log import GONE, Kind
from mauerwerk.server.tables.table import Occupant, Table

HARDLY: Final = 3
"""A player who makes less than one in so many of the decisions at their seat has hardly played."""


class PlayerResult(Value, tag=False):
    """How one player of a finished game did: a person or a bot."""

    seat: Seat
    guest: str
    """Empty for a bot."""
    level: str
    """The level of a bot; empty for a person, also where a bot played for them."""
    place: int | None
    """None where nobody won, and for a player who had left."""
    points: int | None
    gone: bool = False
    """Whether they left before the end, so that a bot or somebody else played on."""
    whole: bool = True
    """Whether they had the seat from the beginning; otherwise the game is not rated for them."""
    own: int = 0
    """How many of the decisions at their seat they made themselves."""
    decisions: int = 0
    """How many decisions there were at their seat, whoever made them."""
    helped: bool = False
    """Whether a bot decided anything for them."""

    @property
    def hardly_played(self) -> bool:
        """Whether others made most of their decisions: they left early, or were away."""
        return bool(self.guest) and self.own * HARDLY < self.decisions


def results_of(table: Table) -> tuple[PlayerResult, ...]:
    """Everybody who had a seat at the end, seat by seat, then those who had left theirs."""
    outcome = table.outcome
    starts = (each.occupants for each in table.log if each.entry.kind is Kind.START)
    began = next(starts, table.occupants)
    stayed: list[PlayerResult] = []
    gone: list[PlayerResult] = []
    seated = {logged.entry.seq: logged.occupants for logged in table.log}
    for number, (first, last) in enumerate(zip(began, table.occupants, strict=True)):
        seat = Seat(number)
        same = first.guest == last.guest
        deciders = [seated[play.seq][seat] for play in table.plays if play.seat == seat]
        # A bot that took over a seat only plays on what somebody else began.
        if last.guest or same:
            stayed.append(
                _played(
                    PlayerResult(
                        seat=seat,
                        guest=last.guest,
                        level="" if last.guest else last.level,
                        place=outcome.ranks[seat] if outcome else None,
                        points=outcome.points[seat] if outcome and outcome.points else None,
                        whole=same,
                    ),
                    deciders,
                )
            )
        if first.guest and not same:
            left = PlayerResult(seat, first.guest, "", None, None, gone=True)
            gone.append(_played(left, deciders))
    return (*stayed, *gone)


def _played(player: PlayerResult, deciders: Sequence[Occupant]) -> PlayerResult:
    """With how many decisions of the seat were theirs, and whether a bot made some for them."""
    theirs = [each for each in deciders if each.guest == player.guest]
    own = sum(each.person for each in theirs)
    helped = bool(player.guest) and own < len(theirs)
    return replace(player, own=own, decisions=len(deciders), helped=helped)


def ended_at(table: Table) -> int:
    """When the last move was made, or the game was ended without a winner."""
    return next(
        (
            logged.entry.at
            for logged in reversed(table.log)
            if logged.entry.kind in {Kind.MOVE, Kind.END}
        ),
        table.changed,
    )


def rated_places(table: Table, players: tuple[PlayerResult, ...]) -> dict[int, int]:
    """The places for which a game is rated, by the players' numbers; empty if it is not rated.

    A player who left is behind all others. A game of one person at several seats is not rated,
    since they could let themselves win; nor is one in which somebody has hardly played.
    """
    if not table.charter.rated or table.outcome is None:
        return {}
    counted = {number: each for number, each in enumerate(players) if each.whole}
    people = [each.guest for each in counted.values() if each.guest]
    if len(counted) < 2 or not people or len({*people}) < len(people):  # noqa: PLR2004 - nobody to compare with
        return {}
    if any(each.hardly_played for each in counted.values()):
        return {}
    behind = table.setup.seats + 1
    return {number: each.place or behind for number, each in counted.items()}


def people_in(players: tuple[PlayerResult, ...]) -> int:
    """How many different people played, those who were forgotten one by one."""
    known = {each.guest for each in players if each.guest not in {"", GONE}}
    return len(known) + sum(each.guest == GONE for each in players)


# --- Ratings -----------------------------------------------------------------------------------

MIDDLE: Final = 1500
"""What the mean of the model is shown as."""
PROVEN: Final = 5
"""After so many rated games of their own a person moves the ratings of others."""
FULL: Final = 5
"""So many games with the same person count fully; each further one counts less."""
LATELY: Final = 30 * 86_400_000
"""Milliseconds for which a game with the same person is remembered."""
POINTS: Final = 24
"""The points of one unit of the model: a beginner's doubt is then about 400 to either side."""


class Skill(NamedTuple):
    """How strong a player is: the mean of what is believed, and its standard deviation."""

    mu: float
    sigma: float


class Rated(NamedTuple):
    """What a rated game did to the skill of a player."""

    before: Skill
    after: Skill


@cache
def _model() -> PlackettLuce:
    """People change a little from game to game, as the model allows for by itself."""
    return PlackettLuce()


def beginner() -> Skill:
    """What is believed of a person before their first rated game."""
    return Skill(_model().mu, _model().sigma)


class Terms(NamedTuple):
    """On what terms a person is rated in a game."""

    helped: bool = False
    """Whether a bot decided something for them: then they can only lose."""
    proven: bool = True
    """Whether they have played enough rated games to move the ratings of others."""
    weight: float = 1.0
    """How much the game counts, from 0 to 1."""


def weight_of(games: int) -> float:
    """How much a game counts between two people who have played so many of late."""
    return min(1.0, FULL / (games + 1))


def rate(
    game: str,
    players: Sequence[PlayerResult],
    held: Sequence[Skill | None],
    places: Sequence[int],
    terms: Sequence[Terms] | None = None,
) -> list[Rated | None]:
    """What a game does to the skills of its players. A bot that no ladder rated is left out.

    People are compared with bots and with those who are proven.
    """
    on = terms or [Terms()] * len(players)
    before: list[Skill | None] = []
    for player, known in zip(players, held, strict=True):
        anchor = rating_of(game, player.level) if player.level else known or beginner()
        before.append(Skill(*anchor) if anchor else None)
    skills = {number: skill for number, skill in enumerate(before) if skill}
    found: list[Rated | None] = [None] * len(players)
    if len(skills) < 2:  # noqa: PLR2004 - nobody to compare with
        return found
    for number, skill in skills.items():
        others = [each for each in skills if each != number and _moves(players[each], on[each])]
        after = skill
        if others and not players[number].level:
            group = [number, *others]
            ranks = [places[each] for each in group]
            after = Skill(*after_game(_model(), [skills[each] for each in group], ranks)[0])
            after = _on(on[number], skill, after)
        found[number] = Rated(skill, after)
    return found


def _moves(player: PlayerResult, terms: Terms) -> bool:
    return bool(player.level) or terms.proven


def _on(terms: Terms, before: Skill, after: Skill) -> Skill:
    """The new skill of a person, on these terms."""
    if terms.helped and after.mu > before.mu:
        return before
    return Skill(
        *(old + terms.weight * (new - old) for old, new in zip(before, after, strict=True))
    )


def shown(skill: Skill) -> Estimate:
    """A rating as people read it, with its interval.

    >>> [round(each) for each in (lambda it: (it.low, it.mean, it.high))(shown(Skill(25, 1.5)))]
    [1429, 1500, 1571]
    """
    mean = MIDDLE + POINTS * (skill.mu - _model().mu)
    reach = POINTS * NORMAL * skill.sigma
    return Estimate(mean, mean - reach, mean + reach)
