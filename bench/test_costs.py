"""What each file of tests costs, in CPU seconds, with the browsers and servers that it starts.

pytest --tier test --numprocesses 2 --costs after.json
python -m bench.test_costs after.json [--before before.json] [--most 40]
"""

import json
from collections import Counter
from pathlib import Path

import click
from bench.size import table


def by_file(path: Path) -> tuple[Counter[str], Counter[str]]:
    """The seconds and the number of tests of each file."""
    found: dict[str, tuple[float, float]] = json.loads(path.read_text(encoding="utf-8"))
    seconds, tests = Counter[str](), Counter[str]()
    for name, (cpu, _) in found.items():
        file = name.partition("::")[0]
        seconds[file] += cpu  # type: ignore[assignment]
        tests[file] += 1
    return seconds, tests


@click.command()
@click.argument("costs", type=click.Path(path_type=Path, exists=True))
@click.option("--before", type=click.Path(path_type=Path, exists=True), help="Costs to compare.")
@click.option("--most", default=40, show_default=True, help="How many files are shown.")
def main(*, costs: Path, before: Path | None, most: int) -> None:
    """Print the files that cost most, or that have changed most."""
    now, tests = by_file(costs)
    then, had = by_file(before) if before else (now, tests)
    order = sorted(
        now | then, key=lambda file: -max(abs(then[file] - now[file]), now[file] * (before is None))
    )
    rows = [("file", "tests", "CPU, s", "tests before", "CPU before, s")]
    rows += [
        (f"`{each}`", str(tests[each]), f"{now[each]:.1f}", str(had[each]), f"{then[each]:.1f}")
        for each in order[:most]
    ]
    rows.append(
        ("all", str(tests.total()), f"{now.total():.0f}", str(had.total()), f"{then.total():.0f}")
    )
    click.echo("\n".join(table(*(row if before else row[:3] for row in rows))))


if __name__ == "__main__":
    main()
