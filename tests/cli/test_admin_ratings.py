"""`mauerwerk admin ratings`."""

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.cli.asking import run
from tests.support.driven_table import ADA, BOB, CLEO, order
from tests.support.hosts import opened, play

from mauerwerk.cli import main
from mauerwerk.core.game import Seat
from mauerwerk.server.database.connect import transaction_at
from mauerwerk.server.features.results.service import ResultsWorker
from mauerwerk.server.features.results.store import RATINGS, RESULTS


def test_ratings_are_checked_and_worked_out_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What somebody changed in the database is found, and mended from the games."""

    async def rated_game() -> None:
        async with opened(str(tmp_path)) as host:
            short = {"rounds": "1", "stall": "1"}
            rated = order("mauer", "hoo", mine=(Seat(0),), options=short, rated=True, hints=False)
            table = (await host.create(rated, ADA)).charter.id
            for seat, guest in ((1, BOB), (2, CLEO)):
                await host.sit(table, Seat(seat), guest)
            await play(host, table, "0:- 1:- 2:-")
            await host.service(ResultsWorker).count_all()

    asyncio.run(rated_game())
    command = f"admin ratings --data {tmp_path}"
    assert run(capsys, command) == "all ratings follow from the games\n"

    with transaction_at(tmp_path, by="test") as transaction:
        transaction.connection.execute(sa.update(RATINGS).values(games=7))
        transaction.connection.execute(
            sa.update(RESULTS).where(RESULTS.c.line == 0).values(points=99)
        )
    assert main(command.split()) == 1
    said = capsys.readouterr().out
    assert "the results are not those of the game" in said
    assert said.endswith("4 faults\n")

    assert run(capsys, f"{command} --again") == "3 ratings worked out again\n"
    assert main(command.split()) == 1
    assert capsys.readouterr().out.endswith("1 fault\n")
