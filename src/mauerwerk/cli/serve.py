"""`mauerwerk serve`: tables for all who can reach this machine."""

import os
import re
from pathlib import Path
from socket import socket
from typing import Final

import click
from msgspec.structs import replace

from mauerwerk.bots import server_bots
from mauerwerk.cli import common, server_options
from mauerwerk.server import run as server
from mauerwerk.server.database.connect import is_url
from mauerwerk.server.database.errors import StorageError
from mauerwerk.server.http import static
from mauerwerk.server.http.limits import fit_descriptors
from mauerwerk.server.http.settings import SettingsError

SHORTEST_TOKEN: Final = 16

ADDRESS: Final = re.compile(r"https?://[^/?#@\\\s]+(/[\w.~-]+)*/?", re.ASCII)
"""The address of a site, perhaps with a path below which the server is."""


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0: the network too.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="0: any that is free.",
)
@click.option(
    "--unix-socket",
    type=click.Path(dir_okay=False),
    help="Listen at this path instead, for a proxy on this machine.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False),
    help=f"Keep the tables in this folder.  [default: {server_options.FOLDER}]",
)
@click.option(
    "--database",
    metavar="URL",
    envvar=server_options.DATABASE,
    show_envvar=True,
    callback=server_options.without_password,
    help="Keep them in PostgreSQL instead.",
)
@click.option(
    "--workers-for-bots",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="How many bots think at the same time.",
)
@click.option("--address", metavar="URL", default="", help="Where people find it, for links.")
@click.option("--allow-host", "hosts", multiple=True, help="A name to answer to; * for any.")
@click.option("--trust-proxy", is_flag=True, help="A proxy in front says who the client is.")
@click.option(
    "--rate",
    type=common.Number(min=0),
    show_default="100",
    help="Requests a second from one client; 0: no limits.",
)
@click.option(
    "--streams",
    type=click.IntRange(min=1),
    show_default="100",
    help="Open streams of one client.",
)
@click.option(
    "--connections",
    type=click.IntRange(min=1),
    show_default="150 more than streams",
    help="Open connections of one client, streams included.",
)
@click.option(
    "--compile/--no-compile",
    "compiles",
    default=True,
    show_default=True,
    help="Compile what strong bots need when it starts, or when first needed.",
)
@server_options.SETTINGS
@click.option(
    "--admin-token",
    "admin_token_file",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="A file with the token for those who manage the server.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="[NAME=]BOT",
    help="Offer this bot too: package.module:Class, run:COMMAND, or any other.",
)
@click.option(
    "--hints",
    "adviser",
    default="",
    metavar="NAME",
    help="Let this bot, which --bot offers, give the hints.  [default: our own]",
)
@click.option("--quiet", is_flag=True, help="No line for each request.")
def serve(
    *,
    host: str,
    port: int,
    unix_socket: str | None,
    data: str | None,
    database: str | None,
    workers_for_bots: int,
    address: str,
    hosts: tuple[str, ...],
    trust_proxy: bool,
    rate: float | None,
    streams: int | None,
    connections: int | None,
    compiles: bool,
    settings_file: str | None,
    admin_token_file: str | None,
    bots: tuple[str, ...],
    adviser: str,
    quiet: bool,
) -> None:
    """Let others play on this machine, over the network.

    Example: mauerwerk serve --host 0.0.0.0 --data games
    """
    database = server_options.chosen(data, database)
    # Bots think in other processes, and some are of other people: they need no secrets.
    os.environ.pop(server_options.DATABASE, None)
    metrics_token = os.environ.pop("MAUERWERK_METRICS_TOKEN", "")
    admin_token = _admin_token(os.environ.pop(server_options.ADMIN_TOKEN, ""), admin_token_file)
    if data and Path(data).suffix == ".db":
        raise click.UsageError(f"--data is a folder, in which the tables are kept, not {data}")
    _check_address(address)
    static.check_scripts()
    if database and not is_url(database):
        raise click.UsageError("--database is like postgresql://user@host/name")
    for word in bots:
        server_bots.offer(word)
    if adviser:
        server_bots.advise(adviser)
    in_file = server_options.read_settings(settings_file)
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
    settings = replace(
        in_file,
        address=address,
        hosts=(*(name.lower() for name in hosts), *server.own_names()),
        trust_proxy=trust_proxy,
        metrics_token=metrics_token,
        admin_token=admin_token,
        limits=limits,
        folder="" if database else data or server_options.FOLDER,
        log=not quiet,
    )
    waiting = _listening(host, port, unix_socket)
    with waiting:
        try:
            table_host = server.host_at(
                database or data or server_options.FOLDER,
                workers_for_bots,
                limits,
            )

            def ready() -> None:
                if compiles:
                    table_host.compile_search()
                where = address or server.address_of(waiting)
                click.echo(f"Mauerwerk is at {where} (Ctrl-C stops it)")

            server.serve(table_host, settings, waiting, ready)
        except (StorageError, SettingsError) as fault:
            raise click.UsageError(str(fault)) from None


def _admin_token(said: str, file: str | None) -> str:
    """The token of those who manage the server: from a file, or else as the environment said."""
    token = said.strip()
    if file:
        try:
            token = Path(file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as fault:
            reason = fault.strerror if isinstance(fault, OSError) else "it is not a text"
            raise click.UsageError(f"--admin-token {file}: {reason}") from None
    if (file or token) and len(token) < SHORTEST_TOKEN:
        raise click.UsageError(
            f"the admin token has at least {SHORTEST_TOKEN} characters, not {len(token)}"
        )
    return token


def _listening(host: str, port: int, unix_socket: str | None) -> socket:
    """The socket that systemd passes on, or else a new one."""
    if (passed := server.passed_socket(os.environ, os.getpid())) is not None:
        return passed
    where = unix_socket or f"{host} port {port}"
    try:
        return (
            server.listen_at_path(Path(unix_socket)) if unix_socket else server.listen(host, port)
        )
    except OSError as fault:
        raise click.UsageError(f"cannot listen at {where}: {fault.strerror or fault}") from None


def _check_address(address: str) -> None:
    """Refuse an address that is not that of a site."""
    found = ADDRESS.fullmatch(address)
    if address and found is None:
        raise click.UsageError(
            f"--address is like https://walls.example.org or https://example.org/walls, "
            f"not {address}"
        )
