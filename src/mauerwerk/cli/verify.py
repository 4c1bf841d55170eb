"""`mauerwerk verify`: whether every roll and deal of a recorded game follows from its seed."""

import re
from typing import Any

import click

from mauerwerk.cli.common import AS_JSON, UNSOUND, print_json, text_of
from mauerwerk.core.game import NATURE
from mauerwerk.core.language import counted
from mauerwerk.core.record import Move
from mauerwerk.games import GAMES, game_in
from mauerwerk.server.tables import seed, transcript


@click.command("verify")
@click.argument("file", metavar="RECORD", type=click.File("rb"))
@click.option("--commitment", "shown", metavar="HEX", help="What the table showed at its start.")
@AS_JSON
def verify(file: Any, *, shown: str | None, as_json: bool) -> None:
    """Draw all of nature's moves in a record again; `-` reads it from stdin.

    The exit code is 1 for a record that does not hold, 2 for one that cannot be checked.

    Example: mauerwerk verify game.txt --commitment 66687aad…
    """
    wanted = None if shown is None else shown.strip().lower()
    if wanted is not None and not re.fullmatch(r"[0-9a-f]{64}", wanted):
        raise click.UsageError(f"--commitment is 64 hexadecimal digits, not {shown!r}")
    read = transcript.read(text_of(file.read(), file.name), GAMES)
    fair = read.fairness
    verdict = transcript.check(game_in(read.record), read)
    commitment = seed.commitment(fair.seed)
    faults = [
        {
            "line": read.lines[fault.place],
            "move": str(Move(NATURE, fault.word)),
            "should_be": str(Move(NATURE, fault.should_be)),
            "number": fault.number,
        }
        for fault in verdict.faults
    ]
    broken = sorted({each for each in (fair.commitment, wanted) if each} - {commitment})
    gaps = fair.numbers[-1] - fair.numbers[0] + 1 - len(fair.numbers) if fair.numbers else 0
    holds = not faults and not broken
    if as_json:
        print_json(
            {
                "game": read.record.game,
                "holds": holds,
                "checked": verdict.checked,
                "given": fair.given,
                "given_by_nature": verdict.given,
                "by_hand": verdict.by_hand,
                "commitment": commitment,
                "other_commitments": broken,
                "left_out": gaps,
                "faults": faults,
            }
        )
    else:
        for fault in faults:
            click.echo(
                f"line {fault['line']}: {fault['move']} should be {fault['should_be']}"
                f" (number {fault['number']})"
            )
        for other in broken:
            click.echo(f"the seed has another commitment than {other}")
        checked = counted(verdict.checked, "move")
        left_out = f", {counted(gaps, 'number')} left out" if gaps else ""
        verb = "checked" if holds else "checked, and the record does not hold"
        click.echo(f"{checked} of nature {verb}{left_out}; commitment {commitment}")
        if fair.given:
            click.echo(
                f"{counted(fair.given, 'move')} given at the start, {verdict.given} of nature's"
                " among them: not drawn by this table"
            )
        if verdict.by_hand:
            click.echo(
                f"{counted(verdict.by_hand, 'move')} of nature entered by hand:"
                " only who sat at the table knows whether they were rolled so"
            )
    if not holds:
        click.get_current_context().exit(UNSOUND)
