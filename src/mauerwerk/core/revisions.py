"""Revisions of a game's rules: a game can bring earlier ones, for tables and records from before.

When rules change so that an old record would no longer replay, `RULES` rises. The rules as they
were can stay, as a game with the same `NAME` and the old `RULES`, which the game names:

    EARLIER = (breach_1,)

Tables that were begun under them are played to the end under them, and their records replay. New
tables are played by the game itself. A game without `EARLIER` has no earlier rules.
"""

from collections.abc import Sequence

from mauerwerk.core.game import AnyGame


def revisions(game: AnyGame) -> Sequence[AnyGame]:
    """The rules of a game in each revision that there is, the present one first."""
    return (game, *getattr(game, "EARLIER", ()))


def of_revision(game: AnyGame, rules: int) -> AnyGame | None:
    """The rules of a game in this revision; None where the game does not bring them."""
    return next((each for each in revisions(game) if rules == each.RULES), None)
