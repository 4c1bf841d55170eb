"""`mauerwerk serve`: tables for all who can reach this machine."""

import os
import re
from importlib import import_module
from pathlib import Path
from socket import socket
from typing import Any, Final, cast

import click
import msgspec
from click.core import ParameterSource

from mauerwerk.cli.common import Number, module_of

FOLDER: Final = "mauerwerk-data"

DATABASE: Final = "MAUERWERK_DATABASE"
"""The variable for a database address, which other people on the machine cannot read."""


ADMIN_TOKEN: Final = "MAUERWERK_ADMIN_TOKEN"  # noqa: S105 - the name of a variable
SHORTEST_TOKEN: Final = 16


ADDRESS: Final = re.compile(r"https?://[^/?#@\\\s]+(/[\w.~-]+)*/?", re.ASCII)
"""The address of a site, perhaps with a path below which the server is."""


def without_password(
    context: click.Context, parameter: click.Parameter, given: str | None
) -> str | None:
    """The address of a database, unless everybody could read its password in the command line."""
    said = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
    if said and given and _has_password(given):
        raise click.UsageError(
            "everybody on this machine can read a password in a command; "
            f"put the address into the variable {DATABASE}"
        )
    return given


def _has_password(address: str) -> bool:
    """Whether it stands before the host, or among the parameters."""
    user = address.partition("://")[2].rpartition("@")[0]
    return bool(user.partition(":")[2]) or "password=" in address


def chosen(data: str | None, database: str | None) -> str | None:
    """The database, unless a folder was given; both in one command do not go together."""
    source = click.get_current_context().get_parameter_source("database")
    if data and database and source is ParameterSource.COMMANDLINE:
        raise click.UsageError("--data and --database do not go together")
    return None if data else database


SETTINGS: Final = click.option(
    "--settings",
    "settings_file",
    type=click.Path(dir_okay=False),
    envvar="MAUERWERK_SETTINGS",
    show_envvar=True,
    help="A TOML file with limits, trusted networks, and how long things are kept.",
)


def settings_in(file: str | None) -> Any:  # noqa: ANN401 - of a module that needs an extra
    """The settings in a file; as they are at first, where none is named."""
    module = module_of("mauerwerk.web.http.settings", "server")
    try:
        return module.read_settings(Path(file)) if file else module.FileSettings()
    except module.SettingsError as fault:
        raise click.UsageError(str(fault)) from None


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
    help=f"Keep the tables in this folder.  [default: {FOLDER}]",
)
@click.option(
    "--database",
    metavar="URL",
    envvar=DATABASE,
    show_envvar=True,
    callback=without_password,
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
    type=Number(min=0),
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
@SETTINGS
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
    database = chosen(data, database)
    # Bots think in other processes, and some are of other people: they need no secrets.
    os.environ.pop(DATABASE, None)
    metrics_token = os.environ.pop("MAUERWERK_METRICS_TOKEN", "")
    admin_token = _admin_token(os.environ.pop(ADMIN_TOKEN, ""), admin_token_file)
    if data and Path(data).suffix == ".db":
        raise click.UsageError(f"--data is a folder, in which the tables are kept, not {data}")
    _check_address(address)
    server = module_of("mauerwerk.web.server", "server")
    module_of("mauerwerk.web.http.static", "server").check_scripts()
    settings_module = module_of("mauerwerk.web.http.settings", "server")
    store_module = module_of("mauerwerk.play.storage.store", "server")
    if database and not store_module.is_url(database):
        raise click.UsageError("--database is like postgresql://user@host/name")
    offering = import_module("mauerwerk.bots.offering")
    for word in bots:
        offering.offer(word)
    if adviser:
        offering.advise(adviser)
    kept = settings_in(settings_file)
    said = {"requests": rate, "streams": streams, "connections": connections}
    if rate is not None:
        said["burst"] = max(10, int(4 * rate))
    if streams is not None and connections is None:
        said["connections"] = streams + 150
    given = {name: value for name, value in said.items() if value is not None}
    limits, lowered = module_of("mauerwerk.web.http.connections", "server").fit_descriptors(
        msgspec.structs.replace(kept.limits, **given)
    )
    if lowered:
        click.echo(f"Note: {lowered}", err=True)
    settings = settings_module.Settings(
        address=address,
        hosts=(*(name.lower() for name in hosts), *server.own_names()),
        trust_proxy=trust_proxy,
        metrics_token=metrics_token,
        admin_token=admin_token,
        limits=limits,
        trusted=kept.trusted,
        backups=kept.backups,
        push=kept.push,
        mail=kept.mail,
        log=not quiet,
    )
    waiting = _listening(server, host, port, unix_socket)
    with waiting:
        try:
            table_host = server.host_at(
                database or data or FOLDER, workers_for_bots, limits, kept.keep, kept.talk.allowed
            )

            def ready() -> None:
                if compiles:
                    table_host.compile_search()
                where = address or server.address_of(waiting)
                click.echo(f"Mauerwerk is at {where} (Ctrl-C stops it)")

            server.serve(table_host, settings, waiting, ready)
        except (store_module.StorageError, settings_module.SettingsError) as fault:
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


def _listening(server: Any, host: str, port: int, unix_socket: str | None) -> socket:  # noqa: ANN401 - a module
    """The socket that systemd passes on, or else a new one."""
    if (passed := server.passed_socket(os.environ, os.getpid())) is not None:
        return cast("socket", passed)
    where = unix_socket or f"{host} port {port}"
    try:
        return cast(
            "socket",
            server.listen_at_path(Path(unix_socket)) if unix_socket else server.listen(host, port),
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
