#!/usr/bin/env python
"""Keep the tables in `docs/games` true: `python docs/spec.py` rewrites them from the games.

    python docs/spec.py            rewrite what is stale
    python docs/spec.py --check    change nothing; fail when something is stale

A page holds each table between two marks, `<!-- spec -->` and `<!-- /spec -->`; what stands outside
of them is written by hand. What a table says about play is found by playing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, Final

import click

from mauerwerk.core import options
from mauerwerk.core.game import NATURE, AnyGame, Ephemeral, Outcome, Seat, Setup, Value, draw_lot
from mauerwerk.games import GAMES

PAGES: Final = Path(__file__).parent / "games"
TRIALS: Final = 20
MOST_WORDS: Final = 8

BY_LOT: Final = {"first": "lot"}
"""The option by which nature moves even in a game without dice and cards."""

Row = Sequence[str]


# --- What play shows -------------------------------------------------------------------------


class Traits(Value):
    """What was noticed while a game was played."""

    together: bool = False
    """Several seats were asked at the same time."""
    hidden: bool = False
    """Something happened that a spectator was not told in full, or only once."""
    nature: bool = False
    """Nature had to move."""
    outcomes: tuple[Outcome, ...] = ()


def traits(game: AnyGame, words: Mapping[str, str]) -> Traits:
    """Play some games at random with these options and say what they were like."""
    chance = Random(1)  # noqa: S311 - the same games each time, and no secret
    chosen = options.from_words(game.OPTIONS, words)
    played = [
        _play(game, Setup(seats, chosen), chance)
        for seats in (game.SEATS[0], game.SEATS[-1])
        for _ in range(TRIALS)
    ]
    return Traits(
        together=any(each.together for each in played),
        hidden=any(each.hidden for each in played),
        nature=any(each.nature for each in played),
        outcomes=tuple(outcome for each in played for outcome in each.outcomes),
    )


def _play(game: AnyGame, setup: Setup[Any], chance: Random) -> Traits:
    state = game.start(setup)
    together = hidden = nature = False
    while seats := game.to_act(state):
        together |= len(seats) > 1
        nature |= seats[0] == NATURE
        step = game.apply(state, seats[0], _any_action(game, state, seats[0], chance))
        hidden |= any(
            isinstance(event, Ephemeral) or game.seen(event, None) != event for event in step.events
        )
        state = step.state
    outcome = game.outcome(state)
    return Traits(together, hidden, nature, () if outcome is None else (outcome,))


def _any_action(game: AnyGame, state: Value, seat: Seat, chance: Random) -> Value:
    action: Value = (
        draw_lot(game.odds(state), chance.randrange)
        if seat == NATURE
        else chance.choice(game.legal(state, seat))
    )
    return action


def who_wins(outcomes: Sequence[Outcome]) -> str:
    """Whether many points or few are good, as the ranks tell."""
    by_rank = [[points for _, points in _ranked(outcome)] for outcome in outcomes]
    if all(points == sorted(points) for points in by_rank):
        return "the fewest win"
    if all(points == sorted(points, reverse=True) for points in by_rank):
        return "the most win"
    return "ranks do not follow points"


def _ranked(outcome: Outcome) -> list[tuple[int, int]]:
    return sorted(zip(outcome.ranks, outcome.points, strict=True))


# --- Tables ----------------------------------------------------------------------------------


def spec(game: AnyGame) -> Iterator[Row]:
    """The game at a glance."""
    usual, by_lot = traits(game, {}), traits(game, BY_LOT)
    by_option = "only with `first=lot`" if by_lot.nature else "no"
    yield "subject", "value"
    yield "title", game.TITLE
    yield "name", f"`{game.NAME}`"
    yield "revision of the rules", f"{game.RULES}"
    yield "seats", f"{game.SEATS[0]} to {game.SEATS[-1]}"
    yield "actions", f"{len(_part(game, 'numbering').ACTIONS)}"
    yield "several choose at once", "yes" if usual.together else "no"
    yield "hidden information", "yes" if usual.hidden else "no"
    yield "nature moves", "yes" if usual.nature else by_option
    yield "reasons to end", " ".join(f"`{end.value}`" for end in _part(game, "values").Ending)
    yield "points", who_wins(usual.outcomes + by_lot.outcomes)


def option_table(game: AnyGame) -> Iterator[Row]:
    """What a table can choose."""
    yield "option", "allowed", "default", "meaning"
    for option in options.described(game.OPTIONS):
        yield f"`{option.name}`", option.allowed, option.default, option.meaning


def number_table(game: AnyGame) -> Iterator[Row]:
    """Which numbers stand for which kind of action."""
    yield "numbers", "action", "words", "meaning"
    first = 0
    for kind, group in groupby(_part(game, "numbering").ACTIONS, key=type):
        words = [f"`{game.write(action)}`" for action in group]
        last = first + len(words) - 1
        numbers = f"{first} to {last}" if words[1:] else f"{first}"
        listed = words if len(words) <= MOST_WORDS else [*words[:3], "…", words[-1]]
        meaning = (kind.__doc__ or "").partition("\n")[0].removesuffix(".")
        yield numbers, f"`{kind.__name__}`", " ".join(listed), meaning
        first = last + 1


def _part(game: AnyGame, name: str) -> Any:  # noqa: ANN401 - a module, and each game has its own
    return import_module(f"mauerwerk.games.{game.NAME}.{name}")


TABLES: Final[Mapping[str, Callable[[AnyGame], Iterator[Row]]]] = {
    "spec": spec,
    "options": option_table,
    "numbers": number_table,
}
"""Each table by its mark."""


# --- Pages -----------------------------------------------------------------------------------


def renewed(page: str, game: AnyGame) -> str:
    """The page with every table as it should be."""
    for mark, rows in TABLES.items():
        before, begin, rest = page.partition(f"<!-- {mark} -->\n")
        _, end, after = rest.partition(f"<!-- /{mark} -->\n")
        if not begin or not end:
            raise click.ClickException(f"the page of {game.NAME} lacks the marks of {mark}")
        page = f"{before}{begin}{_markdown(rows(game))}{end}{after}"
    return page


def _markdown(rows: Iterator[Row]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "".join(f"| {' | '.join(cells)} |\n".replace("| --- ", "|---") for cells in lines)


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; fail when a table is stale.")
@click.option(
    "--pages",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=PAGES,
    help="The folder of the pages, one for each game.",
)
def main(*, check: bool, pages: Path) -> None:
    """Rewrite the tables in docs/games from the games themselves."""
    stale: list[str] = []
    for name, game in GAMES.items():
        path = pages / f"{name}.md"
        if not path.exists():
            raise click.ClickException(f"{name} has no page: write {path.name}")
        page = path.read_text(encoding="utf-8")
        if (new := renewed(page, game)) != page:
            stale.append(path.name)
            if not check:
                path.write_text(new, encoding="utf-8")
    if check and stale:
        raise click.ClickException(f"stale: {', '.join(stale)}; run python docs/spec.py")
    click.echo(f"rewritten: {', '.join(stale)}" if stale else "every table is up to date")


if __name__ == "__main__":
    main()
