#!/usr/bin/env python
"""Rewrite the tables in `docs/games` and `docs/how-to` from the code.

    python docs/spec.py            rewrite stale tables
    python docs/spec.py --check    change nothing; fail if a table is stale

A page holds each table between two marks, `<!-- spec -->` and `<!-- /spec -->`; the rest of the
page is written by hand. Facts about play are found by playing games.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, Final

import click
import msgspec

from mauerwerk.adapters.setting import PlacedPart, setting_of
from mauerwerk.core import options
from mauerwerk.core.game import NATURE, AnyGame, Ephemeral, Outcome, Seat, Setup, Value, draw_lot
from mauerwerk.games import GAMES
from mauerwerk.server.api.openapi import meanings
from mauerwerk.server.features.retention.store import Retention
from mauerwerk.server.http.settings import Limits, limit_names

PAGES: Final = Path(__file__).parent / "games"
HOW_TO: Final = Path(__file__).parent / "how-to"
TRIALS: Final = 20
MOST_WORDS: Final = 8

BY_LOT: Final = {"first": "lot"}
"""The option with which nature moves even in a game without dice and cards."""

Row = Sequence[str]


# --- What play shows -------------------------------------------------------------------------


class Traits(Value):
    """What was observed while games were played."""

    together: bool = False
    """Several seats were asked at the same time."""
    hidden: bool = False
    """Something happened that a spectator was not told in full, or only once."""
    nature: bool = False
    """Nature had to move."""
    outcomes: tuple[Outcome, ...] = ()


@cache
def traits(name: str, *, by_lot: bool) -> Traits:
    """Play some random games, with default options or by lot, and return their traits."""
    game = GAMES[name]
    chance = Random(1)  # noqa: S311 - the same games each time, and no secret
    chosen = options.from_words(game.OPTIONS, BY_LOT if by_lot else {})
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
    """Whether high or low scores win, judging by the ranks."""
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
    usual, by_lot = (traits(game.NAME, by_lot=each) for each in (False, True))
    by_option = "only with `first=lot`" if by_lot.nature else "no"
    yield "subject", "value"
    yield "title", game.TITLE
    yield "name", f"`{game.NAME}`"
    yield "revision of the rules", f"{game.RULES}"
    yield "seats", f"{game.SEATS[0]} to {game.SEATS[-1]}"
    yield "actions", f"{len(_actions(game))}"
    yield "several choose at once", "yes" if usual.together else "no"
    yield "hidden information", "yes" if usual.hidden else "no"
    yield "nature moves", "yes" if usual.nature else by_option
    yield "reasons to end", " ".join(f"`{ending}`" for ending in game.ENDINGS)
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
    for kind, group in groupby(_actions(game), key=type):
        words = [f"`{game.write(action)}`" for action in group]
        last = first + len(words) - 1
        numbers = f"{first} to {last}" if words[1:] else f"{first}"
        listed = words if len(words) <= MOST_WORDS else [*words[:3], "…", words[-1]]
        meaning = (kind.__doc__ or "").partition("\n")[0].removesuffix(".")
        yield numbers, f"`{kind.__name__}`", " ".join(listed), meaning
        first = last + 1


def _actions(game: AnyGame) -> Sequence[Value]:
    """Every action by its number, with the default options."""
    setup = Setup(game.SEATS[0], game.OPTIONS())
    return [*game.choices(setup), *game.lots(setup)]


TABLES: Final[Mapping[str, Callable[[AnyGame], Iterator[Row]]]] = {
    "spec": spec,
    "options": option_table,
    "numbers": number_table,
}
"""Each table by its mark."""


# --- Tables for learners ---------------------------------------------------------------------


def space_table() -> Iterator[Row]:
    """How many numbers players choose from, and how many an observation has."""
    yield "game", "seats", "actions", "observation"
    for name, game in GAMES.items():
        setting = setting_of(name)
        seats = f"{game.SEATS[0]} to {game.SEATS[-1]}"
        yield f"`{name}`", seats, f"{setting.choices}", f"{setting.width} integers of 16 bits"


def spiel_table() -> Iterator[Row]:
    """What OpenSpiel needs to know about a game."""
    yield "game", "players", "actions", "chance outcomes", "longest game", "tensor", "with memory"
    for name, game in GAMES.items():
        setting = setting_of(name)
        yield (
            f"`mauerwerk_{name}`",
            f"{game.SEATS[0]} to {game.SEATS[-1]}",
            f"{setting.choices}",
            f"{len(setting.actions) - setting.choices}",
            f"{game.longest(setting.setup):,}",
            f"{setting.width}",
            f"{setting_of(name, remember=True).width}",
        )


def layout_table(name: str) -> Iterator[Row]:
    """The parts of an observation and their positions."""
    yield "part", "from", "to", "largest", "holds"
    for part in setting_of(name, GAMES[name].SEATS[-1]).encoding.parts:
        yield _row_of(part)


def _row_of(part: PlacedPart) -> Row:
    numbers = (part.begin, part.end - 1, part.largest)
    return f"`{part.name}`", *(f"{number}" for number in numbers), part.meaning


def memory_table(name: str) -> Iterator[Row]:
    """The parts that an observation which remembers has after these."""
    yield "part with `remember`", "from", "to", "largest", "holds"
    plain = setting_of(name).width
    for part in setting_of(name, GAMES[name].SEATS[-1], remember=True).encoding.parts:
        if part.begin >= plain:
            yield _row_of(part)


def limit_table() -> Iterator[Row]:
    """The limits of a server."""
    yield "setting", "limits", "default"
    yield from _settings(Limits, limit_names())


def retention_table() -> Iterator[Row]:
    """How long a server keeps things."""
    yield "setting", "days that are kept", "default"
    yield from _settings(Retention, Retention.__struct_fields__)


def _settings(section: type[msgspec.Struct], names: Sequence[str]) -> Iterator[Row]:
    """Each with its meaning, and what it is at first."""
    fields = {each.name: each for each in msgspec.structs.fields(section)}
    said = meanings(section)
    for name in names:
        about = said[name][0].lower() + said[name][1:].removesuffix(".")
        yield f"`{name}`", about, f"{fields[name].default:,}".removesuffix(".0")


LEARNERS: Final[Mapping[str, Mapping[str, Callable[[], Iterator[Row]]]]] = {
    "use-pettingzoo.md": {
        "spaces": space_table,
        **{f"layout {name}": partial(layout_table, name) for name in GAMES},
        **{f"memory {name}": partial(memory_table, name) for name in GAMES},
    },
    "use-gymnasium.md": {"spaces": space_table},
    "use-openspiel.md": {"spiel": spiel_table},
    "host-a-server.md": {"limits": limit_table, "keep": retention_table},
}
"""The tables of each page for learners and hosts, by their marks."""


# --- Pages -----------------------------------------------------------------------------------


def renewed(page: str, whose: str, tables: Mapping[str, Callable[[], Iterator[Row]]]) -> str:
    """The page with up-to-date tables."""
    for mark, rows in tables.items():
        before, begin, rest = page.partition(f"<!-- {mark} -->\n")
        _, end, after = rest.partition(f"<!-- /{mark} -->\n")
        if not begin or not end:
            raise click.ClickException(f"the page of {whose} lacks the marks of {mark}")
        page = f"{before}{begin}{_markdown(rows())}{end}{after}"
    return page


def _markdown(rows: Iterator[Row]) -> str:
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    return "".join(f"| {' | '.join(cells)} |\n".replace("| --- ", "|---") for cells in lines)


def all_pages(
    pages: Path, how_to: Path
) -> Iterator[tuple[Path, str, Mapping[str, Callable[[], Iterator[Row]]]]]:
    """Every page with its subject and its tables."""
    for name, game in GAMES.items():
        tables = {mark: partial(rows, game) for mark, rows in TABLES.items()}
        yield pages / f"{name}.md", name, tables
    for page, tables_for_learners in LEARNERS.items():
        yield how_to / page, page.removesuffix(".md"), tables_for_learners


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; fail when a table is stale.")
@click.option(
    "--pages",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=PAGES,
    help="The folder of the pages, one for each game.",
)
@click.option(
    "--how-to",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=HOW_TO,
    help="The folder of the pages for learners.",
)
def main(*, check: bool, pages: Path, how_to: Path) -> None:
    """Rewrite the tables in docs/games and docs/how-to from the code itself."""
    stale: list[str] = []
    for path, whose, tables in all_pages(pages, how_to):
        if not path.exists():
            raise click.ClickException(f"{whose} has no page: write {path.name}")
        page = path.read_text(encoding="utf-8")
        if (new := renewed(page, whose, tables)) != page:
            stale.append(path.name)
            if not check:
                path.write_text(new, encoding="utf-8")
    if check and stale:
        raise click.ClickException(f"stale: {', '.join(stale)}; run python docs/spec.py")
    click.echo(f"rewritten: {', '.join(stale)}" if stale else "every table is up to date")


if __name__ == "__main__":
    main()
