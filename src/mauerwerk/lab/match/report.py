"""A match or a ladder as one HTML file, in three languages; it asks for nothing else.

This module gathers what `templates/contest.html` shows. The style sheet is that of studies.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, Template

from mauerwerk import __version__
from mauerwerk.core.game import AnyGame, Setup
from mauerwerk.core.language import TITLES, language_of
from mauerwerk.core.options import to_words
from mauerwerk.lab.match.spending import Spending
from mauerwerk.lab.match.standings import Standings


def report(
    game: AnyGame,
    setup: Setup[Any],
    played: Standings,
    rated: Sequence[Any] = (),
    spent: Sequence[Spending] = (),
) -> str:
    """The whole file. With ratings it is of a ladder, and these give the order."""
    order = [each.bot for each in rated] or [each.bot for each in played.bots]
    by_bot = {each.bot: each for each in played.bots}
    return _template().render(
        game=game,
        seats=setup.seats,
        options=to_words(setup.options),
        played=played,
        bots=[by_bot[bot] for bot in order],
        ratings={each.bot: each.rating for each in rated},
        ahead={(each.bot, each.other): each.share.mean for each in played.ahead},
        spent=spent,
        TITLES=TITLES,
        version=__version__,
        languages=[language_of(code) for code in TITLES],
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=ChoiceLoader(
            [PackageLoader("mauerwerk.lab.match"), PackageLoader("mauerwerk.lab.study")]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("contest.html")
