"""Rewrite the tables of the studies from the figures in `results`.

    python docs/studies/tables.py            rewrite stale tables
    python docs/studies/tables.py --check    change nothing; fail if a table is stale

A page has each table between two marks, `<!-- NAME -->` and `<!-- /NAME -->`; the rest of the page
is written by hand.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from mauerwerk.bots import spec
from mauerwerk.lab.intervals import Estimate
from mauerwerk.lab.study.format import digits, number

HERE: Final = Path(__file__).parent
SEATS: Final[Mapping[str, Sequence[int]]] = {
    "mauer": (3, 4, 5, 6),
    "burgbaumeister": (2, 3, 4),
    "mauerbauer": (2, 3, 4),
}
TITLES: Final = {
    "mauer": "Die Mauer",
    "burgbaumeister": "Burgbaumeister",
    "mauerbauer": "Mauerbauer",
}
BOTS: Final = ("uniform", "greedy")
MEMORIES: Final = ("absent", "apprentice", "journeyman", "foreman", "perfect")
VARIANTS: Final = {"no": "basic", "yes": "variant"}

_EMPTY: Final = "\N{EN DASH}"


# --- What is known ---------------------------------------------------------------------------


class Results:
    """The figures of all runs in a file."""

    def __init__(self, name: str, folder: Path = HERE / "results") -> None:
        """Read it."""
        self._runs: dict[str, Any] = json.loads((folder / f"{name}.json").read_text("utf-8"))

    def games(self, run: str) -> int:
        """The number of games played."""
        games: int = self._runs[run]["games"]
        return games

    def rows(self, run: str, section: str) -> list[str]:
        """The rows of a section."""
        return list(self._runs[run]["figures"][section])

    def get(self, run: str, section: str, row: str, head: str) -> Estimate | None:
        """A figure; None if there was nothing to count."""
        kept = self._runs[run]["figures"][section][row][head]
        return None if kept is None else Estimate(*kept)

    def best_first(self, run: str, section: str, head: str) -> list[str]:
        """The rows of a section, the largest figure first."""

        def mean(row: str) -> float:
            found = self.get(run, section, row, head)
            return found.mean if found else 0.0

        return sorted(self.rows(run, section), key=mean, reverse=True)

    def share(self, run: str, section: str, row: str, head: str) -> str:
        """A figure in percent, as a table shows it."""
        return _shown(self.get(run, section, row, head), share=True)

    def mean(self, run: str, section: str, row: str, head: str) -> str:
        """A figure, as a table shows it."""
        return _shown(self.get(run, section, row, head), share=False)

    def middle(self, run: str, section: str, row: str, head: str) -> str:
        """A figure that the pages show without its interval."""
        found = self.get(run, section, row, head)
        return _EMPTY if found is None else number(found.mean, 0)


def _shown(estimate: Estimate | None, *, share: bool) -> str:
    """A figure with its significant digits and the distance to the farther end of its interval."""
    if estimate is None:
        return _EMPTY
    places, times = digits(estimate, share=share), 100 if share else 1
    middle = number(estimate.mean * times, places)
    if estimate.low is None or estimate.high is None:
        return middle
    farther = max(estimate.high - estimate.mean, estimate.mean - estimate.low) * times
    return f"{middle} ±{number(farther, places)}"


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown; all columns except the first are right-aligned."""
    rule = ("---", *("--:" for _ in heads[1:]))
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, rule, *rows))


# --- Tables ----------------------------------------------------------------------------------


def wins_table(game: str) -> str:
    """How often each seat wins, by the number of seats and the kind of player."""
    results, most = Results(game), max(SEATS[game])
    return table(
        ("seats, players", "games", *(f"seat {seat + 1}" for seat in range(most))),
        [
            (
                f"{seats}, {bot}",
                f"{results.games(run := f'{seats} {bot}'):,}",
                *(results.share(run, "seats", f"seat {seat + 1}", "wins") for seat in range(seats)),
                *("" for _ in range(most - seats)),
            )
            for bot in BOTS
            for seats in SEATS[game]
        ],
    )


def penalties_table() -> str:
    """The penalty points of each seat in Die Mauer, greedy players."""
    results, most = Results("mauer"), max(SEATS["mauer"])
    return table(
        ("seats, players", *(f"seat {seat + 1}" for seat in range(most))),
        [
            (
                f"{seats}, greedy",
                *(
                    results.mean(f"{seats} greedy", "seats", f"seat {seat + 1}", "points")
                    for seat in range(seats)
                ),
                *("" for _ in range(most - seats)),
            )
            for seats in SEATS["mauer"]
        ],
    )


def length_table() -> str:
    """How long games are, and how close, by game and number of seats."""
    return table(
        (
            *("game, seats, players", "turns", "half take", "5 to 95 in 100"),
            *("moves", "shared wins, %", "first to second"),
        ),
        [
            (
                f"{TITLES[game]}, {seats}, {bot}",
                results.mean(run, "length", "turns", "mean"),
                results.middle(run, "length", "turns", "half are at most"),
                results.middle(run, "length", "turns", "5 in 100 are at most")
                + "\N{EN DASH}"
                + results.middle(run, "length", "turns", "95 in 100 are at most"),
                results.mean(run, "length", "moves", "mean"),
                results.share(run, "closeness", "The win is shared", "games"),
                results.mean(run, "margins", "First and second", "mean"),
            )
            for game in SEATS
            for results in (Results(game),)
            for seats in SEATS[game]
            for bot in BOTS
            for run in (f"{seats} {bot}",)
        ],
    )


def cards_table() -> str:
    """What each card earns with four greedy players, the best in the last third first."""
    results, run = Results("mauerbauer"), "4 greedy"
    earned = ("points a play", "early", "in the middle", "late")
    return table(
        (
            *("card", "points a play", "early", "middle", "late"),
            *("played", "discarded", "wins with it, %"),
        ),
        [
            (
                card,
                *(results.mean(run, "cards", card, head) for head in earned),
                *(results.mean(run, "fate", card, head) for head in ("played", "discarded")),
                results.share(run, "fate", card, "wins with it"),
            )
            for card in results.best_first(run, "cards", "late")
        ],
    )


def players_table() -> str:
    """What each card earns per play, by kind and number of players."""
    results = Results("mauerbauer")
    return table(
        (
            "card",
            "chance, 4 seats",
            "chance, early",
            "chance, late",
            "greedy, 4 seats",
            "greedy, 2",
        ),
        [
            (
                card,
                results.mean("4 uniform", "cards", card, "points a play"),
                results.mean("4 uniform", "cards", card, "early"),
                results.mean("4 uniform", "cards", card, "late"),
                results.mean("4 greedy", "cards", card, "points a play"),
                results.mean("2 greedy", "cards", card, "points a play"),
            )
            for card in results.best_first("4 uniform", "cards", "points a play")
        ],
    )


def when_table() -> str:
    """The points of all players together in each third of a game."""
    results = Results("mauerbauer")
    thirds = ("First third of the game", "Second third", "Last third")
    return table(
        (
            *("seats, players", "games", "first third", "second third", "last third"),
            *("cities closed", "palaces a city"),
        ),
        [
            (
                run.replace(" ", ", "),
                f"{results.games(run):,}",
                *(results.mean(run, "when", third, "points") for third in thirds),
                *(
                    results.mean(run, "cities", row, "a game")
                    for row in ("Cities closed", "Palaces a city")
                ),
            )
            for run in ("2 uniform", "4 uniform", "2 greedy", "4 greedy")
        ],
    )


def memories_table() -> str:
    """How each memory forgets."""
    after, ends = 10, {0.0: "never", 1.0: "always"}
    rows: list[tuple[str, ...]] = []
    for name in MEMORIES:
        memory = spec.MEMORIES[name]
        kept = (memory.per_turn * memory.per_card / 1_000_000) ** after
        each = (f"{thousandths / 10:g} %" for thousandths in (memory.per_turn, memory.per_card))
        rows.append((name, *each, ends.get(kept, f"{100 * kept:.0f} %")))
    heads = ("kept per turn", "kept per card", f"after {after} turns and {after} other cards")
    return table(("memory", *heads), rows)


def memory_table(seats: int) -> str:
    """Length, endings, closeness by memory."""
    results = Results("memory")
    return table(
        (
            *("rules, memory", "turns", "turned again, %", "nine cards, %", "nothing fits, %"),
            *("no progress, %", "seat 1 wins, %", "first to second"),
        ),
        [
            (
                f"{title}, {memory}",
                results.mean(run, "length", "turns", "mean"),
                results.share(run, "looking", "Their share of all turns", "a game"),
                *(results.share(run, "endings", reason, "games") for reason in ENDINGS),
                results.share(run, "seats", "seat 1", "wins"),
                results.mean(run, "margins", "First and second", "mean"),
            )
            for variant, title in VARIANTS.items()
            for memory in MEMORIES
            for run in (f"{seats} {variant} {memory}",)
        ],
    )


def change_table() -> str:
    """What the variant changes, game by game."""
    results = Results("memory")

    def signed(figure: str) -> str:
        middle, _, _ = figure.partition(" ")
        is_plain = middle.startswith("\N{MINUS SIGN}") or not middle.strip("0.")
        return figure if is_plain else f"+{figure}"

    return table(
        ("seats, memory", "turns", "nine cards, pp", "seat 1 wins, pp", "first to second"),
        [
            (
                f"{seats}, {memory}",
                signed(results.mean(run, "length", "turns", "mean")),
                signed(results.share(run, "endings", ENDINGS[0], "games")),
                signed(results.share(run, "seats", "seat 1", "wins")),
                signed(results.mean(run, "margins", "First and second", "mean")),
            )
            for seats in (2, 4)
            for memory in MEMORIES
            for run in (f"{seats} change {memory}",)
        ],
    )


ENDINGS: Final = (
    "A wall is complete",
    "No card that is left fits any wall",
    "Nobody has added a card for too long",
)
"""The depot can also be empty."""


def match_table() -> str:
    """How often a perfect memory wins against each other one."""
    results = Results("memory")
    return table(
        ("perfect against", *(f"{title}: wins, %" for title in VARIANTS.values())),
        [
            (
                memory,
                *(
                    results.share(f"match {v} {memory}", "match", "perfect", "wins")
                    for v in VARIANTS
                ),
            )
            for memory in MEMORIES[:-1]
        ],
    )


def pictures_table() -> str:
    """How often a player with a picture in the wall wins, by memory, four seats."""
    results = Results("memory")
    return table(
        ("in the wall", *(f"{memory}: wins, %" for memory in MEMORIES)),
        [
            (
                picture,
                *(
                    results.share(f"4 yes {memory}", "pictures", picture, "wins with it")
                    for memory in MEMORIES
                ),
            )
            for picture in results.rows("4 yes perfect", "pictures")
        ],
    )


TABLES: Final[Mapping[str, Mapping[str, Callable[[], str]]]] = {
    "seats.md": {
        "wins-mauer": lambda: wins_table("mauer"),
        "penalties": penalties_table,
        "wins-burgbaumeister": lambda: wins_table("burgbaumeister"),
        "wins-mauerbauer": lambda: wins_table("mauerbauer"),
        "length": length_table,
    },
    "guild-cards.md": {
        "when": when_table,
        "cards": cards_table,
        "players": players_table,
    },
    "memory.md": {
        "memories": memories_table,
        "memory-2": lambda: memory_table(2),
        "memory-4": lambda: memory_table(4),
        "change": change_table,
        "match": match_table,
        "pictures": pictures_table,
    },
}
"""The tables of each page."""


def renewed(page: str, text: str) -> str:
    """The text of a page with up-to-date tables."""
    for name, made in TABLES[page].items():
        before, mark, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- /{name} -->\n")
        if not mark or not end:
            raise click.ClickException(f"{page} lacks the marks of {name}")
        text = f"{before}{mark}{made()}\n{end}{after}"
    return text


# --- The command -----------------------------------------------------------------------------


FOLDER: Final = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.option("--check", is_flag=True, help="Change nothing; fail when a table is stale.")
@click.option("--pages", default=HERE, type=FOLDER, hidden=True)
def main(*, check: bool, pages: Path) -> None:
    """Rewrite the tables of the studies from the figures in `results`."""
    texts = {page: (pages / page).read_text("utf-8") for page in TABLES}
    stale = {page: new for page, old in texts.items() if (new := renewed(page, old)) != old}
    if check and stale:
        named = ", ".join(stale)
        raise click.ClickException(f"stale: {named}; run python docs/studies/tables.py")
    for page, text in stale.items():
        (pages / page).write_text(text, "utf-8")
        click.echo(f"rewritten: {page}")
    if not stale:
        click.echo("every table is up to date")


if __name__ == "__main__":
    main()
