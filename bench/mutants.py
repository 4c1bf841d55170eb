"""How many one-line mutants of the source the tests find: `make mutants`.

    python -m bench.mutants [--seed 36] [--rules 150]            writes bench/results-mutants.md
    python -m bench.mutants --only server/http/limits.py:96      tries all mutants of a line,
                                                                 or of several: --only … --only …

A mutant is a copy of the program with one small change. If no test fails with it, either the change
makes no difference, or a test is missing. A sample of mutants is tried with the fast tests, and
those that survive with all tests of `make test` but those in a browser. Results are kept in
`build/mutants`; a run that was interrupted goes on where it stopped.
"""

import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Final

import click
import pytest
from bench.mutants_make import SOURCE, Mutant, mutants
from bench.mutants_try import KILLED, SURVIVED, TIMED_OUT, UNREACHED, Result, Trials

ROOT: Final = Path(__file__).parents[1]
KEPT: Final = ROOT / "build" / "mutants"
PAGE: Final = ROOT / "bench" / "results-mutants.md"

RULES: Final = ("games",)
SERVER: Final = ("server/tables", "server/engine", "server/database", "server/http")
LEFT_OUT: Final = ("/drawing/", "/migrations/")
"""Pictures have reference drawings; a migration is never edited."""

TESTS: Final = ("bots", "core", "games", "laws", "records", "server", "fourth_game", "guestbook")
"""The folders of tests that reach these packages without a browser."""

FIT: Final = "not browser and not kernels and not foreign and not thorough"
"""The marks of tests that are tried: others run in other processes, or take long to compile."""

TIERS: Final = {"quick": FIT, "test": f"(postgres or process or slow) and {FIT}"}
"""Which tests are tried first, and which then."""

BUDGET: Final = 20.0
"""The seconds that the tests of one mutant may take in a tier, by what they take without it."""


def all_mutants(folders: Iterable[str]) -> Iterator[Mutant]:
    """All mutants in these folders."""
    for folder in folders:
        for path in sorted((SOURCE / folder).rglob("*.py")):
            file = path.relative_to(SOURCE).as_posix()
            if not any(part in f"/{file}" for part in LEFT_OUT):
                yield from mutants(file, path.read_text(encoding="utf-8"))


def mutants_at(place: str) -> Iterator[Mutant]:
    """All mutants of a file, or of one of its lines."""
    file, _, line = place.partition(":")
    for mutant in mutants(file, (SOURCE / file).read_text(encoding="utf-8")):
        if not line or mutant.first <= int(line) <= mutant.last:
            yield mutant


def sample(found: Iterable[Mutant], number: int, seed: int) -> list[Mutant]:
    """Some of these, of every kind as many; an edit elsewhere leaves the choice as it is."""

    def ticket(mutant: Mutant) -> str:
        return hashlib.sha256(f"{seed} {mutant.name}".encode()).hexdigest()

    kinds: dict[str, list[Mutant]] = {}
    for mutant in sorted(found, key=ticket):
        kinds.setdefault(mutant.kind, []).append(mutant)
    rounds = zip_longest(*(kinds[kind] for kind in sorted(kinds)))
    return [mutant for some in rounds for mutant in some if mutant][:number]


# --- Results ---------------------------------------------------------------------------------


class Kept:
    """The results so far, in a file with one line each."""

    def __init__(self, path: Path, *, shown: bool = True) -> None:
        """Read what is there."""
        self._path = path
        self._shown = shown
        self.results: dict[str, Result] = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                result = Result(*json.loads(line))
                self.results[result.name] = result

    def add(self, result: Result) -> None:
        """Keep a result."""
        self.results[result.name] = result
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(result)}\n")
        if self._shown:
            click.echo(f"{result.outcome:9} {result.seconds:5.1f} s  {result.name}  {result.test}")


def is_equivalent(mutant: Mutant, known: Mapping[tuple[str, str], str]) -> bool:
    """Whether somebody has written that this mutant changes nothing; then it is not tried again."""
    return known.get(cells(mutant), "").startswith("equivalent")


def cells(mutant: Mutant) -> tuple[str, str]:
    """How the page names a mutant."""
    return f"`{mutant.file}::{mutant.function}`", f"`{mutant.change.replace('|', '¦')}`"


def is_dead(result: Result | None) -> bool:
    """Whether a test has found this mutant."""
    return result is not None and result.outcome in {KILLED, TIMED_OUT}


def try_them(  # noqa: PLR0913 - what is to be done
    chosen: Sequence[Mutant],
    tier: str,
    kept: Kept,
    *,
    jobs: int,
    measured: bool,
    tests: Sequence[str] = TESTS,
) -> None:
    """Try mutants with the tests of a tier, of these folders."""
    trials = Trials(
        chosen,
        KEPT / f"reach-{tier}",
        measured=measured,
        jobs=jobs,
        budget=BUDGET,
        found=kept.add,
    )
    folders = [f"tests/{folder}" for folder in tests]
    options = ["--quiet", "--no-header", "--no-summary", "-p", "no:cacheprovider", "-p", "no:xdist"]
    pytest.main([*options, "--tier", tier, "-m", TIERS[tier], *folders], plugins=[trials])


# --- The page --------------------------------------------------------------------------------


def reasons() -> dict[tuple[str, str], str]:
    """What was written by hand about survivors, by function and change."""
    found: dict[tuple[str, str], str] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else ():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == len(SURVIVORS) and "::" in cells[0]:
            found[cells[0].partition(" line ")[0], cells[2]] = cells[3]
    return found


COLUMNS: Final = (
    *("package", "mutants", "tried", "killed", "timed out", "survived", "found"),
    *("equivalent", "found of the others"),
)
SURVIVORS: Final = ("where", "kind", "change", "why it survives")


def page(samples: dict[str, list[Mutant]], kept: Kept, seed: int, made: Counter[str]) -> str:
    """The results as Markdown; reasons that were written by hand are kept."""
    known = reasons()
    rows: list[str] = []
    survivors: list[str] = []
    for part, chosen in samples.items():
        packages: dict[str, list[Mutant]] = {}
        for mutant in chosen:
            packages.setdefault(package(mutant), []).append(mutant)
        counted = sorted(packages.items())
        for name, some in [*counted, (f"**{part}**", chosen)]:
            number = made[name] or sum(made[each] for each in packages)
            rows.append(_row(name, some, kept, number, known))
        for mutant in sorted(chosen):
            if mutant.name in kept.results and not is_dead(kept.results[mutant.name]):
                where, change = cells(mutant)
                why = known.get((where, change), "?")
                line = f"{where} line {mutant.first}"
                survivors.append(f"| {line} | {mutant.kind} | {change} | {why} |")
    sizes = " and ".join(f"{len(chosen)} of {part}" for part, chosen in samples.items())
    revision = _revision()
    return "\n".join(
        [
            TEXT.format(
                date=f"{datetime.now(UTC):%Y-%m-%d}", sizes=sizes, seed=seed, revision=revision
            ),
            f"| {' | '.join(COLUMNS)} |",
            f"|{'---|' * len(COLUMNS)}",
            *rows,
            "",
            "## Survivors",
            "",
            "The last column is written by hand, and `make mutants` leaves it as it is. A survivor",
            "that is *equivalent* changes nothing that anybody could notice.",
            "",
            f"| {' | '.join(SURVIVORS)} |",
            "|---|---|---|---|",
            *survivors,
            "",
            notes(),
        ]
    )


TEXT: Final = """# Mutants

A mutant is the program with one small change. `make mutants` tries a sample and counts those
that the tests of `make test` notice; [CONTRIBUTING](../CONTRIBUTING.md#tests-in-three-tiers) says
what to do with one that survives. Written on {date} from revision {revision}: {sizes},
seed {seed}, equally many of each kind.
"""

NOTES: Final = "## Notes\n"
"""What follows this on the page is written by hand."""


def notes() -> str:
    """The part of the page that is written by hand."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    _, mark, rest = text.partition(NOTES)
    return mark + rest


def _row(
    name: str,
    chosen: Sequence[Mutant],
    kept: Kept,
    made: int,
    known: Mapping[tuple[str, str], str],
) -> str:
    outcomes = Counter(
        kept.results[each.name].outcome for each in chosen if each.name in kept.results
    )
    dead = outcomes[KILLED] + outcomes[TIMED_OUT]
    alive = outcomes[SURVIVED] + outcomes[UNREACHED]
    tried = dead + alive
    same = sum(
        mutant.name in kept.results
        and not is_dead(kept.results[mutant.name])
        and is_equivalent(mutant, known)
        for mutant in chosen
    )
    share = f"{100 * dead / tried:.1f} %" if tried else ""
    of_others = f"{100 * dead / (tried - same):.1f} %" if tried > same else ""
    name = name if "*" in name else f"`{name}`"
    return (
        f"| {name} | {made:,} | {tried} | {outcomes[KILLED]} | {outcomes[TIMED_OUT]} | {alive} "
        f"| {share} | {same} | {of_others} |"
    )


def package(mutant: Mutant) -> str:
    """The package of a mutant: two folders."""
    return "/".join(Path(mutant.file).parts[:2])


def _revision() -> str:
    command = ["git", "rev-parse", "--short", "HEAD"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603 - git
    return said.stdout.strip()


# --- The command -----------------------------------------------------------------------------


@click.command()
@click.option("--rules", default=150, show_default=True, help="How many mutants of the rules.")
@click.option("--server", default=200, show_default=True, help="How many mutants of the server.")
@click.option("--seed", default=36, show_default=True, help="Which sample.")
@click.option("--jobs", default=2, show_default=True, help="How many at the same time.")
@click.option(
    "--only",
    multiple=True,
    help="Try all mutants of a file (games/mauer/rules.py) or of a line (…:80).",
)
@click.option("--tier", "tiers", multiple=True, type=click.Choice(TIERS), help="Only these tests.")
@click.option(
    "--tests", multiple=True, type=click.Choice(TESTS), help="Only these folders of them."
)
@click.option("--measured", is_flag=True, help="Tests reach the same lines as in the last run.")
@click.option("--anew", is_flag=True, help="Forget earlier results.")
@click.option("--write", is_flag=True, help="Only write the page from the results so far.")
def main(  # noqa: PLR0913, PLR0917 - options
    rules: int,
    server: int,
    seed: int,
    jobs: int,
    only: tuple[str, ...],
    tiers: tuple[str, ...],
    tests: tuple[str, ...],
    *,
    measured: bool,
    anew: bool,
    write: bool,
) -> None:
    """Try a sample of mutants, and write the page; or try those of one place."""
    found = {"the rules": list(all_mutants(RULES)), "the server": list(all_mutants(SERVER))}
    samples = {
        "the rules": sample(found["the rules"], rules, seed),
        "the server": sample(found["the server"], server, seed),
    }
    if only:
        samples = {place: list(mutants_at(place)) for place in only}
    path = KEPT / "results.jsonl"
    if anew or only:
        path = path.with_name("only.jsonl") if only else path
        path.unlink(missing_ok=True)
    kept = Kept(path)
    chosen = [mutant for part in samples.values() for mutant in part]
    known = {} if only else reasons()
    for mutant in chosen:
        if mutant.name not in kept.results and is_equivalent(mutant, known):
            kept.add(Result(mutant.name, SURVIVED))  # as another run has found
    for tier in () if write else tiers or TIERS:
        wanted = [
            mutant
            for mutant in chosen
            if not is_dead(kept.results.get(mutant.name)) and not is_equivalent(mutant, known)
        ]
        if not wanted:
            break
        try_them(wanted, tier, kept, jobs=jobs, measured=measured, tests=tests or TESTS)
    if only:
        _show(chosen, kept)
        return
    made = Counter(package(mutant) for part in found.values() for mutant in part)
    PAGE.write_text(page(samples, kept, seed, made), encoding="utf-8")


def _show(chosen: Sequence[Mutant], kept: Kept) -> None:
    for mutant in chosen:
        result = kept.results.get(mutant.name)
        outcome = result.outcome if result else ""
        where = f"{mutant.file}:{mutant.first}"
        click.echo(f"{outcome:9} {where:40} {mutant.kind:18} {mutant.change}")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
