"""What the commands for a server do: run it, and keep its database small, copied and sound."""

import os
import re
import sys
import webbrowser
from collections import Counter
from collections.abc import Generator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from socket import socket
from threading import Thread
from typing import Final

import click
from msgspec.structs import replace
from rich.progress import Progress

from mauerwerk.bots import server_bots
from mauerwerk.cli.common import ADMIN_TOKEN, DATABASE, FOLDER, UNSOUND, print_json, progress_bar
from mauerwerk.core.language import counted, listed
from mauerwerk.server import run
from mauerwerk.server.database import backup as copying
from mauerwerk.server.database import connect
from mauerwerk.server.database import doctor as examining
from mauerwerk.server.database.errors import InUseError, StorageError
from mauerwerk.server.feature import sections_of
from mauerwerk.server.features.moderation.state import Action
from mauerwerk.server.features.registry import FEATURES, know_tables
from mauerwerk.server.features.retention import service as maintenance
from mauerwerk.server.features.retention import store as retention
from mauerwerk.server.http import settings, static
from mauerwerk.server.http.identity import day_and_time
from mauerwerk.server.http.limits import fit_descriptors
from mauerwerk.server.tables.errors import OtherRulesError

SHORTEST_TOKEN: Final = 16
ADMIN_LINE: Final = "NAME ROLE TOKEN"
ADMIN_WORDS: Final = len(ADMIN_LINE.split())
ADMIN_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
HERE: Final = "127.0.0.1"
ADDRESS_FILE: Final = "address"
"""The file beside the tables that says where their server is, as long as it runs."""
ALIVE_SECONDS: Final = 5.0
"""How long a server may take to say that it is alive."""


def read_settings(file: str | None) -> settings.Settings:
    """The settings in a file; the default settings if there is none. Raises SettingsError."""
    if not file:
        return settings.Settings()
    return settings.read_settings(Path(file), sections_of(FEATURES.values()))


@contextmanager
def in_one_line() -> Generator[None, None, None]:
    """Say in one line what is wrong with the database or the settings."""
    try:
        yield
    except (StorageError, settings.SettingsError) as fault:
        raise click.UsageError(str(fault)) from None


# --- serve -----------------------------------------------------------------------------------


@in_one_line()
def serve(
    *,
    host: str,
    port: int,
    unix_socket: str | None,
    data: str | None,
    database: str | None,
    workers_for_bots: int,
    address: str | None,
    hosts: tuple[str, ...],
    trust_proxy: bool,
    rate: float | None,
    streams: int | None,
    connections: int | None,
    compiles: bool,
    settings_file: str | None,
    admin_token_file: str | None,
    bots: tuple[str, ...],
    adviser: str | None,
    quiet: bool,
) -> None:
    """Serve until stopped."""
    # Bots think in other processes, and some are of other people: they need no secrets.
    os.environ.pop(DATABASE, None)
    metrics_token = os.environ.pop("MAUERWERK_METRICS_TOKEN", "")
    shared = os.environ.pop(ADMIN_TOKEN, "").strip()
    if shared:
        _check_token(shared)
    alone = (settings.Admin(shared),) if shared else ()
    admins = _admins(Path(admin_token_file)) if admin_token_file else alone
    if data and Path(data).suffix == ".db":
        raise click.UsageError(f"--data is a folder, in which the tables are kept, not {data}")
    static.check_scripts()
    for word in bots:
        server_bots.offer(word)
    if adviser:
        server_bots.advise(adviser)
    in_file = read_settings(settings_file)
    said: dict[str, float | None] = {
        "requests": rate,
        "streams": streams,
        "connections": connections,
    }
    if rate is not None:
        said["burst"] = max(10, int(4 * rate))
    if streams is not None and connections is None:
        said["connections"] = streams + 150
    given = {name: value for name, value in said.items() if value is not None}
    limits, lowered = fit_descriptors(replace(in_file.limits, **given))
    if lowered:
        click.echo(f"Note: {lowered}", err=True)
    chosen = replace(
        in_file,
        address=address or "",
        hosts=(*(name.lower() for name in hosts), *run.own_names()),
        trust_proxy=trust_proxy,
        metrics_token=metrics_token,
        admins=admins,
        limits=limits,
        folder="" if database else data or FOLDER,
        log=not quiet,
    )
    with _listening(host, port, unix_socket) as waiting:
        table_host = run.host_at(database or data or FOLDER, workers_for_bots, limits)

        def ready() -> None:
            if compiles:
                table_host.bots.begin()
            where = address or run.address_of(waiting)
            click.echo(f"Mauerwerk is at {where} (Ctrl-C stops it)")
            run.say_ready(os.environ)

        run.serve(table_host, chosen, waiting, ready)


def _admins(file: Path) -> tuple[settings.Admin, ...]:
    """Those who manage the server: one token for all, or a line with name, role and token each."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        readable = os.name == "posix" and file.stat().st_mode & 0o077
    except (OSError, UnicodeDecodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "it is not a text"
        raise click.UsageError(f"--admin-token {file}: {reason}") from None
    said = [line.split() for line in lines if line.strip() and not line.startswith("#")]
    alone = said[0] if said else []
    if len(said) <= 1 and not _is_admin(alone):
        found = [settings.Admin(" ".join(alone))]
        _check_token(found[0].token)
    else:
        found = [_admin(file, words) for words in said]
    if len({each.name for each in found}) < len(found):
        raise click.UsageError(f"--admin-token {file}: two lines have the same name")
    if readable:
        click.echo(f"Note: others can read {file}; run: chmod 600 {file}", err=True)
    return tuple(found)


def _is_admin(words: list[str]) -> bool:
    """Whether a file's only line is meant to be a name, a role and a token, even a misspelt one."""
    return len(words) == ADMIN_WORDS or not set(settings.Role).isdisjoint(words[1:2])


def _admin(file: Path, words: list[str]) -> settings.Admin:
    if len(words) != ADMIN_WORDS:
        raise click.UsageError(f"--admin-token {file}: each line is {ADMIN_LINE}")
    name, role, token = words
    if not ADMIN_NAME.fullmatch(name):
        raise click.UsageError(f"--admin-token {file}: {name} is not a name of letters and digits")
    if role not in set(settings.Role):
        roles = listed([str(each) for each in settings.Role])
        raise click.UsageError(f"--admin-token {file}: {role} is not a role; there are {roles}")
    _check_token(token)
    return settings.Admin(token, name, settings.Role(role))


def _check_token(token: str) -> None:
    if len(token) < SHORTEST_TOKEN:
        raise click.UsageError(
            f"the admin token has at least {SHORTEST_TOKEN} characters, not {len(token)}"
        )


def _listening(host: str, port: int, unix_socket: str | None) -> socket:
    """The socket that systemd passes on, or else a new one."""
    if (passed := run.passed_socket(os.environ, os.getpid())) is not None:
        return passed
    try:
        return run.listen_at_path(Path(unix_socket)) if unix_socket else run.listen(host, port)
    except OSError as fault:
        where = unix_socket or f"{host} port {port}"
        raise click.UsageError(f"cannot listen at {where}: {fault.strerror or fault}") from None


# --- play ------------------------------------------------------------------------------------


@in_one_line()
def play(*, port: int, data: str | None, browser: bool) -> None:
    """Serve this machine only, and open the page."""
    folder = Path(data) if data else own_folder()
    static.check_scripts()
    try:
        waiting = run.listen(HERE, port)
    except OSError as fault:
        raise click.UsageError(f"cannot listen at port {port}: {fault.strerror or fault}") from None
    with waiting:
        address = run.address_of(waiting)

        def ready() -> None:
            table_host.bots.begin()
            (folder / ADDRESS_FILE).write_text(address, encoding="utf-8")
            click.echo(f"Mauerwerk is at {address} (Ctrl-C stops it)")
            if browser:
                # With some browsers this call returns only when they are closed.
                Thread(target=webbrowser.open, args=[address], daemon=True).start()

        try:
            table_host = run.host_at(folder)
            run.serve(table_host, settings.Settings(folder=str(folder), log=False), waiting, ready)
        except InUseError:
            running = running_at(folder)
            if not running:
                raise
            click.echo(f"Mauerwerk is running already, at {running}")
            if browser:
                webbrowser.open(running)
        else:
            (folder / ADDRESS_FILE).unlink(missing_ok=True)


def running_at(folder: Path) -> str:
    """Where the server of these tables is; empty where none says that it is alive."""
    try:
        address = (folder / ADDRESS_FILE).read_text(encoding="utf-8").strip()
        # Only a page of this machine is opened, whatever else is written there.
        port = int(address.removeprefix(f"http://{HERE}:"))
        with closing(HTTPConnection(HERE, port, timeout=ALIVE_SECONDS)) as connection:
            connection.request("GET", "/healthz")
            return address if connection.getresponse().status == HTTPStatus.OK else ""
    except (OSError, ValueError, OverflowError, HTTPException):
        return ""


def own_folder() -> Path:
    """The folder in which this system keeps the data of a user's programs."""
    try:
        home = Path.home()
    except RuntimeError:  # neither HOME nor an entry in the list of users
        raise click.UsageError("there is no home folder for tables; name one: --data") from None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "mauerwerk"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "mauerwerk"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "mauerwerk"


# --- backup and restore ----------------------------------------------------------------------


def _busy() -> Progress:
    """Something that moves while nobody can say how long it takes."""
    bar = progress_bar()
    bar.add_task("copying", total=None)
    return bar


@in_one_line()
def backup(target: str, place: str, **keeping: int) -> None:
    """Copy all tables, and delete older copies."""
    know_tables()
    path = Path(target)
    keep = copying.Keep(**{name.removeprefix("keep_"): most for name, most in keeping.items()})
    if keep.anything and not path.is_dir():
        raise click.UsageError(f"{target} is no folder; only in a folder are backups deleted")
    try:
        with _busy():
            if path.is_dir():
                done = copying.back_up_into(place, path, keep, datetime.now(UTC))
            else:
                done = copying.Rotated(path, copying.back_up(place, path))
    except FileExistsError:
        raise click.UsageError(f"{target} is there already; a backup needs a new name") from None
    except OSError as fault:
        raise click.UsageError(f"{fault.filename or target}: {fault.strerror}") from None
    click.echo(f"{counted(done.tables, 'table')} in {done.made}")
    for each in done.deleted:
        click.echo(f"deleted {each}")
    for each in done.foreign:
        click.echo(f"{each} is no backup and was left alone", err=True)


@in_one_line()
def restore(source: str, place: str, *, as_it_was: bool) -> None:
    """Put all tables of a backup there."""
    know_tables()
    with _busy():
        done = copying.restore(source, place, as_it_was=as_it_was)
    click.echo(f"{counted(done.tables, 'table')} from {source}")
    if done.decisions:
        click.echo(f"{counted(done.decisions, 'later decision')} done again")
    if done.last is not None:
        click.echo(f"decisions are noted until {day_and_time(done.last)}")


# --- doctor and maintain ---------------------------------------------------------------------


@in_one_line()
def doctor(place: str, *, as_json: bool) -> None:
    """Examine the database and every game in it."""
    know_tables()
    tables = entries = 0
    odd: list[examining.Examined] = []
    total = len(examining.ids(place))
    with progress_bar() as bar:
        task = bar.add_task("tables", total=total)
        for each in examining.examine(place):
            entries += each.entries
            if each.faults or each.unknown:
                odd.append(each)
            if each.table != examining.DATABASE:
                tables += 1
                bar.advance(task)
    faulty = [each for each in odd if each.faults]
    unknown = [each for each in odd if each.unknown]
    if as_json:
        found = {"tables": tables, "entries": entries, "sound": not faulty}
        print_json({**found, "faulty": faulty, "not_replayed": [each.table for each in unknown]})
    else:
        for each in faulty:
            for wrong in each.faults:
                click.echo(f"{each.table or 'the database'}: {wrong}")
        for each in unknown:
            click.echo(f"{each.table}: not replayed: {each.unknown}")
        verdict = "faults" if faulty else "all sound"
        if tables_with := sum(each.table != examining.DATABASE for each in faulty):
            verdict = f"{counted(tables_with, 'table')} with faults"
        click.echo(f"{counted(tables, 'table')}, {counted(entries, 'entry', 'entries')}: {verdict}")
    if faulty:
        raise click.exceptions.Exit(UNSOUND)


@in_one_line()
def maintain(*, dry_run: bool, settings_file: str | None, place: str, as_json: bool) -> None:
    """Do once what a server does every hour to keep its database small."""
    know_tables()
    keep = read_settings(settings_file).section(retention.Retention)
    done: Counter[str] = Counter()
    unsupported = 0
    with connect.reading_at(place) as transaction:
        due = retention.due_work(transaction, keep, transaction.now)
    for step in maintenance.steps(due, keep):
        try:
            if dry_run:
                done[step.kind] += 1
            else:
                with connect.transaction_at(place, by="command") as transaction:
                    done[step.kind] += step.work(transaction)
        except OtherRulesError:
            unsupported += 1
    if not dry_run and any(done.values()):
        with connect.transaction_at(place, by="command") as transaction:
            transaction.audit(Action.MAINTENANCE, "", maintenance.summed_up(done))
    if as_json:
        print_json({"done": not dry_run, **{kind: done[kind] for kind in maintenance.WORDS}})
        return
    click.echo(f"{'due' if dry_run else 'done'}: {maintenance.summed_up(done) or 'nothing'}")
    if unsupported:
        click.echo(
            f"{counted(unsupported, 'table')} of rules that this program does not have: left"
        )
