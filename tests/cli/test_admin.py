"""`mauerwerk admin`: what hosts do by commands, beside a server or without one."""

import asyncio
import json
from pathlib import Path

import pytest
from tests.cli.asking import refused, run
from tests.support.driven_table import ADA, BOB, order
from tests.support.hosts import with_features

from mauerwerk.core.game import Seat
from mauerwerk.server.database.connect import store_at, transaction_at
from mauerwerk.server.database.doctor import examine
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.results.store import RESULTS


@pytest.fixture
def laid(tmp_path: Path) -> tuple[str, str, str]:
    """A folder with a running table of Ada's, and one of Bob's that waits."""

    async def lay() -> tuple[str, str]:
        host = with_features(Host(store_at(tmp_path)))
        await host.open()
        seats = (Seat(0), Seat(1), Seat(2))
        running = await host.create(order("mauer", "hhh", mine=seats), ADA)
        waiting = await host.create(order("mauer", "hho", mine=(Seat(0),)), BOB)
        await host.close()
        return running.charter.id, waiting.charter.id

    running, waiting = asyncio.run(lay())
    return str(tmp_path), running, waiting


def test_tables_and_guests_are_listed(
    laid: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """By how far they are, by guest, by name; for people and for programs."""
    folder, running, waiting = laid
    at = f"--data {folder}"
    assert f"{running}  mauer" in run(capsys, f"admin tables --which running {at}")
    assert waiting in run(capsys, f"admin tables --guest bob {at}")
    assert running in run(capsys, f"admin tables --find ada {at}")
    assert run(capsys, f"admin tables --which silent {at}") == ""
    (found,) = json.loads(run(capsys, f"admin tables --which open --json {at}"))
    assert (found["card"]["id"], found["guests"]) == (waiting, ["bob", "", ""])
    assert "ada  Ada: 1 tables" in run(capsys, f"admin guests {at}")


def test_games_end_and_tables_go(
    laid: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """What is left is sound, and the log of actions says who did what."""
    folder, running, waiting = laid
    at = f"--data {folder}"
    assert "not running" in refused(capsys, f"admin end {waiting} {at}")
    assert run(capsys, f"admin end {running} --reason late {at}") == f"{running}: ended\n"
    assert run(capsys, f"admin end {running} {at}") == f"{running}: was over already\n"
    assert run(capsys, f"admin delete {waiting} --yes {at}") == f"{waiting}: deleted\n"
    assert "no table" in refused(capsys, f"admin delete {waiting} --yes {at}")
    assert [(each.table, each.faults) for each in examine(Path(folder))] == [(running, ())]
    log = run(capsys, f"admin audit {at}")
    assert f"end-table        {running}: late" in log
    assert f"delete-table     {waiting}" in log


def test_a_made_up_game_no_longer_counts(
    laid: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """It is taken out of the ratings, once."""
    folder, table, _ = laid
    at = f"--data {folder}"
    skill = {"mu_before": 25.0, "sigma_before": 8.3, "mu": 27.0, "sigma": 8.0}
    game = {"table_id": table, "game": "mauer", "ended": 1, "seats": 3, "people": 1, "number": 1}
    own = {"line": 0, "seat": 0, "guest": "ada", "level": "", "place": 1, "gone": False}
    with transaction_at(folder, by="test") as transaction:
        transaction.insert(RESULTS, **game, **own, **skill, counts="{}")
    assert run(capsys, f"admin void {table} {at}") == f"{table}: out of the ratings\n"
    assert "no game that was rated" in refused(capsys, f"admin void {table} {at}")


def test_guests_and_networks(
    laid: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """They are blocked with a reason and an end, renamed, logged out, and let in again."""
    folder, running, _ = laid
    at = f"--data {folder}"
    assert "2001:db8::/48 is blocked until" in run(
        capsys, f"admin block network 2001:db8::1/48 --days 7 --reason flood {at}"
    )
    assert "neither an address" in refused(capsys, f"admin block network school {at}")
    assert "ada is blocked for ever" in run(capsys, f"admin block guest ada {at}")
    assert len(run(capsys, f"admin blocks {at}").splitlines()) == 2
    run(capsys, f"admin unblock guest ada {at}")
    assert "not blocked" in refused(capsys, f"admin unblock guest ada {at}")
    links = run(capsys, f"admin links {running} --address https://a.example/ {at}")
    assert links.startswith(f"Ada: https://a.example/t/{running}/s/0/")
    assert "logged out" in run(capsys, f"admin log-out ada {at}")
    assert run(capsys, f"admin links {running} --address https://a.example/ {at}") != links
    assert run(capsys, f"admin rename bob Mason {at}") == "bob is called Mason\n"
    assert "at most 32" in refused(capsys, f"admin rename bob {'x' * 33} {at}")
    assert "'NAME': it is empty" in refused(capsys, f"admin rename bob '' {at}")
    assert "longer than 200" in refused(capsys, f"admin block guest bob --reason {'x' * 201} {at}")
    assert "not a finite number" in refused(capsys, f"admin block guest bob --days nan {at}")
    assert "--address is like" in refused(capsys, f"admin links {running} --address foo {at}")


def test_the_secret_and_the_doors(
    laid: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """What happens to old links is said plainly."""
    at = f"--data {laid[0]}"
    assert "valid for 14 more days" in run(capsys, f"admin rotate-secret {at}")
    assert "invalid now" in run(capsys, f"admin rotate-secret --grace-days 0 {at}")
    assert "closed" in run(capsys, f"admin close {at}")
    assert "open" in run(capsys, f"admin reopen {at}")
    assert run(capsys, f"admin reports {at}") == ""
    assert "no report" in refused(capsys, f"admin resolve x {at}")


def test_what_cannot_be_asked_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a database, and without a token."""
    assert "there is no database" in refused(capsys, f"admin tables --data {tmp_path}")
    monkeypatch.delenv("MAUERWERK_ADMIN_TOKEN", raising=False)
    assert "MAUERWERK_ADMIN_TOKEN" in refused(capsys, "admin queues")
