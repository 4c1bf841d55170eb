"""Play the games of the studies and save their figures in `results`.

    python docs/studies/play.py FOLDER        play everything, or resume; FOLDER keeps the counts
    python docs/studies/play.py --commands    list every command

`tables.py` and `draw.py` make tables and charts from the figures.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

RESULTS: Final = Path(__file__).parent / "results"
SEED: Final = 1
SEATS: Final[Mapping[str, Sequence[int]]] = {
    "mauer": (3, 4, 5, 6),
    "burgbaumeister": (2, 3, 4),
    "mauerbauer": (2, 3, 4),
}
"""The numbers of seats that the rules allow."""

GAMES: Final[Mapping[str, int]] = {"uniform": 200_000, "greedy": 40_000}
"""The number of games of each kind of player. A seat of four that wins 1 in 100 games more than the
others shows in 40,000 games."""

MEMORIES: Final = ("absent", "apprentice", "journeyman", "foreman", "perfect")
"""From no memory to a perfect one; a master's memory is perfect too."""

REMEMBERED: Final[Mapping[int, int]] = {2: 200, 4: 100}
"""The number of games with each memory, by seats."""

CHANGED: Final = ("--set", "variant=yes")
"""What compares each basic game with the game of the variant that has the same cards."""

FIRST: Final = 20
"""The number of games at the beginning of a study that a test plays again."""

MATCHES: Final = 240
"""The number of games of a perfect memory against each other one."""


class Run(NamedTuple):
    """A command, and the name of its figures."""

    file: str
    name: str
    words: tuple[str, ...]
    sections: tuple[str, ...]
    """The sections of its results that are kept."""

    def command(self) -> str:
        """The command as it is typed."""
        return " ".join(("mauerwerk", *self.words))


def runs() -> Iterator[Run]:
    """All runs. The study of guild cards uses the games of Mauerbauer of the study of seats."""
    for game, numbers in SEATS.items():
        first = ("--first", "0") if game == "mauerbauer" else ()
        more = ("when", "cards", "fate", "cities") if game == "mauerbauer" else ()
        for seats in numbers:
            for bot, games in GAMES.items():
                yield Run(
                    game,
                    f"{seats} {bot}",
                    _study(game, seats, first, bot, games),
                    ("seats", "length", "endings", "closeness", "margins", *more),
                )
    for variant in ("no", "yes"):
        for memory in MEMORIES:
            for seats, games in REMEMBERED.items():
                yield Run(
                    "memory",
                    f"{seats} {variant} {memory}",
                    _study(
                        "burgbaumeister",
                        seats,
                        ("--variant", variant),
                        f"greedy:memory={memory}",
                        games,
                    ),
                    ("seats", "length", "endings", "closeness", "margins", "looking")
                    + (("sources", "pictures", "cannons") if variant == "yes" else ()),
                )
            if memory != "perfect":
                yield Run("memory", f"match {variant} {memory}", _match(variant, memory), ())
    for memory in MEMORIES:
        for seats, games in REMEMBERED.items():
            words = _study("burgbaumeister", seats, (), f"greedy:memory={memory}", games)
            yield Run(
                "memory",
                f"{seats} change {memory}",
                (*words, *CHANGED),
                ("seats", "length", "endings", "margins", "looking"),
            )


def _study(game: str, seats: int, options: Sequence[str], bot: str, games: int) -> tuple[str, ...]:
    return (
        *("study", game, "--seats", str(seats), *options, "--bots", bot),
        *("--games", str(games), "--luck", "0", "--seed", str(SEED)),
    )


def _match(variant: str, memory: str) -> tuple[str, ...]:
    return (
        *("match", "burgbaumeister", "--variant", variant),
        *("--bots", f"greedy:memory=perfect,greedy:memory={memory}"),
        *("--games", str(MATCHES), "--seed", str(SEED)),
    )


def first_games(run: Run) -> tuple[str, ...]:
    """The words that play only the first games of a study, and print their figures."""
    words = list(run.words)
    words[words.index("--games") + 1] = str(FIRST)
    return (*words, "--json")


def lengths(answer: Mapping[str, Any]) -> dict[str, list[float]]:
    """The mean length of games, by which other games would be noticed."""
    length = answer["answers"]["length"]
    return {
        row: [each["mean"] for each in heads["mean"]["values"]] for row, heads in length.items()
    }


def play(run: Run, folder: Path) -> dict[str, Any]:
    """Play a run, or the rest of it, and keep the figures that the pages use."""
    counted = folder / f"{run.file}-{run.name}.jsonl".replace(" ", "-")
    answer = _answer(*run.words, "--json", "--results", str(counted))
    if run.words[0] == "match":
        standings = answer["standings"]
        figures = {
            "match": {
                bot["bot"].removeprefix("greedy:memory="): {
                    head: _kept(bot[head]) for head in ("wins", "points")
                }
                for bot in standings["bots"]
            }
        }
        return {"command": run.command(), "games": standings["games"], "figures": figures}
    changed = run.words[-len(CHANGED) :] == CHANGED
    return {
        "command": run.command(),
        "games": answer["studies"][0]["games"],
        "first": lengths(_answer(*first_games(run))),
        "figures": {
            section: {
                row: {
                    head: _kept(cell["change"] if changed else cell["values"][0])
                    for head, cell in heads.items()
                }
                for row, heads in answer["answers"][section].items()
            }
            for section in run.sections
        },
    }


def _answer(*words: str) -> dict[str, Any]:
    """What a command prints as JSON."""
    program = str(Path(sys.executable).with_name("mauerwerk"))
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, check=True)  # noqa: S603 - our own words
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def _kept(estimate: Mapping[str, Any] | None) -> list[float | None] | None:
    """A figure and its interval, with enough digits for any table."""
    if estimate is None:
        return None
    ends = (estimate[end] for end in ("mean", "low", "high"))
    return [None if end is None else round(end, 6) for end in ends]


@click.command()
@click.argument("folder", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--commands", is_flag=True, help="List every command, and play nothing.")
def main(*, folder: Path | None, commands: bool) -> None:
    """Play everything, or resume; the counts are kept in FOLDER."""
    if commands:
        for run in runs():
            click.echo(run.command())
        return
    if not folder:
        raise click.UsageError("say in which directory to keep what is counted, or --commands")
    folder.mkdir(parents=True, exist_ok=True)
    kept: dict[str, dict[str, Any]] = {}
    for run in runs():
        click.echo(run.command(), err=True)
        kept.setdefault(run.file, {})[run.name] = play(run, folder)
    for file, figures in kept.items():
        lines = [f"{json.dumps(name)}: {json.dumps(run)}" for name, run in figures.items()]
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        (RESULTS / f"{file}.json").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
